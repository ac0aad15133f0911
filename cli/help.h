/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts on standard output; on standard error for tips. */
#ifndef TRACER_CLI_HELP_H
#define TRACER_CLI_HELP_H

void help_page(void);  /* the options that are used most, by task */
void help_usage(void); /* all options */
void help_version(void);
/* One of the tips, by its number or at random, as --tips=id: and format: say (cli/options.h). */
void help_tip(int tip, int format);
/* The language of queries and its fields. */
void help_query(void);
/* Every syscall, a line each: name, classes, numbers. */
void help_syscalls(void);

/*
 * What --help=all says of a long option that strace does not have, in one line; allocated. NULL if
 * it is an option of strace's.
 */
char *help_of_option(const char *name);

#endif
