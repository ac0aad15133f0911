/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a walk, for walk.h and for steppers (stepper.h). */
#ifndef TRACER_STACK_WALK_WALK_STATE_H
#define TRACER_STACK_WALK_WALK_STATE_H

#include <limits.h>

#include "mmap_cache.h"
#include "stack/files/elf_file.h"
#include "stack/stack.h"
#include "stack/walk/cfi.h"
#include "stack/walk/rules.h"
#include "stack/walk/snapshot.h"
#include "util/vec.h"

struct lang_frame;
struct libunwind;
struct step_provider;

/* Bits of flags in struct raw_frame. The bits above FRAME_EXACT are an enum frame_by. */
enum raw_frame_flag {
	FRAME_EXACT = 1 << 0 /* pc is the next instruction, and not a return address */
};
/* An enum frame_by as bits of flags, and back. */
#define FRAME_BY(by) ((uint64_t)(by) << 1)

static inline enum frame_by frame_by_of(uint64_t flags)
{
	return flags >> 1;
}

struct raw_frame {
	uint64_t pc;
	uint64_t addr;	   /* that of struct frame */
	struct mapping *m; /* that contains pc, borrowed from the view */
	uint64_t flags;	   /* 64 bits leave no padding: frames are compared as bytes */
	/* What the frame is in the program's own language (stack/lang/names.h), or NULL. */
	struct lang_frame *lang;
};

/* The registers of a frame that readers of language frames need (stack/lang/reader.h). */
struct frame_regs {
	uint64_t sp, bp; /* bp is 0 if no frame has restored it and it was not fetched */
};

/*
 * A pc that was stepped over before. It is valid as long as the table of mappings is. Code in
 * memory can change without a change of mappings, so there it is also limited to a number of uses.
 */
struct known_pc {
	uint64_t table; /* id of struct map_table; 0: this slot is free */
	uint64_t pc;
	uint64_t addr; /* that of struct raw_frame */
	struct mapping *m;
	const struct arch_mode *mode;
	bool exact;
	enum frame_by by;   /* FRAME_BY_RULES, or FRAME_BY_FP for code without CFI */
	unsigned uses_left; /* KNOWN_FOREVER: not limited */
	struct rule rule;
};

#define KNOWN_FOREVER UINT_MAX

#define KNOWN_PCS 1024

struct walk {
	/* Set by the caller before walk_run(); all pointers are borrowed. */
	struct map_view view; /* the thread's mappings */
	struct mapper who;    /* the thread */
	struct elf_files *files;
	const struct arch_mode *mode;	/* of the code that the thread runs */
	uint64_t ra_mask;		/* which bits of a return address are the address */
	unsigned limit;			/* number of frames at which the walk ends */
	enum unwinder_kind order;	/* which steppers are tried */
	struct libunwind *libunwind;	/* of step_libunwind.c, or NULL: not needed so far */
	struct known_pc *known;		/* KNOWN_PCS slots */
	struct step_provider *provider; /* of step_provider.h, or NULL */
	/*
	 * Fills in all of the regs given to walk_run(), if only pc and sp are set at first. Returns
	 * false if the thread is gone. NULL: all registers are set already.
	 */
	bool (*fetch)(void *ctx);
	void *ctx;
	struct snapshot snap;
	/* The result of walk_run(). */
	VEC(struct raw_frame) frames; /* innermost first */
	bool keep_regs;		      /* set by the caller: regs is filled in */
	VEC(struct frame_regs) regs;  /* of each frame */
	enum stack_status status;
	uint64_t end;		/* where the walk ended: a pc, or the unreadable address */
	bool slow;		/* rules were not enough */
	uint64_t by[FRAME_BYS]; /* number of frames of all walks, by method */
};

#endif
