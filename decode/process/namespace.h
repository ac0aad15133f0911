/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e namespace=new: the namespaces that clone, clone3, setns and unshare enter. */
#ifndef TRACER_DECODE_PROCESS_NAMESPACE_H
#define TRACER_DECODE_PROCESS_NAMESPACE_H

#include "decode/core/decode.h"

/*
 * Must be called at the exit of every call. If the call is clone, clone3, setns or unshare and has
 * succeeded, adds a note with the namespaces in its flags after the result.
 */
void decode_namespaces(struct decoder *d);

#endif
