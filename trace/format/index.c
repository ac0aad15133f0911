/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/index.h"

#include "trace/format/coding.h"

uint64_t index_last(const struct block_reader *r)
{
	uint64_t size = block_reader_size(r), next;
	struct block_header h;

	if (size <= BLOCK_HEADER_SIZE || !block_header_at(r, size - BLOCK_HEADER_SIZE, &h, &next) ||
	    h.kind != BLOCK_END || h.last >= size)
		return 0;
	return h.last;
}

/* Parses the body of an INDEX block. Returns false if the body is invalid. */
static bool take_entries(index_entries *e, const struct strbuf *body)
{
	struct cursor in = {.p = (const uint8_t *)body->data,
			    .end = (const uint8_t *)body->data + body->len};
	uint64_t offset = 0;

	e->n = 0;
	while (in.p < in.end) {
		struct index_entry *entry = vec_push(e);

		offset += cursor_uleb(&in);
		entry->offset = offset;
		entry->kind = (uint8_t)cursor_uleb(&in);
		entry->first = (int64_t)cursor_uleb(&in);
		cursor_uleb(&in);
		entry->real = take_signed(&in);
		cursor_uleb(&in);
		cursor_uleb(&in);
	}
	return !in.bad;
}

bool index_read(const struct block_reader *r, uint64_t *offset, index_entries *e)
{
	struct strbuf body = {0};
	struct block_header h = {0};
	bool whole = block_at(r, *offset, &h, &body) && h.kind == BLOCK_INDEX && h.last < *offset &&
		     take_entries(e, &body);

	strbuf_deinit(&body);
	*offset = h.last;
	return whole;
}
