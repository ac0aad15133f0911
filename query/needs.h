/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data that a query needs events to have. */
#ifndef TRACER_QUERY_NEEDS_H
#define TRACER_QUERY_NEEDS_H

/* A set of bits. */
enum query_needs {
	QUERY_NEEDS_FD_PATHS = 1 << 0,	 /* the paths of descriptors */
	QUERY_NEEDS_FD_SOCKETS = 1 << 1, /* the addresses of sockets and their peers */
	QUERY_NEEDS_PATHS = 1 << 2,	 /* the directories to which paths are relative */
	QUERY_NEEDS_STACK = 1 << 3,
	QUERY_NEEDS_TIMES = 1 << 4,
	QUERY_NEEDS_COMM = 1 << 5,
	QUERY_NEEDS_TGID = 1 << 6,
	QUERY_NEEDS_RESULT = 1 << 7, /* a value that is known only when a call has ended */
	QUERY_NEEDS_VERBOSE = 1 << 8 /* members of structs that only -v decodes */
};

#endif
