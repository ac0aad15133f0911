/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the command line says about decoding (not about printing). */
#ifndef TRACER_DECODE_CONFIG_H
#define TRACER_DECODE_CONFIG_H

#include "defs.h"

enum fd_detail { /* -y, -yy, -e decode-fds= */
		 FD_PATH = 1 << 0,
		 FD_DEV = 1 << 1,
		 FD_SOCKET = 1 << 2,
		 FD_PIDFD = 1 << 3,
		 FD_EVENTFD = 1 << 4,
		 FD_SIGNALFD = 1 << 5
};

enum decode_mode {			     /* bits, one byte a row of linux/syscall_desc.h */
		   DECODE_FULL = 1 << 0,     /* unabbreviated: -v, -e abbrev=!SET */
		   DECODE_NO_DEREF = 1 << 1, /* -e verbose=!SET: structures stay addresses */
		   DECODE_RAW = 1 << 2	     /* -e raw=SET: hexadecimal only */
};

struct number_set;
struct plans;

struct decode_config {
	unsigned string_limit;	    /* -s: bytes of a string, elements of an array; 32 */
	unsigned fd_details;	    /* enum fd_detail */
	bool pid_comm;		    /* -Y */
	bool kvm_exits;		    /* -e kvm=vcpu */
	bool pid_translate;	    /* --decode-pids=pidns */
	const uint8_t *per_syscall; /* enum decode_mode by ABI and row, or NULL: 0 for all */
	bool namespaces;	    /* -e namespace=new */
	struct plans *plans;	    /* by which memory is read ahead; NULL: it is not */
	const struct number_set *dump_read, *dump_write; /* -e read=, -e write=; NULL: none */
};

#endif
