/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What decoding may ask about the world a tracee lives in, besides its memory: what a
 * descriptor is, who has a pid, which family a netlink message is of. The answers come
 * from the running system (capture/proc), from what was recorded (capture/answers.h), or
 * from a test. Whoever asks does not know which of them it is.
 *
 * Question and answer are plain data of one form each, so that recording and answering
 * again is written once. Decoders call the functions at the end, one a kind of question.
 */
#ifndef TRACER_CAPTURE_FACTS_H
#define TRACER_CAPTURE_FACTS_H

#include <limits.h>

#include "defs.h"

/*
 * The kinds of questions; numbers that trace files keep: new ones come last. tid and pid
 * are numbers of our pid namespace, unless it says otherwise. Numbers and bytes are those
 * of struct fact_answer, in their order.
 */
enum fact_kind {
	FACT_FD_PATH,  /* descriptor n of tid, AT_FDCWD its directory: length of the name; path */
	FACT_FD_INFO,  /* the line called key of proc_pid_fdinfo(5), of descriptor n of tid; text */
	FACT_FD_PIDFD, /* a pidfd, descriptor n of tid: the pid as shown, the pid */
	FACT_FD_PROTOCOL, /* a socket, descriptor n of tid; name of its protocol, "TCPv6" */
	FACT_SOCKET,	/* the socket with inode n of the protocol called key: see fact_socket() */
	FACT_DEVICE,	/* the device called key: S_IFCHR or S_IFBLK, its number (st_rdev) */
	FACT_COMM,	/* thread n; its name */
	FACT_PID,	/* pid n, enum pid_kind of, as tid's pid namespace has it: the pid */
	FACT_NAMESPACE, /* namespace key ("mnt") of tid; "mnt:[4026531841]" */
	FACT_MAPPING,	/* the first mapping of a file called key in tid: its address */
	FACT_GENL_FAMILY, /* the generic netlink family with number n; its name */
	FACT_INTERFACE,	  /* network interface n of our network namespace; its name */
	FACT_BOOT_TIME,	  /* CLOCK_REALTIME when CLOCK_BOOTTIME was zero, in nanoseconds */
	FACT_KINDS
};

/* What a pid is a number of. */
enum pid_kind { PID_THREAD, PID_PROCESS, PID_GROUP, PID_SESSION };

/* What does not belong to a question of its kind is 0 or NULL. */
struct fact_question {
	enum fact_kind kind;
	pid_t tid;
	int64_t n;
	int of;
	const char *key;
};

#define FACT_NUMBERS 6

struct fact_answer {
	/*
	 * 0, or -errno: there is no such thing (-ENOENT), we may not know; -ENODATA: nobody
	 * asked when it was recorded.
	 */
	int error;
	unsigned count; /* of numbers */
	int64_t numbers[FACT_NUMBERS];
	size_t len;	      /* of bytes, without the NUL behind them */
	char bytes[PATH_MAX]; /* as much as there is room for */
};

struct facts;

struct facts_ops {
	/* Fills in what is not as facts_ask() has prepared it: no error, no numbers, no bytes. */
	void (*ask)(struct facts *f, const struct fact_question *q, struct fact_answer *a);
};

/* Embedded in what implements it. */
struct facts {
	const struct facts_ops *ops;
};

/* Asks; of nobody (f is NULL), nothing was recorded. Returns a->error. */
int facts_ask(struct facts *f, const struct fact_question *q, struct fact_answer *a);

/* For implementations: adds a number, or sets the bytes, as many as there is room for. */
void fact_add_number(struct fact_answer *a, int64_t n);
void fact_set_bytes(struct fact_answer *a, const void *bytes, size_t len);

/* ---- the questions ---- */

/*
 * The path of a descriptor (AT_FDCWD: of the working directory) in a->bytes, terminated: its
 * length, or -errno. The first a->numbers[0] bytes are the file's name: a deleted one's has a
 * note behind it.
 */
ssize_t fact_fd_path(struct facts *f, pid_t tid, int fd, struct fact_answer *a);
/* What the kernel tells of a descriptor under key, see proc_pid_fdinfo(5); false: nothing. */
bool fact_fd_info(struct facts *f, pid_t tid, int fd, const char *key, char *buf, size_t size);
/*
 * The process that a descriptor is a pidfd of, in *shown as the kernel shows it to us (-1: it is
 * gone), in *pid as we call it (0: not at all). false: it is no pidfd.
 */
bool fact_fd_pidfd(struct facts *f, pid_t tid, int fd, int *shown, int *pid);
/* The name that the kernel has for a socket's protocol; false: it is no socket. */
bool fact_fd_protocol(struct facts *f, pid_t tid, int fd, char *buf, size_t size);

/* What sock_diag(7) tells of a socket. */
struct socket_fact {
	int family;		       /* AF_INET, AF_INET6, AF_NETLINK or AF_UNIX */
	unsigned port, peer_port;      /* of the first two, in host order */
	uint8_t address[16], peer[16]; /* theirs; the first 4 bytes of AF_INET */
	unsigned protocol, portid;     /* of AF_NETLINK */
	unsigned long peer_inode;      /* of AF_UNIX; 0: it is not connected */
	size_t path_len;	       /* of AF_UNIX; 0: it is not bound */
	char path[108];		       /* as in struct sockaddr_un */
};
/* false: nothing is known of it, as in another network namespace than ours. */
bool fact_socket(struct facts *f, unsigned long inode, const char *protocol,
		 struct socket_fact *socket);

/* The device that has this name where we live: its st_mode (the type alone) and st_rdev. */
bool fact_device(struct facts *f, const char *path, unsigned *type, uint64_t *rdev);
/* A thread's name, of at most 15 bytes; false: there is none. */
bool fact_comm(struct facts *f, pid_t tid, char comm[16]);
/* What we call what tid calls pid; 0: not known. */
pid_t fact_pid(struct facts *f, pid_t tid, enum pid_kind kind, pid_t pid);
/* "mnt:[4026531841]" of a thread, by a name in /proc/PID/ns; false: it cannot be had. */
bool fact_namespace(struct facts *f, pid_t tid, const char *name, char *buf, size_t size);
/* Where a thread has mapped what is called name first; 0: nowhere. */
uint64_t fact_mapping(struct facts *f, pid_t tid, const char *name);
/* 0, -ENOENT: there is no such family, or another error: families are not known. */
int fact_genl_family(struct facts *f, unsigned id, char *buf, size_t size);
bool fact_interface(struct facts *f, unsigned index, char *buf, size_t size);
/* Nanoseconds since 1970 at which the system started. */
bool fact_boot_time(struct facts *f, int64_t *ns);

#endif
