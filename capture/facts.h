/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What decoders may ask about a tracee besides its memory: what a descriptor is, which
 * process has a pid, which family a netlink message belongs to. The answers come from the
 * running system (capture/proc), from a recording (capture/answers.h), or from a test. The
 * decoder that asks cannot tell which.
 *
 * Questions have one form, and so have answers: both are plain data, so recording and
 * answering from a record need no code for each kind. Decoders call the functions at the
 * end of this file, one for each kind of question.
 */
#ifndef TRACER_CAPTURE_FACTS_H
#define TRACER_CAPTURE_FACTS_H

#include <limits.h>

#include "defs.h"

/*
 * The kinds of questions. Trace files store these numbers, so new kinds go to the end. tid, n,
 * of and key are the fields of struct fact_question; numbers[] and bytes are those of struct
 * fact_answer. Ids are of our pid namespace unless the comment says otherwise.
 */
enum fact_kind {
	/*
	 * The path of descriptor n of tid (AT_FDCWD: the working directory). numbers[0]: the length
	 * of the file's name, which is shorter than the path if the file was deleted; bytes: the
	 * path.
	 */
	FACT_FD_PATH,
	/*
	 * The value of key in the fdinfo of descriptor n of tid, see proc_pid_fdinfo(5). bytes: the
	 * value.
	 */
	FACT_FD_INFO,
	/*
	 * The process of the pidfd n of tid. numbers[0]: its pid as fdinfo shows it; numbers[1]:
	 * its pid in our namespace.
	 */
	FACT_FD_PIDFD,
	/* The protocol of the socket that is descriptor n of tid. bytes: its name, "TCPv6". */
	FACT_FD_PROTOCOL,
	/* The socket with inode n and the protocol key. For the answer see fact_socket(). */
	FACT_SOCKET,
	/*
	 * The device file with the path key. numbers[0]: S_IFCHR or S_IFBLK; numbers[1]: st_rdev.
	 */
	FACT_DEVICE,
	/* The name of thread n. bytes: the name. */
	FACT_COMM,
	/*
	 * The thread, process, … (of: enum pid_kind) that has the number n in the pid namespace of
	 * tid. numbers[0]: its number in ours.
	 */
	FACT_PID,
	/* The namespace of tid that key names ("mnt"). bytes: "mnt:[4026531841]". */
	FACT_NAMESPACE,
	/* The first mapping in tid of the file called key. numbers[0]: its address. */
	FACT_MAPPING,
	/* The generic netlink family with number n. bytes: its name. */
	FACT_GENL_FAMILY,
	/* The network interface with index n in our network namespace. bytes: its name. */
	FACT_INTERFACE,
	/*
	 * The time of boot. numbers[0]: CLOCK_REALTIME at the moment when CLOCK_BOOTTIME was zero,
	 * in nanoseconds.
	 */
	FACT_BOOT_TIME,
	/*
	 * net.core.optmem_max, see socket(7): a socket takes no more bytes of control messages at a
	 * time. numbers[0]: the number of bytes.
	 */
	FACT_OPTMEM_MAX,
	FACT_KINDS
};

/* What a pid numbers. */
enum pid_kind { PID_THREAD, PID_PROCESS, PID_GROUP, PID_SESSION };

/* A question. Fields that its kind does not use are 0 or NULL. */
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
	 * 0, or -errno: for example -ENOENT if there is no such thing, -EACCES if we may not
	 * know; -ENODATA if the question was not asked when the record was made.
	 */
	int error;
	unsigned count; /* how many of numbers are set */
	int64_t numbers[FACT_NUMBERS];
	bool late;  /* it is how things were when the question was asked, later than at the stop */
	size_t len; /* of bytes, without the NUL that terminates them */
	char bytes[PATH_MAX]; /* cut if there are more */
};

struct facts;

struct facts_ops {
	/* Answers q in *a, which facts_ask() has set to: no error, no numbers, no bytes. */
	void (*ask)(struct facts *f, const struct fact_question *q, struct fact_answer *a);
};

/* The common part of all implementations, which embed it. */
struct facts {
	const struct facts_ops *ops;
	bool late; /* private to facts_ask() and facts_were_late() */
};

/* Asks; of nobody (f is NULL), nothing was recorded. Returns a->error. */
int facts_ask(struct facts *f, const struct fact_question *q, struct fact_answer *a);
/* Whether an answer was late since this was asked last. */
bool facts_were_late(struct facts *f);

/* For implementations: adds a number, or sets the bytes, as many as there is room for. */
void fact_add_number(struct fact_answer *a, int64_t n);
void fact_set_bytes(struct fact_answer *a, const void *bytes, size_t len);
struct socket_fact;
void fact_set_socket(struct fact_answer *a, const struct socket_fact *s); /* of FACT_SOCKET */

/* ---- the questions ---- */

/*
 * Puts the path of a descriptor (AT_FDCWD: of the working directory) into a->bytes, terminated.
 * Returns its length, or -errno. Its first a->numbers[0] bytes are the file's name; if the file
 * was deleted, " (deleted)" follows the name.
 */
ssize_t fact_fd_path(struct facts *f, pid_t tid, int fd, struct fact_answer *a);
/*
 * Puts the value of key in a descriptor's fdinfo, see proc_pid_fdinfo(5), into buf, terminated and
 * cut to size bytes. Returns false if there is none.
 */
bool fact_fd_info(struct facts *f, pid_t tid, int fd, const char *key, char *buf, size_t size);
/*
 * Finds the process that a pidfd refers to. *shown is its pid as fdinfo shows it (-1 if the process
 * is gone), *pid the one in our pid namespace (0 if it has none there). Returns false if the
 * descriptor is no pidfd.
 */
bool fact_fd_pidfd(struct facts *f, pid_t tid, int fd, int *shown, int *pid);
/*
 * Puts the kernel's name of a socket's protocol ("TCPv6") into buf, terminated and cut to size
 * bytes. Returns false if the descriptor is no socket.
 */
bool fact_fd_protocol(struct facts *f, pid_t tid, int fd, char *buf, size_t size);

/* A socket's data, from sock_diag(7). */
struct socket_fact {
	int family;		       /* AF_INET, AF_INET6, AF_NETLINK or AF_UNIX */
	unsigned port, peer_port;      /* AF_INET, AF_INET6: in host order */
	uint8_t address[16], peer[16]; /* AF_INET, AF_INET6: an AF_INET address has 4 bytes */
	unsigned protocol, portid;     /* AF_NETLINK: see netlink(7) */
	unsigned long peer_inode;      /* AF_UNIX; 0: the socket is not connected */
	size_t path_len;	       /* AF_UNIX: bytes of path; 0: the socket is not bound */
	char path[108];		       /* AF_UNIX: sun_path of struct sockaddr_un, unix(7) */
};
/*
 * Fills in *socket for the socket with that inode and protocol. Returns false if nothing is known
 * about it; so it is in a network namespace that is not ours.
 */
bool fact_socket(struct facts *f, unsigned long inode, const char *protocol,
		 struct socket_fact *socket);

/*
 * Looks at the device file at path, as the tracer sees it: *type is S_IFCHR or S_IFBLK, *rdev its
 * st_rdev, see inode(7). Returns false if there is no such device.
 */
bool fact_device(struct facts *f, const char *path, unsigned *type, uint64_t *rdev);
/*
 * Puts the name of a thread, at most 15 bytes and a NUL, into comm. Returns false if the thread is
 * gone.
 */
bool fact_comm(struct facts *f, pid_t tid, char comm[16]);
/* Returns the number in our pid namespace of the pid in tid's; 0 if that is unknown. */
pid_t fact_pid(struct facts *f, pid_t tid, enum pid_kind kind, pid_t pid);
/*
 * Puts the identity of a thread's namespace ("mnt:[4026531841]") into buf, terminated. name is a
 * file name of /proc/PID/ns, see namespaces(7). Returns false if it is unknown.
 */
bool fact_namespace(struct facts *f, pid_t tid, const char *name, char *buf, size_t size);
/* The address of a thread's first mapping that has this name in its maps; 0 if there is none. */
uint64_t fact_mapping(struct facts *f, pid_t tid, const char *name);
/*
 * Puts the name of the generic netlink family id into buf, terminated. Returns 0, -ENOENT if there
 * is no such family, or another -errno if the families are unknown.
 */
int fact_genl_family(struct facts *f, unsigned id, char *buf, size_t size);
/*
 * Puts the name of the network interface with this index into buf, terminated. Returns false if
 * there is none.
 */
bool fact_interface(struct facts *f, unsigned index, char *buf, size_t size);
/*
 * *ns is the time at which the system started, in nanoseconds since 1970. Returns false if that is
 * unknown.
 */
bool fact_boot_time(struct facts *f, int64_t *ns);
/* How many bytes of control messages a socket takes at a time; UINT64_MAX if that is unknown. */
uint64_t fact_optmem_max(struct facts *f);

#endif
