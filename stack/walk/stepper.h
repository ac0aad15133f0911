/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Steppers: the methods of getting from a frame to its caller's frame. They use rules with three
 * registers, rows with all registers, or libunwind; for code without unwind information there are
 * guesses. A stepper steps exactly, or ends the walk with a reason, or refuses, in which case the
 * walk tries the next one.
 */
#ifndef TRACER_STACK_WALK_STEPPER_H
#define TRACER_STACK_WALK_STEPPER_H

#include "stack/walk/cfi.h"
#include "stack/walk/walk_state.h"

/* The present frame of a walk. The stepper of rules uses only pc, sp and bp. */
struct walk_state {
	struct cfi_machine m;
	uint64_t pc;
	uint64_t set;		 /* set_bit of struct arch_mode, if that is how the code at pc is */
	bool exact;		 /* FRAME_EXACT of struct raw_frame */
	enum frame_by by;	 /* how this frame was found */
	uint64_t *regs;		 /* the registers given to walk_run() */
	bool bp_known;		 /* bp is set in m, see walk_know_bp() */
	struct mapping *mapping; /* of the previous pc, borrowed, or NULL */
	/* Brent's cycle search: if pc and sp are as they were some steps ago, the walk loops. */
	uint64_t seen_pc, seen_sp;
	unsigned steps, power;
};

enum outcome {
	GO_ON,	       /* the state is that of the caller's frame */
	ENDED,	       /* the walk ended; w->status and w->end say how */
	REFUSED,       /* as ENDED, unless another stepper succeeds; the state is unchanged */
	NO_CFI,	       /* the code has no unwind information */
	NEED_REGISTERS /* the walk must begin again with all registers */
};

struct stepper {
	/*
	 * Steps over the last one of w->frames. addr is the ELF address in f of its pc or, if
	 * that is not exact, of the byte before it.
	 */
	enum outcome (*step)(struct walk *w, struct walk_state *s, struct elf_file *f,
			     uint64_t addr);
	/*
	 * Steps over as many frames as it can at once and pushes them to w->frames. Returns GO_ON
	 * or ENDED. May be NULL.
	 */
	enum outcome (*run)(struct walk *w, struct walk_state *s);
	bool whole; /* it needs all registers */
};

/* Defined in step_rules.c, step_rows.c and step_libunwind.c. */
extern const struct stepper stepper_rules, stepper_rows, stepper_libunwind;

/*
 * Whether s->pc is at, or right after, the call to sigreturn that signal handlers return to,
 * judging by the instructions.
 */
bool walk_at_sigreturn(struct walk *w, const struct walk_state *s);

/*
 * Steps over code without CFI by a guess. f is its file, or NULL, and addr the ELF address of
 * s->pc. whole: all registers are known.
 */
enum outcome step_guess(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr,
			bool whole);
/*
 * Remembers that the present frame, the last one of w->frames, is stepped over by that rule. Does
 * nothing if mappings may change, or if the rule needs more than pc, sp and bp. uses limits how
 * often the rule is used, KNOWN_FOREVER does not. by is FRAME_BY_FP if the return address must be
 * that of another known frame.
 */
void walk_know_step(struct walk *w, const struct walk_state *s, struct rule rule, enum frame_by by,
		    unsigned uses);
/*
 * The same by what the code of a file does. addr is the ELF address of s->pc, and all registers are
 * known. Returns GO_ON or NO_CFI.
 */
enum outcome step_file_code(struct walk *w, struct walk_state *s, struct elf_file *f,
			    uint64_t addr);

/* Whether the thread is in the present frame itself, or a signal has interrupted it there. */
static inline bool walk_stopped(const struct walk *w, const struct walk_state *s)
{
	return s->exact || w->frames.n == 1;
}

/* Goes on to the pc that a return address leads to. */
static inline void walk_return(const struct walk *w, struct walk_state *s, uint64_t ra)
{
	s->pc = ra & w->ra_mask;
	s->set = ra & w->mode->set_bit;
	s->exact = false;
}

/* The same for a pc that is among registers as the kernel tells them. */
static inline void walk_interrupted(const struct walk *w, struct walk_state *s)
{
	const struct arch_mode *mode = w->mode;

	s->pc = s->m.reg[mode->pc];
	if (mode->set_bit)
		s->set = s->m.reg[mode->set_column] & mode->set_flag ? mode->set_bit : 0;
}

/* Sets the reason and the address of the walk's end. Returns ENDED. */
static inline enum outcome walk_ended(struct walk *w, enum stack_status status, uint64_t addr)
{
	w->status = status;
	w->end = addr;
	return ENDED;
}

/* As walk_ended(), for a stepper that refuses. Returns REFUSED. */
static inline enum outcome walk_refused(struct walk *w, enum stack_status status, uint64_t addr)
{
	walk_ended(w, status, addr);
	return REFUSED;
}

/* Keeps the registers of the frame that was pushed last, if somebody wants them. */
static inline void walk_keep_regs(struct walk *w, uint64_t sp, uint64_t bp)
{
	if (unlikely(w->keep_regs))
		*vec_push(&w->regs) = (struct frame_regs){sp, bp};
}

/* The flags of struct raw_frame for the present frame. */
static inline uint64_t walk_flags(const struct walk_state *s)
{
	return (s->exact ? FRAME_EXACT : 0) | FRAME_BY(s->by);
}

/* An address of the mode, whose registers may be narrower than ours. */
static inline uint64_t walk_address(const struct arch_mode *mode, uint64_t v)
{
	return mode->word == 4 ? (uint32_t)v : v;
}

/* Reads a word of the walk's mode. Returns false if it cannot be read. */
static inline bool walk_word(struct walk *w, uint64_t addr, uint64_t *v)
{
	uint32_t v32;

	if (w->mode->word == 8)
		return snapshot_read(&w->snap, addr, v, 8);
	if (!snapshot_read(&w->snap, addr, &v32, 4))
		return false;
	*v = v32;
	return true;
}

/*
 * Makes bp of the present frame known. If no frame has restored it so far, it is fetched from the
 * thread, which most walks never need. Returns false if the thread is gone.
 */
static inline bool walk_know_bp(struct walk *w, struct walk_state *s)
{
	if (likely(s->bp_known))
		return true;
	if (w->fetch && !w->fetch(w->ctx))
		return false;
	w->fetch = NULL;
	s->m.reg[w->mode->bp] = s->regs[w->mode->bp];
	s->bp_known = true;
	return true;
}

#endif
