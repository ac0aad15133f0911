/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of syscalls in the notation of -e trace=, abbrev=, verbose=, raw= and inject=:
 * [!]VALUE[,VALUE]… A value is a name, a number, %class, /regex or all. A ? before the value means
 * that it may match nothing. @64, @32 or @x32 after the value selects one ABI. A set covers the
 * ABIs of all supported machines, because a trace can come from any of them.
 *
 * Names, classes, regular expressions and `all` also select requests of io_urings. In -e trace=,
 * @uring after the value selects only requests, and @syscall selects only syscalls.
 */
#ifndef TRACER_SELECT_SYSCALL_SET_H
#define TRACER_SELECT_SYSCALL_SET_H

#include "defs.h"
#include "linux/arch/abi.h"
#include "linux/syscall_rows.h"

#define SYSCALL_SET_MAX 1024

/*
 * One bit for each number of each ABI, and one bit for the row of each request. All numbers that
 * are at least SYSCALL_SET_MAX share a bit.
 */
struct syscall_set {
	uint64_t bits[ABI_COUNT][SYSCALL_SET_MAX / 64];
	uint64_t requests[(ROW_COUNT + 63) / 64];
	bool beyond; /* true if the set contains all numbers that are at least SYSCALL_SET_MAX */
	/* true if a parsed value other than `all` selected a syscall or a request */
	bool named;
	/*
	 * The first value that is valid only on other machines (a pointer into the parsed text), or
	 * NULL.
	 */
	const char *elsewhere;
	/* The first value that selects only requests (a pointer into the parsed text), or NULL. */
	const char *requested;
};

/* Sets the contents to all syscalls or to none. */
void syscall_set_fill(struct syscall_set *set, bool all);
/*
 * Replaces the contents with the syscalls that `text` selects. If the text is invalid, the program
 * exits with a message. `set` may contain a pointer into `text`, so `text` must outlive it.
 */
void syscall_set_parse(struct syscall_set *set, const char *text);
/*
 * Like syscall_set_parse(), but for -e trace=, where a value may select only requests or only
 * syscalls.
 */
void syscall_set_parse_trace(struct syscall_set *set, const char *text);
/* Exits with a message if a value of the set selects only requests. */
void syscall_set_check_requests(const struct syscall_set *set);
/* Exits with a message if a value of the set is not valid on this machine. */
void syscall_set_check_native(const struct syscall_set *set);
/*
 * Adds the numbers to which no syscall is assigned. strace shows such calls regardless of -e
 * trace=.
 */
void syscall_set_add_unnamed(struct syscall_set *set);
/*
 * Adds socketcall(2) or ipc(2) if the set contains calls that are made through them, because a
 * filter by number cannot distinguish these calls.
 */
void syscall_set_add_outer(struct syscall_set *set);
/* Adds the contents of `other`. */
void syscall_set_add(struct syscall_set *set, const struct syscall_set *other);
/* Returns true if the set contains all requests, and all numbers of all ABIs. */
bool syscall_set_is_full(const struct syscall_set *set);
/* Returns true if the set contains no requests, and no numbers of any ABI. */
bool syscall_set_is_empty(const struct syscall_set *set);
/*
 * Returns how many numbers of the ABI with this index are in the set. Numbers that are in the set
 * only because of `beyond` are not counted.
 */
unsigned syscall_set_count(const struct syscall_set *set, unsigned abi);
/*
 * Returns the name of the class with index `i`, and stores its bits (linux/syscall_desc.h) in
 * *bits. Classes are in the order of help texts. Returns NULL after the last class.
 */
const char *syscall_class_name(unsigned i, uint32_t *bits);

static inline bool syscall_set_has(const struct syscall_set *set, const struct abi *abi,
				   uint64_t nr)
{
	nr &= ~(uint64_t)abi->nr_mask;
	if (unlikely(nr >= SYSCALL_SET_MAX))
		return set->beyond;
	return set->bits[abi->index][nr / 64] >> nr % 64 & 1;
}

/* Returns true if the set contains requests that are shown as the call of this row. */
static inline bool syscall_set_has_request(const struct syscall_set *set, unsigned row)
{
	return set->requests[row / 64] >> row % 64 & 1;
}

#endif
