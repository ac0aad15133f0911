/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event data that a query needs. */
#ifndef TRACER_QUERY_NEEDS_H
#define TRACER_QUERY_NEEDS_H

/* Bits, to be combined by OR. */
enum query_needs {
	QUERY_NEEDS_FD_PATHS = 1 << 0,	 /* paths of descriptors */
	QUERY_NEEDS_FD_SOCKETS = 1 << 1, /* addresses of sockets and of their peers */
	QUERY_NEEDS_PATHS = 1 << 2,	 /* directories that relative paths start from */
	QUERY_NEEDS_STACK = 1 << 3,
	QUERY_NEEDS_TIMES = 1 << 4,
	QUERY_NEEDS_COMM = 1 << 5,
	QUERY_NEEDS_TGID = 1 << 6,
	QUERY_NEEDS_RESULT = 1 << 7,  /* a value that is known only at syscall exit */
	QUERY_NEEDS_VERBOSE = 1 << 8, /* struct members that are decoded only with -v */
	QUERY_NEEDS_PROGRAM = 1 << 9, /* the program and the control group of the process */
	QUERY_NEEDS_OFF_CPU = 1 << 10 /* times blocked, runnable and on a CPU during calls */
};

#endif
