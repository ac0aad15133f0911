/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a stopped thread as readers of language frames see it. It is read in small aligned
 * blocks. The blocks that one stack needed are read at once for the next stack of that thread, so
 * that a hot call site costs one kernel call, however long its chain of frames is.
 */
#ifndef TRACER_STACK_LANG_MEMORY_H
#define TRACER_STACK_LANG_MEMORY_H

#include "defs.h"

struct memory;

#define LANG_BLOCK	 1024u /* bytes; a power of two that divides a page */
#define LANG_BLOCKS	 254u /* blocks kept for one stack; slots of struct lang_memory hold them */
#define LANG_FILE_LENGTH 4096u /* bytes of a path */
/* What reading one stack may take. */
#define LANG_READS_MAX 20000u
#define LANG_BYTES_MAX (32u << 20)

/* The blocks that the last stack of a thread needed. {0}: none. */
struct lang_habit {
	unsigned n;
	uint64_t blocks[LANG_BLOCKS]; /* addresses, ascending */
};

struct lang_memory {
	struct memory *memory; /* borrowed */
	unsigned reads;	       /* kernel calls for this stack */
	uint64_t bytes;	       /* read for this stack */
	unsigned n;	       /* blocks in use */
	bool used[LANG_BLOCKS];
	uint64_t addr[LANG_BLOCKS];
	uint8_t slots[4 * LANG_BLOCKS]; /* a hash table of indices + 1; 0: free */
	uint8_t *data;			/* LANG_BLOCKS blocks */
};

/* Begins with a stack. habit is that of the thread, or NULL; what it lists is read at once. */
void lang_memory_begin(struct lang_memory *m, struct memory *memory,
		       const struct lang_habit *habit);
/* Ends with it: notes in habit what was needed. habit may be NULL. */
void lang_memory_end(struct lang_memory *m, struct lang_habit *habit);
void lang_memory_deinit(struct lang_memory *m);

/*
 * Reads exactly n bytes that are needed for each stack. Returns false if they cannot be read, or
 * if this stack has read too much.
 */
bool lang_read(struct lang_memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;
/* The same for what is kept by the caller, such as names: it is not expected to be read again. */
bool lang_read_once(struct lang_memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;

static inline bool lang_read_u64(struct lang_memory *m, uint64_t addr, uint64_t *v)
{
	return lang_read(m, addr, v, sizeof(*v));
}

#endif
