/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The settings of decoding, from the command line. Settings of printing belong to the sinks. */
#ifndef TRACER_DECODE_CORE_CONFIG_H
#define TRACER_DECODE_CORE_CONFIG_H

#include "defs.h"

/* Bits: the details shown with a file descriptor, set by -y, -yy and -e decode-fds=. */
enum fd_detail {
	FD_PATH = 1 << 0,
	FD_DEV = 1 << 1,
	FD_SOCKET = 1 << 2,
	FD_PIDFD = 1 << 3,
	FD_EVENTFD = 1 << 4,
	FD_SIGNALFD = 1 << 5
};

/* Bits: how the calls of one row of syscall_descs (linux/syscall_desc.h) are decoded. */
enum decode_mode {
	DECODE_FULL = 1 << 0,	  /* unabbreviated: -v, -e abbrev=!SET */
	DECODE_NO_DEREF = 1 << 1, /* -e verbose=!SET: structures stay addresses */
	DECODE_RAW = 1 << 2	  /* -e raw=SET: hexadecimal only */
};

struct number_set;
struct plans;

/* The creator of the struct owns the data it points to, which must outlive the decoding. */
struct decode_config {
	unsigned string_limit;	/* -s: maximum bytes of a string or elements of an array */
	unsigned fd_details;	/* bits of enum fd_detail */
	unsigned query_details; /* like fd_details, but for queries and not shown: value.known */
	bool resolve_paths;	/* resolve relative paths to absolute ones: value.extra */
	bool pid_comm;		/* -Y: show pids with the names of their threads */
	bool kvm_exits;		/* -e kvm=vcpu: show the reason why ioctl(KVM_RUN) returned */
	bool kvm_run; /* -e kvm=vcpu+: also show all of struct kvm_run before and after the call */
	bool pid_translate; /* --decode-pids=pidns: also show pids in our pid namespace */
	/*
	 * Bits of enum decode_mode for each syscall, indexed by ABI index * syscall_desc_count +
	 * row. If NULL, the mode of all syscalls is 0.
	 */
	const uint8_t *per_syscall;
	bool namespaces;     /* -e namespace=new: show the namespaces that a call enters */
	struct plans *plans; /* read plans; if NULL, no memory is read ahead */
	/* Descriptors whose transfers are dumped, -e read= and -e write=; may be NULL. */
	const struct number_set *dump_read, *dump_write;
};

#endif
