/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of the program's own language, such as Python or JavaScript. After a native walk, these
 * frames replace the frames of the runtime's evaluation loop and of generated code.
 */
#ifndef TRACER_STACK_LANG_LANG_H
#define TRACER_STACK_LANG_LANG_H

#include "stack/walk/walk_state.h"

struct budget;
struct file_source;
struct lang;
struct lang_frame;
struct mapping;
struct memory_batch;
struct mm_task;

/*
 * `budget` limits the memory of caches and is borrowed. If `native` is true, native frames are kept
 * in addition to language frames. Never returns NULL.
 */
struct lang *lang_create(struct budget *budget, bool native);
/* Frees l, which may be NULL. */
void lang_destroy(struct lang *l);

/* The thread whose stack is walked. */
struct lang_thread {
	pid_t tid, tgid; /* ids in tracer's pid namespace */
	struct mm_task *mm;
	/* used to convert tid to an id in the thread's own pid namespace; may be NULL */
	struct file_source *source;
	/* Returns the thread pointer, or 0 if it is unknown. */
	uint64_t (*thread_pointer)(void *ctx);
	void *ctx;
};

/*
 * lang_begin() must be called before a thread's stack is walked. It sets w->provider, which helps
 * the walk to step over generated code. *t is borrowed until lang_end(). The result is a list of
 * reads, which is often empty. The caller must make these reads before the walk; see
 * snapshot_begin().
 */
struct memory_batch *lang_begin(struct lang *l, struct walk *w, const struct lang_thread *t);
void lang_end(struct lang *l, struct walk *w);
/*
 * Returns true if the walk found frames of a runtime, or if a runtime helped it to step over
 * generated code. Then, if walk->keep_regs is not set, the caller must set it and repeat the walk
 * before it calls lang_frames().
 */
bool lang_wanted(struct lang *l, struct walk *w);
/*
 * Returns the frames of the walk, with native frames replaced by language frames, and stores their
 * number in *n. The frames are borrowed until the next call. Sets *full if the walk's frame limit
 * cut off frames.
 */
const struct raw_frame *lang_frames(struct lang *l, struct walk *w, size_t *n, bool *full);
/*
 * Returns the frame that a recorded text describes (see lang_frame_record()). Returns NULL if the
 * text does not describe a language frame. The frame is borrowed.
 */
struct lang_frame *lang_recorded(struct lang *l, const char *record);
struct lang_counters {
	uint64_t stacks; /* number of calls of lang_frames() */
	uint64_t same;	 /* calls with the same result as the last call for the thread */
};
/* The result is owned by l. */
const struct lang_counters *lang_counters(const struct lang *l);
/*
 * Returns true if the mapped file contains a runtime. The mapping must have a module (see
 * module_get()).
 */
bool lang_is_runtime(const struct mapping *m);
/* Drops all cached names. Frames to which stacks refer remain valid. */
void lang_trim(struct lang *l);
/* Drops all data about the threads of a process that has ended. */
void lang_forget(struct lang *l, pid_t tgid);

#endif
