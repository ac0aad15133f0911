/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e read= and -e write=: the whole data of a transfer. */
#ifndef TRACER_DECODE_DUMP_H
#define TRACER_DECODE_DUMP_H

#include "decode/core/decode.h"

/* At exit: fills in ev->dumps if the call's descriptor is one of those asked for. */
void decode_dumps(struct decoder *d);

#endif
