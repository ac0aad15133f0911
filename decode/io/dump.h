/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dumps of the complete data of a transfer (-e read= and -e write=). */
#ifndef TRACER_DECODE_IO_DUMP_H
#define TRACER_DECODE_IO_DUMP_H

#include "decode/core/decode.h"

/*
 * Must be called at the exit of every call. If the call has transferred data through a descriptor
 * in d->config->dump_read or dump_write, adds this data to d->ev->dumps. If the data cannot be
 * read, adds a message about this instead.
 */
void decode_dumps(struct decoder *d);
/*
 * Returns true if decode_dumps() may dump data that the call sends. The memory of such data is read
 * at entry for decoding, and again at exit for the dump.
 */
bool dump_is_of_sent(const struct syscall_desc *desc);

#endif
