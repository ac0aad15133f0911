/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* -e namespace=new: the namespaces that clone, clone3, setns and unshare enter. */
#ifndef TRACER_DECODE_NAMESPACE_H
#define TRACER_DECODE_NAMESPACE_H

#include "decode/core/decode.h"

/* At a successful exit of one of these calls: notes the namespaces its flags ask for. */
void decode_namespaces(struct decoder *d);

#endif
