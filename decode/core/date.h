/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates that are shown as comments of times: 2026-11-21T03:19:07.838665576+0000 */
#ifndef TRACER_DECODE_DATE_H
#define TRACER_DECODE_DATE_H

#include "decode/core/decode.h"

/*
 * The date, in the local time zone, of sec seconds since 1970 and a fraction with so many decimal
 * digits: 0, 6 (microseconds) or 9 (nanoseconds). NULL if no date is shown: both are zero, or the
 * fraction is a second or more. The text is in the decoder's arena, for value.comment.
 */
const char *decode_date(struct decoder *d, int64_t sec, uint64_t fraction, int digits);

#endif
