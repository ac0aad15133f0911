/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions shared by hostile.c and the other files of the program. */
#ifndef TRACER_TESTS_HOSTILE_H
#define TRACER_TESTS_HOSTILE_H

/* Calls getpgid(0) and counts the call. */
void mark(void);
/*
 * Records that a process was killed. It may have made up to n calls of getpgid() that it did not
 * count.
 */
void mark_unsure(long n);

/*
 * Makes syscalls with n paths that are in pages that are not populated yet. A traced thread
 * (userfaultfd) or a traced process (FUSE) provides the pages. If that is not permitted, the
 * program exits with the status 77.
 */
void userfaults(long n);
void fuse_pages(long n);
/*
 * Runs the program `hostile` n times from a FUSE file system whose server is traced, or from an
 * overlay on such a file system.
 */
void fuse_program(long n, int counts_fd);
void overlay_program(long n, int counts_fd);
/*
 * Calls mark() from generated code while a FUSE file system is mounted at /tmp, where tracer looks
 * for the code's perf map. The FUSE server is traced.
 */
void fuse_names(long n);
/*
 * Opens a file on a FUSE file system n times. The server is traced. The kernel does not cache
 * names, so each open(2) sends a lookup to the server. The tracer is in the same mount namespace.
 */
void fuse_seen(long n);

/*
 * Runs a mixed load for some seconds. `self` and counts_fd are passed to the programs that the load
 * starts.
 */
void soak(long seconds, const char *self, int counts_fd);
/*
 * Calls getpgid(1000000000 + i) for i = 1, 2, …, n, or until a file "done" exists. For each i,
 * stores the time at which the call returned in the file "times": an int64_t, CLOCK_MONOTONIC in
 * nanoseconds. If n is odd, pauses briefly after each call.
 */
void times(long n);

#endif
