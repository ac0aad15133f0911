/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* If a thread waits for a lock in futex(2), finds the thread that holds the lock. */
#ifndef TRACER_DECODE_IPC_FUTEX_HOLDER_H
#define TRACER_DECODE_IPC_FUTEX_HOLDER_H

#include "decode/core/decode.h"

struct memory;

/*
 * Returns the id of the thread that holds the lock, in the waiting thread's pid namespace, or 0 if
 * unknown. e is the call in which a thread waits, and m is that thread's memory. The word of a PI
 * futex or a robust mutex contains the holder's id, see futex(2). Other glibc mutexes contain the
 * holder's id two words later (struct __pthread_mutex_s in bits/struct_mutex.h). Other programs may
 * use the word differently, so the caller must check that the result is the id of a thread that can
 * hold the lock. Unless the result is 0, sets *anywhere: true if the holder may belong to another
 * process, because the futex is shared.
 */
int futex_holder(struct memory *m, const struct syscall_event *e, bool *anywhere);
/*
 * If the call waits for the end of a thread, returns the id of that thread in the waiting thread's
 * pid namespace, otherwise 0. pthread_join(3) waits until the kernel clears a word of the thread,
 * see set_tid_address(2). In glibc, this word contains the id of the thread; since glibc 2.43, it
 * contains a state, and the id is at a fixed distance. The caller must check that the result is the
 * id of another thread of the process.
 */
int futex_joined(struct memory *m, const struct syscall_event *e);

#endif
