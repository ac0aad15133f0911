/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages to the user: one line on stderr, "NAME: text", where NAME is the
 * name the program was started by. They never go into an -o file.
 */
#ifndef TRACER_UTIL_MSG_H
#define TRACER_UTIL_MSG_H

#include <stdarg.h>

#include "defs.h"

/* The name messages carry; argv0's last component. Keeps the pointer. */
void msg_set_program(const char *argv0);
const char *msg_program(void);

/* Called before the program ends in die(): detach tracees, flush logs. */
void msg_set_last_rites(void (*fn)(void));

void msg(const char *fmt, ...) attr_printf(1, 2);
void msg_errno(const char *fmt, ...) attr_printf(1, 2); /* appends ": strerror(errno)" */

/* One message, then exit(1), after the last rites. */
void die(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;
void die_errno(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;

/* One message, a pointer to -h, then exit(1): for command lines. */
void die_usage(const char *fmt, ...) attr_printf(1, 2) attr_noreturn;

#endif
