/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Searches for the return in code without CFI (linux/arch/code.h), on machines whose calls put the
 * return address in a register and whose functions save it with ordinary stores. This file contains
 * the code that these machines have in common. Each machine provides a function that interprets one
 * instruction.
 */
#ifndef TRACER_LINUX_ARCH_EXIT_PATH_H
#define TRACER_LINUX_ARCH_EXIT_PATH_H

#include "linux/arch/code.h"

struct exit_search;

/* A path: the instructions from a pc to a return. */
struct exit_path {
	const struct exit_machine *machine;
	uint64_t pc;
	unsigned length; /* number of instructions on the path */
	int64_t sp;	 /* current sp, as an offset in bytes from the initial sp or bp */
	bool lost;	 /* true if a call has overwritten the return address register */
	bool own_fp;	 /* true if the path has set bp to the position `fp` */
	int64_t fp;	 /* if own_fp is set: the value of bp, as an offset like sp */
	uint32_t stored; /* bit mask of the registers that the path itself has stored */
	/* indexed by register: the offset at which a register in `stored` was saved */
	int64_t where[32];
	struct code_exit x;
};

enum exit_outcome { EXIT_GO_ON, EXIT_RETURNS, EXIT_DEAD_END };

/* Registers are numbered by their columns, which are below 32. */
struct exit_machine {
	uint8_t ra, sp, bp; /* the columns of these registers */
	/* Bit mask of the registers that a function must preserve, and of ra. */
	uint32_t kept;
	/* Interprets the instruction at p->pc. Advances p->pc, possibly by a jump. */
	enum exit_outcome (*follow)(struct exit_search *s, struct exit_path *p,
				    const struct code_source *code);
};

/* Implements find_exit() of struct arch_code: fills in *exit for the code at pc. */
bool exit_find(const struct exit_machine *machine, const struct code_source *code, uint64_t pc,
	       struct code_exit *exit);

/* The effects of instructions, for follow(). Offsets have the same origin as p->sp. */

/*
 * exit_store() stores a whole register at an offset. exit_load() loads a whole register from an
 * offset.
 */
void exit_store(struct exit_path *p, unsigned reg, int64_t at);
void exit_load(struct exit_path *p, unsigned reg, int64_t at);
/* Sets register `to` to register `from` plus n. */
enum exit_outcome exit_add(struct exit_path *p, unsigned to, unsigned from, int64_t n);
/* Adds a copy of the path p that continues at pc. Does nothing if there are too many copies. */
void exit_fork(struct exit_search *s, const struct exit_path *p, uint64_t pc);
/* Ends a path at a return instruction. */
enum exit_outcome exit_return(struct exit_path *p);
/*
 * Handles a jump to an address in one of the registers that stubs and tail calls use. The jump
 * counts as a return if the function has removed its frame, or does not seem to have a frame.
 * Otherwise, the jump may belong to a switch statement, and its target is unknown.
 */
enum exit_outcome exit_leave(struct exit_path *p);

#endif
