/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts are data about a tracee other than its memory: the file of a descriptor, the process that
 * has a pid, the family of a netlink message. Decoders ask questions. The answers come from the
 * running system (capture/proc), from a trace (trace/format/fact_store.h), or from a test. Decoders
 * work in the same way for all of these sources.
 *
 * All kinds of questions use one struct, and all answers use another. Neither struct contains
 * pointers to the source, so the same code records and replays all kinds of questions. Decoders
 * call the functions at the end of this file, one for each kind of question.
 */
#ifndef TRACER_CAPTURE_FACTS_H
#define TRACER_CAPTURE_FACTS_H

#include <limits.h>

#include "defs.h"

/*
 * The kinds of questions. Trace files store these numbers, so new kinds must be added at the end.
 * `tid`, `n`, `of` and `key` are members of struct fact_question; `numbers` and `bytes` are members
 * of struct fact_answer. Ids belong to our pid namespace unless the comment says otherwise.
 */
enum fact_kind {
	/*
	 * The path of descriptor `n` of thread `tid`, or of the thread's working directory if `n`
	 * is AT_FDCWD. bytes: the path. numbers[0]: the length of the path without " (deleted)",
	 * see fact_fd_path().
	 */
	FACT_FD_PATH,
	/*
	 * The value of `key` in the fdinfo of descriptor `n` of thread `tid`, see
	 * proc_pid_fdinfo(5). bytes: the value.
	 */
	FACT_FD_INFO,
	/*
	 * The process that the pidfd `n` of thread `tid` refers to. numbers[0]: the process's pid
	 * as fdinfo shows it; numbers[1]: the process's pid in our namespace.
	 */
	FACT_FD_PIDFD,
	/*
	 * The protocol of the socket with descriptor `n` of thread `tid`. bytes: the protocol's
	 * name, such as "TCPv6".
	 */
	FACT_FD_PROTOCOL,
	/*
	 * The socket with inode `n` and protocol `key`. For the format of the answer, see
	 * fact_set_socket().
	 */
	FACT_SOCKET,
	/*
	 * The device file with the path `key`. numbers[0]: S_IFCHR or S_IFBLK; numbers[1]: st_rdev.
	 */
	FACT_DEVICE,
	/* The name (comm) of thread `n`. bytes: the name. */
	FACT_COMM,
	/*
	 * The thread, process, group or session that has the id `n` in the pid namespace of thread
	 * `tid`. `of` (enum pid_kind) is the kind of object. numbers[0]: the object's id in our pid
	 * namespace.
	 */
	FACT_PID,
	/*
	 * The namespace of type `key`, such as "mnt", of thread `tid`. bytes: its identity, such as
	 * "mnt:[4026531841]".
	 */
	FACT_NAMESPACE,
	/*
	 * The first mapping of the file with the path `key` in the address space of thread `tid`.
	 * numbers[0]: the mapping's address.
	 */
	FACT_MAPPING,
	/* The generic netlink family with id `n`. bytes: its name. */
	FACT_GENL_FAMILY,
	/* The network interface with the index `n` in our network namespace. bytes: its name. */
	FACT_INTERFACE,
	/*
	 * The time of boot. numbers[0]: the value of CLOCK_REALTIME when CLOCK_BOOTTIME was zero,
	 * in nanoseconds.
	 */
	FACT_BOOT_TIME,
	/*
	 * net.core.optmem_max: the maximum size in bytes of the control messages of one call, see
	 * socket(7). numbers[0]: that size.
	 */
	FACT_OPTMEM_MAX,
	/* The command line of process `n`. bytes: its arguments, each followed by a NUL. */
	FACT_COMMAND,
	/*
	 * A process whose lock keeps thread `tid` from locking the file of the thread's descriptor
	 * `n`. `of` (enum lock_kind) is the kind of lock that the thread wants. `key` is
	 * the wanted lock's mode, first byte and last byte, as in proc_locks(5): "WRITE 0 99" or
	 * "READ 0 EOF". numbers[0]: the pid of the process.
	 */
	FACT_LOCK_HOLDER,
	/*
	 * The descriptors that the epoll instance `n` of thread `tid` monitors. bytes: the
	 * descriptors' numbers, each followed by a blank. numbers[0]: the number of descriptors,
	 * including those that do not fit into bytes.
	 */
	FACT_EPOLL,
	/*
	 * The addresses at which thread `tid` has mapped the memory of the io_uring with descriptor
	 * `n`. numbers[0]: the submission ring; numbers[1]: the completion ring; numbers[2]: the
	 * submission entries. An address is 0 if that part is not mapped. numbers[3]: the size of
	 * the mapping of the submission entries in bytes; numbers[4]: 1 if a kernel thread fetches
	 * the requests (IORING_SETUP_SQPOLL), otherwise 0. The answer is -EOPNOTSUPP if the
	 * descriptor is not an io_uring.
	 */
	FACT_URING,
	/*
	 * The offsets of a ring's parts with this kernel, see io_uring_setup(2). numbers[0] to
	 * numbers[2]: sq_off.head, sq_off.tail, sq_off.ring_entries; numbers[3] to numbers[5]:
	 * cq_off.tail, cq_off.ring_entries, cq_off.cqes.
	 */
	FACT_URING_LAYOUT,
	/*
	 * An SELinux context (selinux(8)) of the file to which descriptor `n` of thread `tid`
	 * refers. `of` (enum context_kind) selects the context. bytes: the context.
	 */
	FACT_FD_CONTEXT,
	/*
	 * An SELinux context of the file whose path is `key`, as thread `tid` sees it. A relative
	 * path starts in the directory with descriptor `n`, which may be AT_FDCWD. Symbolic links
	 * are followed. `of` (enum context_kind) selects the context. bytes: the context.
	 */
	FACT_PATH_CONTEXT,
	/* The SELinux context of thread `tid`. bytes: the context. */
	FACT_THREAD_CONTEXT,
	/* The program of process `n`. bytes: its path, with " (deleted)" if it was deleted. */
	FACT_PROGRAM,
	/* The control group of process `n` (cgroups(7)). bytes: its path below the root group. */
	FACT_CGROUP,
	FACT_KINDS
};

/* The kind of object that an id names. */
enum pid_kind { PID_THREAD, PID_PROCESS, PID_GROUP, PID_SESSION };

/* The kinds of locks on files: flock(2), fcntl(2) with F_SETLKW and with F_OFD_SETLKW. */
enum lock_kind { LOCK_OF_FILE, LOCK_OF_PROCESS, LOCK_OF_DESCRIPTION };

/* The actual context of a file, and the context in the system's database, see selabel_lookup(3). */
enum context_kind { CONTEXT_ACTUAL, CONTEXT_EXPECTED };

/* A question. Members that its kind does not use are 0 or NULL. */
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
	 * 0, or -errno: for example, -ENOENT if the object does not exist, -EACCES if we lack the
	 * permission, or -ENODATA if the question was not asked when the trace was recorded.
	 */
	int error;
	unsigned count; /* the number of elements of `numbers` that are set */
	int64_t numbers[FACT_NUMBERS];
	/*
	 * True if the fact was looked up after the stop. The fact at the time of the stop may have
	 * been different.
	 */
	bool late;
	size_t len;	      /* length of `bytes` without the terminating NUL */
	char bytes[PATH_MAX]; /* a longer answer is truncated */
};

struct facts;

struct facts_ops {
	/*
	 * Writes the answer to q into *a. facts_ask() has initialized *a as an empty answer without
	 * error.
	 */
	void (*ask)(struct facts *f, const struct fact_question *q, struct fact_answer *a);
	/* See facts_knows_fd() and facts_asked_fd(). Both may be NULL. */
	bool (*knows_fd)(struct facts *f, pid_t tid, int fd);
	void (*asked_fd)(struct facts *f, pid_t tid, int fd);
};

/* The part that all implementations of facts share. Each implementation embeds this struct. */
struct facts {
	const struct facts_ops *ops;
	bool late; /* used only by facts_ask() and facts_were_late() */
};

/* Asks f and stores the answer in *a. If f is NULL, the answer is -ENODATA. Returns a->error. */
int facts_ask(struct facts *f, const struct fact_question *q, struct fact_answer *a);
/* Returns true if the member `late` was set in any answer since the last call of this function. */
bool facts_were_late(struct facts *f);

/*
 * For callers that only want the answers to be recorded. facts_knows_fd() returns true if all
 * questions about descriptor fd of thread tid were asked earlier and would have the same answers
 * now. Otherwise, the caller must ask these questions, and then call facts_asked_fd().
 */
bool facts_knows_fd(struct facts *f, pid_t tid, int fd);
void facts_asked_fd(struct facts *f, pid_t tid, int fd);

/*
 * For implementations: fact_add_number() adds a number to an answer, fact_set_bytes() sets its
 * bytes. Data that does not fit is dropped.
 */
void fact_add_number(struct fact_answer *a, int64_t n);
void fact_set_bytes(struct fact_answer *a, const void *bytes, size_t len);
struct socket_fact;
/* For implementations: writes the answer to FACT_SOCKET. */
void fact_set_socket(struct fact_answer *a, const struct socket_fact *s);

/* ---- the questions ---- */

/*
 * Each function below also fails if the answer is unknown, for example because a trace does not
 * contain it.
 */

/*
 * Puts the path of a descriptor, or of the working directory if fd is AT_FDCWD, into a->bytes, with
 * a NUL at the end. Returns its length, or -errno. The path of a deleted file ends with the suffix
 * " (deleted)". a->numbers[0] is the length of the path without this suffix.
 */
ssize_t fact_fd_path(struct facts *f, pid_t tid, int fd, struct fact_answer *a);
/*
 * Puts the value of `key` in a descriptor's fdinfo (proc_pid_fdinfo(5)) into buf, NUL-terminated
 * and truncated to size bytes. Returns false if the fdinfo has no such key.
 */
bool fact_fd_info(struct facts *f, pid_t tid, int fd, const char *key, char *buf, size_t size);
/*
 * Finds the process that a pidfd refers to. Sets *shown to the pid in fdinfo, or to -1 if the
 * process is gone. Sets *pid to the process's pid in our namespace, or to 0 if the process has no
 * pid there. Returns false if the descriptor is not a pidfd.
 */
bool fact_fd_pidfd(struct facts *f, pid_t tid, int fd, int *shown, int *pid);
/*
 * Puts the kernel's name of a socket's protocol ("TCPv6") into buf, NUL-terminated and truncated to
 * size bytes. Returns false if the descriptor is not a socket.
 */
bool fact_fd_protocol(struct facts *f, pid_t tid, int fd, char *buf, size_t size);

/* A socket's data, from sock_diag(7). */
struct socket_fact {
	int family;		  /* AF_INET, AF_INET6, AF_NETLINK or AF_UNIX */
	unsigned port, peer_port; /* port numbers for AF_INET and AF_INET6, in host byte order */
	uint8_t address[16], peer[16]; /* addresses for AF_INET (4 bytes) and AF_INET6 (16 bytes) */
	unsigned protocol, portid;     /* for AF_NETLINK: protocol and port id, see netlink(7) */
	unsigned long peer_inode;      /* for AF_UNIX: inode of the peer, or 0 if the socket is not
					  connected */
	size_t path_len; /* for AF_UNIX: length of `path` in bytes; 0 if the socket is not bound */
	char path[108];	 /* for AF_UNIX: sun_path of struct sockaddr_un, see unix(7) */
};
/*
 * Fills in *socket for the socket with this inode and protocol. Returns false if the socket is
 * unknown, for example because it belongs to another network namespace.
 */
bool fact_socket(struct facts *f, unsigned long inode, const char *protocol,
		 struct socket_fact *socket);

/*
 * Looks up the device file at `path` in the tracer's file system. Sets *type to S_IFCHR or S_IFBLK
 * and *rdev to the file's st_rdev, see inode(7). Returns false if there is no such device.
 */
bool fact_device(struct facts *f, const char *path, unsigned *type, uint64_t *rdev);
/*
 * Puts the name of a thread (at most 15 bytes and a NUL) into comm. Returns false if the thread is
 * gone.
 */
bool fact_comm(struct facts *f, pid_t tid, char comm[16]);
/*
 * Translates a pid from the pid namespace of thread tid to our namespace. Returns 0 if that is not
 * possible.
 */
pid_t fact_pid(struct facts *f, pid_t tid, enum pid_kind kind, pid_t pid);
/*
 * Puts the identity of a thread's namespace, such as "mnt:[4026531841]", into buf, with a NUL at
 * the end. `name` is a file name in /proc/PID/ns, see namespaces(7). Returns false if the namespace
 * is unknown.
 */
bool fact_namespace(struct facts *f, pid_t tid, const char *name, char *buf, size_t size);
/*
 * Returns the address of the thread's first mapping that has this name in /proc/PID/maps. Returns 0
 * if there is none.
 */
uint64_t fact_mapping(struct facts *f, pid_t tid, const char *name);
/*
 * Puts the NUL-terminated name of the generic netlink family `id` into buf. Returns 0, -ENOENT if
 * there is no such family, or another -errno if the list of families is unknown.
 */
int fact_genl_family(struct facts *f, unsigned id, char *buf, size_t size);
/*
 * Puts the name of the network interface with this index into buf, with a NUL at the end. Returns
 * false if there is no such interface.
 */
bool fact_interface(struct facts *f, unsigned index, char *buf, size_t size);
/*
 * Sets *ns to the time when the system booted, in nanoseconds since 1970. Returns false if it is
 * unknown.
 */
bool fact_boot_time(struct facts *f, int64_t *ns);
/* Sets the elements of `numbers` as for FACT_URING. Returns false if they are unknown. */
bool fact_uring(struct facts *f, pid_t tid, int fd, uint64_t numbers[5]);
/* Sets the elements of `numbers` as for FACT_URING_LAYOUT. Returns false if they are unknown. */
bool fact_uring_layout(struct facts *f, uint64_t numbers[6]);
/*
 * Returns the maximum size in bytes of the control messages of one call (net.core.optmem_max), or
 * UINT64_MAX if it is unknown.
 */
uint64_t fact_optmem_max(struct facts *f);
/* Size in bytes of a buffer for a command line. */
#define FACT_COMMAND_MAX 1024
/*
 * Puts the arguments of a process's command line into buf, separated by blanks, with a NUL at the
 * end. If the arguments do not fit, the string is truncated and ends with "...". Returns false if
 * the process has no command line.
 */
bool fact_command(struct facts *f, pid_t pid, char *buf, size_t size);

/*
 * These functions put the path of a process's program or control group into a->bytes, with a NUL at
 * the end; see FACT_PROGRAM and FACT_CGROUP. They return false if the path is unknown.
 */
bool fact_program(struct facts *f, pid_t pid, struct fact_answer *a);
bool fact_cgroup(struct facts *f, pid_t pid, struct fact_answer *a);

/*
 * A lock on the bytes from `start` to `end` of a file. `end` is INT64_MAX if the lock extends to
 * the end of the file, however long the file becomes.
 */
struct file_lock {
	enum lock_kind kind;
	bool write;
	int64_t start, end;
};
/*
 * Returns the pid of a process whose lock conflicts with `wanted`, a lock on the file that
 * descriptor fd refers to. Returns 0 if no such process is known.
 */
pid_t fact_lock_holder(struct facts *f, pid_t tid, int fd, const struct file_lock *wanted);
/*
 * Stores up to max of the descriptors that an epoll instance monitors in `fds`, and returns how
 * many it has stored. Sets *more to true if the instance monitors more descriptors.
 */
size_t fact_epoll(struct facts *f, pid_t tid, int epoll, int *fds, size_t max, bool *more);

/*
 * These functions put an SELinux context into a->bytes, with a NUL at the end. They return false if
 * the context is unknown. For the meaning of `dir` and `path`, see FACT_PATH_CONTEXT.
 */
bool fact_fd_context(struct facts *f, pid_t tid, int fd, enum context_kind kind,
		     struct fact_answer *a);
bool fact_path_context(struct facts *f, pid_t tid, int dir, const char *path,
		       enum context_kind kind, struct fact_answer *a);
bool fact_thread_context(struct facts *f, pid_t tid, struct fact_answer *a);

#endif
