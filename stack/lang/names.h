/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A cache of the functions in programs that language runtimes execute. The key of a function is the
 * address of the runtime's code object. A runtime can free and move such objects. The cache
 * therefore stores data that identifies the code object (lang_object.check), and a cached function
 * is used only if the data at the address is still the same.
 */
#ifndef TRACER_STACK_LANG_NAMES_H
#define TRACER_STACK_LANG_NAMES_H

#include "defs.h"
#include "util/table.h"

struct budget;

#define LANG_CHECK_MAX	  224
#define LANG_FUNCTION_MAX 1024	     /* maximum length of a function name in bytes */
#define LANG_LINES_MAX	  (1u << 20) /* maximum size of a line table in bytes */

struct strbuf;

/* A function. Its strings come from the tracee. They are not empty, but can contain any bytes. */
struct lang_object {
	unsigned refs;
	uint64_t id; /* unique number */
	const char *language;
	char *function, *file; /* file may be NULL */
	char *task;	       /* name of a task, see lang_frame_mark(); may be NULL */
	pid_t tgid;
	uint64_t addr;
	uint64_t kept[4]; /* for use by the reader */
	uint8_t *lines;	  /* line table in the reader's format, or NULL */
	size_t nlines;
	size_t ncheck;
	uint8_t check[LANG_CHECK_MAX];
};

/*
 * A location in a function. While a location is cached or referenced, it has only one struct
 * lang_frame, so that frames can be compared by their pointers.
 */
struct lang_frame {
	unsigned refs;
	struct lang_object *object; /* the function; NULL if `reason` is set */
	uint64_t at;		    /* the location, in a unit that the reader defines */
	unsigned line, column;	    /* 0 if unknown */
	const char *reason; /* reason why a native frame could not be replaced by language frames,
			       or NULL */
	char *record;	    /* result of lang_frame_record(), or NULL if it has not been called */
};

/* lang_frame_get() takes a reference, and lang_frame_put() drops one. f may be NULL. */
struct lang_frame *lang_frame_get(struct lang_frame *f);
void lang_frame_put(struct lang_frame *f);
/*
 * Appends the line of a language frame: " > FILE(FUNCTION:LINE:COLUMN) [LANGUAGE]\n" or, for a
 * task, " > (FUNCTION TASK) [LANGUAGE]\n". Omits unknown parts. f->reason must be NULL.
 */
void lang_frame_text(struct strbuf *b, const struct lang_frame *f);

struct lang_names {
	struct table objects; /* struct lang_object, indexed by tgid and address */
	struct table frames;  /* struct lang_frame, indexed by object and location */
	uint64_t last_id;
	uint64_t clears; /* number of times that the cache has been cleared */
	struct budget *budget;
	uint64_t bytes; /* bytes charged to the budget */
};

/* Clears the cache. Frames to which there are references remain valid. */
void lang_names_clear(struct lang_names *n);
/* Clears the cache if it is large. Must not be called while a reader is running. */
void lang_names_trim(struct lang_names *n);

/*
 * Returns the object that is cached for an address, or NULL if there is none or if `check` differs
 * from the data that was passed to lang_object_add(). The object is borrowed until the end of the
 * stack.
 */
struct lang_object *lang_object_find(struct lang_names *n, pid_t tgid, uint64_t addr,
				     const void *check, size_t ncheck);
/*
 * Caches a function and returns its object. Replaces a cached object with the same address. Copies
 * `function` and `file`. Takes ownership of `lines`, which must be allocated or NULL.
 */
struct lang_object *lang_object_add(struct lang_names *n, const char *language, pid_t tgid,
				    uint64_t addr, const void *check, size_t ncheck,
				    struct strbuf *function, struct strbuf *file, uint8_t *lines,
				    size_t nlines);
/* Returns the frame that is cached for a location in an object, or NULL. The frame is borrowed. */
struct lang_frame *lang_frame_find(struct lang_names *n, const struct lang_object *o, uint64_t at);
/* Adds a frame to the cache and returns it. The frame is borrowed until the end of the stack. */
struct lang_frame *lang_frame_add(struct lang_names *n, struct lang_object *o, uint64_t at,
				  unsigned line, unsigned column);
/*
 * Returns a frame that is not a function. `text` is shown instead of a function's name. It is
 * followed by `task`, the name of a task, or NULL. Frames with the same texts are identical.
 */
struct lang_frame *lang_frame_mark(struct lang_names *n, const char *language, const char *text,
				   const char *task);
/*
 * Converts the frame to text: "FUNCTION:LINE:COLUMN [LANGUAGE] FILE" or, for a task,
 * "FUNCTION:0:0 [LANGUAGE task] TASK". Traces store this text as the name of a symbol. The frame
 * owns the text. f->reason must be NULL.
 */
const char *lang_frame_record(struct lang_frame *f);
/*
 * Converts a text from lang_frame_record() back to a frame. Returns NULL if the text describes a
 * frame of another language than `language`.
 */
struct lang_frame *lang_frame_recorded(struct lang_names *n, const char *language,
				       const char *record);
/* Returns a frame that shows why frames are missing. reason must be a string literal. */
struct lang_frame *lang_frame_reason(struct lang_names *n, const char *reason);

#endif
