/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The user's locale, see locale(7). */
#ifndef TRACER_UTIL_LOCALE_H
#define TRACER_UTIL_LOCALE_H

#include "defs.h"

/*
 * Returns true if the environment selects a locale with UTF-8, even if this locale is not
 * installed.
 */
bool locale_is_utf8(void);

#endif
