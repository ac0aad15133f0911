/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A case file, tests/decode/FAMILY.cases. A case is a line with a syscall (call.h), followed by
 * the expected output in lines that begin with a tab:
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *		openat(AT_FDCWD, "/etc/hosts", O_RDONLY|O_CLOEXEC) = 3
 *		{"args":{"dirfd":"AT_FDCWD","pathname":"/etc/hosts","flags":["O_RDONLY","O_CLOEXEC"]},"ret":3,"error":null}
 *
 * First comes the text output, in one or more lines. It is also the output of strace 7.2. The last
 * line is the JSON event: arguments, result and error. If tracer's text intentionally differs from
 * strace's, these lines come in between:
 *		strace: the output of strace 7.2; each line of it begins with strace:
 *		why: the reason
 * Lines that begin with # are comments.
 */
#ifndef TRACER_TESTS_DECODE_CASES_H
#define TRACER_TESTS_DECODE_CASES_H

#include <stdio.h>

/* A case. The strings are allocated with malloc(). A string that the case does not have is NULL. */
struct case_lines {
	unsigned line; /* line number of the syscall, from 1 */
	char *before;  /* comments and empty lines above the case */
	char *call;
	char *text;   /* lines separated by \n */
	char *strace; /* strace's text if it differs, otherwise NULL */
	char *why;
	char *json;
};

struct cases {
	char *path;
	struct case_lines *v;
	size_t n;
	char *after; /* comments and empty lines after the last case */
};

/* Loads the file. Returns 0, or -1 after printing a message. */
int cases_load(struct cases *f, const char *path);
/* Rewrites the file. Returns 0, or -1 after printing a message. */
int cases_save(const struct cases *f);
void cases_release(struct cases *f);

/* Replaces the string *s with a copy of `content`, which may be NULL. */
void cases_set(char **s, const char *content);

#endif
