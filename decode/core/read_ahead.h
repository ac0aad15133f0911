/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading ahead: the memory that several arguments point to is read in one kernel call, according
 * to the read plan of the row. Later reads of decoders are served from this copy.
 */
#ifndef TRACER_DECODE_CORE_READ_AHEAD_H
#define TRACER_DECODE_CORE_READ_AHEAD_H

#include "decode/core/read.h"

/*
 * Sets d->prefetch to p and prepares it for the memory that the plan of desc lists. The memory is
 * read only when a decoder first reads something, because most calls need no memory. All ranges
 * whose addresses are known at the same time are read in one kernel call. A range missing from the
 * plan only costs a separate read. Without config->plans nothing is read ahead. p must live until
 * this stop has been decoded.
 */
void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p);

/*
 * Reads ahead the beginning of the list of pointers at addr. If `strings` is true, also reads the
 * part of each pointed-to string that is shown, usually in a second kernel call. Replaces the
 * memory that was read ahead before. Does nothing if reading ahead is off.
 */
void decode_read_list(struct decoder *d, uint64_t addr, bool strings);

#endif
