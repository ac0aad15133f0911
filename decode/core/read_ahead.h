/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading ahead: the memory that several arguments point to is read in one kernel call, by the read
 * plan of the row. Reads that decoders make later are served from it where they can be.
 */
#ifndef TRACER_DECODE_CORE_READ_AHEAD_H
#define TRACER_DECODE_CORE_READ_AHEAD_H

#include "decode/core/read.h"

/*
 * Sets d->prefetch to p, which will have what the plan of desc names: it is read when anything is,
 * as most calls have no memory to be read. One kernel call serves all the ranges whose addresses
 * are known at the same time. A range that the plan lacks only costs a read later. Without
 * config->plans nothing is read ahead. p must live as long as the decoding of this stop.
 */
void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p);

/*
 * Reads ahead a part of the list of pointers at addr and, if strings, what is shown of the strings
 * they lead to, in two kernel calls mostly. It takes the place of what was read ahead before. Does
 * nothing where decode_read_ahead() does nothing.
 */
void decode_read_list(struct decoder *d, uint64_t addr, bool strings);

#endif
