/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walking a stopped thread's stack: by 16-byte rules with three registers, and
 * from the start again with all of them when a frame needs more (stepper.h has
 * the ways of stepping). Exact, or by frame pointer and marked so, or ended
 * with a reason.
 */
#ifndef TRACER_STACK_WALK_H
#define TRACER_STACK_WALK_H

#include "defs.h"
#include "stack/files/elf_file.h"
#include "stack/walk/cfi.h"
#include "stack/walk/rules.h"
#include "stack/walk/snapshot.h"
#include "stack/stack.h"
#include "util/vec.h"

struct libunwind;
struct mm_task;

/* Bits of struct raw_frame's flags; above FRAME_EXACT stands how the frame was reached. */
enum raw_frame_flag {
	FRAME_EXACT = 1 << 0 /* pc is where the thread is, not where a call returns to */
};
#define FRAME_BY(by) ((uint64_t)(by) << 1)

static inline enum frame_by frame_by_of(uint64_t flags)
{
	return flags >> 1;
}

struct raw_frame {
	uint64_t pc;
	uint64_t addr;	   /* as struct frame has it */
	struct mapping *m; /* borrowed while the walk lasts */
	uint64_t flags;	   /* as wide as the rest: frames are compared as bytes */
};

/* A pc that the rules have stepped over before, in a map table that answers for it still. */
struct known_pc {
	uint64_t table; /* 0: empty */
	uint64_t pc;
	uint64_t addr; /* of the frame */
	struct mapping *m;
	const struct arch_mode *abi;
	bool exact;
	struct rule rule;
};

#define KNOWN_PCS 1024

struct walk {
	struct mm_task *mm;
	struct mapper who;
	struct elf_files *files;
	const struct arch_mode *abi;
	unsigned limit;
	enum unwinder_kind order;    /* which ways of stepping are tried */
	struct libunwind *libunwind; /* of step_libunwind.c; NULL: not there */
	struct known_pc *known;	     /* KNOWN_PCS of them */
	/*
	 * Fills in the rest of the walk's regs, of which only pc and sp were known; false: the
	 * thread is gone. NULL: all of them are known.
	 */
	bool (*fetch)(void *ctx);
	void *ctx;
	struct snapshot snap;
	VEC(struct raw_frame) frames;
	enum stack_status status;
	uint64_t end;		/* where it ended: a pc, or the address that cannot be read */
	uint64_t used;		/* bytes of stack between the first and the last frame */
	bool slow;		/* the rules did not do */
	uint64_t by[FRAME_BYS]; /* how many frames of all walks were reached so */
};

/*
 * regs: ARCH_COLUMNS_MAX, of which w->abi's columns are pc, sp and the rest. exact: the pc is that
 * of the next instruction, as after a signal, and not right behind a system call.
 */
void walk_run(struct walk *w, uint64_t *regs, bool exact);

#endif
