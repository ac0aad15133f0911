/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/symbolize.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/format/coding.h"
#include "trace/play/played_names.h"
#include "trace/play/player_stacks.h"
#include "trace/format/records.h"
#include "trace/record/recorder_stacks.h"
#include "trace/play/trace.h"
#include "trace/record/trace_file.h"
#include "session/raw_walks.h"
#include "stack/files/map_table.h"
#include "unwind.h"
#include "util/msg.h"

/*
 * Maximum size in bytes of an encoded name without its inlined functions. A NAMES block is closed
 * if it has no space for such a name and TRACE_INLINED_MAX inlined functions.
 */
#define NAME_MAX_BYTES (64u << 10)
/* Maximum length in bytes of a symbol or of a file name. */
#define TEXT_MAX 4096

/* A RAW record in the body of a block, and the stop to which the record belongs. */
struct raw_place {
	/*
	 * Offsets in the block's body. `stop` is 0 if the record of the stop is not in this block.
	 */
	size_t begin, end, stop;
	pid_t tid;
	bool failed; /* true if the record contains an error instead of a stack */
	bool walked; /* true if the new trace has frames for the stack: it was walked now, or the
			old trace already has its frames */
	bool kept;   /* true if the RAW record will be kept in the trace */
	size_t from, to; /* offsets in namer_pass.frames where the records for that stack begin and
			    end */
};

struct namer_pass {
	struct played_stacks stacks;
	struct unwinder *unwinder;
	struct played_names known; /* names that have already been written */
	VEC(struct strbuf) blocks;
	struct strbuf record;
	VEC(bool) in_block; /* by module number: true if the module is in the current NAMES block */
	/* The members below are used only if the trace has raw stacks. */
	struct raw_walks *walks; /* NULL if the trace has no raw stacks */
	uint64_t stops;		 /* number of stop records that have been read */
	bool names_walked; /* true if this pass looks up names for the frames of walked stacks */
	struct stack_index index;
	uint32_t last_stack;	    /* the highest number of any stack in the trace */
	struct strbuf frames;	    /* the records of walked stacks */
	VEC(struct raw_place) raws; /* RAW records of the current block */
	/*
	 * `walked` counts the raw stacks that were replaced by frames, `large` those whose frames
	 * do not fit into their block, and `kept` all others.
	 */
	uint64_t walked, large, kept;
	/* true if no raw stacks are left; data that is needed only to walk them is then dropped */
	bool drops;
};

/* -- writing --------------------------------------------------------------------------- */

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

/*
 * Writes the record of a module, unless the current block contains it. Each block must be readable
 * without the other blocks, so it must contain all modules to which it refers.
 */
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

/* -- names of frames ------------------------------------------------------------------- */

/*
 * Writes the names of a stack's frames, unless they have already been written. `raw` contains the
 * n_raw frames as stored in the trace.
 */
static void name_stack(struct namer_pass *p, struct unwinder *u, struct stack *s,
		       const struct recorded_frame *raw, size_t n_raw)
{
	struct inlined inlined[TRACE_INLINED_MAX];
	unsigned ninlined = 0;
	const struct frame *f;
	size_t n, at = 0;

	f = stack_frames(u, s, &n);
	for (size_t i = 0; i < n && at < n_raw; i++) {
		struct played_name name = {.addr = raw[at].addr, .exact = raw[at].exact};
		const struct mapping *m = raw[at].mapping;

		if (f[i].inlined) {
			if (ninlined < TRACE_INLINED_MAX)
				inlined[ninlined++] =
					(struct inlined){f[i].symbol, f[i].file, f[i].line};
			continue;
		}
		name.module = played_names_module(&p->known, m->name, raw[at].build_id, m->inode);
		at++;
		name.symbol = f[i].symbol;
		name.offset = f[i].offset;
		name.file = f[i].file;
		name.line = f[i].line;
		name.inlined = inlined;
		name.ninlined = ninlined;
		ninlined = 0;
		/*
		 * Names of code without a file are written with each stack, because the code at an
		 * address can change.
		 */
		if (!m->inode || (!name.symbol && !name.file))
			continue;
		if (played_names_add(&p->known, &name))
			put_name(p, &name);
	}
}

static void name_recorded(struct namer_pass *p, const struct recorded_stack *r)
{
	struct stack *s = unwind_recorded(p->unwinder, r);

	name_stack(p, p->unwinder, s, r->frames, r->n);
	stack_release(s);
}

static void take_stack(struct namer_pass *p, struct cursor rest)
{
	struct cursor number = rest;

	played_stacks_stack(&p->stacks, &rest);
	played_stacks_at(&p->stacks, &number);
	if (played_stacks_get(&p->stacks))
		name_recorded(p, played_stacks_get(&p->stacks));
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

/* -- raw stacks ------------------------------------------------------------------------- */

static void name_walked(struct namer_pass *p, struct unwinder *u, struct stack *s)
{
	VEC(struct recorded_frame) frames = {0};

	for (size_t i = 0; i < stack_size(s); i++)
		*vec_push(&frames) = stack_recorded_frame(u, s, i);
	name_stack(p, u, s, frames.v, frames.n);
	vec_deinit(&frames);
}

/* Returns true if the walk was complete and all files that it needed exist on this machine. */
static bool is_whole(struct unwinder *u, struct stack *s)
{
	if (stack_status(s, NULL) != STACK_COMPLETE)
		return false;
	for (size_t i = 0; i < stack_size(s); i++) {
		struct recorded_frame f = stack_recorded_frame(u, s, i);

		if (f.named && f.mapping->inode)
			return false;
	}
	return true;
}

/* Walks the stack at the stop whose record was read last. */
static void walk(struct namer_pass *p, struct raw_place *place)
{
	struct unwinder *u = raw_walks_unwinder(p->walks);
	struct stack *s = raw_walks_at(p->walks, p->stops);
	const uint32_t before = p->index.stacks;

	place->walked = s && !stack_index_full(&p->index) && is_whole(u, s);
	if (!place->walked)
		return;
	place->from = p->frames.len;
	stack_index_put(&p->index, &p->frames, u, s);
	place->to = p->frames.len;
	if (p->names_walked && p->index.stacks != before)
		name_walked(p, u, s);
}

/*
 * Handles the record between the given offsets. *tid is the thread of the record. *waiting is the
 * RAW record that belongs to the next stop, or NULL. Updates both for the next record.
 */
static void take_record(struct namer_pass *p, enum record_type type, struct cursor rest,
			size_t begin, size_t end, pid_t *tid, struct raw_place **waiting)
{
	if (type == RECORD_THREAD) {
		*tid = (pid_t)cursor_uleb(&rest);
	} else if (type == RECORD_FORGET) {
		stack_index_forget(&p->index);
	} else if (type == RECORD_STACK) {
		p->last_stack = (uint32_t)size_max(p->last_stack, cursor_uleb(&rest));
	} else if (type == RECORD_RAW) {
		*waiting = vec_push(&p->raws);
		**waiting = (struct raw_place){
			.begin = begin, .end = end, .tid = *tid, .failed = cursor_uleb(&rest)};
	} else if (type == RECORD_AT && *waiting) {
		(*waiting)->walked = true;
	} else if (record_is_stop(type)) {
		p->stops++;
		if (*waiting && !(*waiting)->failed && !(*waiting)->walked)
			walk(p, *waiting);
		if (*waiting)
			(*waiting)->stop = begin;
		*waiting = NULL;
	}
}

static void find_raws(struct namer_pass *p, const uint8_t *body, size_t size)
{
	struct cursor in = {.p = body, .end = body + size};
	struct raw_place *waiting = NULL;
	pid_t tid = 0;

	p->raws.n = 0;
	p->frames.len = 0;
	while (in.p < in.end) {
		const size_t begin = (size_t)(in.p - body);
		uint64_t type = cursor_uint(&in, 1);
		size_t n;
		const uint8_t *bytes = take_bytes(&in, &n);

		if (!bytes)
			break;
		take_record(p, (enum record_type)type,
			    (struct cursor){.p = bytes, .end = bytes + n}, begin,
			    (size_t)(in.p - body), &tid, &waiting);
	}
}

/*
 * Selects the RAW records that stay in the trace: those whose stacks were not walked, and earlier
 * records of the same thread. The earlier records are needed because later ones may be encoded as
 * differences.
 */
static void choose_kept(struct namer_pass *p)
{
	struct table needed = {0};

	for (size_t i = p->raws.n; i-- > 0;) {
		struct raw_place *r = &p->raws.v[i];
		const uint64_t hash = table_hash_number((uint64_t)r->tid);

		r->kept = !r->walked || table_find(&needed, hash, NULL);
		if (!r->walked && !r->failed)
			table_add(&needed, hash, 1);
	}
	table_deinit(&needed);
}

static bool is_for_walks(uint64_t type)
{
	return type == RECORD_RAW || type == RECORD_MAPS || type == RECORD_IMAGE ||
	       type == RECORD_PERF_MAP || type == RECORD_CODE;
}

/* Copies to *out the records that are still needed. */
static void put_records(const struct namer_pass *p, const uint8_t *from, const uint8_t *to,
			struct strbuf *out)
{
	struct cursor in = {.p = from, .end = to};

	if (!p->drops) {
		strbuf_add(out, (const char *)from, (size_t)(to - from));
		return;
	}
	while (in.p < in.end) {
		const uint8_t *begin = in.p;
		uint64_t type = cursor_uint(&in, 1);
		size_t n;

		if (!take_bytes(&in, &n))
			break;
		if (!is_for_walks(type))
			strbuf_add(out, (const char *)begin, (size_t)(in.p - begin));
	}
}

/* Writes the body of a block, with frames in place of each raw stack that could be walked. */
static void put_walked(struct namer_pass *p, const uint8_t *body, size_t size, struct strbuf *out)
{
	size_t at = 0;
	bool fits;

	find_raws(p, body, size);
	choose_kept(p);
	vec_for_each (&p->raws, r) {
		put_records(p, body + at, body + r->begin, out);
		at = r->kept ? r->begin : r->end;
		if (!r->stop)
			continue;
		put_records(p, body + at, body + r->stop, out);
		strbuf_add(out, p->frames.data + r->from, r->to - r->from);
		at = r->stop;
	}
	put_records(p, body + at, body + size, out);
	fits = out->len <= BLOCK_BODY_MAX;
	vec_for_each (&p->raws, r) {
		/* A stack without new frames (from == to) has its frames in the old block, too. */
		const bool has_frames = r->walked && (fits || r->from == r->to);

		p->walked += has_frames;
		p->large += r->walked && !has_frames;
		p->kept += !r->walked && !r->failed;
	}
	if (fits)
		return;
	/*
	 * The new body is too large for a block, so the old block is copied unchanged. p->index
	 * states that the stacks of the new body were written, which is not true. Therefore clear
	 * it.
	 */
	stack_index_forget(&p->index);
	out->len = 0;
	strbuf_add(out, (const char *)body, size);
}

static bool open_walks(struct namer_pass *p, const struct symbolize_config *config)
{
	const struct unwind_config how = {
		.frame_limit = 256, .source_lines = true, .debuginfod = config->debuginfod};

	p->walks = raw_walks_open(config->from, config->sysroot, &how);
	p->stops = p->walked = p->large = p->kept = 0;
	stack_index_forget(&p->index);
	p->index.stacks = p->last_stack;
	return p->walks;
}

static void close_walks(struct namer_pass *p)
{
	raw_walks_close(p->walks);
	p->walks = NULL;
}

/* Reports how many raw stacks were not replaced by frames. */
static void print_kept(const struct namer_pass *p)
{
	const uint64_t all = p->walked + p->large + p->kept;

	if (p->kept)
		msg("%" PRIu64 " of %" PRIu64 " stacks remain raw: they cannot be walked to their "
		    "end with the files on this machine",
		    p->kept, all);
	if (p->large)
		msg("%" PRIu64 " of %" PRIu64 " stacks remain raw: a block of the trace would be "
		    "too large with their frames",
		    p->large, all);
}

/* -- the first pass ----------------------------------------------------------------------- */

/* Names all frames of a trace. On failure, prints a message and returns false. */
static bool name_all(struct namer_pass *p, const struct symbolize_config *config)
{
	struct unwind_config how = {
		.frame_limit = 256, .source_lines = true, .debuginfod = config->debuginfod};
	struct trace *t = trace_open(config->from);
	struct strbuf walked = {0};
	struct block_header h;
	const uint8_t *body;
	size_t n;

	if (!t)
		return false;
	p->names_walked = true;
	if (meta_get_number(trace_meta(t), "raw-stacks", 0) && !open_walks(p, config)) {
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
		walked.len = 0;
		if (h.kind == BLOCK_EVENTS && p->walks)
			put_walked(p, body, n, &walked);
	}
	strbuf_deinit(&walked);
	played_stacks_clear(&p->stacks);
	unwinder_destroy(p->unwinder);
	played_stacks_deinit(&p->stacks);
	p->drops = p->walks && !p->large && !p->kept;
	p->names_walked = false;
	close_walks(p);
	/*
	 * If the file is damaged, this pass stops early, but does not report the damage, because
	 * the second pass reports it.
	 */
	trace_destroy(t);
	return true;
}

/* -- the new file ------------------------------------------------------------------------- */

/* Writes the META block and the NAMES blocks. */
static void put_beginning(struct trace_file *out, const struct trace *t, struct namer_pass *p)
{
	struct block_header h = *trace_first(t);
	struct trace_meta meta = {0};
	struct strbuf body = {0};

	if (h.kind == BLOCK_META) {
		vec_for_each (&trace_meta(t)->pairs, pair)
			if (!p->drops || strcmp(pair->name, "raw-stacks"))
				meta_add_foreign(&meta, pair->name, pair->text);
		meta_put(&meta, &body);
		trace_file_put(out, &h, &body);
	}
	meta_deinit(&meta);
	strbuf_deinit(&body);
	h = (struct block_header){
		.kind = BLOCK_NAMES, .first = h.first, .last = h.first, .real = h.real};
	vec_for_each (&p->blocks, b)
		trace_file_put(out, &h, b);
}

static int copy(const struct symbolize_config *config, struct namer_pass *p)
{
	struct trace *t = trace_open(config->from);
	bool raw = t && meta_get_number(trace_meta(t), "raw-stacks", 0);
	struct trace_file *out =
		t && (!raw || open_walks(p, config)) ? trace_file_open(config->to) : NULL;
	struct strbuf copy = {0};
	struct block_header h;
	const uint8_t *body;
	int err = 0;
	size_t n;

	if (!out) {
		close_walks(p);
		trace_destroy(t);
		return 1;
	}
	put_beginning(out, t, p);
	while (trace_next(t, &h, &body, &n)) {
		/* Do not copy INDEX and END blocks, because the new file gets its own. */
		if (h.kind == BLOCK_INDEX || h.kind == BLOCK_END)
			continue;
		copy.len = 0;
		if (p->walks && h.kind == BLOCK_EVENTS)
			put_walked(p, body, n, &copy);
		else
			strbuf_add(&copy, (const char *)body, n);
		trace_file_put(out, &h, &copy);
	}
	strbuf_deinit(&copy);
	print_kept(p);
	close_walks(p);
	err = trace_file_close(out, NULL);
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
		msg("--symbolize reads the trace several times, so the trace cannot be standard "
		    "input");
		return 1;
	}
	if (same_file(config->from, config->to)) {
		msg("--symbolize=%s is the trace that is being read", config->to);
		return 1;
	}
	if (!unwind_has(UNWIND_SOURCE_LINES))
		msg("--symbolize writes no source lines, because this %s was built without libdw",
		    msg_program());
	if (name_all(&p, config))
		status = copy(config, &p);
	vec_for_each (&p.blocks, b)
		strbuf_deinit(b);
	vec_deinit(&p.blocks);
	vec_deinit(&p.in_block);
	vec_deinit(&p.raws);
	stack_index_deinit(&p.index);
	strbuf_deinit(&p.frames);
	strbuf_deinit(&p.record);
	played_names_deinit(&p.known);
	return status;
}
