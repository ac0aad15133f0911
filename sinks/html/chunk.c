/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/html/chunk.h"

#include <stdlib.h>

#include "util/deflate.h"
#include "util/mem.h"

/*
 * Limits on a chunk. They are small, because the page must decompress a whole chunk to show the
 * text of one row.
 */
#define ROWS_MAX  (16u << 10)
#define BYTES_MAX (2u << 20) /* maximum total size in bytes of text and lists */

enum column {
	COLUMN_KIND,
	COLUMN_WHO,  /* stored as the difference from the previous row */
	COLUMN_NAME, /* index in LIST_NAMES */
	COLUMN_END,  /* stored as the difference from the previous row */
	COLUMN_DURATION,
	COLUMN_BYTES,
	COLUMN_STACK, /* stored as the difference from the previous row */
	COLUMNS
};

struct chunk {
	struct strbuf columns[COLUMNS], lists[CHUNK_LISTS], text;
	size_t rows, text_begin; /* number of rows, and offset of the next row's text */
	int64_t base;		 /* end of the first row, to which the times of all rows are
				    relative */
	struct row last;	 /* the previous row; before the first row, all members but `end`
				    are 0 */
	struct deflate *deflate;
	struct strbuf plain, packed;
};

struct chunk *chunk_create(void)
{
	struct chunk *c = mem_zalloc(sizeof(*c));

	c->deflate = deflate_create();
	return c;
}

void chunk_destroy(struct chunk *c)
{
	for (unsigned i = 0; i < COLUMNS; i++)
		strbuf_deinit(&c->columns[i]);
	for (unsigned i = 0; i < CHUNK_LISTS; i++)
		strbuf_deinit(&c->lists[i]);
	strbuf_deinit(&c->text);
	strbuf_deinit(&c->plain);
	strbuf_deinit(&c->packed);
	deflate_destroy(c->deflate);
	free(c);
}

struct strbuf *chunk_next(struct chunk *c, enum chunk_list list)
{
	struct strbuf *b = &c->lists[list];

	if (b->len)
		strbuf_putc(b, ',');
	return b;
}

struct strbuf *chunk_text(struct chunk *c)
{
	return &c->text;
}

/*
 * Appends a number in LEB128: seven bits per byte, lowest first. The highest bit of a byte is set
 * if more bytes follow.
 */
static void put_number(struct strbuf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		strbuf_putc(b, (char)(v | 0x80));
	strbuf_putc(b, (char)v);
}

/* Appends a signed number. 0, -1, 1, -2, … are encoded as 0, 1, 2, 3, … */
static void put_signed(struct strbuf *b, int64_t v)
{
	put_number(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

/* Ends the text of a row. A row is a single line, so line ends in its text are replaced. */
static void end_text(struct chunk *c)
{
	char *p = c->text.data + c->text_begin;

	for (size_t left = c->text.len - c->text_begin; left; p++, left--)
		if (*p == '\n')
			*p = ' ';
	strbuf_putc(&c->text, '\n');
	c->text_begin = c->text.len;
}

void chunk_row(struct chunk *c, const struct row *row)
{
	if (!c->rows++) {
		c->last = (struct row){.end = row->end};
		c->base = row->end;
	}
	put_number(&c->columns[COLUMN_KIND], row->kind);
	put_signed(&c->columns[COLUMN_WHO], (int64_t)row->who - c->last.who);
	put_number(&c->columns[COLUMN_NAME], row->name);
	put_signed(&c->columns[COLUMN_END], row->end - c->last.end);
	put_number(&c->columns[COLUMN_DURATION], row->duration);
	put_number(&c->columns[COLUMN_BYTES], row->bytes);
	put_signed(&c->columns[COLUMN_STACK], (int64_t)(row->stack - c->last.stack));
	c->last = *row;
	end_text(c);
}

size_t chunk_rows(const struct chunk *c)
{
	return c->rows;
}

bool chunk_is_full(const struct chunk *c)
{
	size_t bytes = c->text.len;

	for (unsigned i = 0; i < CHUNK_LISTS; i++)
		bytes += c->lists[i].len;
	return c->rows >= ROWS_MAX || bytes >= BYTES_MAX;
}

static void put_base64(struct strbuf *b, const struct strbuf *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *p = (const uint8_t *)bytes->data;
	size_t left = bytes->len;

	for (; left; p += 3) {
		uint32_t v = p[0] << 16 | (left > 1 ? p[1] << 8 : 0) | (left > 2 ? p[2] : 0);
		const char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
				      left > 1 ? digits[v >> 6 & 63] : '=',
				      left > 2 ? digits[v & 63] : '='};

		strbuf_add(b, four, 4);
		left -= left < 3 ? left : 3;
	}
}

/* Appends a part of the chunk, compressed and in base64, followed by `end`. */
static void put_part(struct chunk *c, struct strbuf *page, const struct strbuf *part, char end)
{
	c->packed.len = 0;
	deflate_bytes(c->deflate, &c->packed, part->data, part->len);
	put_base64(page, &c->packed);
	strbuf_putc(page, end);
}

static void put_lists(struct chunk *c, const char *notes)
{
	static const char *const keys[CHUNK_LISTS] = {
		"strings", "names", "who", "frames", "nodes", "threads", "commands", "wakes",
	};
	struct strbuf *b = &c->plain;

	strbuf_puts(b, "{\"rows\":");
	strbuf_udec(b, c->rows);
	strbuf_puts(b, ",\"base\":");
	strbuf_dec(b, c->base);
	for (unsigned i = 0; i < CHUNK_LISTS; i++) {
		strbuf_puts(b, ",\"");
		strbuf_puts(b, keys[i]);
		strbuf_puts(b, "\":[");
		strbuf_add(b, c->lists[i].data, c->lists[i].len);
		strbuf_putc(b, ']');
		c->lists[i].len = 0;
	}
	if (*notes)
		strbuf_putc(b, ',');
	strbuf_puts(b, notes);
	strbuf_putc(b, '}');
}

void chunk_write(struct chunk *c, const char *notes, struct strbuf *page)
{
	strbuf_puts(page, "<script type=\"text/plain\" class=\"chunk\">");
	c->plain.len = 0;
	put_lists(c, notes);
	put_part(c, page, &c->plain, ',');
	c->plain.len = 0;
	for (unsigned i = 0; i < COLUMNS; i++) {
		strbuf_add(&c->plain, c->columns[i].data, c->columns[i].len);
		c->columns[i].len = 0;
	}
	put_part(c, page, &c->plain, ',');
	put_part(c, page, &c->text, ';');
	c->text.len = c->text_begin = c->rows = 0;
	strbuf_puts(page, "</script>\n");
}
