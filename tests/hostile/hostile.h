/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that hostile.c and the other files of the program share. */
#ifndef TRACER_TESTS_HOSTILE_H
#define TRACER_TESTS_HOSTILE_H

/* Calls getpgid(0) and counts it. */
void mark(void);
/* Notes that a process that should make n calls was killed and may have made fewer. */
void mark_unsure(long n);

/*
 * Passes n paths to the kernel whose pages have not been provided yet. A traced thread
 * (userfaultfd) or a traced process (FUSE) provides them. If that is not permitted, the paths are
 * in ordinary memory.
 */
void userfaults(long n);
void fuse_pages(long n);
/*
 * Runs the program `hostile` n times from a FUSE file system whose server is traced, or from an
 * overlay on it.
 */
void fuse_program(long n, int counts_fd);
void overlay_program(long n, int counts_fd);
/*
 * Calls mark() from generated code while such a FUSE file system is mounted at /tmp, where tracer
 * looks for the perf map of that code.
 */
void fuse_names(long n);
/*
 * Opens a file of such a file system n times. The kernel asks the server for the name each time.
 * The tracer is in the same mount namespace.
 */
void fuse_seen(long n);

/* Runs a mixed load for some seconds. `self` and counts_fd are for the programs that it starts. */
void soak(long seconds, const char *self, int counts_fd);
/*
 * Calls getpgid(1000000000 + i) for i = 1, 2, … up to n, or until a file "done" exists. For each i
 * it stores an int64_t in the file "times": when the call returned (CLOCK_MONOTONIC, in
 * nanoseconds). If n is odd, it pauses briefly after each call.
 */
void times(long n);

#endif
