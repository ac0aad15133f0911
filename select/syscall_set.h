/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of syscalls, as -e trace=, abbrev=, verbose=, raw=, inject= write them:
 * [!]VALUE[,VALUE]… where a value is a name, a number, %class, /regex or all,
 * with ? before it (nothing matching is no error) and @64, @32 or @x32 after
 * it (one ABI only). They hold for the ABIs of all machines alike, as a trace
 * may be of any of them.
 */
#ifndef TRACER_SELECT_SYSCALL_SET_H
#define TRACER_SELECT_SYSCALL_SET_H

#include "defs.h"
#include "linux/arch/abi.h"

#define SYSCALL_SET_MAX 1024

/* One bit per number and ABI; numbers from SYSCALL_SET_MAX on share one answer. */
struct syscall_set {
	uint64_t bits[ABI_COUNT][SYSCALL_SET_MAX / 64];
	bool beyond; /* the set contains all numbers from SYSCALL_SET_MAX on */
	bool named;  /* a syscall of this or of an earlier content was given by name */
	/*
	 * The first value of the text that has a meaning on other machines alone, within the text;
	 * NULL: there is none.
	 */
	const char *elsewhere;
};

/* Makes set contain all syscalls, or none. */
void syscall_set_fill(struct syscall_set *set, bool all);
/*
 * Replaces set by what text says; invalid text ends the program with a message. The set may point
 * into text, which is to outlive it.
 */
void syscall_set_parse(struct syscall_set *set, const char *text);
/* Ends the program with a message if a value of the set has no meaning on this machine. */
void syscall_set_check_native(const struct syscall_set *set);
/* Adds the numbers that no syscall has, because strace shows them whatever -e trace= says. */
void syscall_set_add_unnamed(struct syscall_set *set);
/*
 * Adds socketcall(2) and ipc(2) where calls are in the set that they make: who sees only the number
 * of a call cannot tell which of them it is.
 */
void syscall_set_add_outer(struct syscall_set *set);
/* Adds the numbers of other. */
void syscall_set_add(struct syscall_set *set, const struct syscall_set *other);
/* Whether set contains all numbers of all ABIs. */
bool syscall_set_is_full(const struct syscall_set *set);
/* Whether set contains no number of any ABI. */
bool syscall_set_is_empty(const struct syscall_set *set);
/*
 * The name of class i and its bits (linux/syscall_desc.h), in the order of help texts; NULL after
 * the last one.
 */
const char *syscall_class_name(unsigned i, uint32_t *bits);

/* Whether set contains the syscall nr of an ABI. */

static inline bool syscall_set_has(const struct syscall_set *set, const struct abi *abi,
				   uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	if (unlikely(nr >= SYSCALL_SET_MAX))
		return set->beyond;
	return set->bits[abi->index][nr / 64] >> nr % 64 & 1;
}

#endif
