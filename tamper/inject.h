/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tampering with syscalls: what -e inject= and -e fault= ask for. */
#ifndef TRACER_INJECT_H
#define TRACER_INJECT_H

#include "select/syscall_set.h"
#include "util/vec.h"

enum inject_action { /* bits of injection.actions */
		     INJECT_ERROR = 1 << 0,
		     INJECT_RETVAL = 1 << 1,
		     INJECT_SIGNAL = 1 << 2,
		     INJECT_DELAY_ENTER = 1 << 3,
		     INJECT_DELAY_EXIT = 1 << 4,
		     INJECT_POKE_ENTER = 1 << 5,
		     INJECT_POKE_EXIT = 1 << 6,
		     INJECT_SYSCALL = 1 << 7 /* another syscall in its place; else number -1 */
};

struct injection_poke {
	bool at_exit;
	unsigned arg; /* 0 to 6 */
	uint8_t *bytes;
	size_t n;
};

struct injection {
	struct syscall_set set;
	unsigned actions;
	unsigned error; /* positive errno */
	uint64_t retval;
	int signal;
	unsigned row; /* of INJECT_SYSCALL */
	uint64_t delay_enter_ns, delay_exit_ns;
	VEC(struct injection_poke) pokes;
	/*
	 * Counted per thread and syscall from 1: invocations first, first + step, …
	 * up to last. Only the first: last == first. No end: last UINT_MAX.
	 */
	unsigned first, last, step;
};

/*
 * SET[:error=ERRNO|:retval=VALUE][:signal=SIG]…; what ("inject" or "fault") is
 * named by the message that ends the program when text says nothing valid. A
 * fault knows only error= and when=, and is ENOSYS by default.
 */
void injection_parse(struct injection *inj, const char *text, const char *what);
void injection_deinit(struct injection *inj);

/* NUMBER[s|ms|us|ns], in nanoseconds; -1 when it is none. unit: that of a bare number. */
int64_t duration_parse(const char *text, uint64_t unit);

#endif
