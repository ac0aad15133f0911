/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages to the user, as one line on stderr: "NAME: text". NAME is the name by which the program
 * was started. Messages are never written to an -o file.
 */
#ifndef TRACER_UTIL_MSG_H
#define TRACER_UTIL_MSG_H

#include <stdarg.h>

#include "defs.h"

/* Sets NAME to the last component of `argv0`. The string must stay valid. */
void msg_set_program(const char *argv0);
/* Returns the NAME used in messages. */
const char *msg_program(void);

/*
 * Sets a function that die(), die_errno() and die_usage() call before the program exits, to detach
 * from tracees and flush logs.
 */
void msg_set_exit_hook(void (*fn)(void));

/* Print a message. msg_errno() appends ": " and strerror(errno). */
void msg(const char *fmt, ...) attr_printf(1, 2);
void msg_errno(const char *fmt, ...) attr_printf(1, 2);

/*
 * Print a message like msg() and msg_errno(), call the function set by msg_set_exit_hook(), and
 * exit with status 1.
 */
void die(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;
void die_errno(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;

/*
 * Sets a hint that die() and die_usage() print on a line after their message. Takes ownership of
 * `text`, which must be allocated. NULL removes the hint.
 */
void msg_set_hint(char *text);

/* Like die(), for a mistake on the command line. Also prints a hint about -h. */
void die_usage(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;

#endif
