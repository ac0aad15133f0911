/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_CRC32C_H
#define TRACER_UTIL_CRC32C_H

#include "defs.h"

/*
 * Returns the CRC-32C (Castagnoli) of n bytes. The CRC-32C of "123456789" is 0xe3069283. See RFC
 * 3720, B.4.
 */
uint32_t crc32c(const void *bytes, size_t n);

#endif
