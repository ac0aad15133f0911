/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tasks of asyncio that wait for the running task. Since Python 3.14, the module _asyncio
 * describes the layout of its tasks in the section .AsyncioDebug (Py_AsyncioModuleDebugOffsets in
 * Modules/_asynciomodule.c), and a task refers to the tasks and futures that wait for it. While a
 * task waits, its coroutines are suspended. Each coroutine contains its interpreter frame. The
 * object that the coroutine awaits is on top of this frame's value stack.
 */
#include <stdlib.h>

#include "stack/files/elf_file.h"
#include "stack/lang/python_read.h"
#include "stack/lang/text.h"
#include "util/mem.h"

#define SECTION	 ".AsyncioDebug"
#define TASK_MAX 1024u /* maximum size of a task object in bytes */
/* Maximum number of tasks and futures to follow. */
#define FOLLOW_MAX 64
/* Maximum number of slots in the hash table of a set with one element. */
#define SLOTS_MAX	   4096u
#define NAME_MAX_CHARS	   128 /* longer names of tasks are cut */
#define AWAITED_BY	   "awaited by task"
#define AWAITED_BY_MORE	   "awaited by more tasks"
#define AWAITED_UNREADABLE "awaited by a task with unexpected data"

/* Indexes of the words in the section .AsyncioDebug. */
enum {
	TASK_SIZE,
	TASK_NAME,
	TASK_AWAITED_BY,
	TASK_IS_TASK,
	TASK_IS_SET,
	TASK_CORO,
	THREAD_SIZE = 9,
	THREAD_RUNNING_TASK = 11,
	WORDS = 13
};

/*
 * The states of a coroutine's frame (gi_frame_state) since 3.13. In larger states, the coroutine
 * has returned and has no frame.
 */
enum { SUSPENDED_BY_AWAIT = -1, EXECUTING = 0 };

/* Bits of PyTypeObject.tp_flags. */
#define IS_INTEGER (1u << 24)
#define IS_STRING  (1u << 28)

/* A task or a future. */
struct task {
	uint64_t name, awaited_by, coro; /* a future has no name and no coro */
	bool is_task, is_set;		 /* is_set: awaited_by is a set */
};

static void read_section(struct elf_file *f, struct python_asyncio *a)
{
	const struct elf_section *s = elf_file_section(f, SECTION);
	uint64_t w[WORDS];

	if (!s || s->size < sizeof(w) || !elf_file_read(f, s->offset, w, sizeof(w)))
		return;
	if (w[TASK_SIZE] > TASK_MAX || w[THREAD_SIZE] > UINT16_MAX ||
	    w[THREAD_RUNNING_TASK] > w[THREAD_SIZE])
		return;
	for (int i = TASK_NAME; i <= TASK_CORO; i++)
		if (w[i] >= w[TASK_SIZE] || (i != TASK_IS_TASK && i != TASK_IS_SET &&
					     w[TASK_SIZE] - w[i] < sizeof(uint64_t)))
			return;
	*a = (struct python_asyncio){.task_size = w[TASK_SIZE],
				     .name = w[TASK_NAME],
				     .awaited_by = w[TASK_AWAITED_BY],
				     .is_task = w[TASK_IS_TASK],
				     .awaited_by_is_set = w[TASK_IS_SET],
				     .coro = w[TASK_CORO],
				     .running_task = w[THREAD_RUNNING_TASK]};
}

static const struct python_asyncio *layout_of(struct elf_file *f)
{
	struct python_asyncio *a = elf_file_part(f, ELF_ASYNCIO);

	if (unlikely(!a)) {
		a = mem_zalloc(sizeof(*a));
		read_section(f, a);
		elf_file_set_part(f, ELF_ASYNCIO, a, free);
	}
	return a->task_size ? a : NULL;
}

const struct python_asyncio *python_asyncio_find(const struct python_read *g)
{
	const struct python_asyncio *a = NULL;
	struct elf_file *last = NULL;

	for (size_t i = 0; g->l->has_tasks && !a && i < g->r->n; i++) {
		struct elf_file *f = g->r->native[i].file;

		if (f && f != last)
			a = layout_of(f);
		last = f;
	}
	return a;
}

static bool read_task(struct python_read *g, uint64_t addr, struct task *t)
{
	const struct python_asyncio *a = g->asyncio;
	uint8_t bytes[TASK_MAX];

	if (addr & 7 || !lang_read(g->r->mem, addr, bytes, a->task_size))
		return false;
	*t = (struct task){.name = word_at(bytes, a->name),
			   .awaited_by = word_at(bytes, a->awaited_by),
			   .coro = word_at(bytes, a->coro),
			   .is_task = bytes[a->is_task],
			   .is_set = bytes[a->awaited_by_is_set]};
	return true;
}

uint64_t python_task_frame(struct python_read *g, uint64_t state, uint64_t *task)
{
	struct task t;

	if (!lang_read_u64(g->r->mem, state + g->asyncio->running_task, task) || !*task ||
	    !read_task(g, *task, &t) || !t.is_task || !t.coro)
		return 0;
	return t.coro + g->l->gen_frame;
}

/* Stores the only element of a set in *element. Returns false if the set is invalid. */
static bool only_element(struct python_read *g, uint64_t table, uint64_t mask, uint64_t *element)
{
	uint64_t entry[2]; /* the key and its hash */

	for (uint64_t i = 0; i <= mask && mask < SLOTS_MAX; i++) {
		if (!lang_read(g->r->mem, table + i * sizeof(entry), entry, sizeof(entry)))
			return false;
		/* The slots of removed elements have the hash -1. */
		if (entry[0] && entry[1] != UINT64_MAX) {
			*element = entry[0];
			return true;
		}
	}
	return false;
}

/*
 * Stores the number of tasks and futures that wait for t in *n, and the address of the first one in
 * *waiter if *n is 1. Returns false if this data is invalid.
 */
static bool find_waiters(struct python_read *g, const struct task *t, uint64_t *waiter, uint64_t *n)
{
	const struct python_layout *l = g->l;
	uint64_t mask, table;

	*waiter = t->awaited_by;
	*n = t->awaited_by != 0;
	if (!t->awaited_by || !t->is_set)
		return true;
	if (!lang_read_u64(g->r->mem, t->awaited_by + l->set_used, n) || *n > INT32_MAX)
		return false;
	if (*n != 1)
		return true;
	return lang_read_u64(g->r->mem, t->awaited_by + l->set_mask, &mask) &&
	       lang_read_u64(g->r->mem, t->awaited_by + l->set_table, &table) &&
	       only_element(g, table, mask, waiter);
}

/* Adds a frame that is not a function, such as a task. `task` is the task's name or NULL. */
static void put_mark(struct python_read *g, const char *text, const char *task)
{
	*vec_push(&g->frames) = lang_frame_mark(g->r->names, language_python.name, text, task);
}

/*
 * Appends the name of a task that the program has not named. Such a name is stored as a number,
 * which is the object at addr. Returns false if the number cannot be read.
 */
static bool read_number(struct python_read *g, uint64_t addr, struct strbuf *b)
{
	const struct python_layout *l = g->l;
	uint64_t tag, number;
	uint32_t digits[2] = {0};

	/* The lowest 3 bits of the tag are flags, the others are the number of 30-bit digits. */
	if (!lang_read_u64(g->r->mem, addr + l->long_tag, &tag) || tag >> 3 > ARRAY_SIZE(digits) ||
	    !lang_read(g->r->mem, addr + l->long_digits, digits, (tag >> 3) * sizeof(*digits)))
		return false;
	number = digits[0] | (uint64_t)digits[1] << 30;
	strbuf_puts(b, "Task-");
	strbuf_udec(b, number);
	return true;
}

static bool read_text(struct python_read *g, uint64_t addr, struct strbuf *b)
{
	uint8_t head[64], chars[NAME_MAX_CHARS * 4];
	struct python_string s;

	if (!lang_read(g->r->mem, addr, head, python_string_head(g->l)) ||
	    !python_string_of(g->l, addr, head, &s))
		return false;
	if (s.length > NAME_MAX_CHARS)
		s.length = NAME_MAX_CHARS;
	if (!lang_read(g->r->mem, s.addr, chars, s.length * s.width))
		return false;
	lang_text_chars(chars, s.length, s.width, b);
	return true;
}

/* Appends the name of a task. Returns false if it is invalid. */
static bool read_name(struct python_read *g, uint64_t addr, struct strbuf *b)
{
	uint64_t type, flags;

	if (addr & 7 || !lang_read_u64(g->r->mem, addr + g->l->header - 8, &type) ||
	    !lang_read_u64(g->r->mem, type + g->l->type_flags, &flags))
		return false;
	if (flags & IS_INTEGER)
		return read_number(g, addr, b);
	return flags & IS_STRING && read_text(g, addr, b);
}

/*
 * If the object at *addr is a coroutine or a generator, returns true. If it is the result of an
 * asynchronous generator's asend() or __anext__(), sets *addr to the generator and returns true.
 * Returns false for all other objects.
 */
static bool is_coroutine(struct python_read *g, uint64_t *addr)
{
	const uint64_t *types = g->f->types;
	uint64_t type;

	if (!*addr || *addr & 7 || !lang_read_u64(g->r->mem, *addr + g->l->header - 8, &type))
		return false;
	type -= g->r->bias;
	if (!type)
		return false;
	if (type == types[PYTHON_ASEND])
		return lang_read_u64(g->r->mem, *addr + g->l->header, addr);
	return type == types[PYTHON_COROUTINE] || type == types[PYTHON_GENERATOR] ||
	       type == types[PYTHON_ASYNC_GENERATOR];
}

/*
 * Adds the frame of the coroutine at addr. Sets *awaited to the object that the coroutine waits
 * for, or to 0. Adds no frame if the coroutine has returned. Returns false if the coroutine is
 * invalid.
 */
static bool put_coroutine(struct python_read *g, uint64_t addr, uint64_t *awaited)
{
	const struct python_layout *l = g->l;
	uint8_t frame[PYTHON_FRAME] = {0};
	struct lang_frame *f;
	int8_t state;

	*awaited = 0;
	if (!lang_read(g->r->mem, addr + l->gen_state, &state, sizeof(state)))
		return false;
	if (state > EXECUTING) /* the coroutine has returned */
		return true;
	if (!lang_read(g->r->mem, addr + l->gen_frame, frame, l->frame_size))
		return false;
	f = python_name_frame(g, frame);
	if (!f)
		return false;
	*vec_push(&g->frames) = f;
	if (state != SUSPENDED_BY_AWAIT)
		return true;
	if (!lang_read_u64(g->r->mem, word_at(frame, l->stack_pointer) - 8, awaited))
		return false;
	*awaited &= ~(uint64_t)3; /* the low bits of a reference contain a tag */
	return true;
}

/*
 * Adds the frames of a coroutine and of the coroutines that it waits for, directly or indirectly,
 * innermost first. Returns false if a coroutine is invalid.
 */
static bool put_coroutines(struct python_read *g, uint64_t coro)
{
	const size_t first = g->frames.n;
	bool ok = true;

	while (ok && g->frames.n <= g->r->room && is_coroutine(g, &coro))
		ok = put_coroutine(g, coro, &coro);
	for (size_t i = first, k = g->frames.n; i + 1 < k; i++) {
		struct lang_frame *f = g->frames.v[i];

		g->frames.v[i] = g->frames.v[--k];
		g->frames.v[k] = f;
	}
	return ok;
}

static bool put_task(struct python_read *g, const struct task *t)
{
	struct strbuf name = {0};
	bool ok = read_name(g, t->name, &name);

	if (ok) {
		put_mark(g, AWAITED_BY, strbuf_str(&name));
		ok = put_coroutines(g, t->coro);
	}
	strbuf_deinit(&name);
	return ok;
}

void python_put_awaiters(struct python_read *g, uint64_t task)
{
	uint64_t n = 1;
	struct task t;
	bool ok = read_task(g, task, &t);

	for (int i = 0; ok && i <= FOLLOW_MAX; i++) {
		ok = find_waiters(g, &t, &task, &n);
		if (!ok || n != 1 || i == FOLLOW_MAX || g->frames.n > g->r->room)
			break;
		ok = read_task(g, task, &t) && (!t.is_task || put_task(g, &t));
	}
	if (!ok) {
		put_mark(g, AWAITED_UNREADABLE, NULL);
	} else if (n > 1) {
		char *text = mem_printf("awaited by %u tasks", (unsigned)n);

		put_mark(g, text, NULL);
		free(text);
	} else if (n == 1) {
		put_mark(g, AWAITED_BY_MORE, NULL);
	}
}
