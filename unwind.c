/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "unwind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mmap_cache.h"
#include "unwind_state.h"
#include "capture/memory.h"
#include "stack/walk/step_libunwind.h"
#include "stack/walk/verify.h"
#include "stack/files/budget.h"
#include "stack/files/elf_file.h"
#include "stack/files/module.h"
#include "stack/lang/lang.h"
#include "stack/lang/names.h"
#include "stack/names/lines.h"
#include "stack/namer/namer.h"
#include "stack/names/perf_map.h"
#include "stack/walk/walk.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

/* If the cached data about files exceeds this size, it is dropped before the next walk. */
#define TRIM_BYTES (BUDGET_BYTES / 4 * 3)

bool unwind_is_built_in(enum unwind_feature feature)
{
	static const bool built_in[] = {[UNWIND_LIBUNWIND] = WITH_LIBUNWIND,
					[UNWIND_SOURCE_LINES] = WITH_LIBDW,
					[UNWIND_DEMANGLING] = WITH_LIBIBERTY,
					[UNWIND_DEBUGINFOD] = WITH_DEBUGINFOD};

	return built_in[feature];
}

bool unwind_has(enum unwind_feature feature)
{
	return unwind_is_built_in(feature) && (feature != UNWIND_LIBUNWIND || libunwind_works());
}

struct unwinder *unwinder_create(const struct unwind_config *config, struct mmap_cache *maps,
				 struct file_source *files)
{
	struct unwinder *u = mem_zalloc(sizeof(*u));

	u->config = *config;
	u->maps = maps;
	u->source = files;
	u->namer = namer_create();
	budget_init(&u->budget);
	u->files = elf_files_create(config->debuginfod, files, u->namer, &u->budget);
	u->walk.files = u->files;
	u->walk.limit = config->frame_limit;
	u->walk.order = config->unwinder;
	u->walk.known = mem_zalloc(KNOWN_PCS * sizeof(*u->walk.known));
	u->lang = lang_create(&u->budget, config->native_frames);
	if (config->verify)
		u->reference = reference_create(u->files);
	return u;
}

static void print_counters(const struct unwinder *u)
{
	const struct lang_counters *l = lang_counters(u->lang);
	const struct mmap_cache_counters *c;

	msg("stacks: %" PRIu64 " walks (%" PRIu64 " by rules alone, %" PRIu64
	    " with all registers), %" PRIu64 " frames, %" PRIu64 " reads of memory, %" PRIu64
	    " bytes",
	    u->count.walks, u->count.rules, u->count.slow, u->count.frames, u->count.reads,
	    u->count.bytes);
	msg("stacks: frames reached: %" PRIu64 " by rules, %" PRIu64 " by rows, %" PRIu64
	    " by libunwind, %" PRIu64 " by frame pointer",
	    u->walk.by[FRAME_BY_RULES], u->walk.by[FRAME_BY_ROWS], u->walk.by[FRAME_BY_LIBUNWIND],
	    u->walk.by[FRAME_BY_FP]);
	for (int i = 0; i < STACK_STATUSES; i++)
		if (u->count.ends[i])
			msg("stacks: %" PRIu64 " %s%s%s", u->count.ends[i], stack_status_key(i),
			    i ? ": " : "", stack_status_text(i));
	if (l->stacks)
		msg("stacks: %" PRIu64 " with a language runtime, %" PRIu64
		    " the same as the last one",
		    l->stacks, l->same);
	if (!u->maps)
		return;
	c = mmap_cache_counters(u->maps);
	msg("maps: %" PRIu64 " queries, %" PRIu64 " reads, %" PRIu64 " generations, %" PRIu64
	    " mappings dropped, %" PRIu64 " changed by tasks not traced",
	    c->queries, c->reads, c->increments, c->dropped, c->stale);
}

static void drop_perf_maps(struct unwinder *u)
{
	vec_for_each (&u->perf_maps, p)
		perf_map_put(*p);
	u->perf_maps.n = 0;
}

void unwinder_destroy(struct unwinder *u)
{
	if (!u)
		return;
	if (u->config.debug)
		print_counters(u);
	if (u->reference)
		msg("verify: %" PRIu64 " stacks, %" PRIu64 " the same, %" PRIu64
		    " where libunwind ended first, %" PRIu64 " different",
		    u->count.verified, u->count.same, u->count.shorter, u->count.different);
	reference_destroy(u->reference);
	for (size_t i = 0; i < RECENT; i++)
		stack_release(u->recent[i]);
	libunwind_destroy(u->walk.libunwind);
	free(u->walk.known);
	snapshot_deinit(&u->walk.snap);
	vec_deinit(&u->walk.frames);
	vec_deinit(&u->walk.regs);
	lang_destroy(u->lang);
	drop_perf_maps(u);
	vec_deinit(&u->perf_maps);
	elf_files_destroy(u->files);
	namer_destroy(u->namer);
	free(u);
}

static struct stack *stack_new(enum stack_status status, uint64_t end, const struct raw_frame *f,
			       size_t n)
{
	struct stack *s = mem_alloc(sizeof(*s) + n * sizeof(*f));

	s->refs = 1;
	s->status = status;
	s->end = end;
	s->unsettled = false;
	s->tgid = 0;
	s->named = NULL;
	s->nnamed = 0;
	s->recorded = NULL;
	s->perf_map = NULL;
	s->text = NULL;
	s->n = n;
	if (n)
		memcpy(s->frames, f, n * sizeof(*f));
	for (size_t i = 0; i < n; i++) {
		mapping_get(s->frames[i].m);
		lang_frame_get(s->frames[i].lang);
	}
	return s;
}

/*
 * Returns true if each frame is in a file or is a language frame (such as a Python function). The
 * names of such frames cannot change any more.
 */
static bool names_settled(const struct stack *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct module *mod = module_of(s->frames[i].m);

		if (!s->frames[i].lang && (!mod || !mod->file))
			return false;
	}
	return true;
}

/* Creates a stack from n frames of a walk, or returns a new reference to an equal recent stack. */
static struct stack *stack_of_walk(struct unwinder *u, const struct walk *w,
				   const struct raw_frame *f, size_t n, pid_t tgid)
{
	struct stack **recent, *s;
	uint64_t hash;

	if (!n)
		return stack_new(w->status, w->end, NULL, 0);
	/*
	 * Hash only three frames: two different stacks of a program usually differ in at least one
	 * of them.
	 */
	hash = (f[0].pc ^ f[n / 2].pc << 3 ^ f[n - 1].pc << 5 ^ n) * 0x9e3779b97f4a7c15ull;
	recent = &u->recent[hash >> 32 & (RECENT - 1)];
	s = *recent;
	if (s && !s->unsettled && s->n == n && s->status == w->status && s->end == w->end &&
	    s->tgid == tgid && !memcmp(s->frames, f, n * sizeof(*f))) {
		s->refs++;
		return s;
	}
	s = stack_new(w->status, w->end, f, n);
	s->tgid = tgid;
	if (names_settled(s)) {
		stack_release(*recent);
		*recent = s;
		s->refs++;
	}
	return s;
}

static void different(struct unwinder *u, pid_t tid, const char *what, size_t frame, uint64_t ours,
		      uint64_t theirs)
{
	u->count.different++;
	msg("verify: pid %d: frame %zu is %#" PRIx64 ", %s has %#" PRIx64, (int)tid, frame, ours,
	    what, theirs);
}

/*
 * If the walk did not use all registers or if --unwinder=libunwind is set, compares the walk with a
 * second walk by rows that uses all registers. Then compares it with a walk by plain libunwind, if
 * the thread runs code of tracer's own ABI. The stack that libunwind finds may be shorter, because
 * libunwind supports less, but its frames must be the same.
 */
static void verify(struct unwinder *u, struct unwind_stop *stop)
{
	struct walk *w = &u->walk;
	size_t n = w->frames.n, max = n + 1, got, i;
	enum stack_status status = w->status;
	uint64_t by[FRAME_BYS];
	uint64_t *pcs = mem_alloc((n + max) * sizeof(*pcs)), *theirs = pcs + n;
	int ended;

	for (i = 0; i < n; i++)
		pcs[i] = w->frames.v[i].pc;
	u->count.verified++;
	w->fetch = NULL;
	if (!w->slow || w->order == UNWINDER_LIBUNWIND) {
		w->order = UNWINDER_ROWS;
		memcpy(by, w->by, sizeof(by));
		walk_run(w, stop->regs, stop->exact);
		memcpy(w->by, by, sizeof(by));
		w->order = u->config.unwinder;
		for (i = 0; i < n && i < w->frames.n && w->frames.v[i].pc == pcs[i]; i++)
			;
		/* A walk by libunwind alone may end earlier. */
		if (i == n && w->order == UNWINDER_LIBUNWIND && status != STACK_COMPLETE) {
			u->count.shorter++;
			goto out;
		}
		/* The walk with all registers may reject CFI that libunwind accepts. */
		if (i == w->frames.n && w->status == STACK_BAD_CFI &&
		    w->order == UNWINDER_LIBUNWIND)
			goto reference;
		if (i < n || n != w->frames.n || status != w->status) {
			different(u, stop->tid, "the walk with all registers", i,
				  i < n ? pcs[i] : 0, i < w->frames.n ? w->frames.v[i].pc : 0);
			goto out;
		}
	}
reference:
	if (w->mode != arch_native->modes)
		goto out;
	got = reference_walk(u->reference, w, stop->regs, stop->exact, theirs, max, &ended);
	for (i = 0; i < n && i < got && theirs[i] == pcs[i]; i++)
		;
	if (i < n && i < got &&
	    (i >= w->frames.n || frame_by_of(w->frames.v[i].flags) != FRAME_BY_FP))
		different(u, stop->tid, "libunwind", i, pcs[i], theirs[i]);
	else if (i == n && got > n && status == STACK_COMPLETE && theirs[n])
		different(u, stop->tid, "libunwind", i, 0, theirs[n]);
	else if (i < n)
		u->count.shorter++;
	else
		u->count.same++;
out:
	free(pcs);
}

/*
 * Drops cached stacks and cached data about files. Keeps the data if a stack that is in use refers
 * to names in it.
 */
static void trim(struct unwinder *u)
{
	for (size_t i = 0; i < RECENT; i++) {
		stack_release(u->recent[i]);
		u->recent[i] = NULL;
	}
	lang_trim(u->lang);
	if (u->named)
		return;
	elf_files_trim(u->files);
	drop_perf_maps(u);
}

static bool fetch_regs(void *ctx)
{
	struct unwind_stop *stop = ctx;

	return stop->fetch(stop);
}

static void count(struct unwinder *u, const struct walk *w)
{
	u->count.walks++;
	u->count.frames += w->frames.n;
	u->count.reads += w->snap.reads;
	u->count.bytes += w->snap.bytes;
	*(w->slow ? &u->count.slow : &u->count.rules) += 1;
	u->count.ends[w->status]++;
}

static uint64_t thread_pointer(void *ctx)
{
	const struct unwind_stop *stop = ctx;

	return stop->thread_pointer ? stop->thread_pointer(stop) : 0;
}

/*
 * Returns the frames of the walk, including frames of the program's own language if there are any.
 */
static const struct raw_frame *language_frames(struct unwinder *u, struct unwind_stop *stop,
					       size_t *n)
{
	struct walk *w = &u->walk;
	const struct raw_frame *f;
	bool full;

	if (!w->keep_regs) {
		w->keep_regs = true;
		walk_run(w, stop->regs, stop->exact);
	}
	f = lang_frames(u->lang, w, n, &full);
	if (full)
		w->status = STACK_FRAME_LIMIT;
	return f;
}

/* Returns true if the memory of the stop is a copy that does not contain the word at addr. */
static bool lacks(const struct unwind_stop *stop, uint64_t addr)
{
	uint64_t word;

	return memory_read(stop->memory, addr, &word, stop->mode->word) == -ENODATA;
}

static struct stack *capture(struct unwinder *u, struct unwind_stop *stop)
{
	struct snapshot_hint *hint = &u->hints[(unsigned)stop->tid % HINTS];
	const struct lang_thread t = {stop->tid, stop->tgid,	 stop->mm,
				      u->source, thread_pointer, stop};
	struct walk *w = &u->walk;
	const uint64_t sp = stop->regs[stop->mode->sp];
	const struct raw_frame *frames = NULL;
	struct stack *s;
	size_t n = 0;

	w->who = (struct mapper){stop->tid, stop->memory};
	w->mode = stop->mode;
	w->ra_mask = stop->mode->ra_mask;
	if (stop->address_mask && stop->mode->signs_ra)
		w->ra_mask = stop->address_mask;
	w->fetch = stop->fetch ? fetch_regs : NULL;
	w->ctx = stop;
	budget_credit(&u->budget);
	if (unlikely(u->budget.bytes > TRIM_BYTES))
		trim(u);
	map_view_begin(&w->view, stop->mm);
	snapshot_begin(&w->snap, stop->memory, sp, hint, lang_begin(u->lang, w, &t));
	walk_run(w, stop->regs, stop->exact);
	/*
	 * If the thread was killed during the walk, reads may have failed for that reason, and
	 * w->status would be misleading.
	 */
	if (unlikely(w->status != STACK_COMPLETE && w->status != STACK_FRAME_LIMIT) && stop->gone &&
	    stop->gone(stop))
		w->status = STACK_GONE;
	if (unlikely(w->status == STACK_GONE) && stop->why_gone)
		w->status = stop->why_gone(stop);
	if (unlikely(w->status == STACK_UNREADABLE) && lacks(stop, w->end))
		w->status = STACK_NOT_COPIED;
	count(u, w);
	if (unlikely(lang_wanted(u->lang, w)) && w->status != STACK_GONE)
		frames = language_frames(u, stop, &n);
	snapshot_end(&w->snap, sp, hint);
	s = stack_of_walk(u, w, frames ? frames : w->frames.v, frames ? n : w->frames.n,
			  stop->tgid);
	if (u->reference && w->status != STACK_GONE && (!w->fetch || w->fetch(w->ctx)))
		verify(u, stop);
	lang_end(u->lang, w);
	map_view_end(&w->view);
	return s;
}

struct stack *unwind_capture(struct unwinder *u, struct unwind_stop *stop)
{
	struct stack *s;

	memory_live_begin(stop->memory);
	s = capture(u, stop);
	if (likely(memory_live_end(stop->memory)))
		return s;
	/* Language frames may be wrong, and so may their names. Walk again, without live memory. */
	stack_release(s);
	lang_trim(u->lang);
	return capture(u, stop);
}

struct stack *unwind_without(struct unwinder *u, enum stack_status status)
{
	u->count.walks++;
	u->count.ends[status]++;
	return stack_new(status, 0, NULL, 0);
}

struct stack *stack_share(struct stack *s)
{
	if (s)
		s->refs++;
	return s;
}

void stack_release(struct stack *s)
{
	if (!s || --s->refs)
		return;
	if (s->named)
		--*s->counted;
	for (size_t i = 0; i < s->n; i++) {
		mapping_put(s->frames[i].m);
		lang_frame_put(s->frames[i].lang);
	}
	for (size_t i = 0; s->recorded && i < s->n; i++)
		free((char *)s->recorded[i].symbol);
	free(s->recorded);
	perf_map_put(s->perf_map);
	free(s->named);
	free(s->text);
	free(s);
}

const char *unwind_build_id(struct unwinder *u, pid_t tid, struct memory *memory, struct mapping *m)
{
	const struct mapper who = {tid, memory};
	const struct module *mod = module_get(u->files, &who, m);

	return mod->file ? elf_file_build_id(mod->file) : NULL;
}

bool unwind_runs_language(struct unwinder *u, pid_t tid, struct memory *memory,
			  const struct map_table *maps)
{
	const struct mapper who = {tid, memory};
	struct known_table *known = &u->tables[maps->id % TABLES];

	if (maps->id && known->id == maps->id)
		return known->runs_language;
	*known = (struct known_table){.id = maps->id};
	for (size_t i = 0; i < maps->n && !known->runs_language; i++) {
		module_get(u->files, &who, maps->v[i]);
		known->runs_language = lang_is_runtime(maps->v[i]);
	}
	return known->runs_language;
}

size_t stack_size(const struct stack *s)
{
	return s->n;
}

static bool has_build_id(const struct module *mod)
{
	return mod && mod->file && elf_file_build_id(mod->file);
}

struct stack *unwind_recorded(struct unwinder *u, const struct recorded_stack *r)
{
	const struct mapper nobody = {0};
	struct raw_frame *frames;
	struct stack *s;
	bool needed = false;

	if (!r)
		return unwind_without(u, STACK_GONE);
	frames = mem_alloc(size_max(r->n, 1) * sizeof(*frames));
	for (size_t i = 0; i < r->n; i++) {
		const struct recorded_frame *f = &r->frames[i];

		frames[i] =
			(struct raw_frame){f->addr, f->addr, f->mapping,
					   (f->exact ? FRAME_EXACT : 0) | FRAME_BY(f->by), NULL};
		if (f->named && f->symbol)
			frames[i].lang = lang_recorded(u->lang, f->symbol);
		module_get(u->files, &nobody, f->mapping);
		needed |= f->named || (f->build_id && !has_build_id(module_of(f->mapping)));
	}
	s = stack_new(r->status, r->end, frames, r->n);
	free(frames);
	if (!needed)
		return s;
	s->recorded = mem_alloc(r->n * sizeof(*s->recorded));
	for (size_t i = 0; i < r->n; i++) {
		s->recorded[i] = r->frames[i];
		if (r->frames[i].symbol)
			s->recorded[i].symbol = mem_strdup(r->frames[i].symbol);
	}
	return s;
}

enum stack_status stack_status(const struct stack *s, uint64_t *addr)
{
	if (addr)
		*addr = s->end;
	return s->status;
}

const char *unwind_unnamed_file(const struct unwinder *u)
{
	return elf_files_unnamed(u->files);
}

void unwind_forget(struct unwinder *u, pid_t tgid)
{
	lang_forget(u->lang, tgid);
	for (size_t i = 0; i < u->perf_maps.n; i++)
		if (perf_map_tgid(u->perf_maps.v[i]) == tgid) {
			perf_map_put(u->perf_maps.v[i]);
			u->perf_maps.v[i--] = u->perf_maps.v[--u->perf_maps.n];
		}
}
