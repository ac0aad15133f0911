/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The data of the page, in chunks. A chunk holds rows (calls and other events) in columns of
 * numbers, the text of each row, and lists of new names, threads, frames, … It is one line of the
 * page: a script element that contains, in base64, three compressed parts: lists (JSON), columns,
 * text. doc/html.md describes them.
 */
#ifndef TRACER_SINKS_HTML_CHUNK_H
#define TRACER_SINKS_HTML_CHUNK_H

#include "util/strbuf.h"

/* The kind of event in a row. The page has the same list. */
enum row_kind {
	ROW_CALL,	/* a call that returned */
	ROW_FAILED,	/* a call that returned an error */
	ROW_RESTART,	/* a call that a signal interrupted and that the kernel will restart */
	ROW_UNFINISHED, /* a call whose return was not seen */
	ROW_SIGNAL,
	ROW_EXITED,
	ROW_KILLED,
	ROW_STOPPED,
	ROW_DETACHED,
	/* a thread's id was taken over by another thread of its process by execve */
	ROW_SUPERSEDED,
	ROW_BLOCKED, /* the thread's current call has been running for a long time */
	ROW_LOST,    /* events were lost */
	ROW_OTHER    /* an event of another source */
};

struct row {
	enum row_kind kind;
	uint32_t who;	   /* index in LIST_WHO */
	uint32_t name;	   /* index in LIST_NAMES */
	int64_t end;	   /* nanoseconds since the page's time 0 */
	uint64_t duration; /* in nanoseconds; 0 if the row is not a call */
	uint64_t bytes;	   /* bytes transferred by a call */
	uint64_t stack;	   /* innermost node << 4 | status; 0 if the row has no stack */
};

/*
 * The lists of a chunk, with the members of their elements. The elements of a list are numbered
 * across all chunks, except in the last two lists.
 */
enum chunk_list {
	LIST_STRINGS,
	LIST_NAMES, /* the name of a row, as a string number, and a bit for each of its classes; the
		       first chunk has the names of the bits */
	LIST_WHO,   /* thread, and the string number of its name at the time */
	LIST_FRAMES,   /* symbol, module, file (each a string number plus 1, or 0), address, offset,
			  line, inlined */
	LIST_NODES,    /* parent node, frame; node 0 is the root and not in the list */
	LIST_THREADS,  /* number, tid, tgid, number of the creating thread or -1; may repeat */
	LIST_COMMANDS, /* thread, time, and the string number of the command line of an execve */
	CHUNK_LISTS
};

struct chunk;

/* Never NULL; chunk_destroy() frees it. */
struct chunk *chunk_create(void);
void chunk_destroy(struct chunk *c);

/*
 * Begins a new element of a list. Returns the JSON of the list's new elements, to which the caller
 * must append the element.
 */
struct strbuf *chunk_next(struct chunk *c, enum chunk_list list);
/* Returns the buffer for the text of the next row. */
struct strbuf *chunk_text(struct chunk *c);
/* Adds a row with the text appended to chunk_text() since the previous row. */
void chunk_row(struct chunk *c, const struct row *row);

/* Returns the number of rows not written yet. */
size_t chunk_rows(const struct chunk *c);
/* Whether the chunk is full. */
bool chunk_is_full(const struct chunk *c);
/*
 * Appends the chunk to the page, with the members of a JSON object (or "") as notes, and empties
 * it.
 */
void chunk_write(struct chunk *c, const char *notes, struct strbuf *page);

#endif
