/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a stopped thread, for readers of language frames. It is read in small aligned
 * blocks. All blocks that one stack needed are read at once for the next stack of that thread. So a
 * call site that is reached often needs one kernel call per stack, however long its chain of frames
 * is.
 */
#ifndef TRACER_STACK_LANG_MEMORY_H
#define TRACER_STACK_LANG_MEMORY_H

#include "defs.h"

struct memory;

#define LANG_BLOCK 1024u /* bytes; a power of two that divides a page */
/*
 * Maximum number of blocks for one stack; an index + 1 must fit into an element of
 * lang_memory.slots.
 */
#define LANG_BLOCKS	 254u
#define LANG_FILE_LENGTH 4096u /* maximum length of a path in bytes */
/* Limits of reading one stack. */
#define LANG_READS_MAX 20000u
#define LANG_BYTES_MAX (32u << 20)

/* The blocks that the last stack of a thread needed. {0} is the initial value. */
struct lang_hint {
	unsigned n;
	uint64_t blocks[LANG_BLOCKS]; /* addresses, ascending */
};

struct lang_memory {
	struct memory *memory; /* borrowed */
	unsigned reads;	       /* number of reads for this stack */
	uint64_t bytes;	       /* number of bytes read for this stack */
	unsigned n;	       /* number of blocks in use */
	bool used[LANG_BLOCKS];
	uint64_t addr[LANG_BLOCKS];
	uint8_t slots[4 * LANG_BLOCKS]; /* a hash table of block indices + 1; free slots are 0 */
	uint8_t *data;			/* LANG_BLOCKS blocks */
};

/* Begins a stack. hint is that of the thread, or NULL. The blocks in hint are read at once. */
void lang_memory_begin(struct lang_memory *m, struct memory *memory, const struct lang_hint *hint);
/* Ends the stack. Stores in hint, unless it is NULL, which blocks were needed. */
void lang_memory_end(struct lang_memory *m, struct lang_hint *hint);
void lang_memory_deinit(struct lang_memory *m);

/*
 * Reads exactly n bytes that are needed for each stack. Returns false if they cannot be read, or if
 * the limits of the stack are exceeded.
 */
bool lang_read(struct lang_memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;
/*
 * Like lang_read(), for data that the caller caches, such as names, so that the next stack will not
 * need it.
 */
bool lang_read_once(struct lang_memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;

static inline bool lang_read_u64(struct lang_memory *m, uint64_t addr, uint64_t *v)
{
	return lang_read(m, addr, v, sizeof(*v));
}

#endif
