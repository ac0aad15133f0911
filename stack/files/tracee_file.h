/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files as a tracee sees them: in its root, under its own pid. */
#ifndef TRACER_STACK_TRACEE_FILE_H
#define TRACER_STACK_TRACEE_FILE_H

#include "defs.h"

/*
 * Opens the file of an O_PATH descriptor, which it closes, for reading: a descriptor of a regular
 * file, or -1. Anything else is left unopened: opening a device or a pipe does things.
 */
int regular_file_open(int fd);

/*
 * Opens path, absolute, in the root of process pid for reading: a descriptor of
 * a regular file, or -1. Symbolic links are followed within that root; one that
 * leads out of it (which the tracee may have made to have us read ours) is not.
 * owned: only a file of the process's own user, or of root.
 */
int tracee_file_open(pid_t pid, const char *path, bool owned);

/* The process's id in its own pid namespace; pid itself where that cannot be told. */
pid_t tracee_inner_pid(pid_t pid);

#endif
