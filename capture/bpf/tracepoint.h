/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attaches programs to tracepoints by perf_event_open(2). tracefs shows the number of each
 * tracepoint's event.
 */
#ifndef TRACER_CAPTURE_BPF_TRACEPOINT_H
#define TRACER_CAPTURE_BPF_TRACEPOINT_H

/*
 * Returns the number of an event, or -errno. `event` is the path of its directory below events/ of
 * tracefs. If tracefs is not mounted, mounts it temporarily, invisible to others. -EACCES and
 * -EPERM mean that a privilege is missing.
 */
int tracepoint_id(const char *event);
/* Returns 0 if tracepoint_attach() is permitted, otherwise -errno. */
int tracepoint_permitted(void);
/*
 * Attaches a program of the type BPF_PROG_TYPE_TRACEPOINT to an event on all CPUs. Returns a
 * descriptor, or -errno. Closing the descriptor, which execve also does, detaches the program.
 */
int tracepoint_attach(int id, int program);

#endif
