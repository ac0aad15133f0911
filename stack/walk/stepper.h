/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ways to step from a frame to its caller's: rules with three registers, rows with all of them,
 * libunwind; and guesses for code of which nothing is said. Each steps exactly, says why it
 * cannot, or refuses, so that the next one may be asked.
 */
#ifndef TRACER_STACK_STEPPER_H
#define TRACER_STACK_STEPPER_H

#include "stack/walk/cfi.h"
#include "stack/walk/walk.h"

/* Where a walk is. The rules use only pc, sp and bp of the registers. */
struct walk_state {
	struct cfi_machine m;
	uint64_t pc;
	bool exact; /* as of struct raw_frame */
	enum frame_by by;
	uint64_t *regs; /* as given to the walk */
	bool bp_known;
	struct mapping *mapping; /* of the last pc, borrowed */
	/* Brent's cycle search: a state seen before means a loop. */
	uint64_t seen_pc, seen_sp;
	unsigned steps, power;
};

enum outcome {
	GO_ON,	       /* the state is the caller's */
	ENDED,	       /* w->status and w->end say how */
	REFUSED,       /* the same, unless another stepper knows better; the state is as it was */
	NO_CFI,	       /* nothing is said of this code */
	NEED_REGISTERS /* the walk has to begin again, with all registers */
};

struct stepper {
	/*
	 * Over the last of w->frames, whose pc (or, if not exact, the byte before it) is at
	 * address addr of f.
	 */
	enum outcome (*step)(struct walk *w, struct walk_state *s, struct elf_file *f,
			     uint64_t addr);
	/* Over as many frames as can be told at once, pushed to w->frames; GO_ON or ENDED. NULL:
	 * none. */
	enum outcome (*run)(struct walk *w, struct walk_state *s);
	bool whole; /* it needs all registers */
};

extern const struct stepper stepper_rules, stepper_rows, stepper_libunwind;

/* Over code without CFI. f NULL: of no file; addr: that of s->pc. whole: all registers are known.
 */
enum outcome step_guess(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr,
			bool whole);

static inline enum outcome walk_ended(struct walk *w, enum stack_status status, uint64_t addr)
{
	w->status = status;
	w->end = addr;
	return ENDED;
}

static inline enum outcome walk_refused(struct walk *w, enum stack_status status, uint64_t addr)
{
	walk_ended(w, status, addr);
	return REFUSED;
}

static inline uint64_t walk_flags(const struct walk_state *s)
{
	return (s->exact ? FRAME_EXACT : 0) | FRAME_BY(s->by);
}

/* A word of the stack; false where it cannot be read. */
static inline bool walk_word(struct walk *w, uint64_t addr, uint64_t *v)
{
	uint32_t v32;

	if (w->abi->word == 8)
		return snapshot_read(&w->snap, addr, v, 8);
	if (!snapshot_read(&w->snap, addr, &v32, 4))
		return false;
	*v = v32;
	return true;
}

/* bp as it is, when no frame so far has restored another: most stacks end without having asked. */
static inline bool walk_know_bp(struct walk *w, struct walk_state *s)
{
	if (likely(s->bp_known))
		return true;
	if (w->fetch && !w->fetch(w->ctx))
		return false;
	w->fetch = NULL;
	s->m.reg[w->abi->bp] = s->regs[w->abi->bp];
	s->bp_known = true;
	return true;
}

#endif
