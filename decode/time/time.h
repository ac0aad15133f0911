/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks and timers. */
#ifndef TRACER_DECODE_TIME_H
#define TRACER_DECODE_TIME_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

#define CLOCKID ENUM(clocks)

/* nanosleep(2): what is left of it, set only when a signal ended it. */
decode_fn decode_remaining, decode_clock_remaining;
/* Results: seconds with their date, clock ticks, the clock's state. */
decode_fn decode_ret_time, decode_ret_timex;
/* time(2): where the time is stored. */
decode_fn decode_time_arg;
/* The clock's state, from a call whose struct s argument arg_ points to. */
#define RET_TIMEX(arg_, s)                                                                         \
	TYPE(type_fn, .width = W_KLONG, .fn = decode_ret_timex, .len = arg_, .shape = &struct_##s)

/* sigevent(3type) */
#define SIGEVENT STRUCT(sigevent)
decode_fn decode_sigev_signo;
bool sigevent_has_value(const struct decoder *d);
bool sigevent_names_thread(const struct decoder *d);
bool sigevent_calls(const struct decoder *d);

/* What the hatches above read of memory. */
extern const struct hatch_reads time_reads[];

#endif
