/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starting threads that help the one that traces. They get no signals, as those are for the tracing
 * thread, and a stack of 256 KiB.
 */
#ifndef TRACER_UTIL_THREAD_H
#define TRACER_UTIL_THREAD_H

#include <pthread.h>

#include "defs.h"

/*
 * Starts a thread that calls run(arg). It is to be joined by *thread; if thread is NULL, it is
 * detached. Returns false if there can be no such thread.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
