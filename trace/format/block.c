/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/block.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/format/coding.h"
#include "trace/format/zstd_library.h"
#include "util/crc32c.h"
#include "util/mem.h"

/* The forms in which the body of a block can be stored. */
enum { STORED_PLAIN, STORED_ZSTD };

/*
 * The compression level. At level 5, traces would be 3 to 10% smaller, but compression would take
 * twice as long.
 */
#define LEVEL 3

/*
 * Bodies of up to SMALL bytes are compressed with tables of 2^SMALL_TABLES entries. Most bodies
 * have 50 to 100 KiB. With libzstd's default tables of 400 KiB, clearing the tables for each body
 * would take longer than compressing it. The small tables increase the size of the output by less
 * than 0.5%.
 */
#define SMALL	     (128 << 10)
#define SMALL_TABLES 13

struct block_packer {
	struct zstd_library lib;
	ZSTD_CCtx *zstd; /* NULL if bodies are stored uncompressed */
	struct strbuf packed;
};

struct block_packer *block_packer_create(void)
{
	struct block_packer *p = mem_zalloc(sizeof(*p));

	if (zstd_library_load(&p->lib))
		p->zstd = p->lib.ZSTD_createCCtx();
	if (p->zstd)
		p->lib.ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, LEVEL);
	return p;
}

void block_packer_destroy(struct block_packer *p)
{
	if (!p)
		return;
	if (p->zstd)
		p->lib.ZSTD_freeCCtx(p->zstd);
	strbuf_deinit(&p->packed);
	free(p);
}

/*
 * Compresses the n bytes of `body` into p->packed. Returns the compressed size, or n if compression
 * does not make the body smaller.
 */
static size_t compress(struct block_packer *p, const void *body, size_t n)
{
	size_t room, packed;

	if (!p->zstd || !n)
		return n;
	p->lib.ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_hashLog, n <= SMALL ? SMALL_TABLES : 0);
	p->lib.ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_chainLog, n <= SMALL ? SMALL_TABLES : 0);
	room = p->lib.ZSTD_compressBound(n);
	p->packed.len = 0;
	strbuf_reserve(&p->packed, room);
	packed = p->lib.ZSTD_compress2(p->zstd, p->packed.data, room, body, n);
	return p->lib.ZSTD_isError(packed) ? n : size_min(packed, n);
}

void block_pack(struct block_packer *p, struct strbuf *out, const struct block_header *h,
		const void *body, size_t n)
{
	size_t packed = compress(p, body, n), start = out->len;
	uint8_t stored = STORED_PLAIN;
	const void *bytes = body;

	if (packed < n) {
		stored = STORED_ZSTD;
		bytes = p->packed.data;
	}
	strbuf_add(out, BLOCK_MAGIC, BLOCK_MAGIC_SIZE);
	put_uint(out, BLOCK_VERSION, 2);
	put_uint(out, h->kind, 1);
	put_uint(out, stored, 1);
	put_uint(out, h->stream, 4);
	put_uint(out, packed, 4);
	put_uint(out, n, 4);
	put_uint(out, h->first, 8);
	put_uint(out, h->last, 8);
	put_uint(out, (uint64_t)h->real, 8);
	put_uint(out, h->sequence, 8);
	put_uint(out, h->lost, 8);
	put_uint(out, crc32c(bytes, packed), 4);
	put_uint(out, crc32c(out->data + start, out->len - start), 4);
	strbuf_add(out, bytes, packed);
}

/* -- reading ------------------------------------------------------------------ */

/* The maximum size of a block, including its header. */
#define BLOCK_MAX (BLOCK_HEADER_SIZE + BLOCK_BODY_MAX)

struct block_reader {
	int fd; /* -1 if the whole file is in memory */
	int error;
	bool ended;	     /* true if the end of fd was reached */
	bool begun;	     /* true if begins_well() has already checked the start of the file */
	const uint8_t *data; /* bytes of the file, starting at file offset `base` */
	size_t len, at;	     /* number of bytes in `data`, and the read position in `data` */
	/* the buffer that contains `data`; it has `room` bytes; NULL if the caller owns `data` */
	uint8_t *buffer;
	size_t room;
	size_t hold;   /* offset in `data` from which all bytes must be kept, or NO_HOLD */
	size_t peeked; /* size in bytes of the block that block_pass() will skip */
	uint64_t base, block, skipped, skipped_held;
	struct zstd_library lib;
	ZSTD_DCtx *zstd; /* NULL if compressed bodies cannot be read */
	uint8_t *body;	 /* BLOCK_BODY_MAX bytes */
};

#define BUFFER	((size_t)2 * BLOCK_MAX)
#define NO_HOLD SIZE_MAX

/*
 * The maximum number of bytes to keep after block_hold(). This limit is greater than the distance
 * between two STATE blocks.
 */
#define HOLD_MAX ((size_t)64 << 20)

/* Number of bytes that block_find() reads at a time. */
#define FIND_BYTES ((size_t)64 << 10)

static struct block_reader *reader_new(int fd)
{
	struct block_reader *r = mem_zalloc(sizeof(*r));

	r->fd = fd;
	if (zstd_library_load(&r->lib))
		r->zstd = r->lib.ZSTD_createDCtx();
	r->body = mem_alloc(BLOCK_BODY_MAX);
	r->hold = NO_HOLD;
	return r;
}

struct block_reader *block_reader_create(int fd)
{
	struct block_reader *r = reader_new(fd);

	r->room = BUFFER;
	r->data = r->buffer = mem_alloc(r->room);
	return r;
}

struct block_reader *block_reader_of_bytes(const void *bytes, size_t n)
{
	struct block_reader *r = reader_new(-1);

	r->data = bytes;
	r->len = n;
	r->ended = true;
	return r;
}

void block_reader_destroy(struct block_reader *r)
{
	if (!r)
		return;
	if (r->zstd)
		r->lib.ZSTD_freeDCtx(r->zstd);
	free(r->buffer);
	free(r->body);
	free(r);
}

/* Makes room for at least BLOCK_MAX bytes after the read position. */
static void make_room(struct block_reader *r)
{
	size_t keep = size_min(r->at, r->hold);

	if (r->hold != NO_HOLD && keep < r->room / 2) {
		r->room *= 2;
		r->data = r->buffer = mem_realloc(r->buffer, r->room);
		return;
	}
	memmove(r->buffer, r->buffer + keep, r->len - keep);
	r->base += keep;
	r->len -= keep;
	r->at -= keep;
	if (r->hold != NO_HOLD)
		r->hold = 0;
}

/*
 * Makes n bytes (at most BLOCK_MAX) available at the read position. Returns false if fewer bytes
 * are left. If a read fails, also sets r->error.
 */
static bool fill(struct block_reader *r, size_t n)
{
	while (r->len - r->at < n && !r->ended) {
		ssize_t got;

		if (r->room - r->at < n || (r->hold == NO_HOLD && r->at > BLOCK_MAX))
			make_room(r);
		do
			got = read(r->fd, r->buffer + r->len, r->room - r->len);
		while (got < 0 && errno == EINTR);
		if (got < 0)
			r->error = -errno;
		if (got <= 0)
			r->ended = true;
		else
			r->len += (size_t)got;
	}
	return r->len - r->at >= n;
}

/* The fields of a header as stored in the file. */
struct stored {
	struct block_header h;
	unsigned version;
	uint8_t how;
	uint32_t packed, size, crc;
};

/* Parses the bytes at p as a header. Returns false if they are not a valid header. */
static bool parse(const uint8_t *p, struct stored *s)
{
	struct cursor in = {.p = p, .end = p + BLOCK_HEADER_SIZE};

	if (memcmp(p, BLOCK_MAGIC, BLOCK_MAGIC_SIZE))
		return false;
	in.p += BLOCK_MAGIC_SIZE;
	s->version = (unsigned)cursor_uint(&in, 2);
	s->h.kind = (uint8_t)cursor_uint(&in, 1);
	s->how = (uint8_t)cursor_uint(&in, 1);
	s->h.stream = (uint32_t)cursor_uint(&in, 4);
	s->packed = (uint32_t)cursor_uint(&in, 4);
	s->size = (uint32_t)cursor_uint(&in, 4);
	s->h.first = cursor_uint(&in, 8);
	s->h.last = cursor_uint(&in, 8);
	s->h.real = (int64_t)cursor_uint(&in, 8);
	s->h.sequence = cursor_uint(&in, 8);
	s->h.lost = cursor_uint(&in, 8);
	s->crc = (uint32_t)cursor_uint(&in, 4);
	return cursor_uint(&in, 4) == crc32c(p, BLOCK_HEADER_SIZE - 4);
}

/*
 * Returns the body that is stored at `packed`. If the body is not compressed, returns a pointer to
 * it. Otherwise decompresses it to `room`, which has BLOCK_BODY_MAX bytes. Returns NULL if the body
 * is damaged.
 */
static const uint8_t *decompress(const struct block_reader *r, const struct stored *s,
				 const uint8_t *packed, uint8_t *room)
{
	size_t n;

	if (crc32c(packed, s->packed) != s->crc)
		return NULL;
	if (s->how == STORED_PLAIN)
		return s->packed == s->size ? packed : NULL;
	if (s->how != STORED_ZSTD)
		return NULL;
	n = r->lib.ZSTD_decompressDCtx(r->zstd, room, BLOCK_BODY_MAX, packed, s->packed);
	return r->lib.ZSTD_isError(n) || n != s->size ? NULL : room;
}

/*
 * Makes the whole block at the read position available. *s is the block's header. Returns false if
 * the file ends within the block, or if the sizes in the header are invalid.
 */
static bool fill_block(struct block_reader *r, const struct stored *s)
{
	return s->packed <= BLOCK_BODY_MAX && s->size <= BLOCK_BODY_MAX &&
	       fill(r, BLOCK_HEADER_SIZE + (size_t)s->packed);
}

/*
 * Returns the body of the block at the read position, or NULL if the block is damaged. The result
 * does not point into r->buffer, because the buffer may move while the body is in use.
 */
static const uint8_t *unpack(struct block_reader *r, const struct stored *s)
{
	const uint8_t *body;

	if (!fill_block(r, s))
		return NULL;
	body = decompress(r, s, r->data + r->at + BLOCK_HEADER_SIZE, r->body);
	if (body && body != r->body && r->buffer)
		body = memcpy(r->body, body, s->size);
	return body;
}

/*
 * Moves the read position to the next position at which a block may start. Must be called only if
 * no block starts at the current read position.
 */
static void skip(struct block_reader *r)
{
	const uint8_t *from = r->data + r->at + 1, *found;
	size_t left = r->len - r->at - 1;

	found = memchr(from, BLOCK_MAGIC[0], left);
	left = found ? (size_t)(found - from) + 1 : left + 1;
	r->at += left;
	r->skipped += left;
}

/*
 * Returns true if the file is a trace: it begins with a block or, if its first bytes are damaged, a
 * block begins soon after the damage. Does not search the rest of the file for blocks.
 */
static bool begins_well(struct block_reader *r)
{
	struct stored s;
	bool known = fill(r, BLOCK_MAGIC_SIZE) &&
		     !memcmp(r->data + r->at, BLOCK_MAGIC, BLOCK_MAGIC_SIZE);

	r->begun = true;
	if (!known)
		fill(r, BLOCK_MAX);
	for (size_t at = r->at; !known && at + BLOCK_HEADER_SIZE <= r->len; at++)
		known = r->data[at] == (uint8_t)BLOCK_MAGIC[0] && parse(r->data + at, &s);
	if (!known && !r->error)
		r->error = -ENOMSG;
	return known;
}

bool block_next(struct block_reader *r, struct block_header *h, const uint8_t **body, size_t *n)
{
	struct stored s = {0};

	if (!r->begun && !begins_well(r))
		return false;
	while (r->error != -ENOTSUP && r->error != -ELIBACC && fill(r, 1)) {
		if (!fill(r, BLOCK_HEADER_SIZE) || !parse(r->data + r->at, &s)) {
			skip(r);
			continue;
		}
		if (s.version > BLOCK_VERSION) {
			r->error = -ENOTSUP;
			break;
		}
		if (s.how == STORED_ZSTD && !r->zstd) {
			r->error = -ELIBACC;
			break;
		}
		*body = unpack(r, &s);
		if (!*body) {
			skip(r);
			continue;
		}
		*h = s.h;
		*n = s.size;
		r->block = r->base + r->at;
		r->at += BLOCK_HEADER_SIZE + (size_t)s.packed;
		return true;
	}
	return false;
}

void block_hold(struct block_reader *r)
{
	r->hold = r->at;
	r->skipped_held = r->skipped;
}

void block_go_back(struct block_reader *r)
{
	r->at = r->hold;
	r->hold = NO_HOLD;
	r->skipped = r->skipped_held;
}

bool block_peek(struct block_reader *r, struct block_header *h)
{
	struct stored s;

	while (r->at - r->hold <= HOLD_MAX && fill(r, BLOCK_HEADER_SIZE)) {
		if (!parse(r->data + r->at, &s) || s.version > BLOCK_VERSION ||
		    !fill_block(r, &s)) {
			skip(r);
			continue;
		}
		*h = s.h;
		r->peeked = BLOCK_HEADER_SIZE + (size_t)s.packed;
		return true;
	}
	return false;
}

void block_pass(struct block_reader *r)
{
	r->at += r->peeked;
	r->peeked = 0;
}
int block_reader_error(const struct block_reader *r)
{
	return r->error;
}

uint64_t block_reader_skipped(const struct block_reader *r)
{
	return r->skipped;
}

uint64_t block_reader_offset(const struct block_reader *r)
{
	return r->block;
}

bool block_reader_seek(struct block_reader *r, uint64_t offset)
{
	if (r->fd < 0) {
		if (offset > r->len)
			return false;
		r->at = (size_t)offset;
		return true;
	}
	if (offset > INT64_MAX || lseek(r->fd, (off_t)offset, SEEK_SET) < 0)
		return false;
	r->base = offset;
	r->at = r->len = 0;
	r->ended = false;
	return true;
}

/*
 * Reads up to n bytes at a file offset without changing the read position. Returns the number of
 * bytes read.
 */
static size_t read_some_at(const struct block_reader *r, uint64_t offset, void *buf, size_t n)
{
	ssize_t got;

	if (r->fd < 0) {
		n = offset > r->len ? 0 : size_min(n, r->len - offset);
		memcpy(buf, r->data + offset, n);
		return n;
	}
	do
		got = offset > INT64_MAX ? -1 : pread(r->fd, buf, n, (off_t)offset);
	while (got < 0 && errno == EINTR);
	return got > 0 ? (size_t)got : 0;
}

/* Reads n bytes at a file offset. Returns false if not all of them can be read. */
static bool read_at(const struct block_reader *r, uint64_t offset, void *buf, size_t n)
{
	return read_some_at(r, offset, buf, n) == n;
}

/*
 * Reads the header at a file offset. Returns false if there is no valid header, or if its version
 * or its lengths are not supported.
 */
static bool stored_at(const struct block_reader *r, uint64_t offset, struct stored *s)
{
	uint8_t header[BLOCK_HEADER_SIZE];

	return read_at(r, offset, header, sizeof(header)) && parse(header, s) &&
	       s->version <= BLOCK_VERSION && s->packed <= BLOCK_BODY_MAX &&
	       s->size <= BLOCK_BODY_MAX;
}

bool block_header_at(const struct block_reader *r, uint64_t offset, struct block_header *h,
		     uint64_t *next)
{
	struct stored s;

	if (!stored_at(r, offset, &s))
		return false;
	*h = s.h;
	*next = offset + BLOCK_HEADER_SIZE + s.packed;
	return true;
}

/*
 * Returns true if a block starts at offset `next`, or if the file ends there or earlier.
 */
static bool is_followed(const struct block_reader *r, uint64_t next)
{
	struct stored s;

	return next >= block_reader_size(r) || stored_at(r, next, &s);
}

bool block_find(const struct block_reader *r, uint64_t from, uint64_t to, struct block_header *h,
		uint64_t *offset, uint64_t *next)
{
	uint8_t *bytes = mem_alloc(FIND_BYTES);
	bool found = false;

	while (from < to && !found) {
		size_t n = read_some_at(r, from, bytes, FIND_BYTES);
		const uint8_t *at = memmem(bytes, n, BLOCK_MAGIC, BLOCK_MAGIC_SIZE);

		if (n < BLOCK_MAGIC_SIZE)
			break;
		/*
		 * The last bytes read may be the first bytes of a magic number, so search them
		 * again.
		 */
		from += at ? (size_t)(at - bytes) : n - (BLOCK_MAGIC_SIZE - 1);
		if (!at || from >= to)
			continue;
		found = block_header_at(r, from, h, next) && is_followed(r, *next);
		*offset = from++;
	}
	free(bytes);
	return found;
}

bool block_at(const struct block_reader *r, uint64_t offset, struct block_header *h,
	      struct strbuf *body)
{
	const uint8_t *bytes = NULL;
	uint8_t *packed, *room;
	struct stored s;

	if (!stored_at(r, offset, &s) || (s.how == STORED_ZSTD && !r->zstd))
		return false;
	packed = mem_alloc(BLOCK_BODY_MAX);
	room = mem_alloc(BLOCK_BODY_MAX);
	if (read_at(r, offset + BLOCK_HEADER_SIZE, packed, s.packed))
		bytes = decompress(r, &s, packed, room);
	if (bytes) {
		*h = s.h;
		body->len = 0;
		strbuf_add(body, (const char *)bytes, s.size);
	}
	free(packed);
	free(room);
	return bytes != NULL;
}

uint64_t block_reader_size(const struct block_reader *r)
{
	struct stat st;

	if (r->fd < 0)
		return r->len;
	return !fstat(r->fd, &st) && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}
