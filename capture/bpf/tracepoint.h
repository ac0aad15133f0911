/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracepoints as perf_event_open(2) knows them, by numbers that tracefs tells. */
#ifndef TRACER_CAPTURE_BPF_TRACEPOINT_H
#define TRACER_CAPTURE_BPF_TRACEPOINT_H

/*
 * The number of an event, which is named as its folder in events/ of tracefs is. If tracefs is not
 * mounted, it is for the time being, where nobody else sees it. Returns -errno: -EACCES or -EPERM
 * without the privilege for either.
 */
int tracepoint_id(const char *event);
/* Whether tracepoint_attach() is permitted: 0 or -errno. */
int tracepoint_permitted(void);
/*
 * Runs a program of the type BPF_PROG_TYPE_TRACEPOINT wherever the kernel comes by that event, on
 * all CPUs, until the result is closed, which is on execve as well. Returns -errno.
 */
int tracepoint_attach(int id, int program);

#endif
