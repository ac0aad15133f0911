/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading files below /proc, see proc(5). */
#ifndef TRACER_CAPTURE_PROC_PROC_H
#define TRACER_CAPTURE_PROC_PROC_H

#include <sys/types.h>

#include "defs.h"

/*
 * Reads the first size - 1 bytes of the file whose path fmt gives, and terminates them. Returns
 * their number, or -errno.
 */
ssize_t proc_read(char *buf, size_t size, const char *fmt, ...) attr_printf(3, 4);
/* The same for a path below the folder that dir is open on. */
ssize_t proc_read_at(int dir, char *buf, size_t size, const char *fmt, ...) attr_printf(4, 5);

/*
 * All of the file whose path fmt gives, up to 256 MiB, terminated; the caller frees it. NULL, with
 * errno, if it cannot be opened. The functions of stdio.h would take several times as long.
 */
char *proc_text(const char *fmt, ...) attr_printf(1, 2);
/* What is left to read of an open file, in the same way. */
char *proc_text_of(int fd);

/*
 * Puts TEXT of the line "KEY:\tTEXT" in the file whose path fmt gives into buf, terminated.
 * Returns false if there is no such line or no such file.
 */
bool proc_field(char *buf, size_t size, const char *key, const char *fmt, ...) attr_printf(4, 5);

#define PROC_COMM_SIZE 16 /* TASK_COMM_LEN of linux/sched.h */

/*
 * Puts a thread's name, terminated, into comm. A name that contains a newline ends there, and the
 * longer names of kernel threads are cut. Returns false, with comm unchanged, if the thread is
 * gone.
 */
bool proc_comm(pid_t tid, char comm[PROC_COMM_SIZE]);

#endif
