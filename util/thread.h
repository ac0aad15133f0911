/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starts helper threads. They have a stack of 256 KiB and block all signals, because only the
 * tracing thread handles signals.
 */
#ifndef TRACER_UTIL_THREAD_H
#define TRACER_UTIL_THREAD_H

#include <pthread.h>

#include "defs.h"

/*
 * Starts a thread that calls run(arg). The caller must join *thread. If `thread` is NULL, the new
 * thread is detached. Returns false if no thread can be created.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
