/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The blocks of trace files (doc/trace-format.md). A trace file is a sequence of blocks, each of
 * which can be decoded independently. A block has a header, which contains its kind, and a body,
 * which libzstd compresses. Header and body have checksums, so all undamaged blocks of a damaged
 * file can be found. This layer does not interpret the bodies.
 */
#ifndef TRACER_TRACE_FORMAT_BLOCK_H
#define TRACER_TRACE_FORMAT_BLOCK_H

#include "defs.h"
#include "util/strbuf.h"

#define BLOCK_MAGIC	  "\x89TRC\r\n\x1a\n"
#define BLOCK_MAGIC_SIZE  8
#define BLOCK_HEADER_SIZE 72
#define BLOCK_VERSION	  1
/* Maximum size of an uncompressed body, in bytes. */
#define BLOCK_BODY_MAX (1u << 20)

/* Kinds of blocks. Readers skip blocks of unknown kinds. */
enum block_kind {
	BLOCK_META = 1,	  /* the first block, which describes the whole recording */
	BLOCK_EVENTS = 2, /* events, in order */
	BLOCK_INDEX = 3,  /* file offsets of the preceding blocks */
	BLOCK_END = 4,	  /* the last block, which has no body; it shows that the recording ended
			     normally */
	BLOCK_NAMES = 5,  /* names of frames; precedes the first block with events */
	/*
	 * begins a new part of the trace; contains all state that readers need for the blocks after
	 * it
	 */
	BLOCK_STATE = 6,
	BLOCK_THREADS = 7 /* lists the threads that have stops in each part of the trace */
};

/*
 * Maximum time in a trace, in nanoseconds (the year 2116). The minimum is 0. The limit prevents
 * overflows in subtractions of times.
 */
#define TRACE_TIME_MAX ((INT64_C(1) << 62) - 1)
static inline int64_t trace_time(uint64_t ns)
{
	return (int64_t)ns < 0 ? 0 : (int64_t)ns > TRACE_TIME_MAX ? TRACE_TIME_MAX : (int64_t)ns;
}

struct block_header {
	uint8_t kind;
	uint32_t stream; /* identifies one of several concurrent writers; 0 if there is only one
			    writer */
	uint64_t first;	 /* time of the first stop (CLOCK_MONOTONIC, in nanoseconds) */
	/*
	 * Time of the last stop. For BLOCK_END, the file offset of the last INDEX block, or 0 if
	 * there is none.
	 */
	uint64_t last;
	int64_t real;	   /* CLOCK_REALTIME minus CLOCK_MONOTONIC, in nanoseconds */
	uint64_t sequence; /* number of stops in all earlier blocks */
	/* total number of events that the engine has lost before the end of the block */
	uint64_t lost;
};

/*
 * Compresses bodies. Each thread that compresses bodies needs its own packer. block_packer_create()
 * never returns NULL.
 */
struct block_packer;
struct block_packer *block_packer_create(void);
void block_packer_destroy(struct block_packer *p); /* p may be NULL */
/*
 * Appends a block to *out. Its header is *h. Its body has n bytes, at most BLOCK_BODY_MAX. The body
 * is stored uncompressed if compression does not make it smaller or if libzstd is missing.
 */
void block_pack(struct block_packer *p, struct strbuf *out, const struct block_header *h,
		const void *body, size_t n);

/* Reads blocks from a file, a pipe, or memory. */
struct block_reader;
/* Creates a reader for a descriptor, which is borrowed and may be a pipe. Never returns NULL. */
struct block_reader *block_reader_create(int fd);
/* Creates a reader for n bytes of memory, which are borrowed. Never returns NULL. */
struct block_reader *block_reader_of_bytes(const void *bytes, size_t n);
void block_reader_destroy(struct block_reader *r); /* r may be NULL */

/*
 * Finds the next block with a valid header and body. Skips damaged data before it. The body has *n
 * bytes and is valid until the next call of this function. Returns false at the end of the file, or
 * if reading cannot continue, see block_reader_error().
 */
bool block_next(struct block_reader *r, struct block_header *h, const uint8_t **body, size_t *n);
/*
 * Returns the reason why reading stopped: 0 at the end of the file; -errno if a read failed;
 * -ENOTSUP if a block has a newer version; -ELIBACC if a block is compressed and libzstd is
 * missing; -ENOMSG if the file does not begin with a trace header.
 */
int block_reader_error(const struct block_reader *r);
/* Returns how many bytes have been skipped because they are not part of a valid block. */
uint64_t block_reader_skipped(const struct block_reader *r);
/* Returns the file offset of the block that block_next() returned last. */
uint64_t block_reader_offset(const struct block_reader *r);
/*
 * Continues reading at a file offset. If that is impossible, for example because the file is a
 * pipe, returns false and changes nothing.
 */
bool block_reader_seek(struct block_reader *r, uint64_t offset);
/*
 * These functions skip blocks and go back in a pipe. After block_hold(), all data that is read
 * stays in memory until block_go_back(), which moves the read position back to where it was when
 * block_hold() was called. block_peek() sets *h to the header of the next block, without
 * decompressing or checking the block's body. block_peek() returns false if there is no next block,
 * or if more than 64 MiB of data have been skipped since block_hold(). block_pass() skips the block
 * that block_peek() has found.
 */
void block_hold(struct block_reader *r);
void block_go_back(struct block_reader *r);
bool block_peek(struct block_reader *r, struct block_header *h);
void block_pass(struct block_reader *r);
/*
 * Reads the header of the block at a file offset, and sets *next to the file offset of the block's
 * end. Does not change the read position. Returns false if there is no complete header of a known
 * version at this offset, or if the file is a pipe.
 */
bool block_header_at(const struct block_reader *r, uint64_t offset, struct block_header *h,
		     uint64_t *next);
/*
 * Does the same as block_header_at() for the first block that begins at an offset in [from, to),
 * and sets *offset to that block's offset. Accepts a block only if another block or the end of the
 * file follows directly. Without this check, the function could find blocks of another trace inside
 * of a block's data.
 */
bool block_find(const struct block_reader *r, uint64_t from, uint64_t to, struct block_header *h,
		uint64_t *offset, uint64_t *next);
/*
 * Reads the header of the block at a file offset like block_header_at(), and replaces the contents
 * of *body with the block's body. Also returns false if the body is damaged, or if it is compressed
 * and libzstd is missing.
 */
bool block_at(const struct block_reader *r, uint64_t offset, struct block_header *h,
	      struct strbuf *body);
/* Returns the size of the file in bytes, or 0 if it is unknown, for example for a pipe. */
uint64_t block_reader_size(const struct block_reader *r);

#endif
