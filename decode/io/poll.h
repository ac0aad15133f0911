/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that wait for files: poll(2), ppoll(2), select(2) and pselect6(2). */
#ifndef TRACER_DECODE_IO_POLL_H
#define TRACER_DECODE_IO_POLL_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * Notes after the result of poll(2), ppoll(2), select(2) and pselect6(2). They show the ready
 * descriptors and the remaining timeout, or "Timeout". For ON_EXIT().
 */
decode_fn note_poll, note_ppoll, note_select;
/* An fd_set. The call's first argument is the number of bits in it. */
decode_fn decode_fd_set;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads poll_reads[];

extern const struct type_ops type_fd_set;
#define FDS TYPE(type_fd_set, .width = W_LONG)

#endif
