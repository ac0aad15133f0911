/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of syscalls, as -e trace=, abbrev=, verbose=, raw=, inject= write them:
 * [!]VALUE[,VALUE]… where a value is a name, a number, %class, /regex or all,
 * with ? before it (nothing matching is no error) and @64, @32 or @x32 behind
 * it (one ABI only).
 */
#ifndef TRACER_SYSCALL_SET_H
#define TRACER_SYSCALL_SET_H

#include "defs.h"
#include "linux/arch/abi.h"

#define SYSCALL_SET_MAX 1024

/* One bit per number and ABI; numbers from SYSCALL_SET_MAX on share one answer. */
struct syscall_set {
	uint64_t bits[ABI_COUNT][SYSCALL_SET_MAX / 64];
	bool beyond;
	bool named; /* some call of it, or of what it replaced, was asked for by name */
};

void syscall_set_fill(struct syscall_set *set, bool all);
/* Replaces set by what text says; ends the program with one message when it says nothing valid. */
void syscall_set_parse(struct syscall_set *set, const char *text);
/* Adds the numbers that no syscall has: strace shows those whatever -e trace= asks for. */
void syscall_set_add_unnamed(struct syscall_set *set);
/* No number is missing. */
bool syscall_set_is_full(const struct syscall_set *set);
/* The classes' names in the order of help texts; ends with NULL. */
const char *syscall_class_name(unsigned i, uint32_t *bits);

static inline bool syscall_set_has(const struct syscall_set *set, const struct abi *abi,
				   uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	if (unlikely(nr >= SYSCALL_SET_MAX))
		return set->beyond;
	return set->bits[abi->index][nr / 64] >> nr % 64 & 1;
}

#endif
