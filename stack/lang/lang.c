/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/lang.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/files/module.h"
#include "stack/lang/reader.h"
#include "util/mem.h"

#define HABITS 256 /* threads whose habits are kept */

static const struct language *const languages[] = {&language_python, &language_javascript,
						   &language_java, &language_php, &language_perl};

/* What is kept with an ELF file: which runtime it contains, if any. */
struct lang_file {
	const struct language *language; /* NULL: none */
	void *data;
};

struct habit {
	pid_t tid, tgid;
	pid_t inner; /* tid in the thread's own pid namespace */
	uint64_t kept[2];
	struct lang_habit blocks;
};

struct lang {
	bool keep_native;
	struct lang_names names;
	struct lang_memory memory;
	struct lang_run run;
	VEC(struct lang_native) native;
	VEC(struct raw_frame) frames;
	struct habit *habits[HABITS]; /* by tid; NULL until needed */
};

struct lang *lang_create(struct budget *budget, bool native)
{
	struct lang *l = mem_zalloc(sizeof(*l));

	l->keep_native = native;
	l->names.budget = budget;
	return l;
}

struct lang_frame *lang_recorded(struct lang *l, const char *record)
{
	struct lang_frame *f = NULL;

	for (size_t i = 0; !f && i < ARRAY_SIZE(languages); i++)
		f = lang_frame_recorded(&l->names, languages[i]->name, record);
	return f;
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
	vec_deinit(&l->frames);
	for (size_t i = 0; i < HABITS; i++)
		free(l->habits[i]);
	free(l);
}

void lang_forget(struct lang *l, pid_t tgid)
{
	for (size_t i = 0; i < HABITS; i++)
		if (l->habits[i] && l->habits[i]->tgid == tgid) {
			free(l->habits[i]);
			l->habits[i] = NULL;
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

/* The runtime in the file of a mapping, or NULL. */
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

bool lang_wanted(struct lang *l attr_unused, struct walk *w)
{
	const struct mapping *last = NULL;

	vec_for_each (&w->frames, f) {
		if (f->m == last)
			continue;
		last = f->m;
		if (unlikely(runtime_of(last) != NULL))
			return true;
	}
	return false;
}

static struct habit *habit_of(struct lang *l, const struct lang_thread *t)
{
	struct habit **h = &l->habits[(unsigned)t->tid % HABITS];

	if (!*h)
		*h = mem_zalloc(sizeof(**h));
	if ((*h)->tid != t->tid || (*h)->tgid != t->tgid)
		**h = (struct habit){
			.tid = t->tid,
			.tgid = t->tgid,
			.inner = t->source ? t->source->ops->inner_pid(t->source, t->tid) : t->tid};
	return *h;
}

/* Describes the frames of the walk to the reader of one runtime, which is in the file of m. */
static void describe(struct lang *l, const struct walk *w, const struct mapping *m)
{
	const struct elf_file *file = module_of(m)->file;

	l->native.n = 0;
	for (size_t i = 0; i < w->frames.n; i++) {
		const struct raw_frame *f = &w->frames.v[i];
		const struct module *mod = module_of(f->m);
		const bool own = mod && mod->file == file;

		*vec_push(&l->native) =
			(struct lang_native){.pc = f->pc,
					     .sp = w->regs.v[i].sp,
					     .fp = w->regs.v[i].bp,
					     .own = own,
					     .unnamed = f->m && !f->m->inode && !(mod && mod->file),
					     .exact = f->flags & FRAME_EXACT};
		if (own)
			l->run.bias = f->pc - f->addr;
	}
	l->run.native = l->native.v;
	l->run.n = l->native.n;
}

/*
 * Whether a native frame that stands for no frame of the language is one of the runtime's own that
 * only connect those: it is in the runtime's file or in generated code, and lies between covered
 * frames, or is generated code that adjoins them.
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
	struct raw_frame *f = vec_push(&l->frames);

	*f = *native;
	f->lang = lang;
}

/* Replaces what frames has by a mix of it and of what the reader has put. */
static void merge(struct lang *l, const struct raw_frame *from, size_t n)
{
	struct lang_run *r = &l->run;
	bool *hidden = mem_zalloc(n * sizeof(*hidden));
	size_t p = 0;

	hide_between(r, hidden);
	l->frames.n = 0;
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

/* Whether an earlier frame is in the same file, so that its runtime was asked already. */
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

const struct raw_frame *lang_frames(struct lang *l, struct walk *w, const struct lang_thread *t,
				    size_t *n, bool *full)
{
	struct habit *h = habit_of(l, t);
	struct lang_run *r = &l->run;
	bool done = false;

	lang_names_trim(&l->names);
	lang_memory_begin(&l->memory, w->snap.memory, &h->blocks);
	r->mem = &l->memory;
	r->names = &l->names;
	r->tgid = t->tgid;
	r->tid = h->inner;
	r->thread_pointer = t->thread_pointer;
	r->ctx = t->ctx;
	r->kept = h->kept;
	/* One runtime a stack: that of the innermost frame. */
	for (size_t i = 0; i < w->frames.n && !done; i++) {
		const struct lang_file *lf = runtime_of(w->frames.v[i].m);

		if (!lf || asked_before(w, i))
			continue;
		describe(l, w, w->frames.v[i].m);
		r->file = lf->data;
		r->room = w->limit;
		r->puts.n = 0;
		r->reason = NULL;
		lf->language->frames(r);
		done = r->puts.n || r->reason;
	}
	lang_memory_end(&l->memory, &h->blocks);
	*full = false;
	if (!done) {
		*n = w->frames.n;
		return w->frames.v;
	}
	merge(l, w->frames.v, w->frames.n);
	*full = l->frames.n > w->limit;
	*n = size_min(l->frames.n, w->limit);
	return l->frames.v;
}
