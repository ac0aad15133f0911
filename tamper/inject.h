/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tampering with syscalls: the options -e inject= and -e fault=. */
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
		     /*
		      * for a call with an injected result: make another syscall instead of skipping
		      * the call
		      */
		     INJECT_SYSCALL = 1 << 7
};

struct query;

struct injection_poke {
	bool at_exit;
	unsigned arg; /* index of the argument, 0 to 6 */
	uint8_t *bytes;
	size_t n;
};

struct injection {
	struct syscall_set set;
	unsigned actions;
	unsigned error; /* positive errno */
	uint64_t retval;
	int signal;
	unsigned row; /* for INJECT_SYSCALL: index in syscall_descs of the other syscall */
	uint64_t delay_enter_ns, delay_exit_ns;
	VEC(struct injection_poke) pokes;
	/*
	 * when=: the calls to tamper with have the numbers first, first + step, and so on, up to
	 * `last`. If there is no limit, `last` is UINT_MAX. Calls are counted from 1 for each
	 * thread and syscall.
	 */
	unsigned first, last, step;
	struct query *condition; /* if=: only calls that match are counted; owned; NULL if there is
				    no condition */
};

/*
 * Parses SET[:error=ERRNO|:retval=VALUE][:signal=SIG]…[:if=EXPR] into *inj. EXPR extends to the end
 * of `text`. EXPR is a query that may use only data available at syscall entry. `what` is the
 * option's name, "inject" or "fault". A fault supports only error= (default ENOSYS), syscall=,
 * when= and if=. If `text` is invalid, the program exits with a message that contains `what`.
 * injection_deinit() frees the members of *inj.
 */
void injection_parse(struct injection *inj, const char *text, const char *what);
void injection_deinit(struct injection *inj);

/*
 * Parses NUMBER[s|ms|us|ns]. Returns nanoseconds, or -1 if `text` is invalid. `unit` is the unit,
 * in nanoseconds, of a number without a suffix.
 */
int64_t duration_parse(const char *text, uint64_t unit);

#endif
