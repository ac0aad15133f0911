/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the names of the frames of a stack, and formats the stack as text. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "unwind.h"
#include "unwind_state.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/lang/names.h"
#include "stack/names/lines.h"
#include "stack/names/naming.h"
#include "stack/names/perf_map.h"
#include "util/mem.h"
#include "util/strbuf.h"

/* Returns the frame's data from the trace, or NULL if the stack has no such data. */
static const struct recorded_frame *as_recorded(const struct stack *s, const struct raw_frame *r)
{
	return s->recorded ? &s->recorded[r - s->frames] : NULL;
}

static const struct line *frame_line(const struct unwinder *u, struct stack *s,
				     const struct raw_frame *r)
{
	const struct module *mod = module_of(r->m);
	const struct line *l;

	if (!mod || !mod->file)
		return NULL;
	l = naming_line(mod->file, r->addr, r->flags & FRAME_EXACT,
			u->config.source_lines && WITH_LIBDW);
	/* If the trace contains a name that the file lacks, use the data from the trace. */
	if (!l->symbol && as_recorded(s, r) && as_recorded(s, r)->symbol)
		return NULL;
	s->unsettled |= l->again;
	return l;
}

/* Returns the perf map of a process, and creates it if necessary. u owns the map. */
static struct perf_map *perf_map_of(struct unwinder *u, pid_t tgid)
{
	struct perf_map *map;

	vec_for_each (&u->perf_maps, p)
		if (perf_map_tgid(*p) == tgid)
			return *p;
	map = perf_map_create(tgid, u->source, &u->budget);
	*vec_push(&u->perf_maps) = map;
	return map;
}

/*
 * Looks up the name of code that is not in a file. The name comes from the process's perf map, a
 * file to which JIT compilers write names. Reads new lines of the perf map first. If the stack is
 * from a trace, returns the name in the trace instead. Returns NULL if there is no name. The name
 * is valid as long as s.
 */
static const char *jit_name(struct unwinder *u, struct stack *s, const struct raw_frame *r,
			    uint64_t *offset)
{
	uint64_t lookup = r->flags & FRAME_EXACT ? r->pc : r->pc - 1, start;
	const char *name;

	if (s->recorded) {
		*offset = s->recorded[r - s->frames].offset;
		return s->recorded[r - s->frames].symbol;
	}
	if (!s->tgid)
		return NULL;
	if (!s->perf_map)
		s->perf_map = perf_map_get(perf_map_of(u, s->tgid));
	perf_map_refresh(s->perf_map);
	name = perf_map_find(s->perf_map, lookup, &start);
	if (name)
		*offset = r->pc - start;
	return name;
}

/*
 * Returns true if the frame's code is not in a file. The name of such a frame must be looked up
 * while the process exists.
 */
static bool is_nameless(const struct raw_frame *r)
{
	const struct module *mod = module_of(r->m);

	return !r->m->inode || !mod || !mod->file;
}

struct recorded_frame stack_recorded_frame(struct unwinder *u, struct stack *s, size_t i)
{
	const struct raw_frame *r = &s->frames[i];
	const struct module *mod = module_of(r->m);
	struct recorded_frame f = {.addr = r->addr,
				   .mapping = r->m,
				   .exact = r->flags & FRAME_EXACT,
				   .by = frame_by_of(r->flags)};
	const struct line *l;

	if (mod && mod->file)
		f.build_id = elf_file_build_id(mod->file);
	if (r->lang && !r->lang->reason) {
		f.named = true;
		f.symbol = lang_frame_record(r->lang);
		return f;
	}
	f.named = is_nameless(r);
	if (!f.named)
		return f;
	l = frame_line(u, s, r);
	f.symbol = l ? l->symbol : jit_name(u, s, r, &f.offset);
	if (l)
		f.offset = l->offset;
	return f;
}

/*
 * Returns the calls that were inlined at a frame, and sets *n to their number, which may be 0. If
 * `l`, the line from the frame's file, is NULL, returns the calls that the trace contains.
 */
static const struct inlined *inlined_at(const struct unwinder *u, const struct stack *s,
					const struct raw_frame *r, const struct line *l,
					unsigned *n)
{
	const struct recorded_frame *recorded = as_recorded(s, r);

	if (l) {
		*n = l->ninlined;
		return l->inlined;
	}
	*n = recorded && u->config.source_lines ? recorded->ninlined : 0;
	return recorded ? recorded->inlined : NULL;
}

/* Returns the source file and line that the trace contains for a frame, or NULL. */
static const char *recorded_source(const struct unwinder *u, const struct stack *s,
				   const struct raw_frame *r, unsigned *line)
{
	const struct recorded_frame *recorded = as_recorded(s, r);

	if (!recorded || !u->config.source_lines)
		return NULL;
	*line = recorded->line;
	return recorded->file;
}

static void lang_describe(const struct lang_frame *l, struct frame *f)
{
	f->language = l->object->language;
	f->symbol = l->object->function;
	f->file = l->object->file;
	f->line = l->line;
	f->column = l->column;
	f->task = l->object->task;
}

const struct frame *stack_frames(struct unwinder *u, struct stack *s, size_t *count)
{
	VEC(struct frame) out = {0};

	if (!s->named) {
		for (size_t i = 0; i < s->n; i++) {
			const struct raw_frame *r = &s->frames[i];
			const struct module *mod = module_of(r->m);
			const struct line *l = frame_line(u, s, r);
			const struct inlined *inlined;
			unsigned ninlined;
			struct frame f = {
				.addr = r->addr, .module = r->m->name, .by = frame_by_of(r->flags)};

			if (mod && mod->file)
				f.build_id = elf_file_build_id(mod->file);
			if (r->lang && !r->lang->reason) {
				lang_describe(r->lang, &f);
				*vec_push(&out) = f;
				continue;
			}
			if (!f.build_id && as_recorded(s, r))
				f.build_id = as_recorded(s, r)->build_id;
			inlined = inlined_at(u, s, r, l, &ninlined);
			for (unsigned k = 0; k < ninlined; k++) {
				struct frame *g = vec_push(&out);

				*g = f;
				g->inlined = true;
				g->symbol = inlined[k].symbol;
				g->file = inlined[k].file;
				g->line = inlined[k].line;
			}
			if (l) {
				f.symbol = l->symbol;
				f.offset = l->offset;
				f.file = l->file;
				f.line = l->line;
				f.missing = l->missing;
			} else {
				f.symbol = jit_name(u, s, r, &f.offset);
				f.file = recorded_source(u, s, r, &f.line);
			}
			if (r->lang)
				f.missing = r->lang->reason;
			*vec_push(&out) = f;
		}
		s->named = out.v;
		s->counted = &u->named;
		u->named += s->named != NULL;
		s->nnamed = out.n;
	}
	*count = s->nnamed;
	return s->named;
}

static void put_module(struct strbuf *b, const struct raw_frame *r)
{
	const struct module *mod = module_of(r->m);

	strbuf_add(b, " > ", 3);
	if (mod)
		strbuf_add(b, mod->name, mod->name_len);
}

/* Inserts `reason` in parentheses at the end of the last line of b. */
static void put_reason(struct strbuf *b, const char *reason)
{
	b->len--;
	strbuf_puts(b, " (");
	strbuf_puts(b, reason);
	strbuf_puts(b, ")\n");
}

static void render(struct unwinder *u, struct stack *s, struct strbuf *b)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct raw_frame *r = &s->frames[i];
		const struct line *l = frame_line(u, s, r);
		unsigned ninlined, line = 0;
		const struct inlined *inlined = inlined_at(u, s, r, l, &ninlined);
		const char *name, *file;
		uint64_t offset = 0;

		if (r->lang && !r->lang->reason) {
			lang_frame_text(b, r->lang);
			continue;
		}
		for (unsigned k = 0; k < ninlined; k++) {
			put_module(b, r);
			naming_inlined(b, &inlined[k], r->addr);
		}
		put_module(b, r);
		if (l) {
			strbuf_add(b, l->text, l->len);
			if (r->lang)
				put_reason(b, r->lang->reason);
			continue;
		}
		name = jit_name(u, s, r, &offset);
		file = recorded_source(u, s, r, &line);
		naming_text(b, name, offset, r->addr, file, line, r->lang ? r->lang->reason : NULL);
	}
	if (s->status == STACK_COMPLETE)
		return;
	strbuf_add(b, " > ", 3);
	strbuf_puts(b, stack_status_text(s->status));
	/*
	 * As in strace 7.2, print no address if the frame limit was reached. If the thread was
	 * gone, there is no address.
	 */
	if (s->status != STACK_FRAME_LIMIT && s->status != STACK_GONE)
		strbuf_printf(b, " [%#" PRIx64 "]", s->end);
	strbuf_putc(b, '\n');
}

void stack_text(struct unwinder *u, struct stack *s, struct strbuf *b)
{
	size_t start = b->len;

	if (s->text) {
		strbuf_add(b, s->text, s->text_len);
		return;
	}
	render(u, s, b);
	if (s->refs > 1 && !s->unsettled) {
		s->text_len = b->len - start;
		s->text = mem_alloc(s->text_len + 1);
		memcpy(s->text, b->data + start, s->text_len);
	}
}
