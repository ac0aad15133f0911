/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs of hostile.c share with those in files of their own. */
#ifndef TRACER_TESTS_HOSTILE_H
#define TRACER_TESTS_HOSTILE_H

/* Calls getpgid(0) and counts it. */
void mark(void);

/*
 * Hands the kernel n paths whose pages a traced thread (userfaultfd), or a traced process (FUSE),
 * has yet to provide. Where that is not permitted they are ordinary memory.
 */
void userfaults(long n);
void fuse_pages(long n);

#endif
