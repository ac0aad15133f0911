/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading ahead: the memory that several arguments point to is read in one kernel call, according
 * to the call's read plan. Later, decoders use this copy instead of reading the memory.
 */
#ifndef TRACER_DECODE_CORE_READ_AHEAD_H
#define TRACER_DECODE_CORE_READ_AHEAD_H

#include "decode/core/read.h"

/*
 * Sets d->prefetch to p, and prepares p for reading the memory in the plan of desc. The memory is
 * not read until a decoder first needs memory, because most calls need none. One kernel call then
 * reads all ranges whose addresses are known. If a range is missing from the plan, it is read
 * separately later. If config->plans is NULL, or -e verbose= keeps pointers from being followed,
 * nothing is read ahead. p must remain valid until this stop has been decoded.
 */
void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p);

/*
 * Reads ahead the beginning of the list of pointers at addr. If `strings` is true, also reads those
 * parts of the strings that are shown, usually with a second kernel call. Replaces the memory that
 * was read ahead before. Does nothing if reading ahead is off.
 */
void decode_read_list(struct decoder *d, uint64_t addr, bool strings);

#endif
