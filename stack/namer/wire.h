/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What passes between tracer and the namer, each message one packet of a SOCK_SEQPACKET socket. A
 * question is a struct namer_question with a text behind it, and perhaps descriptors; its answer a
 * struct namer_answer with bytes behind it. Each question is answered before the next.
 */
#ifndef TRACER_STACK_NAMER_WIRE_H
#define TRACER_STACK_NAMER_WIRE_H

#include "defs.h"

/* Longer names are cut there, in bytes; C++ templates make names of many KiB. */
#define NAMER_NAME_MAX	 16384
#define NAMER_FDS_MAX	 2
#define NAMER_TEXT_MAX	 NAMER_NAME_MAX
#define NAMER_ANSWER_MAX (64u << 10)
/* Maximum number of files open there at a time. */
#define NAMER_FILES_MAX 32

/* Seconds after which tracer stops waiting for an answer. */
#define NAMER_DEADLINE 5

/* How a part of a file is packed. */
enum namer_packing {
	NAMER_SECTION, /* the section with the number at, which has SHF_COMPRESSED */
	NAMER_XZ       /* size bytes at offset at, in the format of xz(1) */
};

enum namer_ask {
	NAMER_ASK_DEMANGLE, /* the name is the text; so is the answer */
	NAMER_ASK_OPEN,	    /* one descriptor or two; the number is the place that it gets */
	NAMER_ASK_CLOSE,    /* what is open at that place */
	NAMER_ASK_LINES,    /* of what is open at that place, at that address */
	NAMER_ASK_UNPACK    /* the first descriptor's part to the second one */
};

struct namer_question {
	uint32_t ask;	/* enum namer_ask */
	uint32_t place; /* below NAMER_FILES_MAX; of ASK_UNPACK: enum namer_packing */
	uint64_t at;
	uint64_t size, max; /* of NAMER_ASK_UNPACK */
};

/* Behind it, for NAMER_ASK_LINES: places, each a struct namer_wire_place with two strings behind.
 */
struct namer_answer {
	uint32_t found;
	uint32_t size; /* of the bytes behind it */
};

#define NAMER_NO_STRING UINT32_MAX

struct namer_wire_place {
	uint32_t line;
	uint32_t symbol_len, file_len; /* or NAMER_NO_STRING */
};

#endif
