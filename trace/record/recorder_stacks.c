/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/recorder_stacks.h"

#include <string.h>

#include "trace/format/coding.h"
#include "trace/format/records.h"
#include "stack/files/map_table.h"
#include "unwind.h"

/* Maximum total size in bytes of the records in the index. */
#define INDEX_BYTES_MAX (16u << 20)

void stack_index_forget(struct stack_index *b)
{
	table_deinit(&b->by_hash);
	b->by_hash = (struct table){0};
	b->written.n = 0;
	b->text.len = 0;
	b->mapped = 0;
	b->first_module = b->modules + 1;
}

void stack_index_deinit(struct stack_index *b)
{
	table_deinit(&b->by_hash);
	vec_deinit(&b->written);
	strbuf_deinit(&b->text);
	strbuf_deinit(&b->scratch);
	strbuf_deinit(&b->module);
}

bool stack_index_full(const struct stack_index *b)
{
	return b->written.n >= TRACE_STACKS_MAX || b->text.len >= INDEX_BYTES_MAX ||
	       b->mapped + TRACE_MAPS_MAX > TRACE_MAPPED_MAX;
}

uint32_t stack_index_number(struct stack_index *b, const struct strbuf *bytes, uint32_t *last,
			    bool *is_new)
{
	uint64_t hash = table_hash(bytes->data, bytes->len);
	struct table_slot *slot = NULL;

	while ((slot = table_find(&b->by_hash, hash, slot))) {
		const struct written_record *n = &b->written.v[slot->value - 1];

		if (n->n == bytes->len && !memcmp(b->text.data + n->at, bytes->data, n->n))
			return n->number;
	}
	*is_new = true;
	*vec_push(&b->written) = (struct written_record){b->text.len, bytes->len, ++*last};
	strbuf_add(&b->text, bytes->data, bytes->len);
	table_add(&b->by_hash, hash, b->written.n);
	return *last;
}

void stack_index_put_record(struct strbuf *out, enum record_type type, uint32_t number,
			    const struct strbuf *bytes)
{
	unsigned digits = number < 1u << 7 ? 1 : number < 1u << 14 ? 2 : number < 1u << 21 ? 3 : 4;

	digits += number >= 1u << 28;
	strbuf_putc(out, (char)type);
	put_uleb(out, digits + (bytes ? bytes->len : 0));
	put_uleb(out, number);
	if (bytes)
		strbuf_add(out, bytes->data, bytes->len);
}

uint32_t stack_index_module(struct stack_index *b, struct strbuf *out, struct mapping *m,
			    const char *build_id)
{
	const char *name = m->name ? m->name : "", *id = build_id ? build_id : "";
	bool is_new = false;

	if (likely(m->recorded >= b->first_module && m->recorded))
		return m->recorded;
	b->module.len = 0;
	strbuf_putc(&b->module, 'm');
	put_bytes(&b->module, name, strlen(name));
	put_bytes(&b->module, id, strlen(id));
	put_uleb(&b->module, m->inode);
	m->recorded = stack_index_number(b, &b->module, &b->modules, &is_new);
	if (is_new)
		stack_index_put_record(out, RECORD_MODULE, m->recorded, &b->module);
	return m->recorded;
}

static void put_frame(struct stack_index *b, struct strbuf *out, const struct recorded_frame *f)
{
	unsigned bits = (f->exact ? FRAME_IS_EXACT : 0) | (f->named ? FRAME_HAS_NAME : 0) |
			(unsigned)f->by << FRAME_BY_SHIFT;

	put_uleb(&b->scratch, bits);
	put_uleb(&b->scratch, stack_index_module(b, out, f->mapping, f->build_id));
	put_uleb(&b->scratch, f->addr);
	if (!f->named)
		return;
	put_bytes(&b->scratch, f->symbol, f->symbol ? size_min(strlen(f->symbol), 4096) : 0);
	put_uleb(&b->scratch, f->offset);
}

void stack_index_put(struct stack_index *b, struct strbuf *out, struct unwinder *u, struct stack *s)
{
	size_t n = size_min(stack_size(s), TRACE_FRAMES_MAX);
	bool is_new = false;
	uint32_t number;
	uint64_t end;

	b->scratch.len = 0;
	strbuf_putc(&b->scratch, 's');
	put_uleb(&b->scratch, (unsigned)stack_status(s, &end));
	put_uleb(&b->scratch, end);
	put_uleb(&b->scratch, n);
	for (size_t i = 0; i < n; i++) {
		struct recorded_frame f = stack_recorded_frame(u, s, i);

		put_frame(b, out, &f);
	}
	number = stack_index_number(b, &b->scratch, &b->stacks, &is_new);
	if (is_new)
		stack_index_put_record(out, RECORD_STACK, number, &b->scratch);
	stack_index_put_record(out, RECORD_AT, number, NULL);
}
