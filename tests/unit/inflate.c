/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "inflate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

#include "util/library.h"

#define FUNCTIONS(X)                                                                               \
	X(inflateInit2_)                                                                           \
	X(inflate)                                                                                 \
	X(inflateEnd)

struct functions {
	FUNCTIONS(LIBRARY_POINTER)
};

static void load(struct functions *f)
{
#ifdef ZLIB_SONAME
	static const char *const names[] = {FUNCTIONS(LIBRARY_NAME)};

	assert_true(library_load(ZLIB_SONAME, names, ARRAY_SIZE(names), f));
#else
	*f = (struct functions){FUNCTIONS(LIBRARY_LINKED)};
#endif
}

void inflate_bytes(struct strbuf *out, const void *in, size_t n)
{
	z_stream z = {.next_in = (Bytef *)in, .avail_in = (uInt)n};
	struct functions f;
	int status;

	load(&f);
	/* A negative window size means raw deflate data, without zlib's header and checksum. */
	assert_int_equal(f.inflateInit2_(&z, -MAX_WBITS, ZLIB_VERSION, (int)sizeof(z)), Z_OK);
	do {
		z.next_out = (Bytef *)strbuf_room(out, 65536);
		z.avail_out = 65536;
		status = f.inflate(&z, Z_NO_FLUSH);
		out->len += 65536 - z.avail_out;
	} while (status == Z_OK);
	assert_int_equal(status, Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	f.inflateEnd(&z);
}
#else
/* Without zlib, compressors store data uncompressed. Appends that data to out. */
void inflate_bytes(struct strbuf *out, const void *in, size_t n)
{
	const uint8_t *p = in;

	for (bool last = false; !last;) {
		size_t len;

		assert_true(n >= 5 && !(p[0] & ~1));
		last = p[0];
		len = p[1] | (size_t)p[2] << 8;
		assert_true(n >= 5 + len);
		strbuf_add(out, (const char *)p + 5, len);
		p += 5 + len;
		n -= 5 + len;
	}
	assert_int_equal(n, 0);
}
#endif
