/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is known of the functions of programs in languages: a cache by the address of the code
 * object that the runtime keeps for a function. Objects are freed and moved, so a reader compares
 * what it reads of an object with what was there when the function was named (lang_object.check).
 */
#ifndef TRACER_STACK_LANG_NAMES_H
#define TRACER_STACK_LANG_NAMES_H

#include "defs.h"
#include "util/table.h"

struct budget;

#define LANG_CHECK_MAX	  224
#define LANG_FUNCTION_MAX 1024	     /* bytes of a function's name */
#define LANG_LINES_MAX	  (1u << 20) /* bytes of a table of lines */

struct strbuf;

/* A function. Its strings are bytes of the tracee: they may be anything but empty. */
struct lang_object {
	unsigned refs;
	uint64_t id; /* a number that no other object has had */
	const char *language;
	char *function, *file; /* file is NULL if there is none */
	pid_t tgid;
	uint64_t addr;
	uint64_t kept[4]; /* for the reader */
	uint8_t *lines;	  /* the reader's table of lines, or NULL */
	size_t nlines;
	size_t ncheck;
	uint8_t check[LANG_CHECK_MAX];
};

/*
 * A place in a function. Places that are equal are one object as long as it is referred to or
 * cached, so stacks compare them by their addresses.
 */
struct lang_frame {
	unsigned refs;
	struct lang_object *object; /* NULL if reason is set */
	uint64_t at;		    /* as the reader counts */
	unsigned line, column;	    /* 0: not known */
	const char *reason;	    /* why the frames of a native frame are missing, or NULL */
	char *record;		    /* see lang_frame_record(); NULL until it is called */
};

/* Take and give back a reference. NULL is fine. */
struct lang_frame *lang_frame_get(struct lang_frame *f);
void lang_frame_put(struct lang_frame *f);

struct lang_names {
	struct table objects; /* by tgid and address */
	struct table frames;  /* by object and place */
	uint64_t last_id;
	struct budget *budget;
	uint64_t bytes; /* of it, in use */
};

/* Drops all that is cached. Frames that are referred to stay. */
void lang_names_clear(struct lang_names *n);
/* Drops all that is cached if it is much. Readers must not be at work. */
void lang_names_trim(struct lang_names *n);

/*
 * The object that is cached for an address, if what was read there equals what was there when the
 * object was made; or NULL. It is borrowed until the stack is done.
 */
struct lang_object *lang_object_find(struct lang_names *n, pid_t tgid, uint64_t addr,
				     const void *check, size_t ncheck);
/*
 * Caches an object and replaces the one with that address. function and file are copied; lines,
 * which may be NULL, was allocated by the caller and is freed with the object.
 */
struct lang_object *lang_object_add(struct lang_names *n, const char *language, pid_t tgid,
				    uint64_t addr, const void *check, size_t ncheck,
				    struct strbuf *function, struct strbuf *file, uint8_t *lines,
				    size_t nlines);
/* The frame of a place in an object, or NULL if it is not cached. It is borrowed. */
struct lang_frame *lang_frame_find(struct lang_names *n, const struct lang_object *o, uint64_t at);
/* Caches a frame. It is borrowed until the stack is done. */
struct lang_frame *lang_frame_add(struct lang_names *n, struct lang_object *o, uint64_t at,
				  unsigned line, unsigned column);
/*
 * The frame as one text, as traces keep it in the place of a symbol's name:
 * "FUNCTION:LINE:COLUMN [LANGUAGE] FILE". It lives as long as the frame.
 */
const char *lang_frame_record(struct lang_frame *f);
/*
 * The frame that such a text is of, or NULL: it is the name of something else. language is a known
 * one, if the text names it.
 */
struct lang_frame *lang_frame_recorded(struct lang_names *n, const char *language,
				       const char *record);
/* The frame that says why frames are missing. reason is a string that stays. */
struct lang_frame *lang_frame_reason(struct lang_names *n, const char *reason);

#endif
