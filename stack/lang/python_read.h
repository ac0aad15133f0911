/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of the Python reader while it reads a stack. */
#ifndef TRACER_STACK_LANG_PYTHON_READ_H
#define TRACER_STACK_LANG_PYTHON_READ_H

#include "stack/lang/python_layout.h"
#include "stack/lang/reader.h"

#define THREADS_MAX 10000 /* maximum number of threads of an interpreter */

/* The types of objects that can be awaited. */
enum { PYTHON_COROUTINE, PYTHON_GENERATOR, PYTHON_ASYNC_GENERATOR, PYTHON_ASEND, PYTHON_TYPES };

/* Data about a file that contains the runtime. */
struct python_file {
	uint64_t runtime;	      /* ELF address of _PyRuntime */
	uint64_t eval, eval_end;      /* ELF addresses of _PyEval_EvalFrameDefault and of its end */
	uint64_t code_type;	      /* ELF address of PyCode_Type, or 0 */
	uint64_t types[PYTHON_TYPES]; /* ELF addresses of type objects, or 0 */
	unsigned version; /* major << 8 | minor; 0 if only the debug offsets contain the version */
	const char *why;  /* reason why there is no layout, or NULL */
	struct python_layout layout;
};

/* The layout of asyncio's tasks, as described by the module _asyncio. Offsets in bytes. */
struct python_asyncio {
	uint16_t task_size; /* size of a task; 0 if the file does not contain the module */
	uint16_t name, awaited_by, is_task, awaited_by_is_set, coro; /* offsets in a task */
	uint16_t running_task;					     /* offset in PyThreadState */
};

/* A run of frames that a single call of the evaluation loop executes. */
struct group {
	/*
	 * `native` is the index of the native frame, `first` is the index of the first frame in
	 * python_read.frames, and `n` is the number of frames.
	 */
	size_t native, first, n;
};

struct python_read {
	struct lang_run *r;
	struct python_file *f;
	const struct python_layout *l;
	/* layout of tasks; NULL if no native frame is in the module _asyncio */
	const struct python_asyncio *asyncio;
	size_t next; /* native frame at which to start searching for the next evaluation loop */
	VEC(struct lang_frame *) frames;
	VEC(struct group) groups;
};

/* The characters of a string object. */
struct python_string {
	uint64_t addr, length; /* length is the number of characters */
	unsigned width;	       /* size of a character in bytes: 1, 2 or 4 */
};

/* Number of bytes that `head` of python_string_of() must contain; at most 64. */
static inline size_t python_string_head(const struct python_layout *l)
{
	return l->header + 24;
}
/*
 * Finds the characters of the string object at addr. head contains the start of the object. Returns
 * false if the object is not a string that CPython creates.
 */
bool python_string_of(const struct python_layout *l, uint64_t addr, const uint8_t *head,
		      struct python_string *s);
/*
 * Returns the language frame for an interpreter frame, or NULL if the interpreter frame is invalid.
 * `frame` contains the start of the frame, with all members that struct python_layout describes.
 */
struct lang_frame *python_name_frame(struct python_read *g, const uint8_t *frame);

/*
 * Returns the layout of tasks if one of the stack's native frames is in the module _asyncio.
 * Otherwise returns NULL.
 */
const struct python_asyncio *python_asyncio_find(const struct python_read *g);
/*
 * Returns the address of the interpreter frame in which the outermost coroutine of the thread's
 * running task is executed. Stores the address of the task in *task. Returns 0 if no task is
 * running. `state` is the address of the thread's state.
 */
uint64_t python_task_frame(struct python_read *g, uint64_t state, uint64_t *task);
/*
 * Appends the tasks that wait for `task`, directly or through other tasks, to g->frames. Each of
 * them gets a frame with its name and without a file, followed by the frames of its coroutines.
 * Stops when several tasks wait for the same task, when a limit is reached, or when a task cannot
 * be read; the last frame then reports the reason.
 */
void python_put_awaiters(struct python_read *g, uint64_t task);

#endif
