/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/python_layout.h"

#include <string.h>

/* Members that have the same offsets in all versions until 3.10. */
#define OLD                                                                                        \
	.head = 32, .threads = 8, .thread_next = 8, .thread_id = 176, .frame = 24, .back = 24,     \
	.code = 32, .filename = 104, .name = 112, .firstline = 40, .lines = 120, .check = 16,      \
	.check_end = 128, .header = 16, .unicode_ascii = 48, .unicode_compact = 72

static const struct python_layout layouts[] = {
	{.version = 0x308, .instr = 104, OLD},
	{.version = 0x309, .instr = 104, OLD},
	{.version = 0x30a, .instr = 96, OLD},
	{
		.version = 0x30b,
		.head = 40,
		.threads = 16,
		.thread_next = 8,
		.thread_id = 152,
		.native_id = 160,
		.frame = 56,
		.by_cframe = true,
		.cframe_frame = 8,
		.back = 48,
		.code = 32,
		.instr = 56,
		.owner = 69,
		.is_entry = 68,
		.filename = 112,
		.name = 128,
		.firstline = 72,
		.lines = 136,
		.instructions = 184,
		.check = 16,
		.check_end = 144,
		.header = 16,
		.unicode_ascii = 48,
		.unicode_compact = 72,
	},
	{
		.version = 0x30c,
		.head = 40,
		.threads = 72,
		.thread_next = 8,
		.thread_id = 136,
		.native_id = 144,
		.frame = 56,
		.by_cframe = true,
		.cframe_frame = 0,
		.back = 8,
		.code = 0,
		.instr = 56,
		.owner = 70,
		.filename = 112,
		.name = 128,
		.firstline = 68,
		.lines = 136,
		.instructions = 192,
		.check = 16,
		.check_end = 144,
		.header = 16,
		.unicode_ascii = 40,
		.unicode_compact = 56,
	},
};

const struct python_layout *python_layout_of(unsigned version)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].version == version)
			return &layouts[i];
	return NULL;
}

/* Indexes of the words in _Py_DebugOffsets at which the groups of offsets start. */
struct positions {
	unsigned version;
	uint8_t interpreter, thread, frame, code;
	uint8_t tlbc_index,
		/*
		 * tlbc_index is relative to `frame`, tlbc is relative to `code`. Both are 0 if the
		 * version lacks these members.
		 */
		tlbc;
	/* All four are 0 if the version does not describe the tasks of asyncio. */
	uint8_t type, set, integer, generator;
};
#define RUNTIME_AT 3

static const struct positions all_positions[] = {
	{.version = 0x30d, .interpreter = 6, .thread = 19, .frame = 28, .code = 34},
	{.version = 0x30e,
	 .interpreter = 6,
	 .thread = 22,
	 .frame = 31,
	 .code = 39,
	 .tlbc_index = 7,
	 .tlbc = 10,
	 .type = 52,
	 .set = 62,
	 .integer = 71,
	 .generator = 83},
};

/* Copies an element of the debug offsets to *to. Returns false if the value is too large. */
static bool take(const uint64_t *words, unsigned at, uint16_t *to)
{
	*to = words[at];
	return words[at] <= UINT16_MAX;
}

/* Returns true if an 8-byte member at the offset `at` lies within a range of offsets. */
static bool is_within(unsigned at, unsigned from, unsigned to)
{
	return at >= from && at + 8 <= to;
}

/*
 * Sets the offsets that are needed to read asyncio's tasks. Returns false if they are inconsistent.
 */
static bool read_tasks(const uint64_t *w, const struct positions *p, struct python_layout *l)
{
	l->has_tasks = true;
	return take(w, p->frame, &l->frame_size) && take(w, p->frame + 6, &l->stack_pointer) &&
	       take(w, p->generator + 2, &l->gen_frame) &&
	       take(w, p->generator + 3, &l->gen_state) && take(w, p->set + 1, &l->set_used) &&
	       take(w, p->set + 2, &l->set_table) && take(w, p->set + 3, &l->set_mask) &&
	       take(w, p->type + 3, &l->type_flags) && take(w, p->integer + 1, &l->long_tag) &&
	       take(w, p->integer + 2, &l->long_digits) && l->frame_size <= PYTHON_FRAME &&
	       is_within(l->stack_pointer, 0, l->frame_size) &&
	       is_within(l->back, 0, l->frame_size) && is_within(l->code, 0, l->frame_size) &&
	       is_within(l->instr, 0, l->frame_size) && is_within(l->tlbc_index, 0, l->frame_size);
}

const char *python_layout_read(const uint64_t w[PYTHON_OFFSETS], struct python_layout *l)
{
	const struct positions *p = NULL;
	bool ok;

	if (memcmp(w, PYTHON_COOKIE, sizeof(*w)) != 0)
		return "the interpreter does not describe its structures";
	memset(l, 0, sizeof(*l));
	l->version = w[1] >> 16 & 0xffff;
	l->free_threaded = w[2];
	for (size_t i = 0; i < ARRAY_SIZE(all_positions); i++)
		if (all_positions[i].version == l->version)
			p = &all_positions[i];
	if (!p)
		return "unsupported version of Python";
	ok = take(w, RUNTIME_AT + 2, &l->head);
	l->next = w[p->interpreter + 2];
	l->threads = w[p->interpreter + 3];
	ok &= w[p->interpreter + 2] < 1u << 20 && w[p->interpreter + 3] < 1u << 20;
	ok &= take(w, p->thread + 2, &l->thread_next) && take(w, p->thread + 4, &l->frame) &&
	      take(w, p->thread + 5, &l->thread_id) && take(w, p->thread + 6, &l->native_id);
	ok &= take(w, p->frame + 1, &l->back) && take(w, p->frame + 2, &l->code) &&
	      take(w, p->frame + 3, &l->instr) && take(w, p->frame + 5, &l->owner);
	ok &= take(w, p->code + 1, &l->filename) && take(w, p->code + 3, &l->name) &&
	      take(w, p->code + 4, &l->lines) && take(w, p->code + 5, &l->firstline) &&
	      take(w, p->code + 9, &l->instructions);
	if (l->free_threaded && p->tlbc)
		ok &= take(w, p->frame + p->tlbc_index, &l->tlbc_index) &&
		      take(w, p->code + p->tlbc, &l->tlbc);
	/*
	 * In builds without the global interpreter lock, the object header is larger. Therefore all
	 * other members have different offsets.
	 */
	l->header = l->free_threaded ? 32 : 16;
	l->unicode_ascii = l->header + 24;
	l->unicode_compact = l->unicode_ascii + 16;
	l->check = l->header;
	l->check_end = l->lines + 8;
	ok &= l->check_end > l->check && l->check_end - l->check <= 192 &&
	      is_within(l->name, l->check, l->check_end) &&
	      is_within(l->filename, l->check, l->check_end) &&
	      is_within(l->firstline, l->check, l->check_end) &&
	      is_within(l->back, 0, PYTHON_FRAME) && is_within(l->code, 0, PYTHON_FRAME) &&
	      is_within(l->instr, 0, PYTHON_FRAME) && is_within(l->owner, 0, PYTHON_FRAME) &&
	      is_within(l->tlbc_index, 0, PYTHON_FRAME);
	if (p->generator)
		ok &= read_tasks(w, p, l);
	return ok ? NULL : "the interpreter describes its structures inconsistently";
}
