/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e namespace=new: the namespaces that a process enters by clone, clone3, setns or unshare. */
#ifndef TRACER_DECODE_PROCESS_NAMESPACE_H
#define TRACER_DECODE_PROCESS_NAMESPACE_H

#include "decode/core/decode.h"

/*
 * Must be called at the exit of every call. If a clone, clone3, setns or unshare has succeeded,
 * adds a note after the result, with the namespaces that the flags request.
 */
void decode_namespaces(struct decoder *d);

#endif
