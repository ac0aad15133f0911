/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Small files below /proc, see proc(5): one read each, or one line of several. */
#ifndef TRACER_UTIL_PROC_H
#define TRACER_UTIL_PROC_H

#include <sys/types.h>

#include "defs.h"

/* The beginning of the file that fmt names, with a NUL behind it: its length, or -errno. */
ssize_t proc_read(char *buf, size_t size, const char *fmt, ...) attr_printf(3, 4);

/*
 * What the file that fmt names says of key in a line "KEY:\tTEXT", up to the
 * end of the line; false: there is no such line, or no such file.
 */
bool proc_field(char *buf, size_t size, const char *key, const char *fmt, ...) attr_printf(4, 5);

#define PROC_COMM_SIZE 16 /* TASK_COMM_LEN */

/*
 * A thread's name, of which a newline of its own is the end, too; kernel threads
 * have longer ones, cut here. false, and comm untouched: it is gone.
 */
bool proc_comm(pid_t tid, char comm[PROC_COMM_SIZE]);

#endif
