/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory of a stopped thread, for readers of language frames (reader.h). Memory is read in
 * small aligned blocks, and the words that a reader uses are marked. When the thread's next stack
 * is read, all words that the last stack needed are read together. If a program repeatedly makes
 * calls from the same place, each stack therefore needs only one kernel call. If these words have
 * not changed since the last stack, the reader would find the same frames again.
 */
#ifndef TRACER_STACK_LANG_MEMORY_H
#define TRACER_STACK_LANG_MEMORY_H

#include "capture/memory.h"
#include "util/byte_order.h"
#include "util/vec.h"

#define LANG_BLOCK 1024u /* block size in bytes; a power of two that divides the page size */
/*
 * Maximum number of blocks per stack. A block index plus 1 must fit into an element of
 * lang_memory.slots.
 */
#define LANG_BLOCKS	 254u
#define LANG_FILE_LENGTH 4096u /* maximum length of a path in bytes */
/* Limits per stack on the number of reads and of bytes. */
#define LANG_READS_MAX 20000u
#define LANG_BYTES_MAX (32u << 20)

/* A block of memory, and the words in it that are marked as needed. */
struct lang_marks {
	uint64_t addr;			 /* address of the block */
	uint64_t bits[LANG_BLOCK / 512]; /* one bit per 8-byte word */
};

/* Up to 8 bytes that were copied from the walk's snapshot of the stack. */
struct lang_copy {
	uint64_t addr, value;
	size_t n;
};

/* The memory that a thread's last stack needed. Initially {0}; freed with lang_hint_deinit(). */
struct lang_hint {
	VEC(struct lang_marks) blocks; /* in ascending order of addresses */
	VEC(uint64_t) words;	       /* contents of the marked words, in the same order */
	VEC(struct lang_copy) copies;  /* bytes that the walk's snapshot contained */
	bool whole;		       /* true if the stack needed no other memory */
};

struct lang_memory {
	struct memory *memory; /* the tracee's memory; borrowed */
	/*
	 * The snapshot of the walk, which already contains a part of the memory. Borrowed. NULL if
	 * there is no walk. The caller sets this member before lang_memory_begin().
	 */
	struct snapshot *snap;
	VEC(struct lang_copy) copies;
	bool unchanged; /* the result of lang_memory_unchanged() */
	bool missing;	/* true if a read failed because the memory was not recorded */
	/*
	 * True if data was read for this stack without marking it. A reader also sets this member
	 * if its result may change although the marked words do not, or if the next stack will not
	 * need the marked words again, because their data is cached.
	 */
	bool unmarked;
	bool marked;	/* true if data was read for this stack with lang_read() */
	unsigned reads; /* number of reads for this stack so far */
	uint64_t bytes; /* number of bytes read for this stack so far */
	unsigned n;	/* number of blocks in use */
	struct {
		struct lang_marks marks;
		uint16_t from, to; /* offsets of the bytes in the block that have been read */
	} blocks[LANG_BLOCKS];
	uint8_t slots[4 * LANG_BLOCKS]; /* hash table of block indexes plus 1; 0 for unused slots */
	uint8_t *data;			/* contents of LANG_BLOCKS blocks */
	struct memory_batch plan;	/* see lang_memory_plan() */
};

/*
 * lang_memory_plan() may be called before lang_memory_begin(). It adds reads of the words that
 * `hint` lists to m->plan, which must be empty. The caller must make these reads before it calls
 * lang_memory_begin() for the same stack, or must empty m->plan.
 */
void lang_memory_plan(struct lang_memory *m, const struct lang_hint *hint);
/*
 * Starts a new stack. Makes the words available that the thread's hint lists: takes them from the
 * reads in m->plan or, if m->plan is empty, reads them now.
 */
void lang_memory_begin(struct lang_memory *m, struct memory *memory, const struct lang_hint *hint);
/*
 * Returns true if the last stack needed no memory except the words that `hint` lists, and these
 * words still have the same contents. In this case, marks them as needed. To be called directly
 * after lang_memory_begin() with the same hint.
 */
bool lang_memory_unchanged(struct lang_memory *m, const struct lang_hint *hint);
/* Must be called after each stack. Stores in *hint which words were needed, and their contents. */
void lang_memory_end(struct lang_memory *m, struct lang_hint *hint);
void lang_memory_deinit(struct lang_memory *m);
void lang_hint_deinit(struct lang_hint *hint);

/*
 * Reads exactly n bytes. Marks the words that contain them as needed, because the thread's next
 * stack will probably need them, too. Returns false if the bytes cannot be read, or if a limit for
 * the stack is exceeded.
 */
bool lang_read(struct lang_memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;
/*
 * Like lang_read(), but does not mark the words as needed. Used for data that the caller caches,
 * such as names.
 */
bool lang_read_once(struct lang_memory *m, uint64_t addr, void *buf, size_t n) attr_must_check;

static inline bool lang_read_u64(struct lang_memory *m, uint64_t addr, uint64_t *v)
{
	return lang_read(m, addr, v, sizeof(*v));
}

/* Return the 8-byte number and the 4-byte number at the offset `at` in data that was read. */
static inline uint64_t word_at(const uint8_t *bytes, size_t at)
{
	return load_uint(bytes + at, sizeof(uint64_t), false);
}

static inline uint32_t half_at(const uint8_t *bytes, size_t at)
{
	return (uint32_t)load_uint(bytes + at, sizeof(uint32_t), false);
}

#endif
