/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line after parsing and checking, in the form that the lower layers need. */
#ifndef TRACER_CLI_OPTIONS_H
#define TRACER_CLI_OPTIONS_H

#include "decode/core/config.h"
#include "query/assertion.h"
#include "select/filter.h"
#include "tamper/inject.h"
#include "sinks/execs/execs.h"
#include "sinks/files/files.h"
#include "sinks/learn/learn.h"
#include "sinks/live/live.h"
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

enum kvm_detail { KVM_NONE, KVM_VCPU, KVM_VCPU_PLUS }; /* the values of -e kvm= */

struct options {
	/* The command to run: its executable and arguments. argv is NULL if there is none. */
	char **argv;   /* points into the command line; ends with NULL; --argv0 sets argv[0] */
	char *program; /* the program as the user typed it; program_find() converts it to a path */
	char **env;    /* the environment after the changes by -E; ends with NULL */
	bool change_user; /* -u: run the command as another user */
	uid_t uid;
	gid_t gid;
	char *user; /* -u: the user whose supplementary groups the command gets, or NULL for none
		       (-u UID:GID) */

	VEC(pid_t) pids;	   /* -p: the processes to attach to */
	bool tree;		   /* --tree: also attach to the descendants */
	VEC(const char *) cgroups; /* --cgroup: the paths as the user gave them */
	VEC(pid_t) containers;	   /* --container: the pid of one process in each container */
	VEC(char *) groups; /* paths of the control groups; owned; capture.cgroups points to them */
	bool snapshot;	    /* --snapshot: show what all threads are doing now, then exit */

	unsigned daemonize;	/* -D, -DD, -DDD: the number of Ds, or 0 */
	unsigned quiet;		/* bits of enum quiet */
	bool debug;		/* -d: print debug messages */
	uint64_t syscall_limit; /* --syscall-limit: maximum number of syscalls, or 0 for no limit */
	/*
	 * True if --seccomp-bpf has an effect: it needs -f, a set of syscalls and a command, and is
	 * ignored with -p, -b and --syscall-limit.
	 */
	bool seccomp_bpf;
	struct number_set dump_read, dump_write; /* descriptors given by -e read= and -e write= */
	enum kvm_detail kvm;
	VEC(struct injection) injections; /* -e inject=, -e fault=: in the given order */

	bool stacks;	     /* capture stacks: because of -k, or for a filter, format or summary */
	uint64_t blocked_ns; /* --blocked: the duration in nanoseconds, or 0 */
	uint64_t stop_after_ns;	      /* --stop-after: the time in nanoseconds, or 0 */
	bool summary_only, summarize; /* true if -c was given; true if -c or -C was given */
	const struct sink_format *format;
	enum weight weight;
	bool stacks_once; /* --json-stacks=once: write each stack only once */
	int tip;	  /* --tips: index of the tip, or -1 for a random tip */
	int tip_format;	  /* --tips: format of the tip, or 0 to print no tip */

	struct filter filter;
	VEC(struct assertion) assertions; /* the expressions of --fail-on and --stop-on */
	/* syscalls to decode even if they are not shown, for --fail-on, --stop-on and --wakers */
	struct syscall_set watched;
	bool all;    /* --all: trace the root of the control groups */
	bool wakers; /* find what ended each wait, for --wakers and --critical-path */
	/*
	 * --wakers=inferred: infer from the calls what ended each wait, even if the engine reports
	 * wake-ups
	 */
	bool infer_wakers;
	bool critical_path; /* --critical-path: report the critical path */
	bool critical_json; /* true if --critical-path is given with --format=json */
	bool files;	    /* --files: report the files that the run uses */
	struct files_config files_config;
	bool execs; /* --execs: report the commands that the run executes */
	struct execs_config execs_config;
	bool learn; /* --learn: write a policy */
	struct learn_config learn_config;
	/* --report: "junit:FILE" or NULL, and "github" or NULL */
	const char *reports[2];
	bool conditions; /* true if an injection has a condition; the arguments of syscalls are then
			    needed */
	unsigned query_needs; /* data needed by --where and the other queries: bits of enum
				 query_needs */
	struct text_config text;
	struct summary_config summary;
	struct group *group; /* --group-by, or NULL; owned, like the next two members */
	struct group *sum, *hist;
	const struct engine *engine;   /* --engine: the engine that captures events */
	struct capture_config capture; /* configuration of the capture engine */
	bool detach_on_execve;	       /* -b execve: detach a process at its execve */
	const char *write_trace;       /* --write-trace: the path, or NULL */
	VEC(const char *) read_traces; /* --read-trace: the paths of the traces */
	VEC(struct trace *) traces;    /* the opened traces of --read-trace */
	bool secontext;		       /* --secontext: show SELinux contexts */
	bool hide_vdso;		       /* --vdso=off: hide the vDSO from programs */
	bool io_uring;		       /* --io-uring=on: show the requests of io_urings */
	bool fd_report;		       /* --fd-report: report descriptors that were left open */
	/* if there are no calls in the output, print a message that gives possible reasons */
	bool explains_empty;
	/* --write-trace without other output: the recorded events are not shown */
	bool record_only;
	bool show_progress; /* show a progress line on the terminal, see session/progress.h */
	bool say_written;   /* at the end, print a message that names the file to open */
	/* print a hint about the package that contains missing symbols, once for each user */
	bool hint_symbols;
	bool raw_stacks;	/* --record-stacks=raw: record stacks that are walked when the
				   trace is read */
	bool shows_stacks;	/* true if stacks are shown or summarized, not only recorded */
	bool watch_stacks_only; /* true if stacks are needed only for --fail-on and --stop-on */
	struct trace *trace;	/* the first element of `traces`, or NULL */
	struct player_config player; /* settings of the player: --from, --to, --sysroot */
	const char *from, *to;	     /* --from and --to as given, or NULL */
	const char *timezone;	     /* --timezone: the zone, or NULL */
	pid_t trace_command; /* pid of the recorded command; 0 if the recording attached to running
				processes */
	const char *symbolize; /* --symbolize: the path, or NULL */
	bool info;	       /* --info: describe recordings */
	bool tui;	       /* --tui: show the terminal view */
	/*
	 * with --tui, in the process that traces: where to write the holders of locks; otherwise
	 * NULL
	 */
	struct lock_board *lock_board;
	uint64_t live_ns; /* --live: the interval in nanoseconds, or 0 */
	struct live_config live_config;
	bool live_view; /* --live shows the table on the terminal instead of writing text */
	/*
	 * in the process that traces, if another process shows the table: where to put snapshots;
	 * otherwise NULL
	 */
	struct live_board *live_board;
	bool leaves_command;	  /* if a signal ends tracing, do not send it to the command */
	bool print_recorded;	  /* at the end, print a message that describes the recording */
	const char *diff;	  /* --diff: the path, or NULL */
	struct trace *diff_trace; /* the opened trace of --diff */
	/* Words of the command, either from the command line or from the trace; borrowed. */
	VEC(struct foreign) words;
	enum diff_form diff_form; /* --format with --diff; `format` is then the text format */
	/* --diff: an option that hides calls, so critical paths are unknown; NULL if none does */
	const char *diff_hides;
	size_t diff_strings; /* --diff: maximum number of bytes of a string to show */
	struct run *run;     /* --diff: the run that collects the events; no log is written. NULL
				without --diff */
	char **line;	     /* words of the command line before the traced command */
	struct unwind_config unwind;
	struct decode_config decode;
	uint8_t *decode_rows; /* storage for decode.per_syscall */
};

/*
 * Parses the command line. On a mistake, prints a message and ends the program. For -h, -V and
 * similar options, prints the requested text and ends the program. Release `o` with
 * options_deinit().
 */
void options_parse(struct options *o, int argc, char **argv);
void options_deinit(struct options *o);

/* Returns the configuration for creating the log. Its pointers refer to `o`. */
struct sink_config options_sink_config(const struct options *o);

/*
 * Returns true if SELinux contexts are shown, that is, if --secontext was given and, unless a trace
 * is read, the kernel uses SELinux. Ends the program if the contexts cannot be read.
 */
bool options_can_show_contexts(const struct options *o);

/*
 * Returns an option in `o` that needs more than these capabilities (bits of enum
 * capture_capability), in the form that messages use. Returns NULL if there is none.
 */
const char *options_beyond(const struct options *o, unsigned capabilities);

/*
 * Stores the times of --from and --to in o->player. The options may be relative to the start of
 * o->trace.
 */
void options_trace_span(struct options *o);

/* Parses the sources of --events. Returns false if a name is unknown. */
bool options_events(struct options *o, const char *text);
/* Returns true if the engine must report context switches or page faults as events. */
bool options_show_sched(const struct options *o);
/*
 * Returns true if the events of calls must contain the time that the thread was blocked, and the
 * time that it waited for a CPU (knows_off_cpu in struct syscall_event).
 */
bool options_need_off_cpu(const struct options *o);
#define OFF_CPU_OPTION "--weight=blocked|runnable|cpu or such a field"

/*
 * Adds the syscalls in o->watched to `set` if --fail-on, --stop-on, --wakers or --critical-path is
 * given.
 */
void options_add_watched(const struct options *o, struct syscall_set *set);

/* Callback for capture_start(): sets up the child before its execve. `ctx` is a struct options. */
void options_setup_child(void *ctx);

#endif
