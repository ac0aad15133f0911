/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds programs in the same way as execvp(3). */
#ifndef TRACER_CLI_PROGRAM_H
#define TRACER_CLI_PROGRAM_H

/* Returns the path of a program in $PATH, which the caller frees, or NULL. */
char *program_in_path(const char *name);
/* The same for a name or a path, but ends tracer with a message if there is no such program. */
char *program_find(const char *name);

#endif
