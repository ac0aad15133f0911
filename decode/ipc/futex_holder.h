/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who holds the lock that a thread waits for in futex(2). */
#ifndef TRACER_DECODE_IPC_FUTEX_HOLDER_H
#define TRACER_DECODE_IPC_FUTEX_HOLDER_H

#include "decode/core/decode.h"

struct memory;

/*
 * The thread that holds the lock, as the waiting thread's pid namespace numbers it; 0: unknown.
 * e is a call that sleeps, m the memory of its thread. The word of a PI futex and of a robust mutex
 * has the holder's number, see futex(2); other mutexes of glibc have it two words further (struct
 * __pthread_mutex_s of its bits/struct_mutex.h). Other users of futexes may have anything there, so
 * the caller checks that the number is that of a thread that may hold it. *anywhere: that may be a
 * thread of another process, because the futex is shared.
 */
int futex_holder(struct memory *m, const struct syscall_event *e, bool *anywhere);

#endif
