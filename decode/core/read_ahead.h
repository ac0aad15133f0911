/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading ahead: the memory that several arguments point to is read in one kernel call, by the read
 * plan of the row. Reads that decoders make later are served from it where they can be.
 */
#ifndef TRACER_DECODE_CORE_READ_AHEAD_H
#define TRACER_DECODE_CORE_READ_AHEAD_H

#include "decode/core/read.h"

/*
 * Reads into p what the plan of desc names, and sets d->prefetch; one kernel call serves all the
 * ranges whose addresses are known at the same time. A range that the plan lacks only costs a read
 * later. Does nothing without config->plans. p must live as long as the decoding of this stop.
 */
void decode_read_ahead(struct decoder *d, const struct syscall_desc *desc, struct prefetch *p);

#endif
