/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e read= and -e write=: the whole data of a transfer. */
#ifndef TRACER_DECODE_IO_DUMP_H
#define TRACER_DECODE_IO_DUMP_H

#include "decode/core/decode.h"

/*
 * At the exit of a call: if it moved data and its descriptor is one of d->config->dump_read or
 * dump_write, adds the data to d->ev->dumps. What cannot be read is noted there.
 */
void decode_dumps(struct decoder *d);
/*
 * Whether decode_dumps() may add what a call has sent: data that are decoded at its entry, and read
 * once more at its exit.
 */
bool dump_is_of_sent(const struct syscall_desc *desc);

#endif
