/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The decoding settings from the command line. The settings for printing belong to the sinks. */
#ifndef TRACER_DECODE_CORE_CONFIG_H
#define TRACER_DECODE_CORE_CONFIG_H

#include "defs.h"

/*
 * Flags for the details that are shown with a file descriptor, set by -y, -yy and -e decode-fds=.
 */
enum fd_detail {
	FD_PATH = 1 << 0,
	FD_DEV = 1 << 1,
	FD_SOCKET = 1 << 2,
	FD_PIDFD = 1 << 3,
	FD_EVENTFD = 1 << 4,
	FD_SIGNALFD = 1 << 5
};

/*
 * Flags that determine how the calls of a row in syscall_descs (linux/syscall_desc.h) are decoded.
 */
enum decode_mode {
	DECODE_FULL = 1 << 0,	  /* -v, -e abbrev=!SET: not abbreviated */
	DECODE_NO_DEREF = 1 << 1, /* -e verbose=!SET: pointers are shown as addresses */
	DECODE_RAW = 1 << 2	  /* -e raw=SET: all arguments are shown in hexadecimal */
};

/*
 * The value of decode_config.command_limit, in bytes, for recordings and for reports that show
 * commands in full.
 */
#define COMMAND_STRINGS (16u << 10)

struct number_set;
struct plans;

/*
 * The creator of the struct owns the data that the pointers refer to. The data must outlive all
 * decoding.
 */
struct decode_config {
	unsigned string_limit; /* -s: maximum number of shown bytes of a string, and of shown
				  elements of an array */
	/*
	 * maximum number of shown bytes of each string of execve(2); ignored if it is less than
	 * string_limit
	 */
	unsigned command_limit;
	unsigned fd_details; /* bits of enum fd_detail */
	/* like fd_details, for details that only queries need (value.known) */
	unsigned query_details;
	bool resolve_paths;	 /* if true, the absolute form of relative paths is also determined
				    (value.extra) */
	bool pid_comm;		 /* -Y: show the thread name with each pid */
	bool secontext;		 /* --secontext: add SELinux contexts */
	bool secontext_expected; /* --secontext=mismatch: add the contexts in the database too */
	bool kvm_exits;		 /* -e kvm=vcpu: show why ioctl(KVM_RUN) returned */
	bool kvm_run;		 /* -e kvm=vcpu+: also show the first bytes of struct kvm_run */
	bool pid_translate;	 /* --decode-pids=pidns: also show pids in tracer's pid namespace */
	/*
	 * The enum decode_mode flags of each syscall, indexed by ABI index * syscall_desc_count +
	 * row. NULL if no syscall has any of these flags.
	 */
	const uint8_t *per_syscall;
	bool namespaces;     /* -e namespace=new: show the namespaces that a call enters */
	struct plans *plans; /* read plans; NULL if no memory should be read ahead */
	/*
	 * The descriptors whose transferred data is dumped (-e read= and -e write=). May be NULL.
	 */
	const struct number_set *dump_read, *dump_write;
	/*
	 * True if the values are discarded, so that only the reads and the questions of decoders
	 * matter. A decoder may then leave out values that need neither.
	 */
	bool reads_only;
};

#endif
