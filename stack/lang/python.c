/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of CPython 3.8 and newer. The runtime's list of threads leads to the thread's state, which
 * leads to the innermost frame. Until 3.10, each frame is evaluated by a separate call of
 * _PyEval_EvalFrameDefault(). Since 3.11, one call evaluates a run of consecutive frames. In 3.11,
 * a flag marks the outermost frame of a run. In later versions, a special frame, which is on the C
 * stack of the call, ends the run.
 */
#include "stack/lang/python_read.h"

#include <stdio.h>
#include <stdlib.h>

#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "util/mem.h"

#define INTERPRETERS_MAX 64
/* maximum number of states of a thread; a thread has one state per interpreter */
#define STATES_MAX  4
#define OWNED_BY_C  3 /* FRAME_OWNED_BY_CSTACK; larger values have the same meaning here */
#define UNSUPPORTED "unsupported version of Python"
#define CHANGED	    "unexpected data in the interpreter's memory"

/* Finds the version in a file name, such as libpython3.10.so.1.0 or python3.9. */
static unsigned version_in_name(const char *path)
{
	const char *p = strrchr(path, '/');
	unsigned minor;

	p = strstr(p ? p : path, "python3.");
	if (!p || sscanf(p, "python3.%3u", &minor) != 1)
		return 0;
	return 3 << 8 | minor;
}

/*
 * Sets f->layout, or f->why if there is no usable layout for the version. The layout comes from the
 * file and not from the memory of a process, because it is used for all processes.
 */
static void set_layout(struct python_file *f, struct elf_file *file)
{
	const struct python_layout *l = python_layout_of(f->version);
	uint64_t offsets[PYTHON_OFFSETS];

	if (l)
		f->layout = *l;
	else if ((f->version && f->version < 0x30d) ||
		 !elf_file_load(file, f->runtime, offsets, sizeof(offsets)))
		f->why = UNSUPPORTED;
	else
		f->why = python_layout_read(offsets, &f->layout);
}

static void *recognise(struct elf_file *file)
{
	struct elf_name names[] = {
		{.name = "_PyRuntime"},	     {.name = "_PyEval_EvalFrameDefault"},
		{.name = "PyCode_Type"},     {.name = "Py_Version"},
		{.name = "PyCoro_Type"},     {.name = "PyGen_Type"},
		{.name = "PyAsyncGen_Type"}, {.name = "_PyAsyncGenASend_Type"}};
	struct python_file *f;
	uint32_t version;

	if (!elf_names_dynamic(file, names, 1))
		return NULL;
	if (elf_names_dynamic(file, names, ARRAY_SIZE(names)) < 3 && !names[1].found)
		elf_names_static(file, names, ARRAY_SIZE(names));
	f = mem_zalloc(sizeof(*f));
	f->runtime = names[0].addr;
	f->eval = names[1].addr;
	f->eval_end = f->eval + names[1].size;
	f->code_type = names[2].addr;
	for (size_t i = 0; i < PYTHON_TYPES; i++)
		f->types[i] = names[4 + i].addr;
	if (names[3].found && elf_file_load(file, names[3].addr, &version, sizeof(version)))
		f->version = version >> 16;
	else
		f->version = version_in_name(file->path ? file->path : "");
	set_layout(f, file);
	return f;
}

/*
 * Returns true if the thread state at addr belongs to the thread whose stack is walked. Sets *next
 * to the interpreter's next thread state.
 */
static bool is_ours(struct python_read *g, uint64_t addr, uint64_t *next)
{
	const struct python_layout *l = g->l;
	uint64_t id;

	if (!lang_read_u64(g->r->mem, addr + l->thread_next, next))
		return false;
	if (l->native_id)
		return lang_read_u64(g->r->mem, addr + l->native_id, &id) &&
		       id == (uint64_t)g->r->tid;
	return lang_read_u64(g->r->mem, addr + l->thread_id, &id) && id &&
	       id == g->r->thread_pointer(g->r->ctx);
}

/* Finds the states that the thread has in all interpreters. Returns the number of states. */
static size_t find_states(struct python_read *g, uint64_t states[STATES_MAX])
{
	const struct python_layout *l = g->l;
	struct lang_run *r = g->r;
	uint64_t interpreter, after, state, next;
	size_t n = 0;

	if (!lang_read_u64(r->mem, g->f->runtime + r->bias + l->head, &interpreter) ||
	    !interpreter || !lang_read_u64(r->mem, interpreter + l->next, &after))
		return 0;
	if (!after && r->kept[0] && is_ours(g, r->kept[0], &next)) {
		states[0] = r->kept[0];
		return 1;
	}
	for (int i = 0; i < INTERPRETERS_MAX && interpreter && n < STATES_MAX; i++) {
		if (!lang_read_u64(r->mem, interpreter + l->threads, &state))
			break;
		for (int k = 0; k < THREADS_MAX && state && n < STATES_MAX; k++, state = next) {
			next = 0;
			if (is_ours(g, state, &next)) {
				states[n++] = state;
				break;
			}
		}
		if (!lang_read_u64(r->mem, interpreter + l->next, &interpreter))
			break;
	}
	r->kept[0] = n ? states[0] : 0;
	return n;
}

static bool in_eval(const struct python_read *g, size_t i)
{
	const uint64_t at = g->r->native[i].pc - g->r->bias;

	return g->r->native[i].own && at > g->f->eval && at <= g->f->eval_end;
}

/*
 * Ends a run: assigns the Python frames with index `first` and above to the native frame that
 * contains the stack address addr. If addr is 0 or if no frame contains it, assigns them to the
 * next native frame of the evaluation loop.
 */
static void close_group(struct python_read *g, size_t first, uint64_t addr)
{
	struct lang_run *r = g->r;
	size_t i = g->next, found = SIZE_MAX;

	if (first == g->frames.n)
		return;
	for (; addr && found == SIZE_MAX && i + 1 < r->n; i++)
		if (r->native[i].sp <= addr && addr < r->native[i + 1].sp)
			found = i;
	for (i = g->next; found == SIZE_MAX && i < r->n; i++)
		if (in_eval(g, i))
			found = i;
	/*
	 * If there are more runs of frames than native calls, assign the remaining runs to the last
	 * call.
	 */
	if (found == SIZE_MAX && g->groups.n)
		found = g->groups.v[g->groups.n - 1].native;
	for (i = 0; found == SIZE_MAX && i < r->n; i++)
		if (r->native[i].own)
			found = i;
	if (found == SIZE_MAX)
		found = 0;
	*vec_push(&g->groups) = (struct group){found, first, g->frames.n - first};
	g->next = found + 1;
}

/*
 * Returns the number of bytes at the start of a frame that contain the members that are read. The
 * local variables after them change often.
 */
static size_t frame_bytes(const struct python_layout *l)
{
	const size_t ends[] = {l->back + 8,  l->code + 8,     l->instr + 8,
			       l->owner + 1, l->is_entry + 1, l->tlbc_index + 4};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		n = size_max(n, ends[i]);
	return n;
}

/* Reads the frames of one thread state. Returns false if they are invalid. */
static bool read_frames(struct python_read *g, uint64_t state)
{
	const struct python_layout *l = g->l;
	struct lang_run *r = g->r;
	uint8_t frame[PYTHON_FRAME] = {0};
	size_t first = g->frames.n, shims = 0;
	const size_t size = frame_bytes(l);
	uint64_t at, task, step = 0;

	if (g->asyncio)
		step = python_task_frame(g, state, &task);
	if (!lang_read_u64(r->mem, state + l->frame, &at) ||
	    (l->by_cframe && !lang_read_u64(r->mem, at + l->cframe_frame, &at)))
		return false;
	while (at && g->frames.n <= r->room && shims <= r->n) {
		struct lang_frame *f;
		bool shim;

		if (at & 7 || !lang_read(r->mem, at, frame, size))
			break;
		shim = l->owner && !l->is_entry && frame[l->owner] >= OWNED_BY_C;
		if (shim) {
			close_group(g, first, at);
			first = g->frames.n;
			shims++;
			at = word_at(frame, l->back);
			continue;
		}
		f = python_name_frame(g, frame);
		if (!f)
			break;
		*vec_push(&g->frames) = f;
		if (unlikely(at == step))
			python_put_awaiters(g, task);
		at = word_at(frame, l->back);
		if (!l->owner || (l->is_entry && frame[l->is_entry])) {
			close_group(g, first, 0);
			first = g->frames.n;
		}
	}
	close_group(g, first, 0);
	return !at || g->frames.n > r->room;
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->native != y->native)
		return x->native < y->native ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void put_groups(struct python_read *g)
{
	qsort(g->groups.v, g->groups.n, sizeof(*g->groups.v), compare_groups);
	vec_for_each (&g->groups, p)
		for (size_t i = 0; i < p->n; i++)
			if (!lang_put(g->r, p->native, g->frames.v[p->first + i]))
				return;
}

/*
 * Returns the index of the evaluation loop's first frame at or after native frame i, or SIZE_MAX.
 */
static size_t next_eval(const struct python_read *g, size_t i)
{
	for (; i < g->r->n; i++)
		if (in_eval(g, i))
			return i;
	return SIZE_MAX;
}

static void frames(struct lang_run *r)
{
	struct python_read g = {.r = r, .f = r->file};
	uint64_t states[STATES_MAX];
	size_t n, eval;
	bool ok = true;

	eval = next_eval(&g, 0);
	if (g.f->why) {
		if (eval != SIZE_MAX)
			lang_stop(r, eval, g.f->why);
		return;
	}
	g.l = &g.f->layout;
	g.asyncio = python_asyncio_find(&g);
	/*
	 * A thread without a state is not executing Python code, even if C functions of Python are
	 * on its stack.
	 */
	n = find_states(&g, states);
	for (size_t i = 0; i < n && ok; i++) {
		/*
		 * Start with the newest interpreter. If interpreters are nested, the thread's
		 * innermost frames are in the newest one. In versions in which a run of frames
		 * contains a stack address, these addresses determine the order instead.
		 */
		if (!g.l->is_entry && g.l->owner)
			g.next = 0;
		ok = read_frames(&g, states[i]);
	}
	if (!ok) {
		eval = next_eval(&g, g.groups.n ? g.groups.v[g.groups.n - 1].native + 1 : 0);
		if (eval != SIZE_MAX)
			lang_stop(r, eval, CHANGED);
	}
	if (g.groups.n)
		put_groups(&g);
	vec_deinit(&g.frames);
	vec_deinit(&g.groups);
}

const struct language language_python = {
	.name = "python", .recognise = recognise, .forget = free, .frames = frames};
