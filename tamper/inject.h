/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tampering with syscalls: what -e inject= and -e fault= ask for. */
#ifndef TRACER_TAMPER_INJECT_H
#define TRACER_TAMPER_INJECT_H

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
		     INJECT_SYSCALL = 1 << 7 /* another syscall is made instead, not number -1 */
};

struct query;

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
	unsigned row; /* of INJECT_SYSCALL: the row of the other syscall */
	uint64_t delay_enter_ns, delay_exit_ns;
	VEC(struct injection_poke) pokes;
	/*
	 * when=: which calls are tampered with, counted from 1 for each thread and syscall. They
	 * are first, first + step, … up to last, which is UINT_MAX if there is no end.
	 */
	unsigned first, last, step;
	struct query *condition; /* if=: only calls that match count, or NULL; owned */
};

/*
 * Parses SET[:error=ERRNO|:retval=VALUE][:signal=SIG]…[:if=EXPR] into inj. EXPR, a query of what is
 * known at the entry of a call, extends to the end of the text. what is "inject" or "fault"; a
 * fault has only error=, ENOSYS by default, when= and if=. Invalid text ends the program with a
 * message that names what. injection_deinit() frees inj.
 */
void injection_parse(struct injection *inj, const char *text, const char *what);
void injection_deinit(struct injection *inj);

/*
 * Parses NUMBER[s|ms|us|ns]. Returns nanoseconds, or -1 if text is invalid. unit is the unit of a
 * bare number, in nanoseconds.
 */
int64_t duration_parse(const char *text, uint64_t unit);

#endif
