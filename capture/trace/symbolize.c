/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/trace/symbolize.h"

#include <string.h>
#include <sys/stat.h>

#include "capture/trace/played_names.h"
#include "capture/trace/player_stacks.h"
#include "capture/trace/records.h"
#include "capture/trace/trace.h"
#include "capture/trace/trace_file.h"
#include "unwind.h"
#include "capture/trace/coding.h"
#include "util/msg.h"

/* A block of names is ended before it is as large as blocks may be; so much has one name at most.
 */
#define NAME_MAX_BYTES (64u << 10)
/* Bytes of a symbol or a file's name. */
#define TEXT_MAX 4096

struct namer_pass {
	struct played_stacks stacks;
	struct unwinder *unwinder;
	struct played_names known; /* what has been written down */
	VEC(struct strbuf) blocks;
	struct strbuf record;
	VEC(bool) in_block; /* modules, by number, that are in the last block */
};

/* -- what is written ------------------------------------------------------------------ */

static void put_text(struct strbuf *b, const char *text)
{
	put_bytes(b, text ? text : "", text ? size_min(strlen(text), TEXT_MAX) : 0);
}

static void put_record(struct strbuf *out, enum record_type type, const struct strbuf *rest)
{
	strbuf_putc(out, (char)type);
	put_bytes(out, rest->data, rest->len);
}

static struct strbuf *open_block(struct namer_pass *p)
{
	struct strbuf *last = p->blocks.n ? &p->blocks.v[p->blocks.n - 1] : NULL;

	if (last && last->len + NAME_MAX_BYTES + TRACE_INLINED_MAX * 2 * TEXT_MAX < BLOCK_BODY_MAX)
		return last;
	p->in_block.n = 0;
	last = vec_push(&p->blocks);
	*last = (struct strbuf){0};
	return last;
}

/* Each block stands alone, so it says itself what its modules are. */
static void put_module(struct namer_pass *p, struct strbuf *out, uint32_t number)
{
	const struct named_module *m = &p->known.modules.v[number];

	while (p->in_block.n <= number)
		*vec_push(&p->in_block) = false;
	if (p->in_block.v[number])
		return;
	p->in_block.v[number] = true;
	p->record.len = 0;
	put_uleb(&p->record, number);
	strbuf_putc(&p->record, 'm');
	put_text(&p->record, m->name);
	put_text(&p->record, m->build_id);
	put_uleb(&p->record, m->inode);
	put_record(out, RECORD_MODULE, &p->record);
}

static void put_name(struct namer_pass *p, const struct played_name *name)
{
	struct strbuf *out = open_block(p), *b = &p->record;

	put_module(p, out, name->module);
	b->len = 0;
	put_uleb(b, name->module);
	put_uleb(b, name->exact ? FRAME_IS_EXACT : 0);
	put_uleb(b, name->addr);
	put_text(b, name->symbol);
	put_uleb(b, name->offset);
	put_text(b, name->file);
	put_uleb(b, name->line);
	put_uleb(b, name->ninlined);
	for (unsigned i = 0; i < name->ninlined; i++) {
		put_text(b, name->inlined[i].symbol);
		put_text(b, name->inlined[i].file);
		put_uleb(b, name->inlined[i].line);
	}
	put_record(out, RECORD_NAME, b);
}

/* -- what frames are called ------------------------------------------------------------- */

/* Names of the frames that were not seen before. */
static void name_stack(struct namer_pass *p, const struct recorded_stack *r)
{
	struct stack *s = unwind_recorded(p->unwinder, r);
	struct inlined inlined[TRACE_INLINED_MAX];
	unsigned ninlined = 0;
	const struct frame *f;
	size_t n, at = 0;

	f = stack_frames(p->unwinder, s, &n);
	for (size_t i = 0; i < n && at < r->n; i++) {
		const struct recorded_frame *raw = &r->frames[at];
		struct played_name name = {.addr = raw->addr, .exact = raw->exact};

		if (f[i].inlined) {
			if (ninlined < TRACE_INLINED_MAX)
				inlined[ninlined++] =
					(struct inlined){f[i].symbol, f[i].file, f[i].line};
			continue;
		}
		at++;
		name.module = played_names_module(&p->known, raw->mapping->name, raw->build_id,
						  raw->mapping->inode);
		name.symbol = f[i].symbol;
		name.offset = f[i].offset;
		name.file = f[i].file;
		name.line = f[i].line;
		name.inlined = inlined;
		name.ninlined = ninlined;
		ninlined = 0;
		/* Code in no file has its name in the stack, and one address may have several. */
		if (!raw->mapping->inode || (!name.symbol && !name.file))
			continue;
		if (played_names_add(&p->known, &name))
			put_name(p, &name);
	}
	stack_release(s);
}

static void take_stack(struct namer_pass *p, struct cursor rest)
{
	struct cursor number = rest;

	played_stacks_stack(&p->stacks, &rest);
	played_stacks_at(&p->stacks, &number);
	if (played_stacks_get(&p->stacks))
		name_stack(p, played_stacks_get(&p->stacks));
}

static void take_events(struct namer_pass *p, const uint8_t *body, size_t size)
{
	struct cursor in = {.p = body, .end = body + size};

	while (in.p < in.end) {
		uint64_t type = cursor_uint(&in, 1);
		size_t n;
		const uint8_t *bytes = take_bytes(&in, &n);
		struct cursor rest = {.p = bytes, .end = bytes ? bytes + n : bytes};

		if (!bytes)
			break;
		if (type == RECORD_MODULE)
			played_stacks_module(&p->stacks, &rest);
		else if (type == RECORD_STACK)
			take_stack(p, rest);
		else if (type == RECORD_FORGET)
			played_stacks_clear(&p->stacks);
	}
}

/* Names all frames of a trace. Returns false after a message. */
static bool name_all(struct namer_pass *p, const struct symbolize_config *config)
{
	struct unwind_config how = {
		.frame_limit = 256, .source_lines = true, .debuginfod = config->debuginfod};
	struct trace *t = trace_open(config->from);
	struct block_header h;
	const uint8_t *body;
	size_t n;

	if (!t)
		return false;
	if (meta_get_number(trace_meta(t), "raw-stacks", 0)) {
		msg("%s: --symbolize is not possible: its stacks are raw (--record-stacks=raw)",
		    config->from);
		trace_destroy(t);
		return false;
	}
	played_stacks_init(&p->stacks, config->sysroot);
	p->unwinder = unwinder_create(&how, NULL, &p->stacks.files);
	while (trace_next(t, &h, &body, &n)) {
		if (h.kind == BLOCK_EVENTS)
			take_events(p, body, n);
		else if (h.kind == BLOCK_NAMES)
			played_names_take(&p->stacks.names, body, n);
	}
	played_stacks_clear(&p->stacks);
	unwinder_destroy(p->unwinder);
	played_stacks_deinit(&p->stacks);
	/* What is wrong with the file is said when it is read for the second time. */
	trace_destroy(t);
	return true;
}

/* -- the new file ------------------------------------------------------------------------- */

/* What reading has taken apart already, and the names behind it. */
static void put_beginning(struct trace_file *out, const struct trace *t, struct namer_pass *p)
{
	struct block_header h = *trace_first(t);
	struct strbuf body = {0};

	if (h.kind == BLOCK_META) {
		meta_put(trace_meta(t), &body);
		trace_file_put(out, &h, &body);
	}
	strbuf_deinit(&body);
	h = (struct block_header){
		.kind = BLOCK_NAMES, .first = h.first, .last = h.first, .real = h.real};
	vec_for_each (&p->blocks, b)
		trace_file_put(out, &h, b);
}

static int copy(const struct symbolize_config *config, struct namer_pass *p)
{
	struct trace *t = trace_open(config->from);
	struct trace_file *out = t ? trace_file_open(config->to) : NULL;
	struct strbuf copy = {0};
	struct block_header h;
	const uint8_t *body;
	int err = 0;
	size_t n;

	if (!out) {
		trace_destroy(t);
		return 1;
	}
	put_beginning(out, t, p);
	while (trace_next(t, &h, &body, &n)) {
		/* The file gets an index of its own. */
		if (h.kind == BLOCK_INDEX || h.kind == BLOCK_END)
			continue;
		copy.len = 0;
		strbuf_add(&copy, (const char *)body, n);
		trace_file_put(out, &h, &copy);
	}
	strbuf_deinit(&copy);
	err = trace_file_close(out);
	return trace_close(t) || err;
}

static bool same_file(const char *a, const char *b)
{
	struct stat one, two;

	return !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

int trace_symbolize(const struct symbolize_config *config)
{
	struct namer_pass p = {0};
	int status = 1;

	if (!strcmp(config->from, "-")) {
		msg("--symbolize reads the trace twice, and standard input cannot be");
		return 1;
	}
	if (same_file(config->from, config->to)) {
		msg("--symbolize=%s: that is the trace itself", config->to);
		return 1;
	}
	if (!unwind_has(UNWIND_SOURCE_LINES))
		msg("--symbolize writes no source lines, as this %s is built without libdw",
		    msg_program());
	if (name_all(&p, config))
		status = copy(config, &p);
	vec_for_each (&p.blocks, b)
		strbuf_deinit(b);
	vec_deinit(&p.blocks);
	vec_deinit(&p.in_block);
	strbuf_deinit(&p.record);
	played_names_deinit(&p.known);
	return status;
}
