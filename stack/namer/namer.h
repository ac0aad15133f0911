/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The namer: a separate process in which third-party libraries parse tracees' files. libdw reads
 * DWARF, libiberty demangles names, libelf and liblzma decompress. These libraries were not written
 * for malicious input, but tracees control the contents of their files. So the libraries run in a
 * process where a buffer overflow or an endless loop does no harm (stack/namer/confine.h), and the
 * size of their output is limited.
 *
 * The process is started on demand. It is killed if a reply takes too long, and restarted if it has
 * died, with a limit on the number of restarts. A file on which it died or was killed is not given
 * to it again.
 */
#ifndef TRACER_STACK_NAMER_NAMER_H
#define TRACER_STACK_NAMER_NAMER_H

#include "stack/namer/wire.h"

struct strbuf;

enum namer_status {
	NAMER_OK,
	NAMER_NONE, /* the file does not contain the information */
	NAMER_DIED, /* the namer crashed on this file */
	NAMER_SLOW, /* the namer took too long for this file and was killed */
	NAMER_OFF   /* the namer is not running at the moment; it may run later */
};

/* Returns the text of a status for the user; NULL for NAMER_OK and NAMER_NONE. */
const char *namer_status_text(enum namer_status s);

/* The namer's state for a file. The owner of the file stores it; {0} at first. */
struct namer_file {
	uint32_t id;		  /* 0 if the namer has never opened the file */
	enum namer_status failed; /* NAMER_DIED or NAMER_SLOW if the file must not be read again,
				     otherwise NAMER_OK */
};

/*
 * A source location from namer_lines(). The strings are not terminated and can contain any bytes.
 */
struct namer_location {
	const char *symbol; /* demangled name of an inlined function; NULL if unknown, and in the
			       last location */
	const char *file;   /* NULL if unknown */
	size_t symbol_len, file_len;
	unsigned line;
};

/*
 * The functions below accept NULL for n; their status is then NAMER_NONE. Only
 * namer_next_location() needs a namer.
 */
struct namer;
/*
 * Does not start the process yet. Never NULL. namer_destroy() kills the process and frees n, which
 * may be NULL.
 */
struct namer *namer_create(void);
void namer_destroy(struct namer *n);

/* Whether the process is running or can be started now. Returns false for NULL. */
bool namer_may_start(const struct namer *n);

/*
 * Demangles a C++ or Rust name from file f and stores the result in nice. For other names the
 * status is NAMER_NONE, and the process is not asked.
 */
enum namer_status namer_demangle(struct namer *n, struct namer_file *f, const char *name,
				 struct strbuf *nice);

/* Whether the process has the debugging information of the file open. */
bool namer_has(const struct namer *n, const struct namer_file *f);
/*
 * Passes the debugging information of f to the process. fd is the file that contains it, of size
 * bytes. common is the file that dwz(1) created for parts that several files share, or -1. The
 * caller keeps both descriptors. If the status is NAMER_NONE, the file counts as open, but
 * namer_lines() finds nothing in it.
 */
enum namer_status namer_open(struct namer *n, struct namer_file *f, int fd, int common,
			     uint64_t size);
/*
 * Looks up an address in the debugging information from namer_open(). If the status is NAMER_OK,
 * namer_next_location() returns the locations: first that in the innermost inlined function, last
 * that in the function into which all others were inlined.
 */
enum namer_status namer_lines(struct namer *n, struct namer_file *f, uint64_t addr);
/*
 * Gets the next location of the last namer_lines(), valid until the next request. Returns false if
 * there are no more.
 */
bool namer_next_location(struct namer *n, struct namer_location *p);
/*
 * Parses the location at offset *at in a reply of size bytes, and advances *at. The reply is not
 * trusted. Returns false if there is no complete location.
 */
bool namer_parse_location(const char *bytes, size_t size, size_t *at, struct namer_location *p);
/* Tells the namer that the file is closed, and resets f to {0}. */
void namer_close(struct namer *n, struct namer_file *f);

/*
 * Decompresses a part of an open ELF file. *out is allocated and *out_size bytes long, at most max;
 * the caller frees it. The status is NAMER_NONE if the result would be longer than max, or if the
 * data is invalid.
 */
enum namer_status namer_unpack(struct namer *n, struct namer_file *f, int fd,
			       enum namer_packing how, uint64_t at, uint64_t size, size_t max,
			       uint8_t **out, size_t *out_size);

#endif
