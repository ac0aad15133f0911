/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command lines of the children of --tui. */
#ifndef TRACER_TUI_COMMAND_H
#define TRACER_TUI_COMMAND_H

#include <limits.h>

#include "util/vec.h"

/* The part of the trace that a child reads. {.to = INT64_MAX} is the whole trace. */
struct part {
	int64_t from, to;  /* times of the events, CLOCK_REALTIME in nanoseconds */
	const char *where; /* an expression, or NULL */
	bool stacks;	   /* if true, stacks are also written */
};

/* The options that all children share. */
struct command {
	VEC(char *) words; /* owned */
	int64_t from, to;  /* limits of all parts: the user's --from and --to */
};

/*
 * Copies the user's options from `line`, which ends with NULL, except for --tui and the options
 * for stacks. With `live`, copies only the options that change how a recorded call is shown.
 */
void command_init(struct command *c, char *const *line, bool live);
/* Adds a word to the command. */
void command_add(struct command *c, const char *word);
void command_deinit(struct command *c);
/*
 * Returns the arguments of a child that writes a part of the trace in this format. The caller frees
 * them with command_free().
 */
char **command_make(const struct command *c, const char *format, const struct part *part);
void command_free(char **argv);

#endif
