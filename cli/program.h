/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the programs to execute. */
#ifndef TRACER_CLI_PROGRAM_H
#define TRACER_CLI_PROGRAM_H

/*
 * Searches $PATH for a program. Returns the program's path, or NULL if there is no such program.
 * The caller frees the path.
 */
char *program_in_path(const char *name);
/*
 * Like program_in_path(), but also accepts a path. Ends tracer with a message if the program does
 * not exist.
 */
char *program_find(const char *name);

#endif
