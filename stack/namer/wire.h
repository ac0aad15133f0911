/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The protocol between tracer and the namer. Each message is one packet of a SOCK_SEQPACKET socket.
 * A request is a struct namer_request, followed by text. Some requests come with descriptors. The
 * reply is a struct namer_reply, followed by data. tracer waits for the reply to a request before
 * it sends the next request.
 */
#ifndef TRACER_STACK_NAMER_WIRE_H
#define TRACER_STACK_NAMER_WIRE_H

#include "defs.h"

/*
 * Maximum length of a name in bytes. A longer symbol name is truncated. If the demangled name would
 * be longer, the mangled name is used. The names of C++ templates can be many KiB long.
 */
#define NAMER_NAME_MAX	16384
#define NAMER_FDS_MAX	2
#define NAMER_TEXT_MAX	NAMER_NAME_MAX
#define NAMER_REPLY_MAX (64u << 10)
/* Maximum number of files that are open in the process at the same time. */
#define NAMER_FILES_MAX 32

/* Maximum time in seconds to wait for a reply. */
#define NAMER_DEADLINE 5

/* The format and the location of a compressed part of a file. */
enum namer_packing {
	NAMER_SECTION, /* the section with the index `at`, which has SHF_COMPRESSED */
	NAMER_XZ       /* `size` bytes at the offset `at`, in xz(1) format */
};

enum namer_request_kind {
	NAMER_REQUEST_DEMANGLE, /* the request's text is a mangled name; the reply is the demangled
				   name */
	NAMER_REQUEST_OPEN,	/* opens a file in `slot`; one or two descriptors are sent along */
	NAMER_REQUEST_CLOSE,	/* closes the file in `slot` */
	NAMER_REQUEST_LINES,	/* looks up the address `at` in the file in `slot` */
	/*
	 * decompresses a part of one file into another; two descriptors are sent along, first the
	 * input, then the output
	 */
	NAMER_REQUEST_UNPACK
};

struct namer_request {
	uint32_t kind; /* the kind of request: enum namer_request_kind */
	/* A slot (less than NAMER_FILES_MAX). For NAMER_REQUEST_UNPACK, an enum namer_packing. */
	uint32_t slot;
	uint64_t at;
	uint64_t size, max; /* for NAMER_REQUEST_UNPACK: size of the input and maximum size of the
			       output */
};

/*
 * The header of a reply. For NAMER_REQUEST_LINES, the data consists of locations. Each is a struct
 * namer_wire_location, followed by two strings.
 */
struct namer_reply {
	uint32_t found;
	uint32_t size; /* number of data bytes after this struct */
};

#define NAMER_NO_STRING UINT32_MAX

struct namer_wire_location {
	uint32_t line;
	uint32_t symbol_len, file_len; /* length of each string in bytes, or NAMER_NO_STRING */
};

#endif
