/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line: everything it says, checked, in the form the layers below take it. */
#ifndef TRACER_CLI_OPTIONS_H
#define TRACER_CLI_OPTIONS_H

#include "decode/core/config.h"
#include "query/assertion.h"
#include "select/filter.h"
#include "tamper/inject.h"
#include "sinks/summary/summary.h"
#include "sinks/text/text.h"
#include "sinks/registry.h"
#include "sinks/weight.h"
#include "capture/capture.h"
#include "trace/play/player.h"
#include "cli/engine.h"
#include "unwind.h"

struct run;
struct trace;

enum quiet { /* -q, -e quiet=: bits */
	     QUIET_ATTACH = 1 << 0,
	     QUIET_EXIT = 1 << 1,
	     QUIET_PATH_RESOLUTION = 1 << 2,
	     QUIET_PERSONALITY = 1 << 3,
	     QUIET_SUPERSEDED = 1 << 4,
	     QUIET_ALL = (1 << 5) - 1
};

/* Tries of wait4(WNOHANG) before blocking, unless --wait-spin=off. */
#define SPIN_DEFAULT 100

enum diff_form { DIFF_TEXT, DIFF_JSON, DIFF_FOLDED };

enum kvm_detail { KVM_NONE, KVM_VCPU, KVM_VCPU_PLUS }; /* -e kvm= */

struct options {
	/* The command: its executable and arguments; argv NULL without one. */
	char **argv;	  /* of the command line; ends with NULL; argv[0] as --argv0 says */
	char *program;	  /* what was typed; program_find() makes a path of it */
	char **env;	  /* the environment after -E; ends with NULL */
	bool change_user; /* -u */
	uid_t uid;
	gid_t gid;
	char *user; /* whose supplementary groups to take; NULL: none (-u UID:GID) */

	VEC(pid_t) pids;	   /* -p */
	bool tree;		   /* --tree: and their descendants */
	VEC(const char *) cgroups; /* --cgroup: as they were given */
	VEC(pid_t) containers;	   /* --container: one process of each */
	VEC(char *) groups;	   /* what they mean, owned: those of capture.cgroups */
	bool snapshot;		   /* --snapshot: what all threads do now, and no more */

	unsigned daemonize;	/* -D, -DD, -DDD: 1 to 3 */
	unsigned quiet;		/* enum quiet */
	bool debug;		/* -d */
	uint64_t syscall_limit; /* --syscall-limit; 0: none */
	/* --seccomp-bpf, where it can have an effect: with -f, a set of syscalls, a command. */
	bool seccomp_bpf;
	struct number_set dump_read, dump_write; /* -e read=, -e write=: descriptors */
	enum kvm_detail kvm;
	VEC(struct injection) injections; /* -e inject=, -e fault=, in their order */

	bool stacks; /* capture stacks: -k, or a filter, format or summary that needs them */
	uint64_t blocked_ns;	      /* --blocked; 0: no */
	uint64_t stop_after_ns;	      /* --stop-after; 0: no */
	bool summary_only, summarize; /* -c; -c or -C */
	const struct sink_format *format;
	enum weight weight;
	bool stacks_once; /* --json-stacks=once */
	int tip;	  /* --tips: its number, -1 for a random one */
	int tip_format;	  /* 0: none */

	struct filter filter;
	VEC(struct assertion) assertions; /* --fail-on, --stop-on */
	struct syscall_set watched;	  /* the calls that may match one of them */
	const char *report;		  /* --report: "github" or "junit:FILE", or NULL */
	bool conditions;      /* an injection has one, which needs the arguments of calls */
	unsigned query_needs; /* of --where and its like: bits of enum query_needs */
	struct text_config text;
	struct summary_config summary;
	struct group *group; /* --group-by; owned, or NULL, as are the next two */
	struct group *sum, *hist;
	const struct engine *engine;   /* --engine */
	struct capture_config capture; /* what the engine is asked for */
	bool detach_on_execve;	       /* -b execve */
	const char *write_trace;       /* --write-trace, or NULL */
	VEC(const char *) read_traces; /* --read-trace */
	VEC(struct trace *) traces;    /* the same, opened */
	bool hide_vdso;		       /* --vdso=off */
	bool fd_report;		       /* --fd-report: which descriptors stayed open */
	bool record_only;	       /* nothing is shown of what is recorded */
	bool say_written;	       /* at the end a message says which file to look at */
	bool raw_stacks;	       /* --record-stacks=raw */
	bool shows_stacks;	       /* stacks are for more than the trace that is written */
	bool watch_stacks_only;	       /* only --fail-on and --stop-on need stacks */
	struct trace *trace;	       /* the first of them, or NULL */
	struct player_config player;   /* --from, --to, --sysroot */
	const char *from, *to;	       /* as they were given, or NULL */
	const char *timezone;	       /* --timezone, or NULL */
	pid_t trace_command;	       /* the command that the trace is of; 0: it was attached to */
	const char *symbolize;	       /* --symbolize, or NULL */
	bool info;		       /* --info */
	bool say_recorded;	       /* a message at the end says what was recorded */
	const char *diff;	       /* --diff, or NULL */
	struct trace *diff_trace;      /* the same, opened */
	VEC(struct foreign) words;     /* of the command, or of that of trace; borrowed */
	enum diff_form diff_form;      /* --format, which otherwise is that of a log */
	size_t diff_strings;	       /* bytes of a string that are shown of a difference */
	struct run *run; /* what is to be compared later is put there, in place of a log; or NULL */
	char **line;	 /* the words of the command line, without the command's */
	struct unwind_config unwind;
	struct decode_config decode;
	uint8_t *decode_rows; /* what decode.per_syscall points to */
};

/*
 * Reads the command line; on a mistake in it, and for -h, -V and the like,
 * ends the program with the message or text. o is released by options_deinit().
 */
void options_parse(struct options *o, int argc, char **argv);
void options_deinit(struct options *o);

/* What the log is created with; it points into o. */
struct sink_config options_sink_config(const struct options *o);

/*
 * The option of o, as messages name it, that needs more than an engine of these capabilities (of
 * enum capture_capability) can do; NULL: it can do all of them.
 */
const char *options_beyond(const struct options *o, unsigned capabilities);

/* Puts what --from and --to say of the trace o->trace, which may be relative, into o->player. */
void options_trace_span(struct options *o);

/* Adds the calls that may match --fail-on or --stop-on. */
void options_add_watched(const struct options *o, struct syscall_set *set);

/* For capture_start(): what the child does before its execve. ctx: the options. */
void options_setup_child(void *ctx);

#endif
