/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The namer: a separate process in which third-party libraries parse tracees' files. libdw reads
 * DWARF, libiberty demangles names, and libelf and liblzma decompress. These libraries were not
 * written for malicious input, but tracees control the contents of their files. Therefore the
 * libraries run in a process in which a buffer overflow or an endless loop does no harm
 * (stack/namer/confine.h), and the size of their output is limited.
 *
 * The process is started when it is first needed. It is killed if a reply takes too long. After its
 * death, it is started again, but only a limited number of times. If the process died or was killed
 * while it read a file, this file is never passed to it again.
 */
#ifndef TRACER_STACK_NAMER_NAMER_H
#define TRACER_STACK_NAMER_NAMER_H

#include "stack/namer/wire.h"

struct strbuf;

enum namer_status {
	NAMER_OK,
	NAMER_NONE, /* the file does not contain the requested information */
	NAMER_DIED, /* the namer crashed on this file */
	NAMER_SLOW, /* the namer took too long for this file and was killed */
	NAMER_OFF   /* the namer is not running now, but may run later */
};

/* Returns a description of a status for users, or NULL for NAMER_OK and NAMER_NONE. */
const char *namer_status_text(enum namer_status s);

/* The namer's data about a file. The owner of the file stores it. Initially {0}. */
struct namer_file {
	uint32_t id; /* id of the file in the namer; 0 if the namer has never opened the file */
	enum namer_status failed; /* NAMER_DIED or NAMER_SLOW if the file must not be read again,
				     otherwise NAMER_OK */
};

/*
 * A source location from namer_next_location(). The strings are not NUL-terminated and can contain
 * any bytes.
 */
struct namer_location {
	const char *symbol; /* demangled name of an inlined function; NULL if unknown, and always in
			       the last location */
	const char *file;   /* source file; NULL if unknown */
	size_t symbol_len, file_len;
	unsigned line;
};

/*
 * In the functions below, n may be NULL, except in namer_next_location(). If n is NULL, they return
 * NAMER_NONE or false.
 */
struct namer;
/*
 * Creates a namer without starting the process. Never returns NULL. namer_destroy() kills the
 * process and frees n.
 */
struct namer *namer_create(void);
void namer_destroy(struct namer *n);

/* Returns true if the process is running or can be started now. */
bool namer_may_start(const struct namer *n);

/*
 * Demangles a C++ or Rust name that comes from file f. Replaces the contents of `nice` with the
 * result. For other names, returns NAMER_NONE without sending a request to the process.
 */
enum namer_status namer_demangle(struct namer *n, struct namer_file *f, const char *name,
				 struct strbuf *nice);

/* Returns true if the file's debugging information is open in the process. */
bool namer_has(const struct namer *n, const struct namer_file *f);
/*
 * Passes f's debugging information to the process. fd is a descriptor of the file that contains
 * this information, and `size` is the size of that file in bytes. `common` is a descriptor of the
 * file to which dwz(1) moved parts that several files share, or -1. The caller keeps both
 * descriptors. Even if the result is NAMER_NONE, the file counts as open, but namer_lines() finds
 * nothing in it.
 */
enum namer_status namer_open(struct namer *n, struct namer_file *f, int fd, int common,
			     uint64_t size);
/*
 * Looks up an address in the debugging information from namer_open(). On NAMER_OK,
 * namer_next_location() then returns the locations: first the innermost inlined function, then the
 * functions around it, and last the function that was not inlined. Returns NAMER_OFF if the file is
 * not open, for example because it was closed to make room for another file.
 */
enum namer_status namer_lines(struct namer *n, struct namer_file *f, uint64_t addr);
/*
 * Sets *p to the next location that the last namer_lines() found. *p is valid until the next
 * request. Returns false if there are no more locations.
 */
bool namer_next_location(struct namer *n, struct namer_location *p);
/*
 * Parses the location at the offset *at in a reply of `size` bytes, and advances *at past it. The
 * reply is not trusted. Returns false if there is no complete location at *at.
 */
bool namer_parse_location(const char *bytes, size_t size, size_t *at, struct namer_location *p);
/* Closes the file in the process, and resets f to {0}. */
void namer_close(struct namer *n, struct namer_file *f);

/*
 * Decompresses a part of an open ELF file. On success, *out is allocated memory with the *out_size
 * bytes of the result. The caller frees it. Returns NAMER_NONE if the data is invalid, or if the
 * result would be longer than max.
 */
enum namer_status namer_unpack(struct namer *n, struct namer_file *f, int fd,
			       enum namer_packing how, uint64_t at, uint64_t size, size_t max,
			       uint8_t **out, size_t *out_size);

#endif
