/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file of cases, tests/decode/FAMILY.cases. A case is a line that says a call (call.h) and, in
 * lines that begin with a tab, what is to be shown of it:
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *		openat(AT_FDCWD, "/etc/hosts", O_RDONLY|O_CLOEXEC) = 3
 *		{"args":{"dirfd":"AT_FDCWD","pathname":"/etc/hosts","flags":["O_RDONLY","O_CLOEXEC"]},"ret":3,"error":null}
 *
 * The text, one line or more, comes from strace 7.2; the JSON is what tracer's events say of the
 * call: arguments, result and error. Where tracer means to differ from strace,
 *		strace: what strace 7.2 prints, the first line of it
 *		why: the reason, in words
 * stand between the two. Lines that begin with # are comments.
 */
#ifndef TRACER_TESTS_DECODE_CASES_H
#define TRACER_TESTS_DECODE_CASES_H

#include <stdio.h>

/* One case. Strings are malloc()ed and may be NULL where there is nothing. */
struct case_lines {
	unsigned line; /* of the call, from 1 */
	char *before;  /* comments and empty lines above it */
	char *call;
	char *text;   /* lines separated by \n */
	char *strace; /* the same, where it is not text */
	char *why;
	char *json;
};

struct cases {
	char *path;
	struct case_lines *v;
	size_t n;
	char *after; /* comments at the end */
};

/* 0, or -1 after a message. */
int cases_load(struct cases *f, const char *path);
/* Writes the file anew. 0, or -1 after a message. */
int cases_save(const struct cases *f);
void cases_release(struct cases *f);

/* Gives the string s points to another content. */
void cases_set(char **s, const char *content);

#endif
