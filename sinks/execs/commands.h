/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The commands of --execs: the programs that a run has executed, derived from its calls. */
#ifndef TRACER_SINKS_EXECS_COMMANDS_H
#define TRACER_SINKS_EXECS_COMMANDS_H

#include "event/event.h"
#include "sinks/fds/fd_table.h"
#include "sinks/threads.h"
#include "util/texts.h"

/*
 * The number of a string in the set of texts. `cut` is true if only the start of the string is
 * known.
 */
struct word {
	uint32_t text;
	bool cut;
};

/* Words that were passed to execve(2). `incomplete` is true if more words may exist. */
struct words {
	VEC(struct word) v;
	bool incomplete;
};

/* A descriptor that execve(2) left open. */
struct kept_fd {
	int fd;
	uint32_t text; /* the path or name; 0 if unknown */
};

enum command_end {
	COMMAND_RUNS, /* the command had not ended when tracing ended */
	COMMAND_EXITED,
	COMMAND_KILLED,
	COMMAND_REPLACED /* the process executed another program */
};

struct command {
	uint32_t parent; /* index + 1 of the command whose process executed this one; 0 if none */
	/*
	 * index + 1 of the first and of the last command that this one executed, and of the next
	 * child of its parent; 0 if there is none
	 */
	uint32_t first_child, last_child, next;
	pid_t pid;
	int64_t begin, end; /* CLOCK_MONOTONIC, in nanoseconds; `end` is not set for COMMAND_RUNS */
	enum command_end how;
	int code;	    /* exit status or signal */
	uint32_t path;	    /* absolute, or relative to `directory`; 0 if unknown */
	bool path_gone;	    /* true if the path is known, but it is the path of a deleted file */
	uint32_t directory; /* the working directory; 0 if unknown */
	struct words argv, environment;
	VEC(struct kept_fd) fds;
};

/* The commands; initially {0}. */
struct commands {
	VEC(struct command) v;
	struct texts texts;
	struct threads processes; /* values are struct runner (commands.c), keys are pids */
	uint64_t words;		  /* number of words and descriptors of all commands */
	uint64_t unlisted;	  /* number of commands that are not listed because of a limit */
	uint64_t lost;		  /* number of events that the sink has missed */
};

/* Handles a completed call, a process event or lost events. Ignores other events. */
void commands_add(struct commands *c, const struct event *e);
/* Frees the data about a thread. Must be called when tracing of the thread ends. */
void commands_thread_end(struct commands *c, const struct event *e);
/*
 * Frees the data about the thread `from`. Must be called when execve(2) has given this thread the
 * id of its process.
 */
void commands_thread_moved(struct commands *c, pid_t from);
void commands_deinit(struct commands *c);

#endif
