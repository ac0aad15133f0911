/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The data of the page, in chunks: so many rows (calls and other events) in columns of numbers, the
 * text of each row, and lists of what is new since the chunk before: names, threads, frames, … A
 * chunk is a line of the page, a script element whose content is no script but base64 of three
 * compressed parts: lists (JSON), columns, text. doc/html.md describes them.
 */
#ifndef TRACER_SINKS_HTML_CHUNK_H
#define TRACER_SINKS_HTML_CHUNK_H

#include "util/strbuf.h"

/* What a row tells of. The page has the same list. */
enum row_kind {
	ROW_CALL,	/* a call that returned */
	ROW_FAILED,	/* one that returned an error */
	ROW_RESTART,	/* one that a signal interrupted, and that the kernel will make again */
	ROW_UNFINISHED, /* one that was not seen to return */
	ROW_SIGNAL,
	ROW_EXITED,
	ROW_KILLED,
	ROW_STOPPED,
	ROW_DETACHED,
	ROW_SUPERSEDED, /* a thread's id was taken by one of its process that called execve */
	ROW_BLOCKED,	/* the call that the thread is in runs for long */
	ROW_LOST,	/* events were lost */
	ROW_OTHER	/* an event of another source */
};

struct row {
	enum row_kind kind;
	uint32_t who;	   /* index in LIST_WHO */
	uint32_t name;	   /* index in LIST_NAMES */
	int64_t end;	   /* nanoseconds since the page's time 0 */
	uint64_t duration; /* in nanoseconds; 0 of what is no call */
	uint64_t bytes;	   /* that a call has moved */
	uint64_t stack;	   /* innermost node << 4 | status; 0: there is none */
};

/* Lists whose elements are numbered through all chunks, but for the last two. */
enum chunk_list {
	LIST_STRINGS,
	LIST_NAMES,    /* of rows: string, classes: bits, which the first chunk names */
	LIST_WHO,      /* thread, string: its name at the time */
	LIST_FRAMES,   /* symbol, module, file (strings + 1 or 0), address, offset, line, inlined */
	LIST_NODES,    /* parent node, frame; node 0 is the root and not in the list */
	LIST_THREADS,  /* number, tid, tgid, number of the thread that made it or -1; may recur */
	LIST_COMMANDS, /* thread, time, string: the command line of an execve */
	CHUNK_LISTS
};

struct chunk;

/* Never NULL; chunk_destroy() frees it. */
struct chunk *chunk_create(void);
void chunk_destroy(struct chunk *c);

/* The JSON of a list's new elements: the caller appends to it what chunk_next() begins. */
struct strbuf *chunk_next(struct chunk *c, enum chunk_list list);
/* Where the caller appends the text of the next row. */
struct strbuf *chunk_text(struct chunk *c);
/* Adds a row, with what was appended to chunk_text() since the last one. */
void chunk_row(struct chunk *c, const struct row *row);

/* The number of rows that are not written yet. */
size_t chunk_rows(const struct chunk *c);
/* Whether the chunk is full. */
bool chunk_is_full(const struct chunk *c);
/* Appends the chunk to the page, with the members of a JSON object (or "") as notes; empties it. */
void chunk_write(struct chunk *c, const char *notes, struct strbuf *page);

#endif
