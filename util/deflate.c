/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "util/deflate.h"

#include <stdlib.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "util/library.h"
#include "util/mem.h"

#define LEVEL 6
/*
 * The format that compress2() writes (RFC 1950) has a header before the RFC 1951 stream and a
 * checksum after it.
 */
#define ZLIB_HEADER  2
#define ZLIB_TRAILER 4
/* Maximum size of an uncompressed block in bytes. */
#define STORED_MAX 65535

#ifdef HAVE_ZLIB
#define ZLIB_FUNCTIONS(X)                                                                          \
	X(compress2)                                                                               \
	X(compressBound)
#endif

struct deflate {
	bool loaded;
#ifdef HAVE_ZLIB
	struct zlib {
		ZLIB_FUNCTIONS(LIBRARY_POINTER)
	} zlib;
#endif
};

#ifdef ZLIB_SONAME
LIBRARY_NOTE(zlib, "zlib", "Write smaller HTML pages", ZLIB_SONAME);
#endif

struct deflate *deflate_create(void)
{
	struct deflate *d = mem_zalloc(sizeof(*d));

#ifdef ZLIB_SONAME
	static const char *const names[] = {ZLIB_FUNCTIONS(LIBRARY_NAME)};

	d->loaded = library_load(ZLIB_SONAME, names, ARRAY_SIZE(names), &d->zlib);
#elif defined(HAVE_ZLIB)
	d->zlib = (struct zlib){ZLIB_FUNCTIONS(LIBRARY_LINKED)};
	d->loaded = true;
#endif
	return d;
}

void deflate_destroy(struct deflate *d)
{
	free(d);
}

/* Compresses with zlib. Returns false if zlib is missing or fails. */
static bool compress_bytes(const struct deflate *d, struct strbuf *out, const void *in, size_t n)
{
#ifdef HAVE_ZLIB
	uLongf size;
	char *to;

	if (!d->loaded)
		return false;
	size = d->zlib.compressBound(n);
	to = strbuf_room(out, size);
	if (d->zlib.compress2((Bytef *)to, &size, in, n, LEVEL) != Z_OK)
		return false;
	size -= ZLIB_HEADER + ZLIB_TRAILER;
	memmove(to, to + ZLIB_HEADER, size);
	out->len += size;
	return true;
#else
	return false;
#endif
}

void deflate_bytes(const struct deflate *d, struct strbuf *out, const void *in, size_t n)
{
	const char *from = in;

	if (compress_bytes(d, out, in, n))
		return;
	do {
		const size_t len = size_min(n, STORED_MAX);
		const uint8_t head[] = {len == n, (uint8_t)len, (uint8_t)(len >> 8), (uint8_t)~len,
					(uint8_t)(~len >> 8)};

		strbuf_add(out, (const char *)head, sizeof(head));
		strbuf_add(out, from, len);
		from += len;
		n -= len;
	} while (n);
}
