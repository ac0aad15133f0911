/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The namer: a process of our own, in which other people's libraries read what tracees' files say.
 * libdw reads DWARF, libiberty demangles names, libelf and liblzma decompress. None of them was
 * written against hostile files, and a tracee chooses what its files say; so they run where an
 * overflow or a loop does no harm (stack/namer/confine.h), and their answers are bounded.
 *
 * The process is started when it is first needed. It is ended when an answer takes too long, and
 * started again if it died, but only so often. A file that did either is not read by it again.
 */
#ifndef TRACER_STACK_NAMER_NAMER_H
#define TRACER_STACK_NAMER_NAMER_H

#include "stack/namer/wire.h"

struct strbuf;

enum namer_status {
	NAMER_OK,
	NAMER_NONE, /* the file does not say it */
	NAMER_DIED, /* the namer died of this file */
	NAMER_SLOW, /* it took too long over this file, and was ended */
	NAMER_OFF   /* it does not run at the moment; it may later */
};

/* Returns the text of a status for the user; NULL for NAMER_OK and NAMER_NONE. */
const char *namer_status_text(enum namer_status s);

/* The namer's view of a file, which whoever owns the file keeps with it; {0} at first. */
struct namer_file {
	uint32_t id;		  /* 0: the namer has never heard of it */
	enum namer_status failed; /* NAMER_DIED, NAMER_SLOW: it is not asked again; or NAMER_OK */
};

/* A place in the source, of namer_lines(). The strings are not terminated and may be any bytes. */
struct namer_place {
	const char *symbol; /* of an inlined function, demangled; NULL: none, or the last place */
	const char *file;   /* NULL: unknown */
	size_t symbol_len, file_len;
	unsigned line;
};

/* Where one is an argument, NULL stands for a namer that knows nothing. */
struct namer;
/* Starts nothing yet. Never NULL; namer_destroy() frees it and ends the process. NULL is fine. */
struct namer *namer_create(void);
void namer_destroy(struct namer *n);

/* Whether it runs, or could be started now. NULL never does. */
bool namer_may_start(const struct namer *n);

/*
 * Demangles a C++ or Rust name, which f contains; nice is replaced by what it stands for.
 * NAMER_NONE, without asking anybody, for names of another kind.
 */
enum namer_status namer_demangle(struct namer *n, struct namer_file *f, const char *name,
				 struct strbuf *nice);

/* Whether the namer has the file's debugging information at hand. */
bool namer_has(const struct namer *n, const struct namer_file *f);
/*
 * Gives the namer the file with the debugging information of f, of size bytes, and the one that
 * dwz(1) made of what several such files share, or -1. Descriptors stay the caller's. After
 * NAMER_NONE it has the file, too: it has nothing to say about it.
 */
enum namer_status namer_open(struct namer *n, struct namer_file *f, int fd, int common,
			     uint64_t size);
/*
 * Looks up an address in the debugging information that namer_open() gave it. After NAMER_OK
 * namer_next_place() tells the places, first the innermost of the inlined functions, last the
 * function that all of them were inlined into.
 */
enum namer_status namer_lines(struct namer *n, struct namer_file *f, uint64_t addr);
/* The next place of the last namer_lines(), valid until the next question; false: no more. */
bool namer_next_place(struct namer *n, struct namer_place *p);
/*
 * The place at *at of the size bytes of an answer, of which nothing is believed; moves *at behind
 * it. False: there is none.
 */
bool namer_take_place(const char *bytes, size_t size, size_t *at, struct namer_place *p);
/* The file is closed: the namer may forget it. f is as it was at first. */
void namer_close(struct namer *n, struct namer_file *f);

/*
 * Unpacks a part of an open ELF file. *out is allocated, and *out_size bytes long, at most max. The
 * caller frees it. NAMER_NONE if it is longer, or is not packed so.
 */
enum namer_status namer_unpack(struct namer *n, struct namer_file *f, int fd,
			       enum namer_packing how, uint64_t at, uint64_t size, size_t max,
			       uint8_t **out, size_t *out_size);

#endif
