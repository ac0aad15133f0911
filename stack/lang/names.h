/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache of functions of language runtimes, indexed by the address of the runtime's code object.
 * Objects can be freed and moved. Therefore a reader compares the current data of an object with
 * the data at the time when the function was added (lang_object.check).
 */
#ifndef TRACER_STACK_LANG_NAMES_H
#define TRACER_STACK_LANG_NAMES_H

#include "defs.h"
#include "util/table.h"

struct budget;

#define LANG_CHECK_MAX	  224
#define LANG_FUNCTION_MAX 1024	     /* maximum length of a function's name in bytes */
#define LANG_LINES_MAX	  (1u << 20) /* maximum size of a line table in bytes */

struct strbuf;

/*
 * A function. Its strings come from the tracee; they can contain any bytes, but they are not empty.
 */
struct lang_object {
	unsigned refs;
	uint64_t id; /* unique number */
	const char *language;
	char *function, *file; /* file may be NULL */
	pid_t tgid;
	uint64_t addr;
	uint64_t kept[4]; /* data of the reader */
	uint8_t *lines;	  /* the reader's line table, or NULL */
	size_t nlines;
	size_t ncheck;
	uint8_t check[LANG_CHECK_MAX];
};

/*
 * A location in a function. While a location is cached or referenced, only one object exists for
 * it, so stacks compare the pointers.
 */
struct lang_frame {
	unsigned refs;
	struct lang_object *object; /* NULL if reason is set */
	uint64_t at;		    /* the location, in the unit of the reader */
	unsigned line, column;	    /* 0 if unknown */
	const char *reason; /* the reason why a native frame could not be replaced by frames of the
			       language, or NULL */
	char *record;	    /* see lang_frame_record(); NULL until it is called */
};

/* lang_frame_get() takes a reference and lang_frame_put() releases one. f may be NULL. */
struct lang_frame *lang_frame_get(struct lang_frame *f);
void lang_frame_put(struct lang_frame *f);

struct lang_names {
	struct table objects; /* by tgid and address */
	struct table frames;  /* by object and location */
	uint64_t last_id;
	struct budget *budget;
	uint64_t bytes; /* number of bytes charged to the budget */
};

/* Clears the cache. Frames with other references stay. */
void lang_names_clear(struct lang_names *n);
/* Clears the cache if it is large. Must not be called while a reader is working. */
void lang_names_trim(struct lang_names *n);

/*
 * Returns the cached object of an address if check is equal to the data with which the object was
 * added, otherwise NULL. It is borrowed until the stack is done.
 */
struct lang_object *lang_object_find(struct lang_names *n, pid_t tgid, uint64_t addr,
				     const void *check, size_t ncheck);
/*
 * Caches an object, and replaces an object with the same address. function and file are copied.
 * lines may be NULL; otherwise it is allocated, and ownership passes to the object.
 */
struct lang_object *lang_object_add(struct lang_names *n, const char *language, pid_t tgid,
				    uint64_t addr, const void *check, size_t ncheck,
				    struct strbuf *function, struct strbuf *file, uint8_t *lines,
				    size_t nlines);
/* Returns the cached frame of a location in an object, or NULL. It is borrowed. */
struct lang_frame *lang_frame_find(struct lang_names *n, const struct lang_object *o, uint64_t at);
/* Adds a frame to the cache. It is borrowed until the stack is done. */
struct lang_frame *lang_frame_add(struct lang_names *n, struct lang_object *o, uint64_t at,
				  unsigned line, unsigned column);
/*
 * Returns the frame as a text, which traces store as the name of a symbol: "FUNCTION:LINE:COLUMN
 * [LANGUAGE] FILE". The text lives as long as the frame.
 */
const char *lang_frame_record(struct lang_frame *f);
/* Returns the frame that such a text describes, or NULL if the text does not contain language. */
struct lang_frame *lang_frame_recorded(struct lang_names *n, const char *language,
				       const char *record);
/* Returns a frame with the reason for missing frames. reason must be a string literal. */
struct lang_frame *lang_frame_reason(struct lang_names *n, const char *reason);

#endif
