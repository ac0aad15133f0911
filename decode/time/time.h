/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks and timers. */
#ifndef TRACER_DECODE_TIME_TIME_H
#define TRACER_DECODE_TIME_TIME_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

#define CLOCKID ENUM(clocks)

/*
 * The remaining time of nanosleep(2) and clock_nanosleep(2). The kernel stores it only if a signal
 * has interrupted the call.
 */
decode_fn decode_remaining, decode_clock_remaining;
/*
 * Results with a note: decode_ret_time is for time(2) and adds the date. decode_ret_timex is for
 * adjtimex(2) and adds the name of the clock state.
 */
decode_fn decode_ret_time, decode_ret_timex;
/* The argument of time(2): a pointer to the time in seconds that the kernel stores. */
decode_fn decode_time_arg;
/*
 * The result of adjtimex(2) and similar calls: the clock state. Argument arg_ points to a struct s.
 */
#define RET_TIMEX(arg_, s)                                                                         \
	TYPE(type_fn, .width = W_KLONG, .fn = decode_ret_timex, .len = arg_, .shape = &struct_##s)

/*
 * struct sigevent (see sigevent(3type)). sigevent_has_value() returns true if its first member,
 * sigev_value, is not 0.
 */
#define SIGEVENT STRUCT(sigevent)
decode_fn decode_sigev_signo;
bool sigevent_has_value(const struct decoder *d);

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads time_reads[];

#endif
