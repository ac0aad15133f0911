/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Help texts. Tips are printed to standard error, all other texts to standard output. */
#ifndef TRACER_CLI_HELP_H
#define TRACER_CLI_HELP_H

void help_page(void);  /* -h, --help: prints the most common options, grouped by task */
void help_usage(void); /* --help=all: prints all options */
/* Returns the text of --help=all. The caller frees it. */
char *help_text(void);
/*
 * --help=TOPIC: prints a section or an option of --help=all. If the topic is /WORD/, or if it has
 * at least three letters and is not the name of a section or option, prints the options whose
 * descriptions contain it. Ends the program with a message if there are none.
 */
void help_topic(const char *topic);
void help_version(void);
/*
 * Prints a tip. `tip` and `format` are the values of --tips=id: and --tips=format: (cli/options.h).
 */
void help_tip(int tip, int format);
/* Describes the query language and its fields. */
void help_query(void);
/* --list-syscalls: prints one line per syscall, with its name, classes and numbers. */
void help_syscalls(void);

/*
 * Returns the one-line description of a long option from --help=all, or NULL for strace's own
 * options. The caller frees it.
 */
char *help_of_option(const char *name);

#endif
