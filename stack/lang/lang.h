/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of the program's own language: Python, JavaScript and so on. After a native walk, the
 * frames that are in a runtime's evaluation loop or in generated code are replaced by those that
 * the program's author knows.
 */
#ifndef TRACER_STACK_LANG_LANG_H
#define TRACER_STACK_LANG_LANG_H

#include "stack/walk/walk_state.h"

struct budget;
struct file_source;
struct lang;
struct lang_frame;
struct mm_task;

/* budget is borrowed. native: native frames are kept beside the language's. Never NULL. */
struct lang *lang_create(struct budget *budget, bool native);
/* NULL is fine. */
void lang_destroy(struct lang *l);

/* The thread whose stack was walked. */
struct lang_thread {
	pid_t tid, tgid; /* in our pid namespace */
	struct mm_task *mm;
	struct file_source *source; /* knows its id in its own pid namespace; may be NULL */
	/* The thread pointer, or 0 if it is not known. */
	uint64_t (*thread_pointer)(void *ctx);
	void *ctx;
};

/*
 * Begins with the stack of a thread, before it is walked: sets w->provider, by which the walk steps
 * over generated code. t is borrowed until lang_end().
 */
void lang_begin(struct lang *l, struct walk *w, const struct lang_thread *t);
void lang_end(struct lang *l, struct walk *w);
/*
 * Whether the frames of a walk include any of a runtime. If walk->keep_regs was not set, it is set
 * and the walk must be made once more before lang_frames() is called.
 */
bool lang_wanted(struct lang *l, struct walk *w);
/*
 * The frames of the walk with those of languages in the place of native ones; *n of them, borrowed
 * until the next call. Sets *full if there were more than the walk's limit.
 */
const struct raw_frame *lang_frames(struct lang *l, struct walk *w, size_t *n, bool *full);
/* The frame that a trace has recorded by that text (lang_frame_record()), borrowed; NULL: none. */
struct lang_frame *lang_recorded(struct lang *l, const char *record);
/* Drops cached names; those that stacks refer to stay. */
void lang_trim(struct lang *l);
/* Forgets what is known about the threads of a process that ended. */
void lang_forget(struct lang *l, pid_t tgid);

#endif
