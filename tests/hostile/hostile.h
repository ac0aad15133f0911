/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs of hostile.c share with those in files of their own. */
#ifndef TRACER_TESTS_HOSTILE_H
#define TRACER_TESTS_HOSTILE_H

/* Calls getpgid(0) and counts it. */
void mark(void);
/* Whoever made such calls was killed: it may not have counted n of them. */
void mark_unsure(long n);

/*
 * Hands the kernel n paths whose pages a traced thread (userfaultfd), or a traced process (FUSE),
 * has yet to provide. Where that is not permitted they are ordinary memory.
 */
void userfaults(long n);
void fuse_pages(long n);
/*
 * Runs the program hostile n times out of a file system of FUSE, whose process is traced, or out of
 * one that overlays it.
 */
void fuse_program(long n, int counts_fd);
void overlay_program(long n, int counts_fd);
/* Calls mark() from code in no file, with such a file system at /tmp, where names of it may be. */
void fuse_names(long n);
/*
 * Opens a file n times of such a file system, whose names the kernel asks for each time. This is
 * for a mount namespace that the tracer is in, too.
 */
void fuse_seen(long n);

/* A mixed load for that many seconds. self and counts_fd are for programs that it starts. */
void soak(long seconds, const char *self, int counts_fd);
/*
 * Calls getpgid(1000000000 + i) for i = 1 … n, unless there is a file "done" before. The file
 * "times" has an int64_t for each i: when the call had returned (CLOCK_MONOTONIC, nanoseconds).
 * If n is odd it sleeps a little after each.
 */
void times(long n);

#endif
