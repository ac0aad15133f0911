/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that read files in /proc, see proc(5). */
#ifndef TRACER_CAPTURE_PROC_PROC_H
#define TRACER_CAPTURE_PROC_PROC_H

#include <sys/types.h>

#include "defs.h"

/*
 * Reads at most size - 1 bytes from the start of a file into buf and adds a NUL. `fmt` formats the
 * path. Returns the number of bytes read, or -errno.
 */
ssize_t proc_read(char *buf, size_t size, const char *fmt, ...) attr_printf(3, 4);
/* Does the same as proc_read(), but the path is relative to the directory dir. */
ssize_t proc_read_at(int dir, char *buf, size_t size, const char *fmt, ...) attr_printf(4, 5);

/*
 * Returns the contents of a file, up to 256 MiB, with a NUL at the end. `fmt` formats the path. The
 * caller frees the result. If the file cannot be opened, returns NULL with errno set. If a read
 * fails, returns the text before it. This function is several times as fast as stdio.h.
 */
char *proc_text(const char *fmt, ...) attr_printf(1, 2);
/* Does the same as proc_text() for the rest of an open file. Never returns NULL. */
char *proc_text_of(int fd);

/*
 * Finds the line "KEY:\tTEXT" in a file, and puts TEXT into buf, with a NUL at the end. TEXT is
 * truncated if the line does not fit into buf. `fmt` formats the path. Returns false if there is no
 * such line or no such file.
 */
bool proc_field(char *buf, size_t size, const char *key, const char *fmt, ...) attr_printf(4, 5);

#define PROC_COMM_SIZE 16 /* TASK_COMM_LEN from linux/sched.h */

/*
 * Puts a thread's name into comm, with a NUL at the end. `tid` is the thread's id in /proc. The
 * name is truncated at a newline. The names of kernel threads can be longer, and are truncated,
 * too. If the thread is gone, returns false and leaves comm unchanged.
 */
bool proc_comm(pid_t tid, char comm[PROC_COMM_SIZE]);

struct procfs;
struct syscall_regs;
/*
 * Describes the syscall in which a thread sleeps, see proc_pid_syscall(5). Sets only the number,
 * the arguments, the stack pointer and the program counter in *regs. Returns false if the thread is
 * running, is not in a syscall, or may not be inspected. p may be NULL.
 */
bool thread_state_call(const struct procfs *p, pid_t tid, struct syscall_regs *regs);

#endif
