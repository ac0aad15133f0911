/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a walk, for users of walk.h and for steppers (stepper.h). */
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

/* Flags of struct raw_frame. The bits above FRAME_EXACT hold an enum frame_by. */
enum raw_frame_flag {
	FRAME_EXACT = 1 << 0 /* pc is the next instruction to execute, not a return address */
};
/* Converts an enum frame_by to bits of raw_frame.flags, and back. */
#define FRAME_BY(by) ((uint64_t)(by) << 1)

static inline enum frame_by frame_by_of(uint64_t flags)
{
	return flags >> 1;
}

struct raw_frame {
	uint64_t pc;
	uint64_t addr;	   /* ELF address of pc, as in struct frame */
	struct mapping *m; /* mapping that contains pc, borrowed from the view */
	uint64_t flags;	   /* 64 bits wide to avoid padding, because memcmp() compares frames */
	/* The frame in the program's own language (see stack/lang/names.h), or NULL. */
	struct lang_frame *lang;
};

/* The registers of a frame that the readers of language frames need (stack/lang/reader.h). */
struct frame_regs {
	uint64_t sp, bp; /* bp is 0 if it is unknown, see walk_load_bp() */
};

/*
 * A pc from an earlier walk, and the rule that steps over its frame. The data is valid as long as
 * the map table `table` is in use. Code without a file can change even if its mapping does not, so
 * entries for such code can be used only a limited number of times.
 */
struct known_pc {
	uint64_t table; /* id of struct map_table; 0 if this slot is free */
	uint64_t pc;
	uint64_t addr; /* ELF address of pc, as in struct frame */
	struct mapping *m;
	const struct arch_mode *mode;
	bool exact;
	/* FRAME_BY_RULES; for code without CFI, FRAME_BY_FP or (RULE_PROVIDED) FRAME_BY_ROWS */
	enum frame_by by;
	/* number of times that this entry may still be used, or KNOWN_FOREVER */
	unsigned uses_left;
	struct rule rule;
};

#define KNOWN_FOREVER UINT_MAX

#define KNOWN_PCS 1024

struct walk {
	/* The caller sets these members before walk_run(). All pointers are borrowed. */
	struct map_view view;
	struct mapper who;
	struct elf_files *files;
	const struct arch_mode *mode; /* mode of the code that the thread executes */
	uint64_t ra_mask; /* mask of the bits of a return address that are part of the address */
	unsigned limit;	  /* the maximum number of frames */
	enum unwinder_kind order;    /* determines which steppers are tried */
	struct libunwind *libunwind; /* not set by the caller: created when first needed; freed by
					libunwind_destroy() */
	struct known_pc *known;	     /* array of KNOWN_PCS slots */
	struct step_provider *provider; /* steps over generated code; may be NULL */
	/*
	 * Fills in the registers that were passed to walk_run(). Before this call, only pc and sp
	 * are set. Returns false if the thread is gone. If this function is NULL, all registers are
	 * already set.
	 */
	bool (*fetch)(void *ctx);
	void *ctx;
	struct snapshot snap;
	/* The results of walk_run(). */
	VEC(struct raw_frame) frames; /* innermost first */
	bool keep_regs;		      /* set by the caller if walk_run() should fill in `regs` */
	VEC(struct frame_regs) regs;  /* the registers of each frame */
	enum stack_status status;
	uint64_t end; /* the pc where the walk ended, or the address that could not be read; 0 if
			 the stack is complete */
	bool slow;    /* true if the walk needed all registers; rules were not enough */
	uint64_t by[FRAME_BYS]; /* number of frames per method, for all walks together */
};

#endif
