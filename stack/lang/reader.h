/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of a language reader, which is code that supports one runtime. A reader recognises
 * files that contain the runtime. In a walked stack, it finds the frames of the program's own
 * language. These frames replace native frames of the runtime's evaluation loop or of generated
 * code. The tracee's memory is not trusted: loops are bounded by the number of frames and by the
 * limits of lang_read().
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

/* The properties of a native frame that readers use. */
struct lang_native {
	uint64_t pc;
	uint64_t sp; /* stack pointer; the frames of called functions are below this address */
	uint64_t fp; /* value of the frame pointer register, or 0 if unknown */
	struct elf_file *file; /* the file that contains pc, or NULL */
	bool own;	       /* true if pc is in the runtime's file */
	bool unnamed; /* true if pc is in memory without a file, so that the code may be generated
		       */
	bool covered; /* true if lang_put() has been called for this frame */
	bool exact;   /* true if pc is the next instruction to execute, not a return address */
};

struct lang_put {
	size_t native; /* index of the native frame to replace */
	struct lang_frame *frame;
};

/*
 * The native frames of one stack, innermost first, and the language frames that a reader has found.
 */
struct lang_run {
	struct lang_native *native;
	size_t n;
	struct lang_memory *mem;
	struct lang_names *names;
	void *file;	/* the result of recognise() */
	uint64_t bias;	/* load bias of the runtime's file */
	pid_t tid;	/* the thread's tid, in the thread's own pid namespace */
	pid_t tgid;	/* the process's tgid in tracer's pid namespace */
	uint64_t *kept; /* for use by the reader: two words per thread, initially 0 */
	uint64_t stack; /* id of this stack; unique and never 0 */
	/*
	 * A number that identifies the process and its mappings of code, or 0 if it is unknown
	 * whether the mappings have changed. Data that a runtime never changes while it runs can
	 * be cached under this number.
	 */
	uint64_t maps;
	/* Returns the thread pointer, or 0 if it is unknown. */
	uint64_t (*thread_pointer)(void *ctx);
	void *ctx;
	size_t room;		   /* number of frames that can still be added */
	VEC(struct lang_put) puts; /* sorted by native frame */
	const char *reason;	   /* reason why the reader stopped early, or NULL */
	size_t reason_at;	   /* index of the native frame at which the reader stopped */
};

/*
 * The functions frames() and step() read memory only through r->mem. Their results must not depend
 * on anything that can change while the process is stopped or between two stacks, except for this
 * memory, the walk, and the thread pointer. Otherwise lang.c cannot know whether the results are
 * still the same in the next stack.
 */
struct language {
	const char *name; /* the name of the language in output, such as "python" */
	/*
	 * Returns allocated data about a file that contains the runtime, or NULL for other files.
	 * Called once for each file, so it must be fast for files without the runtime.
	 */
	void *(*recognise)(struct elf_file *f);
	void (*forget)(void *file);
	/*
	 * Finds the language frames. Calls lang_put() for each of them, or lang_stop() if the
	 * tracee's data is invalid.
	 */
	void (*frames)(struct lang_run *r);
	/*
	 * Steps over code that the runtime has generated, like step() of struct step_provider.
	 * Called before r->native and r->puts are set. This op is NULL if the runtime's generated
	 * code needs no special treatment.
	 */
	enum step_answer (*step)(struct lang_run *r, struct walk *w, const struct step_frame *frame,
				 struct step_frame *caller);
};

extern const struct language language_java, language_javascript, language_perl, language_php,
	language_python, language_ruby;

/*
 * Adds the language frame f in place of the native frame that has the index `native`. The indexes
 * must not decrease from call to call. Returns false if the frame limit is reached.
 */
static inline bool lang_put(struct lang_run *r, size_t native, struct lang_frame *f)
{
	if (!r->room)
		return false;
	r->room--;
	r->native[native].covered = true;
	*vec_push(&r->puts) = (struct lang_put){native, f};
	return true;
}

/*
 * Stops reading. The native frames with the index `native` and above are not replaced. `reason` is
 * shown in the stack.
 */
static inline void lang_stop(struct lang_run *r, size_t native, const char *reason)
{
	r->reason = reason;
	r->reason_at = native;
}

#endif
