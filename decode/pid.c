/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/decode.h"

struct value *decode_pid(struct decoder *d, int pid)
{
	struct value *v = value_new(d->arena, VALUE_PID, (uint64_t)(int64_t)pid);

	v->width = 4;
	return v;
}
