/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The protocol between tracer and the namer. Each message is one packet of a SOCK_SEQPACKET socket.
 * A request is a struct namer_request, followed by a text and sometimes accompanied by
 * descriptors. Its reply is a struct namer_reply, followed by data. A request is sent only after
 * the reply to the previous one.
 */
#ifndef TRACER_STACK_NAMER_WIRE_H
#define TRACER_STACK_NAMER_WIRE_H

#include "defs.h"

/*
 * Maximum length of a name in bytes; longer names are cut. C++ templates can have names of many
 * KiB.
 */
#define NAMER_NAME_MAX	16384
#define NAMER_FDS_MAX	2
#define NAMER_TEXT_MAX	NAMER_NAME_MAX
#define NAMER_REPLY_MAX (64u << 10)
/* Maximum number of files that are open in the process at a time. */
#define NAMER_FILES_MAX 32

/* Maximum time to wait for a reply, in seconds. */
#define NAMER_DEADLINE 5

/* The compression format of a part of a file. */
enum namer_packing {
	NAMER_SECTION, /* the section with index `at`, which has SHF_COMPRESSED */
	NAMER_XZ       /* `size` bytes at offset `at`, in the format of xz(1) */
};

enum namer_request_kind {
	NAMER_REQUEST_DEMANGLE, /* text is a mangled name; the reply is the demangled name */
	NAMER_REQUEST_OPEN,	/* opens a file, given by one or two descriptors, in `slot` */
	NAMER_REQUEST_CLOSE,	/* closes the file in `slot` */
	NAMER_REQUEST_LINES,	/* looks up the address `at` in the file in `slot` */
	NAMER_REQUEST_UNPACK /* decompresses a part of the first descriptor into the second one */
};

struct namer_request {
	uint32_t kind; /* enum namer_request_kind */
	/* Slot, less than NAMER_FILES_MAX; for NAMER_REQUEST_UNPACK: enum namer_packing. */
	uint32_t slot;
	uint64_t at;
	uint64_t size, max; /* for NAMER_REQUEST_UNPACK */
};

/*
 * For NAMER_REQUEST_LINES the data are locations, each a struct namer_wire_location followed by two
 * strings.
 */
struct namer_reply {
	uint32_t found;
	uint32_t size; /* number of data bytes after this struct */
};

#define NAMER_NO_STRING UINT32_MAX

struct namer_wire_location {
	uint32_t line;
	uint32_t symbol_len, file_len; /* or NAMER_NO_STRING */
};

#endif
