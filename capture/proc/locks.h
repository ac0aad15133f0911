/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks on files, see flock(2) and fcntl(2). */
#ifndef TRACER_CAPTURE_PROC_LOCKS_H
#define TRACER_CAPTURE_PROC_LOCKS_H

#include "capture/facts.h"

/*
 * Answers a FACT_LOCK_HOLDER: returns a process that prevents a thread from getting the wanted
 * lock. `pid` is the id of the thread. Both `pid` and the result are ids in /proc. Returns 0 if the
 * holder is unknown. The holders of locks of an open file description are always unknown, because
 * such locks do not belong to a process.
 */
pid_t locks_holder(pid_t pid, const struct fact_question *wanted);

#endif
