/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Implements -h, --help=all, -V, --tips and --list-syscalls. */
#include "cli/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "linux/syscall_desc.h"
#include "select/syscall_set.h"
#include "sinks/registry.h"
#include "util/msg.h"
#include "unwind.h"
#include "util/strbuf.h"

/* -h and --help: the most common options, by task. */
static const char page[] =
	"Usage: %s [OPTIONS] PROGRAM [ARGUMENTS]\n"
	"   or: %s [OPTIONS] -p PID\n"
	"   or: %s [OPTIONS] --read-trace=FILE\n"
	"\n"
	"Which processes and which calls:\n"
	"  -p PID            attach to a running process; Ctrl-C detaches\n"
	"  -f                also trace child processes and threads\n"
	"  -e trace=SET      only these calls: NAME,NAME,... or %%file, %%net, /REGEX\n"
	"  -P PATH           only calls on this path, which may be a pattern: '/etc/**'\n"
	"  -Z                only calls that failed\n"
	"  --duration=TIME   only calls that took at least TIME (10ms, 2s)\n"
	"  --where=EXPR      only events that match: 'flags has O_CREAT' (--help=query)\n"
	"What to show for each call:\n"
	"  -k, -kk           stack trace of each call; -kk: with source lines\n"
	"  -y, -yy           paths of file descriptors; -yy: also socket addresses\n"
	"  -tt, -r, -T       time of day; time since the previous call; time in the call\n"
	"  -s SIZE, -v       SIZE bytes of each string (default 32); whole structures\n"
	"Output:\n"
	"  -o FILE, -ff      write to FILE instead of stderr; -ff: FILE.PID for each pid\n"
	"  --format=FORMAT   json, chrome, folded; html and flamegraph are web pages\n"
	"  --stack-trace-style=line\n"
	"                    print the stack on the line of its call, for grep and sort\n"
	"Summary table instead of lines:\n"
	"  -c, -c -w         calls, errors and CPU time per syscall; -w: elapsed time\n"
	"  -c --summary-by=WHAT\n"
	"                    group by stack, thread, process or path; --top=N: N rows\n"
	"  --live -p PID     a table of all threads, updated each second; q quits\n"
	"Hangs:\n"
	"  --blocked[=TIME]  report calls that are still running after TIME (default 1s)\n"
	"  -k -p PID --snapshot\n"
	"                    print what each thread is doing now, and exit\n"
	"Record and replay:\n"
	"  --write-trace=FILE, --read-trace=FILE\n"
	"                    record everything; show it later with any options\n"
	"  --read-trace=FILE --diff=OTHER\n"
	"                    show the differences between two recordings\n"
	"Also:\n"
	"  -e fault=SET:error=ERRNO:when=N\n"
	"                    make the Nth of these calls fail\n"
	"  --engine=bpf      trace without stopping the program (needs root)\n"
	"\n"
	"%s --help=all lists all options, --help=/WORD/ searches them; \"man tracer\" has "
	"details.\n";

/* --help=all: all options. */
static const char usage[] =
	"Usage: %s [-ACdffhikkqqrtttTvVwxxyyYzZ] [-I N] [-b execve] [-e EXPR]...\n"
	"              [-a COLUMN] [-o FILE] [-s STRSIZE] [-X FORMAT] [-O OVERHEAD]\n"
	"              [-S SORTBY] [-P PATH]... [-p PID]... [-U COLUMNS] [--seccomp-bpf]\n"
	"              { -p PID | [-DDD] [-E VAR=VAL]... [-u USERNAME] PROG [ARGS] }\n"
	"   or: %s -c[dfwzZ] [-I N] [-b execve] [-e EXPR]... [-O OVERHEAD]\n"
	"              [-S SORTBY] [-P PATH]... [-p PID]... [-U COLUMNS] [--seccomp-bpf]\n"
	"              { -p PID | [-DDD] [-E VAR=VAL]... [-u USERNAME] PROG [ARGS] }\n"
	"\n"
	"General:\n"
	"  -e EXPR        what to trace and how: QUALIFIER=[!]all or QUALIFIER=[!]VAL1[,VAL2]...\n"
	"     qualifiers: trace, trace-fds, abbrev, verbose, raw, signal, read, write, fault,\n"
	"                 inject, status, quiet, kvm, namespace, decode-fds, decode-pids,\n"
	"                 secontext, stack\n"
	"\n"
	"Startup:\n"
	"  -E VAR=VAL, --env=VAR=VAL\n"
	"                 run the command with VAR set to VAL\n"
	"  -E VAR, --env=VAR\n"
	"                 run the command without VAR\n"
	"  -p PID, --attach=PID\n"
	"                 trace a running process; may be repeated or take a list\n"
	"  -u USERNAME, --user=USERNAME\n"
	"                 run the command as this user (or as UID:GID, two numbers)\n"
	"  --argv0=NAME   give the command NAME as its argv[0]\n"
	"\n"
	"Tracing:\n"
	"  -b execve, --detach-on=execve\n"
	"                 detach from a process when it calls execve\n"
	"  -D, --daemonize[=grandchild]\n"
	"                 trace from a grandchild, so that the command stays the caller's child\n"
	"  -DD, --daemonize=pgroup\n"
	"                 the same, in a process group of its own\n"
	"  -DDD, --daemonize=session\n"
	"                 the same, in a session of its own\n"
	"  -f, --follow-forks\n"
	"                 also trace child processes and threads\n"
	"  -ff, --follow-forks --output-separately\n"
	"                 the same, and write a file for each: FILE.PID\n"
	"  -I INTERRUPTIBLE, --interruptible=INTERRUPTIBLE\n"
	"     1, anywhere:   signals may end the tracer at any time\n"
	"     2, waiting:    fatal signals wait until a syscall is decoded (default)\n"
	"     3, never:      fatal signals are blocked (default with '-o FILE PROG')\n"
	"     4, never_tstp: fatal signals and SIGTSTP (^Z) are blocked (default with -D)\n"
	"  --kill-on-exit kill the tracees when the tracer ends\n"
	"\n"
	"Filtering:\n"
	"  -e trace=[!][?]{{SYSCALL|GROUP|all|/REGEX}[@64|@32|@x32]|none},\n"
	"   --trace=[!][?]{{SYSCALL|GROUP|all|/REGEX}[@64|@32|@x32]|none}\n"
	"                 trace these syscalls only; with --io-uring=on, @uring selects only\n"
	"                 requests, @syscall only syscalls\n"
	"     groups:     %%clock, %%creds, %%desc, %%file, %%fstat, %%fstatfs, %%ipc, %%lstat,\n"
	"                 %%memory, %%net, %%process, %%pure, %%signal, %%stat, %%%%stat,\n"
	"                 %%statfs, %%%%statfs\n"
	"  -e signal=SET, --signal=SET\n"
	"                 show these signals only\n"
	"  -e status=SET, --status=SET\n"
	"                 show only syscalls with this outcome\n"
	"     statuses:   successful, failed, unfinished, unavailable, detached\n"
	"  -e trace-fds=SET, --trace-fds=SET\n"
	"                 show only syscalls on these file descriptors\n"
	"  -P PATH, --trace-path=PATH\n"
	"                 show only syscalls on PATH, which may be a pattern like '/etc/**'\n"
	"  -z, --successful-only\n"
	"                 show only syscalls that succeeded\n"
	"  -Z, --failed-only\n"
	"                 show only syscalls that failed\n"
	"\n"
	"Output format:\n"
	"  -a COLUMN, --columns=COLUMN\n"
	"                 align results at this column (default 40)\n"
	"  --color=WHEN   colour the output: auto (default), always or never\n"
	"  -e abbrev=SET, --abbrev=SET\n"
	"                 shorten the structures of these syscalls\n"
	"  -e verbose=SET, --verbose=SET\n"
	"                 decode the structures of these syscalls\n"
	"  -e raw=SET, --raw=SET\n"
	"                 show the arguments of these syscalls as plain numbers\n"
	"  -e read=SET, --read=SET\n"
	"                 dump all data read from these descriptors\n"
	"  -e write=SET, --write=SET\n"
	"                 dump all data written to these descriptors\n"
	"  -e quiet=SET, --quiet=SET\n"
	"                 suppress messages of these kinds\n"
	"     messages:   attach, exit, path-resolution, personality, thread-execve\n"
	"  -e kvm=vcpu[+], --kvm=vcpu[+]\n"
	"                 show why a KVM vcpu exited ('+': also the start of struct kvm_run)\n"
	"  -e namespace=new, --namespace=new\n"
	"                 show the ids of namespaces that a tracee enters\n"
	"  -e decode-fds=SET, --decode-fds=SET\n"
	"                 show these details of file descriptors\n"
	"     details:    dev (device numbers), eventfd (counter), path (file path),\n"
	"                 pidfd (process), socket (addresses and protocol),\n"
	"                 signalfd (signal mask)\n"
	"  -i, --instruction-pointer\n"
	"                 show the instruction pointer at the syscall\n"
	"  -k, --stack-trace[=symbol]\n"
	"                 show the stack trace of each syscall\n"
	"  -kk, --stack-trace=source\n"
	"                 the same, with source lines and inlined calls\n"
	"  --stack-trace-frame-limit=LIMIT\n"
	"                 show at most LIMIT frames of a stack (default 256)\n"
	"  -n, --syscall-number\n"
	"                 show syscall numbers\n"
	"  -N, --arg-names\n"
	"                 show argument names\n"
	"  -o FILE, --output=FILE\n"
	"                 write to FILE instead of stderr; '|CMD' and '!CMD' pipe to\n"
	"                 CMD, '-' is stdout\n"
	"  -A, --output-append-mode\n"
	"                 append to the output file\n"
	"  --output-separately\n"
	"                 write one file per thread (its id is appended to the name)\n"
	"  -q, --quiet=attach,personality\n"
	"                 suppress messages about attaching, detaching and personalities\n"
	"  -qq, --quiet=attach,personality,exit\n"
	"                 also suppress lines about exits\n"
	"  -qqq, --quiet=all\n"
	"                 suppress all optional messages\n"
	"  -r, --relative-timestamps[=PRECISION]\n"
	"                 show the time since the start of the previous call\n"
	"                 (for the time spent in a call see -T)\n"
	"     precision:  s, ms, us (default) or ns\n"
	"  -s STRSIZE, --string-limit=STRSIZE\n"
	"                 show at most STRSIZE bytes of a string (default 32)\n"
	"  --absolute-timestamps=[[format:]FORMAT[,[precision:]PRECISION]]\n"
	"                 show the time of day, in this format\n"
	"     format:     none, time (default) or unix\n"
	"     precision:  s (default), ms, us or ns\n"
	"  -t, --absolute-timestamps[=time]\n"
	"                 show the time of day\n"
	"  -tt, --absolute-timestamps=[time,]us\n"
	"                 the same, with microseconds\n"
	"  -ttt, --absolute-timestamps=unix,us\n"
	"                 show seconds since 1970, with microseconds\n"
	"  -T, --syscall-times[=PRECISION]\n"
	"                 show how long each syscall took\n"
	"     precision:  s, ms, us (default) or ns\n"
	"  -v, --no-abbrev\n"
	"                 show structures in full\n"
	"  --strings=escaped|utf8\n"
	"                 how to show printable characters that are not ASCII: as escapes, or\n"
	"                 unchanged in UTF-8 (default on a UTF-8 terminal)\n"
	"  --strings-in-hex=non-ascii-chars\n"
	"                 escape in hexadecimal instead of octal\n"
	"  -x, --strings-in-hex=non-ascii\n"
	"                 show strings with non-ASCII characters in hexadecimal\n"
	"  -xx, --strings-in-hex[=all]\n"
	"                 show all strings in hexadecimal\n"
	"  -X FORMAT, --const-print-style=FORMAT\n"
	"                 how to show constants and flags: raw, abbrev or verbose\n"
	"  -y, --decode-fds[=path]\n"
	"                 show the paths of file descriptors\n"
	"  -yy, --decode-fds=all\n"
	"                 show all available details of file descriptors\n"
	"  --decode-pids=pidns\n"
	"                 also translate pids of other pid namespaces to tracer's namespace\n"
	"  -Y, --decode-pids=comm\n"
	"                 show the command names of pids\n"
	"  --secontext[=SET]\n"
	"                 show SELinux types (full: whole contexts; mismatch: also the context\n"
	"                 in the system's database if it differs)\n"
	"  --always-show-pid\n"
	"                 show the pid even with a single process\n"
	"\n"
	"Statistics:\n"
	"  -c, --summary-only\n"
	"                 sum up time, calls and errors, and print only the table\n"
	"  -C, --summary  print the usual output, and then the same table\n"
	"  -O OVERHEAD[UNIT], --summary-syscall-overhead=OVERHEAD[UNIT]\n"
	"                 subtract this tracing overhead from the time of each call\n"
	"     units:      s, ms, us (default) or ns\n"
	"  -S SORTBY, --summary-sort-by=SORTBY\n"
	"                 sort by time (default), min-time, max-time, avg-time, wall-total,\n"
	"                 wall-min, wall-max, wall-avg, calls, errors, p50, p90, p99, name or\n"
	"                 nothing\n"
	"  -U COLUMNS, --summary-columns=COLUMNS\n"
	"                 the columns: a list of time-percent, total-time, min-time, max-time,\n"
	"                 avg-time, wall-total, wall-min, wall-max, wall-avg, calls, errors,\n"
	"                 p50, p90, p99 (percentiles of elapsed time), name\n"
	"                 (default time-percent,total-time,avg-time,calls,errors,name)\n"
	"  -w, --summary-wall-clock\n"
	"                 sum up elapsed time (default: system CPU time)\n"
	"\n"
	"Stop condition:\n"
	"  --syscall-limit=LIMIT\n"
	"                 detach from all tracees after LIMIT syscalls have been shown\n"
	"\n"
	"Tampering:\n"
	"  -e inject=SET[:error=ERRNO|:retval=VALUE][:signal=SIG][:syscall=SYSCALL]\n"
	"            [:delay_enter=DELAY][:delay_exit=DELAY]\n"
	"            [:poke_enter=@argN=DATAN,@argM=DATAM...]\n"
	"            [:poke_exit=@argN=DATAN,@argM=DATAM...]\n"
	"            [:when=WHEN][:if=EXPR], or --inject=\n"
	"                 tamper with these syscalls\n"
	"     delay:      microseconds, or NUMBER{s|ms|us|ns}\n"
	"     when:       FIRST[..LAST][+[STEP]]\n"
	"     if:         only calls that match EXPR (--help=query); must come last\n"
	"  -e fault=SET[:error=ERRNO][:when=WHEN][:if=EXPR], or --fault=\n"
	"                 make these syscalls fail (default ERRNO: ENOSYS)\n"
	"\n"
	"Beyond strace:\n"
	"  --format=FORMAT\n"
	"%s"
	"  --json-stacks=inline|once\n"
	"                 inline (default): each JSON event contains its stack; once: write\n"
	"                 each stack and module once, and refer to it by number\n"
	"  --weight=WEIGHT\n"
	"                 with --format=folded or flamegraph: sum up calls (default), time,\n"
	"                 errors or bytes; with --engine=bpf, also parts of the time: blocked,\n"
	"                 runnable (waiting for a CPU) or cpu\n"
	"  --stack-trace-style=STYLE\n"
	"                 block (default): one line per frame; line: all frames on the line\n"
	"                 of the syscall\n"
	"  -e stack=[!]/REGEX/\n"
	"                 show only syscalls whose stack contains (!: does not contain) a frame\n"
	"                 that matches REGEX; the text of a frame is FILE(FUNCTION, without ')'\n"
	"  --blocked[=DURATION]\n"
	"                 report each call still running after DURATION (default 1s), once, with\n"
	"                 its stack; add -e status=none to print nothing else\n"
	"  --events=SOURCE[,SOURCE...]\n"
	"                 also show events: wakeup (what ended waits); with --engine=bpf, sched\n"
	"                 (periods off the CPU) and fault (page faults that read from a disk)\n"
	"  --wakers[=exact|inferred]\n"
	"                 for each call that waited, show what ended the wait: a thread and how\n"
	"                 (futex, pipe, lock, signal, ...), a timer, or an untraced cause. This\n"
	"                 is exact with --engine=bpf. Otherwise, and with =inferred, it is\n"
	"                 inferred from the order of calls\n"
	"  --critical-path\n"
	"                 print only a final table of the threads and calls that determined how\n"
	"                 long the run took; the times add up to the duration of the run\n"
	"  --duration=[MIN][,MAX]\n"
	"                 show only calls that took MIN to MAX: NUMBER[s|ms|us|ns], default unit "
	"s\n"
	"  --where=EXPR   show only events that match: name == openat && flags has O_CREAT;\n"
	"                 --help=query describes expressions and fields\n"
	"  --fail-on=[NAME:]EXPR\n"
	"                 exit with status 120 if an event matches, even if it is not shown\n"
	"  --report=junit:FILE|github\n"
	"                 write the results of --fail-on as JUnit XML or GitHub annotations\n"
	"  --stop-on=[NAME:]EXPR\n"
	"                 detach as soon as an event matches\n"
	"  --stop-after=TIME\n"
	"                 detach after TIME: NUMBER[s|ms|us|ns], default unit s\n"
	"  --vdso=on|off  off: hide the vDSO from executed programs, so that clock_gettime,\n"
	"                 gettimeofday, time and getcpu become syscalls; slows the program\n"
	"                 down (default on)\n"
	"  --io-uring=on|off\n"
	"                 on: show the requests of io_urings as calls (default off)\n"
	"  --fd-report    print only a final report of descriptors left open or closed twice,\n"
	"                 with the thread and the stack that opened each of them\n"
	"  --learn=seccomp|systemd\n"
	"                 print only a policy that allows what the run did: a seccomp profile for\n"
	"                 containers (JSON), or settings of a systemd service\n"
	"  --files[=all|process|depfile]\n"
	"                 print only a final report of the files that were read, written,\n"
	"                 created, renamed, deleted or missing, with byte counts (-k: with the\n"
	"                 stack of the first use; depfile: as a rule for make and ninja)\n"
	"  --execs[=parent|first]\n"
	"                 print only a final report of the executed commands, as a tree in shell\n"
	"                 syntax, with working directory, inherited descriptors, exit status,\n"
	"                 duration, and changes of the environment since the parent or the first\n"
	"                 command\n"
	"  --last=N       keep the last N events in memory; write them when a process crashes, on\n"
	"                 SIGUSR1 and at the end; with --write-trace=FILE, write the last N calls\n"
	"                 to FILE.1, FILE.2, ...\n"
	"  --output-limit=SIZE[,FILES]\n"
	"                 with -o FILE: start a new file after SIZE bytes; old files are named\n"
	"                 FILE.1, FILE.2, ...; keep FILES files (default 4). With --tui: drop the\n"
	"                 oldest part of the temporary trace after SIZE bytes (default 1G)\n"
	"  --group-by=FIELD[,FIELD...]\n"
	"                 with -c, -C: group by fields of events: path, error, peer "
	"(--help=query)\n"
	"  --sum=FIELD[,FIELD...]\n"
	"                 with -c, -C: add up fields of events: bytes, duration\n"
	"  --hist=FIELD   with -c, -C: draw a histogram of a field (duration, bytes) for\n"
	"                 each row\n"
	"  --summary-by=WHAT\n"
	"                 group the summary by syscall (default), stack (as a tree), thread,\n"
	"                 process or path; all except syscall show elapsed times, like -w\n"
	"  --top=N        show only the first N rows, and sum up the rest in one row\n"
	"  --engine=ENGINE\n"
	"                 tracing mechanism: auto (default), ptrace, or bpf (does not stop the\n"
	"                 program)\n"
	"  --buffer-size=SIZE\n"
	"                 with --engine=bpf: buffer size per CPU, for example 64M\n"
	"  --stack-size=SIZE\n"
	"                 with -k and --engine=bpf (default 32K), or with --record-stacks=raw\n"
	"                 (default 64K): copy at most SIZE bytes of each stack\n"
	"  --cgroup=PATH, --container=PID\n"
	"                 with --engine=bpf: trace all present and future processes of control\n"
	"                 group PATH, or of the control group of PID, until interrupted; may\n"
	"                 be repeated\n"
	"  --all          with --engine=bpf: trace all processes of the machine except tracer,\n"
	"                 until interrupted\n"
	"  --unwinder=UNWINDER\n"
	"                 which unwinder to use: auto (default), rules or libunwind\n"
	"  --verify-stacks\n"
	"                 also walk each stack with plain libunwind and report differences\n"
	"  --native-frames\n"
	"                 also show frames of interpreters and of generated code, not only\n"
	"                 those of the program's own language\n"
	"  --tree         with -p: also trace all running descendants\n"
	"  --snapshot     with -p: print command lines, what each thread is doing now, and\n"
	"                 which thread holds the lock it waits for, then detach\n"
	"  --debuginfod   allow fetching debug information from debuginfod servers\n"
	"  --write-trace=FILE\n"
	"                 record everything in FILE ('|CMD' and '!CMD' pipe to CMD); print "
	"nothing\n"
	"                 unless -o, -c, -C or --format is given\n"
	"  --record-stacks=HOW\n"
	"                 with --write-trace: record stacks; frames: walk them while tracing,\n"
	"                 as -k does; raw: walk them when the trace is read\n"
	"  --read-trace=FILE\n"
	"                 show a recorded trace, with any display and filter options ('-':\n"
	"                 standard input); with -p, only these processes or threads\n"
	"  --from=TIME, --to=TIME\n"
	"                 with --read-trace: only events between these times (seconds since 1970,\n"
	"                 or +SECONDS since the trace began)\n"
	"  --sysroot=DIR  with --read-trace: look for binaries and debug files below DIR\n"
	"  --timezone=ZONE\n"
	"                 with --read-trace: show times of day in ZONE instead of the recording's\n"
	"                 zone\n"
	"  --symbolize=FILE\n"
	"                 with --read-trace: write a copy of the trace with resolved symbol names\n"
	"  --info         with --read-trace: describe the recording: host, kernel, command, time,\n"
	"                 numbers of calls, processes and stacks, lost events\n"
	"  --tui          browse calls, their stacks and the processes in the terminal, while\n"
	"                 tracing or with --read-trace; '?' shows the keys\n"
	"  --live[=SECONDS]\n"
	"                 show a table of what each thread spends its time in and what it waits\n"
	"                 for, updated every SECONDS (default 1). In the terminal, '?' shows the\n"
	"                 keys. With -o or in a pipe, the table is text with at most N threads\n"
	"                 (--top=N, default 20)\n"
	"  --diff=FILE    with --read-trace: show the differences between two traces\n"
	"                 (--format=text, json or folded)\n"
	"  --wait-spin={on|off}\n"
	"                 poll or share the tracee's CPU before sleeping (default: on)\n"
	"  --list-syscalls\n"
	"                 list the syscalls, their groups and numbers\n"
	"\n"
	"Miscellaneous:\n"
	"  -d, --debug    print debug messages to stderr\n"
	"  -h, --help     print the most common options\n"
	"  --help=all     print all options\n"
	"  --help=TOPIC, --help=/WORD/\n"
	"                 print a section of this text (--help=tampering), an option\n"
	"                 (--help=top), the query language (--help=query), or all options whose\n"
	"                 descriptions contain WORD (--help=/cgroup/)\n"
	"  --seccomp-bpf  stop tracees only at traced syscalls; requires -f\n"
	"  --tips[=[[id:]ID][,[format:]FORMAT]]\n"
	"                 print a tip on exit\n"
	"     id:         a number, or random (default)\n"
	"     format:     none, compact (default), full\n"
	"  -V, --version  print the version\n";

/* The first and last column of option descriptions. */
#define HELP_COLUMN 17
#define HELP_WIDTH  85

static void put_words(struct strbuf *b, size_t *line, const char *words)
{
	for (size_t n; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (*line == b->len) {
			strbuf_printf(b, "%*s", HELP_COLUMN, "");
		} else if (b->len - *line + 1 + n > HELP_WIDTH) {
			strbuf_putc(b, '\n');
			*line = b->len;
			strbuf_printf(b, "%*s", HELP_COLUMN, "");
		} else {
			strbuf_putc(b, ' ');
		}
		strbuf_add(b, words, n);
	}
}

/* Appends the values of --format=, each with its explanation. */
static void put_formats(struct strbuf *b)
{
	const struct sink_format *first = sink_format_next(NULL), *f = NULL;
	attr_cleanup(strbuf_deinit) struct strbuf word = {0};
	size_t line = b->len;

	put_words(b, &line, "output format:");
	while ((f = sink_format_next(f))) {
		word.len = 0;
		strbuf_printf(&word, "%s (%s)%s", f->name, f == first ? "default" : f->note,
			      sink_format_next(f) ? "," : "");
		put_words(b, &line, strbuf_str(&word));
	}
	strbuf_putc(b, '\n');
}

void help_page(void)
{
	const char *name = msg_program();

	printf(page, name, name, name, name);
}

char *help_text(void)
{
	attr_cleanup(strbuf_deinit) struct strbuf formats = {0};

	put_formats(&formats);
	return mem_printf(usage, msg_program(), msg_program(), strbuf_str(&formats));
}

void help_usage(void)
{
	attr_cleanup(mem_free_ptr) char *text = help_text();

	fputs(text, stdout);
}

/* Returns the line of `help` that describes the option `name`, or NULL. */
static const char *find_option(const char *help, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = help; (p = strstr(p, "--")); p += 2) {
		const char *line = p;

		while (line > help && line[-1] != '\n')
			line--;
		if (!strncmp(p + 2, name, len) &&
		    !strchr("abcdefghijklmnopqrstuvwxyz-", p[2 + len]) &&
		    !strncmp(line, "  --", 4) && (p == line + 2 || p[-2] == ','))
			return line;
	}
	return NULL;
}

char *help_of_option(const char *name)
{
	enum { INDENT = 17 };
	attr_cleanup(strbuf_deinit) struct strbuf formats = {0}, all = {0}, said = {0};
	const char *line, *end;

	put_formats(&formats);
	strbuf_printf(&all, usage, "", "", strbuf_str(&formats));
	/* The sections from "Miscellaneous" on contain options of strace, so cut them off. */
	if ((end = strstr(strbuf_str(&all), "\nMiscellaneous:")))
		all.len = (size_t)(end - strbuf_str(&all));
	line = strstr(strbuf_str(&all), "\nBeyond strace:");
	if (!line || !(line = find_option(line + 1, name)))
		return NULL;
	do {
		bool head = line[2] == '-';
		size_t len;

		end = line + strcspn(line, "\n");
		line += strspn(line, " ");
		len = (size_t)(end - line);
		/* The description may begin on the line of the option. */
		if (head && strstr(line, "  ") && strstr(line, "  ") < end)
			len = (size_t)(strstr(line, "  ") - line);
		strbuf_printf(&said, "%s%.*s%s", said.len ? " " : "", (int)len, line,
			      head ? ":" : "");
		line += len;
		line += strspn(line, " ");
		if (line < end)
			strbuf_printf(&said, " %.*s", (int)(end - line), line);
		line = end + (*end == '\n');
	} while (strspn(line, " ") >= INDENT);
	return mem_strdup(strbuf_str(&said));
}

void help_version(void)
{
	printf("%s -- version " PACKAGE_VERSION "\n"
	       "Copyright (c) 2026 The tracer developers.\n"
	       "This is free software under the LGPL, version 2.1 or later; it comes with NO\n"
	       "WARRANTY, not even that it is fit for any purpose.\n"
	       "\n"
	       "Optional features enabled: stack-trace=%s %s%s%s m32-mpers mx32-mpers\n",
	       msg_program(), unwind_has(UNWIND_LIBUNWIND) ? "libunwind" : "own",
	       unwind_has(UNWIND_DEMANGLING) ? "stack-demangle" : "no-stack-demangle",
	       unwind_has(UNWIND_SOURCE_LINES) ? "" : " no-source-lines",
	       unwind_has(UNWIND_DEBUGINFOD) ? "" : " no-debuginfod");
}

static const char *const tips[] = {
	"-f -o '|grep ENOENT' shows lookups of missing files as they happen.",
	"-e stack=/malloc/ shows only syscalls made during memory allocation.",
	"--stack-trace-style=line keeps a syscall and its stack on one line, so that grep,\n"
	"sort and uniq see both.",
	"--blocked reports hanging calls with their stacks while they hang.",
	"-c --summary-by=stack -U calls,p99 shows which code path is slow, not just which\n"
	"syscall.",
	"-p \"$(pidof nginx)\" attaches to every process of that name.",
	"-P /etc/passwd shows every syscall on that path or on a descriptor of that file.",
	"--seccomp-bpf with -f and a small -e trace= set lets all other syscalls run at full\n"
	"speed.",
	"-Z shows only calls that failed; -z only calls that succeeded.",
	"-yy shows what each descriptor is: a path, a socket with its peer, a device.",
	"-e fault=openat:error=ENOSPC:when=3 makes the third openat fail, to test error\n"
	"handling.",
	"--format=flamegraph -o calls.html writes a flame graph that opens in any browser.",
};

void help_tip(int tip, int format)
{
	struct timespec now;
	const char *text;

	if (!format)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	text = tips[(tip < 0 ? now.tv_nsec / 1000 : tip) % ARRAY_SIZE(tips)];
	if (format == 1) {
		fprintf(stderr, "Tip: %s\n", text);
		return;
	}
	fputs("+----------------------------------------------------------------------\n"
	      "| Tip\n"
	      "|\n",
	      stderr);
	while (*text) {
		int len = strcspn(text, "\n");

		fprintf(stderr, "| %.*s\n", len, text);
		text += len + (text[len] == '\n');
	}
	fputs("+----------------------------------------------------------------------\n", stderr);
}

static void print_syscall(unsigned row)
{
	attr_cleanup(strbuf_deinit) struct strbuf line = {0};
	uint32_t has = syscall_desc_classes(&syscall_descs[row]), bits;
	const char *class;

	strbuf_puts(&line, syscall_descs[row].name);
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		int nr = abi_runs_here(&abis[i]) ? abi_number(&abis[i], row) : -1;

		if (nr >= 0)
			strbuf_printf(&line, " %s:%d", abis[i].name, nr);
	}
	for (unsigned i = 0; (class = syscall_class_name(i, &bits)); i++) {
		if (has & bits && strcmp(class, "net"))
			strbuf_printf(&line, " %%%s", class);
	}
	puts(strbuf_str(&line));
}

static int by_name(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return strcmp(syscall_descs[*x].name, syscall_descs[*y].name);
}

void help_syscalls(void)
{
	attr_cleanup(mem_free_ptr) unsigned *rows = mem_alloc(syscall_desc_count * sizeof(*rows));
	size_t n = 0;

	for (unsigned row = 0; row < syscall_desc_count; row++) {
		/* Skip calls made through ipc(2). Their names also belong to other syscalls. */
		if (syscall_desc_find(syscall_descs[row].name) == (int)row)
			rows[n++] = row;
	}
	qsort(rows, n, sizeof(*rows), by_name);
	for (size_t i = 0; i < n; i++)
		print_syscall(rows[i]);
}
