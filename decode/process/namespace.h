/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e namespace=new: the namespaces that clone, clone3, setns and unshare enter. */
#ifndef TRACER_DECODE_PROCESS_NAMESPACE_H
#define TRACER_DECODE_PROCESS_NAMESPACE_H

#include "decode/core/decode.h"

/* To be called at the exit of a call: if it is one of these and succeeded, it gets a note after
 * its result of the namespaces that its flags ask for. */
void decode_namespaces(struct decoder *d);

#endif
