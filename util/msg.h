/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages to the user: one line on stderr, "NAME: text", where NAME is the name by which the
 * program was started. They never go into an -o file.
 */
#ifndef TRACER_UTIL_MSG_H
#define TRACER_UTIL_MSG_H

#include <stdarg.h>

#include "defs.h"

/* Sets the NAME of messages to the last component of argv0, which must stay valid. */
void msg_set_program(const char *argv0);
/* The NAME of messages. */
const char *msg_program(void);

/* Sets a function that die() calls before the program ends: it detaches tracees and flushes logs.
 */
void msg_set_last_rites(void (*fn)(void));

/* Print a message; msg_errno() appends ": " and strerror(errno). */
void msg(const char *fmt, ...) attr_printf(1, 2);
void msg_errno(const char *fmt, ...) attr_printf(1, 2);

/* Print a message like msg() and msg_errno(), call the last rites, and exit with status 1. */
void die(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;
void die_errno(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;

/*
 * Sets a line that die() and die_usage() print after their message, like msg(). Takes ownership of
 * text, which must be allocated; NULL removes it.
 */
void msg_set_hint(char *text);

/*
 * Prints a message and a hint about -h and exits with status 1; for mistakes on the command line.
 */
void die_usage(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;

#endif
