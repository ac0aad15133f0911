/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/lang.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/files/module.h"
#include "stack/lang/reader.h"
#include "util/mem.h"

#define THREADS 256 /* maximum number of threads whose state is kept */
/* maximum number of processes whose runtime (such as a JVM) is remembered */
#define PROCESSES_MAX 256
/* maximum number of a process's mappings in which to search for a runtime */
#define FILES_MAX 512
/* A reason for missing frames. */
#define NOT_RECORDED "the program's own frames were not recorded"

static const struct language *const languages[] = {&language_python, &language_javascript,
						   &language_java,   &language_php,
						   &language_perl,   &language_ruby};

/* Data attached to an ELF file: the runtime that the file contains, if any. */
struct lang_file {
	const struct language *language; /* NULL if the file contains no runtime */
	void *data;
};

/* A step over generated code that a runtime has made, and its result. */
struct kept_step {
	struct step_frame frame, caller;
	enum step_answer answer;
};

/*
 * The frames of a thread's last stack. They depend on nothing but the walk, the memory that the
 * reader needed (thread_state.needed), and the thread pointer. If all of these are the same in the
 * next stack, its frames are the same, too. The reader is then not called.
 */
struct kept_stack {
	uint64_t table;	 /* id of the table of mappings (see map_view_settled()); 0 if not valid */
	uint64_t clears; /* the value of lang_names.clears */
	bool used_pointer; /* true if the reader needed the thread pointer */
	uint64_t pointer;
	VEC(struct kept_step) steps; /* innermost first */
	/* The runtime that made the steps; see struct lang. */
	const struct lang_file *runtime;
	const struct elf_file *file;
	uint64_t bias;
	VEC(struct raw_frame) native; /* the frames of the walk */
	VEC(struct frame_regs) regs;  /* their registers */
	bool found;		      /* false if there are no language frames */
	VEC(struct raw_frame) frames; /* the result of merge() if found is true */
};

struct thread_state {
	pid_t tid, tgid;
	pid_t inner; /* tid in the thread's own pid namespace */
	uint64_t kept[2];
	struct lang_hint needed;
	struct kept_stack last;
};

/* A process in which a runtime that can step over generated code was found or searched for. */
struct process {
	pid_t tgid;
	/* the mapping of the runtime, or NULL if there is none */
	struct mapping *runtime;
};

struct lang {
	bool keep_native;
	struct lang_names names;
	struct lang_memory memory;
	struct lang_run run;
	VEC(struct lang_native) native;
	struct thread_state *threads[THREADS]; /* indexed by tid % THREADS; created when needed */
	VEC(struct process) processes;
	struct step_provider provider;
	const struct lang_thread *thread; /* the thread whose stack is walked, or NULL */
	struct thread_state *state; /* state of this thread, or NULL if nothing has been read yet */
	/* the state whose blocks lang_begin() planned to read, or NULL */
	struct thread_state *planned;
	const struct lang_file *steps; /* the runtime that steps over generated code, or NULL */
	const struct elf_file *steps_file;
	uint64_t steps_bias; /* load bias of the mapping of the runtime `steps` */
	bool searched;	     /* true if the runtime of this stack has been searched for */
	/*
	 * True if all that state->last.steps depends on is the same as in the thread's last stack.
	 */
	bool unchanged;
	size_t next_step; /* index in state->last.steps of the next step of this walk */
	bool asked;	  /* true if lang_frames() has been called for this stack */
	struct lang_counters count;
};

static enum step_answer provide_step(struct step_provider *p, struct walk *w,
				     const struct step_frame *frame, struct step_frame *caller);

struct lang *lang_create(struct budget *budget, bool native)
{
	struct lang *l = mem_zalloc(sizeof(*l));

	l->keep_native = native;
	l->names.budget = budget;
	l->provider.step = provide_step;
	return l;
}

struct lang_frame *lang_recorded(struct lang *l, const char *record)
{
	struct lang_frame *f = NULL;

	for (size_t i = 0; !f && i < ARRAY_SIZE(languages); i++)
		f = lang_frame_recorded(&l->names, languages[i]->name, record);
	return f;
}

static void free_state(struct thread_state *s)
{
	if (!s)
		return;
	lang_hint_deinit(&s->needed);
	vec_deinit(&s->last.steps);
	vec_deinit(&s->last.native);
	vec_deinit(&s->last.regs);
	vec_deinit(&s->last.frames);
	free(s);
}

/* Drops the data about the thread's last stack. */
static void forget_last(struct thread_state *s)
{
	s->needed.blocks.n = 0;
	s->needed.whole = false;
	s->last.table = 0;
}

static void forget_processes(struct lang *l)
{
	vec_for_each (&l->processes, p)
		mapping_put(p->runtime);
	l->processes.n = 0;
}

const struct lang_counters *lang_counters(const struct lang *l)
{
	return &l->count;
}

void lang_trim(struct lang *l)
{
	lang_names_clear(&l->names);
}

void lang_destroy(struct lang *l)
{
	if (!l)
		return;
	lang_names_clear(&l->names);
	lang_memory_deinit(&l->memory);
	vec_deinit(&l->run.puts);
	vec_deinit(&l->native);
	forget_processes(l);
	vec_deinit(&l->processes);
	for (size_t i = 0; i < THREADS; i++)
		free_state(l->threads[i]);
	free(l);
}

void lang_forget(struct lang *l, pid_t tgid)
{
	for (size_t i = 0; i < THREADS; i++)
		if (l->threads[i] && l->threads[i]->tgid == tgid) {
			free_state(l->threads[i]);
			l->threads[i] = NULL;
		}
	for (size_t i = 0; i < l->processes.n; i++)
		if (l->processes.v[i].tgid == tgid) {
			mapping_put(l->processes.v[i].runtime);
			l->processes.v[i] = l->processes.v[--l->processes.n];
			break;
		}
}

static void file_destroy(void *part)
{
	struct lang_file *lf = part;

	if (lf->language)
		lf->language->forget(lf->data);
	free(lf);
}

static struct lang_file *recognise(struct elf_file *f)
{
	struct lang_file *lf = mem_zalloc(sizeof(*lf));

	for (size_t i = 0; f->is64 && !lf->language && i < ARRAY_SIZE(languages); i++) {
		lf->data = languages[i]->recognise(f);
		if (lf->data)
			lf->language = languages[i];
	}
	elf_file_set_part(f, ELF_LANGUAGE, lf, file_destroy);
	return lf;
}

/* Returns the runtime in the mapped file, or NULL. */
static const struct lang_file *runtime_of(const struct mapping *m)
{
	const struct module *mod = module_of(m);
	const struct lang_file *lf;

	if (!mod || !mod->file)
		return NULL;
	lf = elf_file_part(mod->file, ELF_LANGUAGE);
	if (unlikely(!lf))
		lf = recognise(mod->file);
	return lf->language ? lf : NULL;
}

bool lang_is_runtime(const struct mapping *m)
{
	return runtime_of(m);
}

static struct process *process_of(struct lang *l, pid_t tgid)
{
	vec_for_each (&l->processes, p)
		if (p->tgid == tgid)
			return p;
	return NULL;
}

static bool can_step(const struct lang_file *lf)
{
	return lf && lf->language->step;
}

/*
 * Remembers that m is the mapping of the runtime whose JIT compiler generated the process's code. m
 * is NULL if there is no such runtime.
 */
static void keep_runtime(struct lang *l, pid_t tgid, struct mapping *m)
{
	struct process *p = process_of(l, tgid);

	if (!p) {
		if (l->processes.n == PROCESSES_MAX)
			forget_processes(l);
		p = vec_push(&l->processes);
		*p = (struct process){.tgid = tgid};
	}
	if (p->runtime == m)
		return;
	mapping_put(p->runtime);
	p->runtime = m ? mapping_get(m) : NULL;
}

bool lang_wanted(struct lang *l, struct walk *w)
{
	const struct mapping *last = NULL;
	bool wanted = l->steps;

	vec_for_each (&w->frames, f) {
		const struct lang_file *lf;

		if (f->m == last)
			continue;
		last = f->m;
		lf = runtime_of(last);
		wanted |= lf != NULL;
		if (unlikely(can_step(lf)))
			keep_runtime(l, l->thread->tgid, f->m);
	}
	return wanted;
}

static bool is_state_of(const struct thread_state *s, const struct lang_thread *t)
{
	return s && s->tid == t->tid && s->tgid == t->tgid;
}

static struct thread_state *thread_state_of(struct lang *l, const struct lang_thread *t)
{
	struct thread_state **h = &l->threads[(unsigned)t->tid % THREADS];

	if (is_state_of(*h, t))
		return *h;
	free_state(*h);
	*h = mem_zalloc(sizeof(**h));
	(*h)->tid = t->tid;
	(*h)->tgid = t->tgid;
	(*h)->inner = t->source ? t->source->ops->inner_pid(t->source, t->tid) : t->tid;
	return *h;
}

/* Returns true if the mapping is private or shared anonymous memory. */
static bool is_anonymous(const struct mapping *m)
{
	return !m->inode || (m->name && !strcmp(m->name, "/dev/zero (deleted)"));
}

/* Fills in l->run and l->native before the language's reader is called. */
static void describe(struct lang *l, const struct walk *w, const struct elf_file *file)
{
	l->native.n = 0;
	for (size_t i = 0; i < w->frames.n; i++) {
		const struct raw_frame *f = &w->frames.v[i];
		const struct module *mod = module_of(f->m);
		const bool own = mod && mod->file == file;

		*vec_push(&l->native) = (struct lang_native){
			.pc = f->pc,
			.sp = w->regs.v[i].sp,
			.fp = w->regs.v[i].bp,
			.file = mod ? mod->file : NULL,
			.own = own,
			.unnamed = f->m && is_anonymous(f->m) && !(mod && mod->file),
			.exact = f->flags & FRAME_EXACT};
		if (own)
			l->run.bias = f->pc - f->addr;
	}
	l->run.native = l->native.v;
	l->run.n = l->native.n;
}

/*
 * Sets hidden[i] for native frames that only connect language frames: frames between two native
 * frames that are replaced with language frames. If any frame between these two is neither of the
 * runtime nor generated code, none is hidden. Frames of generated code directly after a replaced
 * frame are hidden, too.
 */
static void hide_between(struct lang_run *r, bool *hidden)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < r->n; i++) {
		const struct lang_native *f = &r->native[i];

		if (!f->covered) {
			if (!f->own && !f->unnamed)
				last = SIZE_MAX;
			else if (last != SIZE_MAX && f->unnamed && last == i - 1)
				last = i, hidden[i] = true;
			continue;
		}
		for (size_t k = last == SIZE_MAX ? i : last + 1; k < i; k++)
			hidden[k] = true;
		last = i;
	}
}

static void put(struct lang *l, const struct raw_frame *native, struct lang_frame *lang)
{
	struct raw_frame *f = vec_push(&l->state->last.frames);

	*f = *native;
	f->lang = lang;
}

/*
 * Sets l->state->last.frames to the result for the stack: the native frames that are shown, and the
 * language frames in place of the others.
 */
static void merge(struct lang *l, const struct raw_frame *from, size_t n)
{
	struct lang_run *r = &l->run;
	bool *hidden = mem_zalloc(n * sizeof(*hidden));
	size_t p = 0;

	hide_between(r, hidden);
	l->state->last.frames.n = 0;
	for (size_t i = 0; i < n; i++) {
		for (; p < r->puts.n && r->puts.v[p].native <= i; p++)
			put(l, &from[i], r->puts.v[p].frame);
		if (r->reason && r->reason_at == i)
			put(l, &from[i], lang_frame_reason(&l->names, r->reason));
		else if ((!hidden[i] && !r->native[i].covered) || l->keep_native)
			put(l, &from[i], from[i].lang);
	}
	free(hidden);
}

/*
 * Returns true if a frame before frame i is in the same file as frame i. In this case, the reader
 * for the file has already been called.
 */
static bool asked_before(const struct walk *w, size_t i)
{
	const struct elf_file *file = module_of(w->frames.v[i].m)->file;

	for (size_t k = 0; k < i; k++) {
		const struct module *mod = module_of(w->frames.v[k].m);

		if (mod && mod->file == file)
			return true;
	}
	return false;
}

struct memory_batch *lang_begin(struct lang *l, struct walk *w, const struct lang_thread *t)
{
	struct thread_state *s = l->threads[(unsigned)t->tid % THREADS];

	l->thread = t;
	l->planned = is_state_of(s, t) ? s : NULL;
	if (l->planned)
		lang_memory_plan(&l->memory, &s->needed);
	l->state = NULL;
	l->steps = NULL;
	l->searched = false;
	l->unchanged = false;
	l->next_step = 0;
	l->asked = false;
	l->run.stack++;
	w->provider = &l->provider;
	return &l->memory.plan;
}

void lang_end(struct lang *l, struct walk *w)
{
	const bool same = l->unchanged && !l->memory.marked && !l->memory.unmarked;

	if (l->asked && !same)
		lang_memory_end(&l->memory, &l->state->needed);
	/*
	 * The thread may no longer execute code of the runtime, so do not read this memory at the
	 * thread's next stack.
	 */
	if (!l->asked && l->planned)
		forget_last(l->planned);
	l->memory.plan.ops.n = 0;
	l->state = NULL;
	l->thread = NULL;
	w->provider = NULL;
}

/* Implements lang_run.thread_pointer. */
static uint64_t thread_pointer(void *ctx)
{
	struct lang *l = ctx;

	l->state->last.used_pointer = true;
	l->state->last.pointer = l->thread->thread_pointer(l->thread->ctx);
	return l->state->last.pointer;
}

/*
 * Returns true if the mappings, the cached names, and the memory that the thread's last stack
 * needed have not changed since.
 */
static bool is_unchanged(struct lang *l, const struct walk *w)
{
	const struct kept_stack *k = &l->state->last;

	return k->table && k->table == map_view_settled(&w->view) && k->clears == l->names.clears &&
	       lang_memory_unchanged(&l->memory, &l->state->needed);
}

/* Prepares the data that readers need, unless it has been prepared for this stack already. */
static void make_ready(struct lang *l, struct walk *w)
{
	const struct lang_thread *t = l->thread;
	struct lang_run *r = &l->run;

	if (l->state)
		return;
	l->state = thread_state_of(l, t);
	lang_names_trim(&l->names);
	l->memory.snap = &w->snap;
	lang_memory_begin(&l->memory, w->snap.memory, &l->state->needed);
	l->unchanged = is_unchanged(l, w);
	if (!l->unchanged) {
		l->state->last.table = 0;
		l->state->last.used_pointer = false;
		l->state->last.steps.n = 0;
	}
	r->mem = &l->memory;
	r->names = &l->names;
	r->tgid = t->tgid;
	r->tid = l->state->inner;
	r->thread_pointer = thread_pointer;
	r->ctx = l;
	r->kept = l->state->kept;
	r->maps = map_view_settled(&w->view);
}

/*
 * Searches the mapped files of a process for a runtime that can step over the process's generated
 * code. Returns the runtime's mapping, or NULL.
 */
static struct mapping *search_runtime(struct lang *l, struct walk *w)
{
	struct map_table *all = mmap_cache_all(l->thread->mm);
	struct mapping *found = NULL;

	for (size_t i = 0; !found && i < all->n && i < FILES_MAX; i++) {
		struct mapping *m = all->v[i];

		if (!m->inode)
			continue;
		module_get(w->files, &w->who, m);
		if (can_step(runtime_of(m)))
			found = m;
	}
	keep_runtime(l, l->thread->tgid, found);
	map_table_put(all);
	return found;
}

/*
 * Returns the mapping of the runtime that generated the process's code, or NULL. Searches for the
 * mapping at the first call for a process, and again if the mapping has disappeared since.
 */
static struct mapping *stepping_runtime(struct lang *l, struct walk *w)
{
	const struct process *p = process_of(l, l->thread->tgid);

	if (!p)
		return search_runtime(l, w);
	/* The process may have called execve since the runtime was found. */
	if (p->runtime && map_view_find(&w->view, p->runtime->start) != p->runtime)
		return search_runtime(l, w);
	return p->runtime;
}

/*
 * Prepares for stepping over generated code with the runtime in the mapping m. Returns false if
 * this runtime has no step function or if m is NULL.
 */
static bool use_runtime(struct lang *l, struct walk *w, struct mapping *m)
{
	uint64_t at, addr;

	if (!m)
		return false;
	at = m->start + (m->end - m->start) / 2;
	if (!can_step(runtime_of(m)) || !elf_file_address(module_of(m)->file, m, at, &addr))
		return false;
	make_ready(l, w);
	l->steps = runtime_of(m);
	l->steps_file = module_of(m)->file;
	l->steps_bias = at - addr;
	return true;
}

/*
 * Finds the runtime that can step over the generated code in this stack. Returns false if there is
 * no such runtime.
 */
static bool prepare_steps(struct lang *l, struct walk *w, const struct step_frame *frame)
{
	if (frame->m)
		return use_runtime(l, w, frame->m);
	if (l->searched)
		return l->steps;
	l->searched = true;
	return use_runtime(l, w, stepping_runtime(l, w));
}

static bool is_same_frame(const struct step_frame *a, const struct step_frame *b)
{
	return a->pc == b->pc && a->sp == b->sp && a->fp == b->fp && a->exact == b->exact &&
	       a->m == b->m;
}

/*
 * Returns the step over `frame` that the runtime has made in the thread's last stack or in an
 * earlier walk of this stack. Returns NULL if the walk differs from the earlier one.
 */
static const struct kept_step *find_step(struct lang *l, struct walk *w,
					 const struct step_frame *frame)
{
	const struct kept_stack *k;

	if (!l->state && l->planned && l->planned->last.table && l->planned->last.steps.n)
		make_ready(l, w);
	if (!l->state)
		return NULL;
	k = &l->state->last;
	/* The stack may be walked several times. */
	if (k->steps.n && is_same_frame(&k->steps.v[0].frame, frame))
		l->next_step = 0;
	if (l->next_step == k->steps.n || !is_same_frame(&k->steps.v[l->next_step].frame, frame))
		return NULL;
	l->steps = k->runtime;
	l->steps_file = k->file;
	l->steps_bias = k->bias;
	return &k->steps.v[l->next_step++];
}

/* Keeps a step that the runtime l->steps has made. */
static void keep_step(struct lang *l, const struct kept_step *step)
{
	struct kept_stack *k = &l->state->last;

	k->steps.n = l->next_step++;
	*vec_push(&k->steps) = *step;
	k->runtime = l->steps;
	k->file = l->steps_file;
	k->bias = l->steps_bias;
}

static enum step_answer provide_step(struct step_provider *p, struct walk *w,
				     const struct step_frame *frame, struct step_frame *caller)
{
	struct lang *l = container_of(p, struct lang, provider);
	const struct kept_step *known = find_step(l, w, frame);
	struct kept_step step = {.frame = *frame};

	if (known) {
		*caller = known->caller;
		return known->answer;
	}
	if (!prepare_steps(l, w, frame))
		return STEP_UNKNOWN;
	l->run.file = l->steps->data;
	l->run.bias = l->steps_bias;
	step.answer = l->steps->language->step(&l->run, w, frame, &step.caller);
	*caller = step.caller;
	keep_step(l, &step);
	return step.answer;
}

/*
 * If the reader needed memory that was not recorded, and therefore stopped or found no frames, sets
 * the reason why frames are missing.
 */
static void explain_missing(struct lang_run *r)
{
	size_t i = 0;

	if (r->reason) {
		r->reason = NOT_RECORDED;
		return;
	}
	while (i < r->n && !r->native[i].own)
		i++;
	if (!r->puts.n && i < r->n)
		lang_stop(r, i, NOT_RECORDED);
}

/*
 * Calls the runtime's reader. Returns true if the reader found frames or knows why they are
 * missing.
 */
static bool ask(struct lang *l, const struct walk *w, const struct lang_file *lf,
		const struct elf_file *file)
{
	struct lang_run *r = &l->run;

	describe(l, w, file);
	r->file = lf->data;
	r->room = w->limit;
	r->puts.n = 0;
	r->reason = NULL;
	r->mem->missing = false;
	lf->language->frames(r);
	if (unlikely(r->mem->missing))
		explain_missing(r);
	return r->puts.n || r->reason;
}

/*
 * Finds the language frames of a walked stack and sets l->state->last.frames. Returns false if
 * there are no language frames.
 */
static bool find_frames(struct lang *l, struct walk *w)
{
	bool done = false, asked = false;

	/*
	 * Use only one runtime per stack: the first one whose reader finds frames or a reason,
	 * beginning at the innermost frame.
	 */
	for (size_t i = 0; i < w->frames.n && !done; i++) {
		const struct lang_file *lf = runtime_of(w->frames.v[i].m);

		if (!lf || asked_before(w, i))
			continue;
		done = ask(l, w, lf, module_of(w->frames.v[i].m)->file);
		asked = true;
	}
	/* The walk may have ended before it reached the frames of the runtime. */
	if (!asked && l->steps) {
		l->run.bias = l->steps_bias;
		done = ask(l, w, l->steps, l->steps_file);
	}
	if (done)
		merge(l, w->frames.v, w->frames.n);
	return done;
}

/* Returns true if the stack has the same language frames as the thread's last stack. */
static bool is_same_stack(struct lang *l, const struct walk *w)
{
	const struct kept_stack *k = &l->state->last;
	const size_t n = w->frames.n;

	return l->unchanged && k->table == map_view_settled(&w->view) && n == k->native.n &&
	       n == w->regs.n && n == k->regs.n &&
	       !memcmp(w->frames.v, k->native.v, n * sizeof(*k->native.v)) &&
	       !memcmp(w->regs.v, k->regs.v, n * sizeof(*k->regs.v)) &&
	       (!k->used_pointer || k->pointer == l->thread->thread_pointer(l->thread->ctx));
}

/* Keeps the walk, whose language frames find_frames() has kept if `found` is true. */
static void keep_stack(struct lang *l, const struct walk *w, bool found)
{
	struct kept_stack *k = &l->state->last;

	k->table = map_view_settled(&w->view);
	k->clears = l->names.clears;
	k->native.n = k->regs.n = 0;
	vec_for_each (&w->frames, f)
		*vec_push(&k->native) = *f;
	vec_for_each (&w->regs, r)
		*vec_push(&k->regs) = *r;
	k->found = found;
}

const struct raw_frame *lang_frames(struct lang *l, struct walk *w, size_t *n, bool *full)
{
	const struct kept_stack *k;

	make_ready(l, w);
	l->asked = true;
	l->count.stacks++;
	if (likely(is_same_stack(l, w)))
		l->count.same++;
	else
		keep_stack(l, w, find_frames(l, w));
	k = &l->state->last;
	*full = false;
	if (!k->found) {
		*n = w->frames.n;
		return w->frames.v;
	}
	*full = k->frames.n > w->limit;
	*n = size_min(k->frames.n, w->limit);
	return k->frames.v;
}
