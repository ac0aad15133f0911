/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a reader of language frames is given and what it gives back. A reader knows one runtime: it
 * recognises a file that contains the runtime, and finds the program's own frames for the native
 * frames that are in the runtime's evaluation loop or in the code that it generates. All memory is
 * hostile: nothing in it is trusted, loops are bounded by what was put and by lang_read().
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

/* A native frame of the stack, as a reader sees it. */
struct lang_native {
	uint64_t pc;
	uint64_t sp;  /* below it are the frames that it has called */
	uint64_t fp;  /* the frame pointer's register, or 0 if it is not known */
	bool own;     /* pc is in the runtime's file */
	bool unnamed; /* pc is in memory that belongs to no file: generated code, perhaps */
	bool covered; /* lang_put() was called for it */
	bool exact;   /* pc is not a return address */
};

struct lang_put {
	size_t native; /* index of the native frame that it stands for */
	struct lang_frame *frame;
};

/* The native frames of one stack, innermost first, and the frames that a reader finds for them. */
struct lang_run {
	struct lang_native *native;
	size_t n;
	struct lang_memory *mem;
	struct lang_names *names;
	void *file;	/* what recognise() has made */
	uint64_t bias;	/* to be added to the ELF addresses of the file */
	pid_t tid;	/* of the thread in its own pid namespace */
	pid_t tgid;	/* of its process in ours */
	uint64_t *kept; /* two words for the reader, which are kept with the thread, 0 at first */
	uint64_t stack; /* number of this stack, which no other one has; never 0 */
	/* The thread pointer, or 0 if it is not known. */
	uint64_t (*thread_pointer)(void *ctx);
	void *ctx;
	size_t room;		   /* number of frames that may still be put */
	VEC(struct lang_put) puts; /* native frames in ascending order */
	const char *reason;	   /* why the reader stopped early, or NULL */
	size_t reason_at;	   /* index of the native frame at which it did */
};

struct language {
	const char *name; /* "python" */
	/*
	 * What is known of a file that contains the runtime, allocated; NULL if it does not. It is
	 * called once per file and must be cheap for files without the runtime.
	 */
	void *(*recognise)(struct elf_file *f);
	/* Frees what recognise() has returned. */
	void (*forget)(void *file);
	/* Finds the frames, and calls lang_put() for each and lang_stop() if something is wrong. */
	void (*frames)(struct lang_run *r);
	/*
	 * Steps over code that the runtime has generated, as struct step_provider does. The frames
	 * in r are not set yet. NULL if walks step over such code without help.
	 */
	enum step_answer (*step)(struct lang_run *r, struct walk *w, const struct step_frame *frame,
				 struct step_frame *caller);
};

extern const struct language language_java, language_javascript, language_perl, language_php,
	language_python;

/* Adds a frame for a native frame. Returns false if there is no more room. */
static inline bool lang_put(struct lang_run *r, size_t native, struct lang_frame *f)
{
	if (!r->room)
		return false;
	r->room--;
	r->native[native].covered = true;
	*vec_push(&r->puts) = (struct lang_put){native, f};
	return true;
}

/* Ends the reading: the native frames from this one on stay as they are. */
static inline void lang_stop(struct lang_run *r, size_t native, const char *reason)
{
	r->reason = reason;
	r->reason_at = native;
}

#endif
