/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * assert_uint_in_range() for all versions of cmocka. Version 2.0 defines it and deprecates
 * assert_in_range(). Include this file after cmocka.h.
 */
#ifndef TRACER_TESTS_UNIT_RANGE_H
#define TRACER_TESTS_UNIT_RANGE_H

#ifndef assert_uint_in_range
#define assert_uint_in_range(value, minimum, maximum) assert_in_range(value, minimum, maximum)
#endif

#endif
