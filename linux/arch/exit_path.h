/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The search for a return in code without CFI (linux/arch/code.h) on machines whose calls leave the
 * return address in a register, and whose functions store it with loads and stores like any other.
 * What is common to them is here; a machine gives a function that reads one instruction.
 */
#ifndef TRACER_LINUX_ARCH_EXIT_PATH_H
#define TRACER_LINUX_ARCH_EXIT_PATH_H

#include "linux/arch/code.h"

struct exit_search;

/* The instructions from a pc on, up to a return. */
struct exit_path {
	const struct exit_machine *machine;
	uint64_t pc;
	unsigned length;   /* in instructions */
	int64_t sp;	   /* where sp points to, in bytes from sp or bp at the start */
	bool lost;	   /* a call has overwritten the register of the return address */
	bool own_fp;	   /* the path has set bp, to sp's place fp */
	int64_t fp;	   /* see own_fp */
	uint32_t stored;   /* bit mask of the registers that the path has stored itself */
	int64_t where[32]; /* by register, for those in stored: its offset */
	struct code_exit x;
};

enum exit_outcome { EXIT_GO_ON, EXIT_RETURNS, EXIT_DEAD_END };

/* Registers are numbered by their columns, which are below 32. */
struct exit_machine {
	uint8_t ra, sp, bp; /* their columns */
	/* Bit mask of the registers that a function gives back as they were, and ra. */
	uint32_t kept;
	/* Reads the instruction at p->pc and moves p->pc behind it, or to where it jumps. */
	enum exit_outcome (*follow)(struct exit_search *s, struct exit_path *p,
				    const struct code_source *code);
};

/* As find_exit() of struct arch_code. */
bool exit_find(const struct exit_machine *machine, const struct code_source *code, uint64_t pc,
	       struct code_exit *exit);

/* What instructions do, for follow(). Offsets count from where p->sp counts from. */

/* A whole register is stored at an offset, or loaded from there. */
void exit_store(struct exit_path *p, unsigned reg, int64_t at);
void exit_load(struct exit_path *p, unsigned reg, int64_t at);
/* A register is set to another one + n. */
enum exit_outcome exit_add(struct exit_path *p, unsigned to, unsigned from, int64_t n);
/* The path may go on at pc, too. */
void exit_fork(struct exit_search *s, const struct exit_path *p, uint64_t pc);
/* The function returns. */
enum exit_outcome exit_return(struct exit_path *p);
/*
 * A jump to an address in one of the registers that stubs and calls in place of a return jump
 * through: that is a return if the function has taken its frame down, or has none as far as can be
 * seen. Else it may be that of a switch, of which nothing is known.
 */
enum exit_outcome exit_leave(struct exit_path *p);

#endif
