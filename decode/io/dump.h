/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e read= and -e write=: the complete data of a transfer. */
#ifndef TRACER_DECODE_IO_DUMP_H
#define TRACER_DECODE_IO_DUMP_H

#include "decode/core/decode.h"

/*
 * Must be called at the exit of every call. If the call transfers data through a descriptor in
 * d->config->dump_read or dump_write, adds the data to d->ev->dumps, or a note that it could not be
 * read.
 */
void decode_dumps(struct decoder *d);
/*
 * Returns true if decode_dumps() may add sent data, which is decoded at entry and read again at
 * exit.
 */
bool dump_is_of_sent(const struct syscall_desc *desc);

#endif
