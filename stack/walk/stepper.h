/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stepper is a method of getting from a frame to its caller. The steppers use compact unwind
 * rules (pc, sp and bp only), full rows of CFI (all registers), or libunwind. For code without
 * unwind information, step_guess() uses heuristics. A stepper makes an exact step, ends the walk
 * with a reason, or refuses. If a stepper refuses a frame, the walk tries the next stepper.
 */
#ifndef TRACER_STACK_WALK_STEPPER_H
#define TRACER_STACK_WALK_STEPPER_H

#include "stack/walk/cfi.h"
#include "stack/walk/walk_state.h"

/* The current frame of a walk. stepper_rules uses only pc, sp and bp. */
struct walk_state {
	struct cfi_machine m;
	uint64_t pc;
	uint64_t set; /* the bit that marks the second instruction set (`set_bit` of the mode) if
			 the code at pc is in that set; otherwise 0 */
	bool exact;   /* true if pc is not a return address */
	enum frame_by by;	 /* the method that found this frame */
	uint64_t *regs;		 /* the registers that were passed to walk_run() */
	bool bp_known;		 /* true if m contains the value of bp; see walk_load_bp() */
	struct mapping *mapping; /* mapping of the previous pc; borrowed; may be NULL */
	/*
	 * For Brent's cycle detection: the pc and sp of an earlier step. If a later step has the
	 * same values, the walk is in a loop.
	 */
	uint64_t seen_pc, seen_sp;
	unsigned steps, power;
};

enum outcome {
	GO_ON,	       /* the step succeeded; *s now describes the caller's frame */
	ENDED,	       /* the walk has ended; w->status and w->end describe how */
	REFUSED,       /* like ENDED, but another stepper may succeed; *s is unchanged */
	NO_CFI,	       /* the code has no unwind information */
	NEED_REGISTERS /* the walk must start again with all registers */
};

struct stepper {
	/*
	 * Steps over the last frame of w->frames. addr is an ELF address of f: the address of the
	 * pc if the pc is exact, otherwise of the byte before the pc.
	 */
	enum outcome (*step)(struct walk *w, struct walk_state *s, struct elf_file *f,
			     uint64_t addr);
	/*
	 * Steps over as many frames as possible and appends them to w->frames. Returns GO_ON or
	 * ENDED. This op only saves time and may be NULL.
	 */
	enum outcome (*run)(struct walk *w, struct walk_state *s);
	bool whole; /* true if the stepper needs all registers */
};

/* Defined in step_rules.c, step_rows.c and step_libunwind.c. */
extern const struct stepper stepper_rules, stepper_rows, stepper_libunwind;

/*
 * Returns true if s->pc is at sigreturn code (to which signal handlers return) or directly after
 * its syscall. Checks the instructions there.
 */
bool walk_at_sigreturn(struct walk *w, const struct walk_state *s);

/*
 * Uses heuristics to step over code without CFI. f is the file that contains the code, or NULL.
 * addr is the ELF address of s->pc, or 0 if f is NULL. whole is true if all registers are known.
 */
enum outcome step_guess(struct walk *w, struct walk_state *s, struct elf_file *f, uint64_t addr,
			bool whole);
/*
 * Remembers that this rule steps over the current frame, which is the last of w->frames. Does
 * nothing if mappings may change, or if the rule needs more than pc, sp and bp. The rule may be
 * used `uses` times, or without limit if `uses` is KNOWN_FOREVER. If `by` is FRAME_BY_FP, the rule
 * is used only if the return address that the rule finds is also a remembered pc.
 */
void walk_remember_step(struct walk *w, const struct walk_state *s, struct rule rule,
			enum frame_by by, unsigned uses);
/*
 * Returns true if walk_remember_step() was called with RULE_PROVIDED for this pc. In this case,
 * asking w->provider before all steppers saves time.
 */
bool walk_is_provided(const struct walk *w, const struct walk_state *s);
/*
 * Steps over code in a file by analysing its instructions up to the return instruction. addr is the
 * ELF address of s->pc. All registers must be known. Returns GO_ON, or NO_CFI if no plausible
 * return address is found.
 */
enum outcome step_file_code(struct walk *w, struct walk_state *s, struct elf_file *f,
			    uint64_t addr);

/*
 * Returns true if the current frame is not waiting for a function that it called, because it is the
 * innermost frame or because a signal has interrupted it.
 */
static inline bool walk_stopped(const struct walk *w, const struct walk_state *s)
{
	return s->exact || w->frames.n == 1;
}

/*
 * Makes a return address the pc of the next frame: sets the pc and the instruction set, and marks
 * the pc as inexact.
 */
static inline void walk_return(const struct walk *w, struct walk_state *s, uint64_t ra)
{
	s->pc = ra & w->ra_mask;
	s->set = ra & w->mode->set_bit;
	s->exact = false;
}

/*
 * Continues at the value of the pc register, which the kernel saved together with the other
 * registers.
 */
static inline void walk_interrupted(const struct walk *w, struct walk_state *s)
{
	const struct arch_mode *mode = w->mode;

	s->pc = s->m.reg[mode->pc];
	if (mode->set_bit)
		s->set = s->m.reg[mode->set_column] & mode->set_flag ? mode->set_bit : 0;
}

/* Sets the status of the walk and the address at which it ended. Returns ENDED. */
static inline enum outcome walk_ended(struct walk *w, enum stack_status status, uint64_t addr)
{
	w->status = status;
	w->end = addr;
	return ENDED;
}

/*
 * Does the same as walk_ended(), but lets other steppers try to find the next frame. Returns
 * REFUSED.
 */
static inline enum outcome walk_refused(struct walk *w, enum stack_status status, uint64_t addr)
{
	walk_ended(w, status, addr);
	return REFUSED;
}

/*
 * If the caller of walk_run() has set w->keep_regs, stores the registers of the frame that was
 * pushed last.
 */
static inline void walk_keep_regs(struct walk *w, uint64_t sp, uint64_t bp)
{
	if (unlikely(w->keep_regs))
		*vec_push(&w->regs) = (struct frame_regs){sp, bp};
}

/* Returns the current frame's value for raw_frame.flags. */
static inline uint64_t walk_flags(const struct walk_state *s)
{
	return (s->exact ? FRAME_EXACT : 0) | FRAME_BY(s->by);
}

/* Truncates v to the width of an address. The mode's registers may be narrower than 64 bits. */
static inline uint64_t walk_address(const struct arch_mode *mode, uint64_t v)
{
	return mode->word == 4 ? (uint32_t)v : v;
}

/* Reads a word of the mode's word size. Returns false on failure. */
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
 * Makes the current frame's bp available in s->m. If no frame has restored bp so far, fetches the
 * thread's registers, which most walks do not need. Returns false if the thread is gone.
 */
static inline bool walk_load_bp(struct walk *w, struct walk_state *s)
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
