/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e namespace=new: the namespaces that clone, clone3, setns and unshare enter. */
#ifndef TRACER_DECODE_PROCESS_NAMESPACE_H
#define TRACER_DECODE_PROCESS_NAMESPACE_H

#include "decode/core/decode.h"

/*
 * To be called at the exit of a call. If it is one of these calls and succeeded, adds a note of the
 * namespaces in its flags after the result.
 */
void decode_namespaces(struct decoder *d);

#endif
