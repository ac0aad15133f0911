/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks on files: flock(2) and fcntl(2). */
#ifndef TRACER_CAPTURE_PROC_LOCKS_H
#define TRACER_CAPTURE_PROC_LOCKS_H

#include "capture/facts.h"

/*
 * Answers a FACT_LOCK_HOLDER. pid is the thread that wants the lock. pid and the result are ids as
 * in /proc. The result is 0 if the holder is unknown, as for locks of an open file description,
 * which belong to no process.
 */
pid_t locks_holder(pid_t pid, const struct fact_question *wanted);

#endif
