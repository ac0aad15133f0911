/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: numbers, sets, siginfo. */
#ifndef TRACER_DECODE_SIGNAL_H
#define TRACER_DECODE_SIGNAL_H

#include "decode/decode.h"

/* siginfo_t, as an argument a pointer to it. */
#define SIGINFO MEMFN(type_siginfo, SIGINFO_SIZE)
extern const struct type_ops type_siginfo;

/* Clock ticks, with the seconds they stand for. */
struct value *decode_clock_t(struct decoder *d, const struct type *t, uint64_t n);

/* Fields of siginfo_t. */
struct value *siginfo_status(struct decoder *d, const struct type *t, uint64_t n);
struct value *siginfo_syscall(struct decoder *d, const struct type *t, uint64_t n);

decode_fn decode_restarted;

#endif
