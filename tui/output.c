/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/output.h"

#include <string.h>
#include <unistd.h>

/* Maximum number of bytes at the end of the program's output that are shown. */
#define OUTPUT_BYTES (256 << 10)

void output_read(struct strbuf *b, int fd)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	ssize_t n;

	b->len = 0;
	n = pread(fd, strbuf_room(b, OUTPUT_BYTES), OUTPUT_BYTES,
		  size > OUTPUT_BYTES ? size - OUTPUT_BYTES : 0);
	b->len = n > 0 ? (size_t)n : 0;
}

size_t output_lines(const struct strbuf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->data[i] == '\n';
	return n + (b->len && b->data[b->len - 1] != '\n');
}

void output_draw(struct screen *s, size_t y, enum style style, const struct strbuf *b, size_t i,
		 size_t skip)
{
	const char *p = b->data, *end = p + b->len, *stop;
	size_t height, width;

	for (; i && p; i--) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	if (!p)
		return;
	screen_size(s, &height, &width);
	stop = memchr(p, '\n', (size_t)(end - p));
	screen_put(s, y, 0, width, style, p, (size_t)((stop ? stop : end) - p), skip);
}
