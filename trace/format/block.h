/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Blocks, which trace files consist of (doc/trace-format.md). Each stands alone: a header that says
 * what it is, and a body, compressed by libzstd. Both have checksums, so that whatever has become
 * of a file, all blocks that are whole are found. Here nobody knows what bodies mean.
 */
#ifndef TRACER_TRACE_FORMAT_BLOCK_H
#define TRACER_TRACE_FORMAT_BLOCK_H

#include "defs.h"
#include "util/strbuf.h"

#define BLOCK_MAGIC	  "\x89TRC\r\n\x1a\n"
#define BLOCK_MAGIC_SIZE  8
#define BLOCK_HEADER_SIZE 72
#define BLOCK_VERSION	  1
/* Bytes of a body, before it is compressed. */
#define BLOCK_BODY_MAX (1u << 20)

/* Kinds of blocks. Readers skip those that they do not know. */
enum block_kind {
	BLOCK_META = 1,	  /* of the whole recording; the first block */
	BLOCK_EVENTS = 2, /* what happened, in its order */
	BLOCK_INDEX = 3,  /* where the blocks before it are */
	BLOCK_END = 4,	  /* the last one, without a body: the recording was ended in order */
	BLOCK_NAMES = 5,  /* names of frames, before the first block with events */
	BLOCK_STATE = 6,  /* where reading may begin: all that is to be known of what was before */
	BLOCK_THREADS = 7 /* which threads have stops in which part of the file */
};

/*
 * Times of a trace are from 0 to this, in ns (the year 2116), so that a trace cannot make
 * differences of them overflow.
 */
#define TRACE_TIME_MAX ((INT64_C(1) << 62) - 1)
static inline int64_t trace_time(uint64_t ns)
{
	return (int64_t)ns < 0 ? 0 : (int64_t)ns > TRACE_TIME_MAX ? TRACE_TIME_MAX : (int64_t)ns;
}

struct block_header {
	uint8_t kind;
	uint32_t stream;   /* which of several that wrote at the same time; 0: there is but one */
	uint64_t first;	   /* the times of its first and its last stop, CLOCK_MONOTONIC, in ns */
	uint64_t last;	   /* BLOCK_END: the offset of the index in the file; 0: there is none */
	int64_t real;	   /* what CLOCK_REALTIME is ahead of CLOCK_MONOTONIC, in ns */
	uint64_t sequence; /* the number of stops in all blocks before it */
	uint64_t lost;	   /* events that the engine lost until the block ended */
};

/* Compresses bodies. Never NULL; one for each thread that does it. */
struct block_packer;
struct block_packer *block_packer_create(void);
void block_packer_destroy(struct block_packer *p); /* NULL is fine */
/*
 * Appends a block with that header and a body of n bytes, at most BLOCK_BODY_MAX, to out. Where
 * compression gains nothing, or libzstd is missing, the body is stored as it is.
 */
void block_pack(struct block_packer *p, struct strbuf *out, const struct block_header *h,
		const void *body, size_t n);

/* Reads blocks from a file, a pipe, or memory. */
struct block_reader;
/* The descriptor is borrowed; it may be a pipe's. Never NULL. */
struct block_reader *block_reader_create(int fd);
/* Reads n bytes of memory, which are borrowed. Never NULL. */
struct block_reader *block_reader_of_bytes(const void *bytes, size_t n);
void block_reader_destroy(struct block_reader *r); /* NULL is fine */

/*
 * Finds the next block whose header and body are right; what is damaged before it is passed over.
 * The body, *n bytes, is valid until the next call. Returns true, or false at the end of the file,
 * or where it cannot be read on: see block_reader_error().
 */
bool block_next(struct block_reader *r, struct block_header *h, const uint8_t **body, size_t *n);
/*
 * 0; -errno of a read that failed; -ENOTSUP: a block is of a newer version, stopped there;
 * -ELIBACC: a block is compressed and there is no libzstd, stopped there; -ENOMSG: the file does
 * not begin as traces do.
 */
int block_reader_error(const struct block_reader *r);
/* How many bytes that belong to no block were passed over so far. At the end: all of them. */
uint64_t block_reader_skipped(const struct block_reader *r);
/* The offset in the file of the block that block_next() gave last. */
uint64_t block_reader_offset(const struct block_reader *r);
/*
 * Goes on at an offset in the file. Returns false where that is not possible, as in a pipe, and
 * then nothing has changed.
 */
bool block_reader_seek(struct block_reader *r, uint64_t offset);
/*
 * For pipes: passes over blocks, and goes back. From block_hold() on all that is read stays in
 * memory, until block_go_back() goes back to where reading stood then. block_peek() gives the
 * header of the next block, whose body is neither looked at nor passed over; false: there is none,
 * or more than 64 MiB are held. block_pass() passes over it.
 */
void block_hold(struct block_reader *r);
void block_go_back(struct block_reader *r);
bool block_peek(struct block_reader *r, struct block_header *h);
void block_pass(struct block_reader *r);
/*
 * The header of the block at an offset, and where the block ends. Reading stays where it is. False
 * if there is no whole header of a version that is known, or if the file is a pipe.
 */
bool block_header_at(const struct block_reader *r, uint64_t offset, struct block_header *h,
		     uint64_t *next);
/*
 * The first block whose header begins at an offset of from or more, and of less than to: where that
 * is, and as block_header_at(). What has the first bytes of a block is one only if another block,
 * or the end of the file, is where it ends; so bytes of a trace within a body are passed over.
 */
bool block_find(const struct block_reader *r, uint64_t from, uint64_t to, struct block_header *h,
		uint64_t *offset, uint64_t *next);
/* As block_header_at(), and the body in place of what is in *body. */
bool block_at(const struct block_reader *r, uint64_t offset, struct block_header *h,
	      struct strbuf *body);
/* Bytes of the file; 0 if that is unknown, as of a pipe. */
uint64_t block_reader_size(const struct block_reader *r);

#endif
