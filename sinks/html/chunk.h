/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The data of the page, in chunks. A chunk contains rows (calls and other events) as columns of
 * numbers, the text of each row, and lists of new names, threads, frames and so on. It is one line
 * of the page: a script element with three compressed parts in base64: lists (JSON), columns and
 * text. doc/html.md describes these parts.
 */
#ifndef TRACER_SINKS_HTML_CHUNK_H
#define TRACER_SINKS_HTML_CHUNK_H

#include "util/strbuf.h"

/* The kind of event in a row. The page's script has the same list. */
enum row_kind {
	ROW_CALL,	/* a call that returned */
	ROW_FAILED,	/* a call that returned an error */
	ROW_RESTART,	/* a call that was interrupted by a signal and that the kernel will
			   restart */
	ROW_UNFINISHED, /* a call whose return tracer did not see */
	ROW_SIGNAL,
	ROW_EXITED,
	ROW_KILLED,
	ROW_STOPPED,
	ROW_DETACHED,
	/* a thread that was superseded: another thread called execve and took over its id */
	ROW_SUPERSEDED,
	ROW_BLOCKED, /* the thread's current call has been running for a long time */
	ROW_LOST,    /* events were lost */
	ROW_OTHER,   /* an event from another source */
	ROW_REQUEST  /* a request of an io_uring */
};

struct row {
	enum row_kind kind;
	uint32_t who;	   /* index in LIST_WHO */
	uint32_t name;	   /* index in LIST_NAMES */
	int64_t end;	   /* nanoseconds since time 0 of the page */
	uint64_t duration; /* in nanoseconds, or 0 if the event has no duration */
	uint64_t bytes;	   /* number of bytes that the call transferred */
	uint64_t stack;	   /* (innermost node << 4) | status, or 0 if the row has no stack */
};

/*
 * The lists of a chunk. Each comment describes the members of an element. Indexes in a list are
 * counted across all chunks, except in the last three lists.
 */
enum chunk_list {
	LIST_STRINGS,
	LIST_NAMES,    /* name of a row as a string index, and a bit for each class; the first chunk
			  contains the names of the classes */
	LIST_WHO,      /* thread, and string index of the name that the thread has at this time */
	LIST_FRAMES,   /* symbol, module, file (string indexes plus 1, or 0), address, offset,
			  line, inlined, language (string index plus 1, or 0) */
	LIST_NODES,    /* parent node, frame; node 0 is the root, which is not in the list */
	LIST_THREADS,  /* index, tid, tgid, index of the creating thread or -1; a thread may be
			  listed twice */
	LIST_COMMANDS, /* thread, time, and string index of the command line of an execve */
	LIST_WAKES,    /* what ended the wait of a call: number of its row in this chunk, string
			  index of the cause, tid of the thread that ended the wait or 0, time,
			  and 1 if tracer inferred the thread, otherwise 0 */
	CHUNK_LISTS
};

struct chunk;

/* Creates an empty chunk. Never returns NULL. Free the result with chunk_destroy(). */
struct chunk *chunk_create(void);
void chunk_destroy(struct chunk *c);

/*
 * Begins a new element of a list. Returns the JSON buffer of the list, to which the caller must
 * append the element.
 */
struct strbuf *chunk_next(struct chunk *c, enum chunk_list list);
/* Returns the buffer to which the text of the next row must be appended. */
struct strbuf *chunk_text(struct chunk *c);
/* Adds a row. Its text is the text appended to chunk_text() since the previous row. */
void chunk_row(struct chunk *c, const struct row *row);

/* Returns the number of rows that were not written yet. */
size_t chunk_rows(const struct chunk *c);
/* Returns true if the chunk must be written before another row is added. */
bool chunk_is_full(const struct chunk *c);
/*
 * Appends the chunk to the page and empties it. `notes` is "" or contains members of a JSON object
 * to add to the chunk.
 */
void chunk_write(struct chunk *c, const char *notes, struct strbuf *page);

#endif
