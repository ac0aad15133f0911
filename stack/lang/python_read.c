/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts interpreter frames and code objects of CPython to language frames. */
#include "stack/lang/python_read.h"

#include <stdlib.h>

#include "stack/lang/text.h"
#include "util/mem.h"

bool python_string_of(const struct python_layout *l, uint64_t addr, const uint8_t *head,
		      struct python_string *s)
{
	uint32_t state = half_at(head, l->header + 16);
	bool ascii;

	s->length = word_at(head, l->header);
	/*
	 * The lowest bits are the string's "interned" state: 8 bits in free-threaded builds since
	 * 3.14, otherwise 2.
	 */
	state >>= l->free_threaded && l->version >= 0x30e ? 8 : 2;
	s->width = state & 7;
	ascii = state >> 4 & 1;
	s->addr = addr + (ascii ? l->unicode_ascii : l->unicode_compact);
	return state >> 3 & 1 && (s->width == 1 || s->width == 2 || s->width == 4) &&
	       s->length <= INT32_MAX;
}

static bool read_string(struct python_read *g, uint64_t addr, size_t max, struct strbuf *b)
{
	uint8_t head[64];
	struct python_string s;

	return lang_read_once(g->r->mem, addr, head, python_string_head(g->l)) &&
	       python_string_of(g->l, addr, head, &s) &&
	       lang_text_wide(g->r->mem, s.addr, s.length, s.width, max, b);
}

/* Reads the line table of a code object. Returns allocated memory, or NULL on failure. */
static uint8_t *read_lines(struct python_read *g, uint64_t addr, size_t *n)
{
	uint8_t *table;
	uint64_t size;

	*n = 0;
	if (!lang_read_once(g->r->mem, addr + g->l->header, &size, sizeof(size)) ||
	    size > LANG_LINES_MAX)
		return NULL;
	table = mem_alloc(size + 1);
	if (!lang_read_once(g->r->mem, addr + g->l->header + 16, table, size)) {
		free(table);
		return NULL;
	}
	*n = size;
	return table;
}

/*
 * Reads the data that identifies a code object: its type and the members that never change. Until
 * 3.11, code objects have no version number, so the data includes the start of the line table.
 * Returns false if the data cannot be read.
 */
static bool read_check(struct python_read *g, uint64_t addr, uint8_t *check, size_t *n)
{
	const struct python_layout *l = g->l;
	const size_t size = l->check_end - l->check;
	uint64_t type;

	if (addr & 7 || !lang_read_u64(g->r->mem, addr + l->header - 8, &type) ||
	    (g->f->code_type && type != g->f->code_type + g->r->bias) ||
	    !lang_read(g->r->mem, addr + l->check, check, size))
		return false;
	*n = size;
	if (l->version == 0x30b) /* clear the warm-up counter, because it changes */
		memset(check + 52 - l->check, 0, 2);
	if (l->version <= 0x30b) {
		const uint64_t lines = word_at(check, l->lines - l->check);

		if (!lang_read(g->r->mem, lines + 16, check + size, 48))
			return false;
		memset(check + size + 8, 0, 8); /* clear the hash, because it is computed later */
		*n += 48;
	}
	return true;
}

static struct lang_object *name_code(struct python_read *g, uint64_t addr, const uint8_t *check,
				     size_t ncheck)
{
	const struct python_layout *l = g->l;
	struct strbuf function = {0}, file = {0};
	struct lang_object *o = NULL;
	uint8_t *lines;
	size_t n;

	if (read_string(g, word_at(check, l->name - l->check), LANG_FUNCTION_MAX, &function) &&
	    read_string(g, word_at(check, l->filename - l->check), LANG_FILE_LENGTH, &file)) {
		lines = read_lines(g, word_at(check, l->lines - l->check), &n);
		o = lang_object_add(g->r->names, language_python.name, g->r->tgid, addr, check,
				    ncheck, &function, &file, lines, n);
		o->kept[0] = half_at(check, l->firstline - l->check);
	}
	strbuf_deinit(&function);
	strbuf_deinit(&file);
	return o;
}

/*
 * Sets *addr to the address of the instructions that a frame executes. The instructions are in the
 * code object or in the thread's copy of it. Returns false if the address of the copy cannot be
 * read.
 */
static bool instructions_of(struct python_read *g, uint64_t code, const uint8_t *frame,
			    uint64_t *addr)
{
	const struct python_layout *l = g->l;
	uint64_t table, copy;
	uint32_t index;

	*addr = code + l->instructions;
	if (!l->tlbc)
		return true;
	index = half_at(frame, l->tlbc_index);
	if (!index)
		return true;
	if (!lang_read_u64(g->r->mem, code + l->tlbc, &table) || index > THREADS_MAX ||
	    !lang_read_u64(g->r->mem, table + 8 + index * (uint64_t)8, &copy))
		return false;
	*addr = copy;
	return true;
}

struct lang_frame *python_name_frame(struct python_read *g, const uint8_t *frame)
{
	const struct python_layout *l = g->l;
	/* Since 3.14, the low bits of a reference contain a tag. */
	const uint64_t code = word_at(frame, l->code) & ~(uint64_t)(l->version >= 0x30e ? 3 : 0);
	uint8_t check[LANG_CHECK_MAX];
	struct lang_object *o;
	struct lang_frame *f;
	uint64_t at, start;
	size_t n;

	if (!read_check(g, code, check, &n))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, code, check, n);
	if (unlikely(!o))
		o = name_code(g, code, check, n);
	if (!o)
		return NULL;
	if (l->instructions) {
		if (!instructions_of(g, code, frame, &start))
			return NULL;
		at = word_at(frame, l->instr) - start;
		/*
		 * The frame has not started, so its instruction pointer is before the first
		 * instruction. Use the first instruction.
		 */
		if ((int64_t)at < 0)
			at = 0;
	} else {
		at = (int32_t)half_at(frame, l->instr) < 0 ? 0 : half_at(frame, l->instr);
	}
	f = lang_frame_find(g->r->names, o, at);
	if (unlikely(!f)) {
		const int first = (int)o->kept[0];
		unsigned line = python_line(l->version, o->lines, o->nlines, first, at);

		f = lang_frame_add(g->r->names, o, at, line, 0);
	}
	return f;
}
