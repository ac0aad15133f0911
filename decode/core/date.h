/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates behind seconds: 2026-11-21T03:19:07.838665576+0000 */
#ifndef TRACER_DECODE_DATE_H
#define TRACER_DECODE_DATE_H

#include "decode/core/decode.h"

/*
 * The local date of that many seconds since 1970 and a fraction of digits
 * decimals (0, 6, 9); NULL where there is none: both are zero, or the fraction
 * is a second or more. In the decoder's arena, for value.comment.
 */
const char *decode_date(struct decoder *d, int64_t sec, uint64_t fraction, int digits);

#endif
