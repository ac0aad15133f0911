/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attaches programs to tracepoints with perf_event_open(2). A tracepoint is identified by its event
 * id in tracefs.
 */
#ifndef TRACER_CAPTURE_BPF_TRACEPOINT_H
#define TRACER_CAPTURE_BPF_TRACEPOINT_H

/*
 * Returns the id of an event, or -errno. `event` is the event's directory relative to events/ in
 * tracefs. If the id cannot be read in /sys/kernel/tracing, mounts tracefs temporarily and
 * invisibly to other processes. -EACCES and -EPERM mean that a privilege is missing.
 */
int tracepoint_id(const char *event);
/* Returns 0 if tracepoint_attach() is permitted, otherwise -errno. */
int tracepoint_permitted(void);
/*
 * Attaches a program of the type BPF_PROG_TYPE_TRACEPOINT to an event on all CPUs. Returns a
 * descriptor, or -errno. The program is detached when the descriptor is closed, including by
 * execve.
 */
int tracepoint_attach(int id, int program);

/*
 * Attaches a program to the major page faults on a CPU. Returns a descriptor, or -errno: -ENODEV if
 * the CPU is offline. The program is detached when the descriptor is closed.
 */
int tracepoint_attach_faults(unsigned cpu, int program);

#endif
