/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The protocol between tracer and the namer. Each message is one packet of a SOCK_SEQPACKET socket.
 * A request is a struct namer_question, followed by a text and sometimes accompanied by
 * descriptors. Its reply is a struct namer_answer, followed by data. A request is sent only after
 * the reply to the previous one.
 */
#ifndef TRACER_STACK_NAMER_WIRE_H
#define TRACER_STACK_NAMER_WIRE_H

#include "defs.h"

/*
 * Maximum length of a name in bytes; longer names are cut. C++ templates can have names of many
 * KiB.
 */
#define NAMER_NAME_MAX	 16384
#define NAMER_FDS_MAX	 2
#define NAMER_TEXT_MAX	 NAMER_NAME_MAX
#define NAMER_ANSWER_MAX (64u << 10)
/* Maximum number of files that are open in the process at a time. */
#define NAMER_FILES_MAX 32

/* Maximum time to wait for a reply, in seconds. */
#define NAMER_DEADLINE 5

/* The compression format of a part of a file. */
enum namer_packing {
	NAMER_SECTION, /* the section with index at, which has SHF_COMPRESSED */
	NAMER_XZ       /* size bytes at offset at, in the format of xz(1) */
};

enum namer_ask {
	NAMER_ASK_DEMANGLE, /* text is a mangled name; the reply is the demangled name */
	NAMER_ASK_OPEN,	    /* opens one or two descriptors, in slot place */
	NAMER_ASK_CLOSE,    /* closes the file in slot place */
	NAMER_ASK_LINES,    /* looks up address at in the file in slot place */
	NAMER_ASK_UNPACK    /* decompresses a part of the first descriptor into the second one */
};

struct namer_question {
	uint32_t ask; /* enum namer_ask */
	/* Slot, less than NAMER_FILES_MAX; for NAMER_ASK_UNPACK: enum namer_packing. */
	uint32_t place;
	uint64_t at;
	uint64_t size, max; /* for NAMER_ASK_UNPACK */
};

/*
 * For NAMER_ASK_LINES the data are locations, each a struct namer_wire_place followed by two
 * strings.
 */
struct namer_answer {
	uint32_t found;
	uint32_t size; /* number of data bytes after this struct */
};

#define NAMER_NO_STRING UINT32_MAX

struct namer_wire_place {
	uint32_t line;
	uint32_t symbol_len, file_len; /* or NAMER_NO_STRING */
};

#endif
