/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much of what tracees' files say is kept, and how long reading it may take. A tracee chooses
 * its files: they can be larger than memory without taking room on a disk, and there can be
 * thousands. One budget is shared by all caches of an unwinder.
 *
 * Bytes: caches ask before they grow. Those of a file belong to the file (elf_file_charge()); once
 * the budget is nearly used, the unwinder drops all of them and they are read again as needed.
 * Time: reading what is new is paid for by an account that each stack adds 5 ms to. It begins full,
 * so that what programs load at their start is read without delay.
 */
#ifndef TRACER_STACK_FILES_BUDGET_H
#define TRACER_STACK_FILES_BUDGET_H

#include "defs.h"

#define BUDGET_BYTES	  (256u << 20)
#define BUDGET_FILE_BYTES (128u << 20) /* of one file */

struct budget {
	uint64_t bytes;	   /* in use */
	int64_t ns;	   /* what may be spent */
	uint64_t began;	   /* when the present reading began, in ns of CLOCK_MONOTONIC */
	uint64_t may_take; /* how long it may go on, in ns */
	unsigned depth;	   /* of readings within each other */
};

/* Where one is an argument, NULL stands for a budget without bounds. */
void budget_init(struct budget *b);
/* To be called at each captured stack: credits the account. */
void budget_pay(struct budget *b);
/*
 * Begins to read something new, which budget_end() ends. Returns false if nothing may be spent: it
 * must not be read now, and budget_end() must not be called.
 */
bool budget_begin(struct budget *b) attr_must_check;
void budget_end(struct budget *b);
/* Whether the current reading has to stop. Costs a clock_gettime() through the vdso. */
bool budget_expired(const struct budget *b);
/* Whether n more bytes may be used. */
bool budget_has_room(const struct budget *b, uint64_t bytes);

#endif
