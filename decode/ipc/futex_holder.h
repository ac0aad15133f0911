/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For a thread that waits for a lock in futex(2), finds the thread that holds the lock. */
#ifndef TRACER_DECODE_IPC_FUTEX_HOLDER_H
#define TRACER_DECODE_IPC_FUTEX_HOLDER_H

#include "decode/core/decode.h"

struct memory;

/*
 * Returns the id of the thread that holds the lock, in the waiting thread's pid namespace, or 0 if
 * unknown. e is the call in which the thread waits, and m is the thread's memory. The word of a PI
 * futex or a robust mutex contains the holder's id, see futex(2). Other glibc mutexes contain the
 * id two words later (struct __pthread_mutex_s in bits/struct_mutex.h). Other users of futexes may
 * store anything there, so the caller must check that the result is the id of a thread that can
 * hold the lock. Sets *anywhere if that thread may belong to another process, because the futex is
 * shared.
 */
int futex_holder(struct memory *m, const struct syscall_event *e, bool *anywhere);
/*
 * For a call that waits for the end of a thread, returns that thread's id in the waiting thread's
 * pid namespace, or 0 if unknown. The C library stores a thread's id in a word. When the thread
 * ends, the kernel clears the word and wakes its waiters, see set_tid_address(2). pthread_join(3)
 * of glibc waits for that. The caller must check that the result is the id of another thread of the
 * process.
 */
int futex_joined(struct memory *m, const struct syscall_event *e);

#endif
