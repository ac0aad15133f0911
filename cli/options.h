/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parsed and checked command line, in the form that the lower layers need. */
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

enum quiet { /* bits for -q and -e quiet= */
	     QUIET_ATTACH = 1 << 0,
	     QUIET_EXIT = 1 << 1,
	     QUIET_PATH_RESOLUTION = 1 << 2,
	     QUIET_PERSONALITY = 1 << 3,
	     QUIET_SUPERSEDED = 1 << 4,
	     QUIET_ALL = (1 << 5) - 1
};

/* Number of wait4(WNOHANG) attempts before blocking, unless --wait-spin=off. */
#define SPIN_DEFAULT 100

enum diff_form { DIFF_TEXT, DIFF_JSON, DIFF_FOLDED };

enum kvm_detail { KVM_NONE, KVM_VCPU, KVM_VCPU_PLUS }; /* -e kvm= */

struct options {
	/* The command to run: its executable and arguments. argv is NULL if there is none. */
	char **argv;	  /* points into the command line; ends with NULL; --argv0 sets argv[0] */
	char *program;	  /* as typed; program_find() turns it into a path */
	char **env;	  /* the environment with the changes of -E; ends with NULL */
	bool change_user; /* -u */
	uid_t uid;
	gid_t gid;
	char *user; /* use this user's supplementary groups; NULL for none (-u UID:GID) */

	VEC(pid_t) pids;	   /* -p */
	bool tree;		   /* --tree: also attach to the descendants */
	VEC(const char *) cgroups; /* --cgroup, as given */
	VEC(pid_t) containers;	   /* --container: one process of each container */
	VEC(char *) groups; /* the resolved control groups, owned; capture.cgroups refers to them */
	bool snapshot;	    /* --snapshot: show what all threads are doing now, then exit */

	unsigned daemonize;	/* -D, -DD, -DDD: 1 to 3 */
	unsigned quiet;		/* bits of enum quiet */
	bool debug;		/* -d */
	uint64_t syscall_limit; /* --syscall-limit, or 0 for no limit */
	/* --seccomp-bpf, if it can have an effect: it needs -f, a set of syscalls and a command. */
	bool seccomp_bpf;
	struct number_set dump_read, dump_write; /* -e read=, -e write=: descriptors */
	enum kvm_detail kvm;
	VEC(struct injection) injections; /* -e inject=, -e fault=, in the given order */

	bool stacks; /* capture stacks: -k, or a filter, format or summary that needs them */
	uint64_t blocked_ns;	      /* --blocked, or 0 */
	uint64_t stop_after_ns;	      /* --stop-after, or 0 */
	bool summary_only, summarize; /* -c; either of -c and -C */
	const struct sink_format *format;
	enum weight weight;
	bool stacks_once; /* --json-stacks=once */
	int tip;	  /* --tips: the number of the tip, or -1 for a random one */
	int tip_format;	  /* --tips: the format, or 0 for no tip */

	struct filter filter;
	VEC(struct assertion) assertions; /* --fail-on, --stop-on */
	/* The syscalls that are decoded even if they are hidden: for assertions and --wakers. */
	struct syscall_set watched;
	bool wakers;	    /* infer what ended waits: --wakers, --critical-path */
	bool critical_path; /* --critical-path */
	bool critical_json; /* with --format=json */
	const char *report; /* --report: "github" or "junit:FILE", or NULL */
	bool conditions; /* an injection has a condition, which needs the arguments of syscalls */
	unsigned query_needs; /* bits of enum query_needs for --where and the other queries */
	struct text_config text;
	struct summary_config summary;
	struct group *group; /* --group-by, or NULL; owned, like the next two */
	struct group *sum, *hist;
	const struct engine *engine;   /* --engine */
	struct capture_config capture; /* settings of the engine */
	bool detach_on_execve;	       /* -b execve */
	const char *write_trace;       /* --write-trace, or NULL */
	VEC(const char *) read_traces; /* --read-trace */
	VEC(struct trace *) traces;    /* the opened traces of --read-trace */
	bool hide_vdso;		       /* --vdso=off */
	bool fd_report;		       /* --fd-report: report descriptors that stayed open */
	bool record_only;	       /* recorded events are not shown */
	bool say_written;	       /* a message at the end names the file to open */
	bool raw_stacks;	       /* --record-stacks=raw */
	bool shows_stacks;	     /* stacks are needed for more than the trace that is written */
	bool watch_stacks_only;	     /* only --fail-on and --stop-on need stacks */
	struct trace *trace;	     /* the first of traces, or NULL */
	struct player_config player; /* --from, --to, --sysroot */
	const char *from, *to;	     /* as given, or NULL */
	const char *timezone;	     /* --timezone, or NULL */
	pid_t trace_command;	  /* pid of the command that was traced; 0 if tracer had attached */
	const char *symbolize;	  /* --symbolize, or NULL */
	bool info;		  /* --info */
	bool say_recorded;	  /* a message at the end describes the recording */
	const char *diff;	  /* --diff, or NULL */
	struct trace *diff_trace; /* the opened trace of --diff */
	VEC(struct foreign) words; /* words of the command, or of the traced command; borrowed */
	enum diff_form diff_form;  /* --format with --diff; format is then the text log */
	size_t diff_strings;	   /* number of bytes of a string to show in a difference */
	struct run *run; /* collects a run for the comparison instead of writing a log; or NULL */
	char **line;	 /* the words of the command line before the command */
	struct unwind_config unwind;
	struct decode_config decode;
	uint8_t *decode_rows; /* backs decode.per_syscall */
};

/*
 * Parses the command line. On a mistake, and for -h, -V and similar options, prints a message or
 * text and ends the program. Release o with options_deinit().
 */
void options_parse(struct options *o, int argc, char **argv);
void options_deinit(struct options *o);

/* Returns the configuration for creating the log. It points into o. */
struct sink_config options_sink_config(const struct options *o);

/*
 * Returns the name of an option in o that an engine with these capabilities (bits of enum
 * capture_capability) cannot honour, as messages name it. Returns NULL if the engine supports them
 * all.
 */
const char *options_beyond(const struct options *o, unsigned capabilities);

/*
 * Stores the times of --from and --to in o->player. They may be relative to the start of o->trace.
 */
void options_trace_span(struct options *o);

/* Adds the syscalls that can match --fail-on or --stop-on. */
void options_add_watched(const struct options *o, struct syscall_set *set);

/* Callback for capture_start(): the child's setup before execve. ctx is the options. */
void options_setup_child(void *ctx);

#endif
