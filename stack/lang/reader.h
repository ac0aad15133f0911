/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of readers of language frames. A reader supports one runtime. It recognises a file
 * that contains the runtime. It finds the program's own frames for native frames in the runtime's
 * evaluation loop or in code that the runtime generates. No memory of the tracee is trusted. Loops
 * are bounded by the number of frames and by the limits of lang_read().
 */
#ifndef TRACER_STACK_LANG_READER_H
#define TRACER_STACK_LANG_READER_H

#include "stack/lang/memory.h"
#include "stack/lang/names.h"
#include "stack/walk/step_provider.h"
#include "util/strbuf.h"
#include "util/vec.h"

struct elf_file;
struct language;

/* A native frame of the stack, in the form for readers. */
struct lang_native {
	uint64_t pc;
	uint64_t sp;  /* the frames of its callees are below this address */
	uint64_t fp;  /* value of the frame pointer register, or 0 if unknown */
	bool own;     /* pc is in the runtime's file */
	bool unnamed; /* pc is in memory without a file, which may be generated code */
	bool covered; /* lang_put() was called for this frame */
	bool exact;   /* pc is not a return address */
};

struct lang_put {
	size_t native; /* index of the native frame that it replaces */
	struct lang_frame *frame;
};

/* The native frames of one stack, innermost first, and the frames that a reader finds for them. */
struct lang_run {
	struct lang_native *native;
	size_t n;
	struct lang_memory *mem;
	struct lang_names *names;
	void *file;	/* the result of recognise() */
	uint64_t bias;	/* load bias of the file */
	pid_t tid;	/* id of the thread in its own pid namespace */
	pid_t tgid;	/* id of its process in our pid namespace */
	uint64_t *kept; /* two words of data of the reader for this thread, 0 at first */
	uint64_t stack; /* unique number of this stack; never 0 */
	/* Returns the thread pointer, or 0 if it is unknown. */
	uint64_t (*thread_pointer)(void *ctx);
	void *ctx;
	size_t room;		   /* number of frames that may still be added */
	VEC(struct lang_put) puts; /* in ascending order of native frames */
	const char *reason;	   /* the reason why the reader stopped early, or NULL */
	size_t reason_at;	   /* index of the native frame at which it stopped */
};

struct language {
	const char *name; /* "python" */
	/*
	 * Returns allocated data about a file that contains the runtime, or NULL for other files.
	 * It is called once per file and must be cheap for files without the runtime.
	 */
	void *(*recognise)(struct elf_file *f);
	/* Frees the result of recognise(). */
	void (*forget)(void *file);
	/* Finds the frames. Calls lang_put() for each frame, and lang_stop() if data is invalid. */
	void (*frames)(struct lang_run *r);
	/*
	 * Steps over code that the runtime has generated, as in struct step_provider. It is called
	 * before r->native and r->puts are set. NULL if walks do not need help to step over such
	 * code.
	 */
	enum step_answer (*step)(struct lang_run *r, struct walk *w, const struct step_frame *frame,
				 struct step_frame *caller);
};

extern const struct language language_java, language_javascript, language_perl, language_php,
	language_python;

/* Adds language frame f in place of native frame `native`. Returns false if there is no room. */
static inline bool lang_put(struct lang_run *r, size_t native, struct lang_frame *f)
{
	if (!r->room)
		return false;
	r->room--;
	r->native[native].covered = true;
	*vec_push(&r->puts) = (struct lang_put){native, f};
	return true;
}

/* Stops reading. Native frames from index `native` on are not replaced. */
static inline void lang_stop(struct lang_run *r, size_t native, const char *reason)
{
	r->reason = reason;
	r->reason_at = native;
}

#endif
