/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Credentials, random bytes, and the system as a whole. */
#ifndef TRACER_DECODE_SYSTEM_H
#define TRACER_DECODE_SYSTEM_H

#include "decode/decode.h"

/* capget(2): the header says how many words the sets have. */
decode_fn decode_cap_data;
#define CAP_HEADER STRUCT(cap_header)

/* Bytes that are no text: \x escapes throughout. */
#define HEXBYTES(...)                                                                              \
	{                                                                                          \
		.ops = &type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_HEX                        \
	}

#endif
