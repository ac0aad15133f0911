/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds programs in the same way as execvp(3). */
#ifndef TRACER_CLI_PROGRAM_H
#define TRACER_CLI_PROGRAM_H

/* Searches $PATH for a program. Returns its path, which the caller frees, or NULL. */
char *program_in_path(const char *name);
/*
 * Like program_in_path(), but also accepts a path. Ends tracer with a message if the program does
 * not exist.
 */
char *program_find(const char *name);

#endif
