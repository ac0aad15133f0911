/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/live.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/io_uring.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "capture/proc/genl.h"
#include "capture/proc/locks.h"
#include "capture/proc/lookup.h"
#include "capture/proc/proc.h"
#include "capture/proc/selinux.h"
#include "capture/proc/sock_diag.h"
#include "capture/proc/socket_cache.h"
#include "util/mem.h"

/*
 * The link of descriptor n of thread tid in /proc. `open` is a descriptor (O_PATH) of the link
 * itself, or -1. An open link can be read faster than with its path.
 */
struct fd_link {
	pid_t tid;
	int n, open;
};
#define FD_LINKS 16

struct live {
	struct facts facts;
	const struct procfs *procfs;
	struct lookup lookup;
	/* `sockets` and `families` are NULL until the first use */
	struct socket_cache *sockets;
	struct genl *families;
	struct selinux *selinux;	/* NULL until it is needed */
	int64_t optmem_max;		/* net.core.optmem_max; 0 if it has not been read yet; -1 if
					   unknown */
	struct fd_link links[FD_LINKS]; /* indexed by n % FD_LINKS */
};

static int pid_of(const struct live *l, const struct fact_question *q)
{
	return procfs_pid(l->procfs, q->tid);
}

/* Sets *a to the text of the link at `path`, which is relative to the directory `dir`. */
static void set_link(struct fact_answer *a, int dir, const char *path)
{
	ssize_t n = readlinkat(dir, path, a->bytes, sizeof(a->bytes) - 1);

	a->error = n < 0 ? -errno : 0;
	a->len = n < 0 ? 0 : (size_t)n;
}

static void fd_path(const struct live *l, const struct fact_question *q, char path[64])
{
	snprintf(path, 64, "/proc/%d/fd/%d", pid_of(l, q), (int)q->n);
}

static void close_link(struct fd_link *link)
{
	if (link->open >= 0)
		close(link->open);
	link->open = -1;
}

/*
 * Sets *a to the text of the link of descriptor q->n. Opens the link at the second question about
 * the descriptor number, and keeps it open until another number or thread needs its place. An open
 * link always shows the current file of the number. It cannot be read any more if the thread has
 * ended, even if another thread has the same id now.
 */
static void set_fd_link(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	struct fd_link *link = &l->links[(unsigned)q->n % FD_LINKS];
	char path[64];

	if (link->tid != q->tid || link->n != (int)q->n) {
		close_link(link);
		link->tid = q->tid;
		link->n = (int)q->n;
	} else {
		if (link->open < 0) {
			fd_path(l, q, path);
			link->open = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		}
		set_link(a, link->open, "");
		if (!a->error)
			return;
		close_link(link);
	}
	fd_path(l, q, path);
	set_link(a, AT_FDCWD, path);
}

/* The kernel appends this to the path of a deleted file, see proc_pid_fd(5). */
#define DELETED " (deleted)"

/*
 * Stores data about the file of our descriptor fd in *at, and closes fd. Returns false on failure,
 * or if fd is -1.
 */
static bool get_stat(int fd, struct file_stat *at)
{
	bool ok = fd >= 0 && mounts_stat(fd, at);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Returns true if the path of a file ends with DELETED. len is its length. */
static bool ends_with_deleted(const char *path, size_t len)
{
	return path[0] == '/' && len > strlen(DELETED) &&
	       !strcmp(path + len - strlen(DELETED), DELETED);
}

/*
 * Returns true if the file that a link in /proc/PID/fd refers to was deleted. The path in the link
 * ends with DELETED. An existing file can also have a name such as "x (deleted)", but then the path
 * leads to the same file as the link.
 */
static bool is_deleted(struct live *l, const char *link, const char *path)
{
	struct file_stat at, found;

	return !get_stat(lookup_find(&l->lookup, 0, path, O_NOFOLLOW), &found) ||
	       (get_stat(open(link, O_PATH | O_CLOEXEC), &at) &&
		(found.ino != at.ino || found.dev != at.dev));
}

static void ask_path(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char link[64];
	size_t len;

	if (q->n < 0 && q->n != AT_FDCWD) {
		a->error = -EBADF;
		return;
	}
	if (q->n == AT_FDCWD) {
		snprintf(link, sizeof(link), "/proc/%d/cwd", pid_of(l, q));
		set_link(a, AT_FDCWD, link);
	} else {
		set_fd_link(l, q, a);
	}
	if (a->error)
		return;
	a->bytes[a->len] = '\0';
	len = a->len;
	if (q->n != AT_FDCWD && ends_with_deleted(a->bytes, len)) {
		fd_path(l, q, link);
		len -= is_deleted(l, link, a->bytes) ? strlen(DELETED) : 0;
	}
	fact_add_number(a, (int64_t)len);
}

static bool info_of(struct live *l, const struct fact_question *q, const char *key, char *buf,
		    size_t size)
{
	return proc_field(buf, size, key, "/proc/%d/fdinfo/%d", pid_of(l, q), (int)q->n);
}

static void ask_info(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char text[256];

	if (info_of(l, q, q->key, text, sizeof(text)))
		fact_set_bytes(a, text, strlen(text));
	else
		a->error = -ENOENT;
}

static void ask_pidfd(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char text[256];
	int pid;

	if (!info_of(l, q, "Pid", text, sizeof(text))) {
		a->error = -ENOENT;
		return;
	}
	pid = atoi(text);
	fact_add_number(a, pid);
	fact_add_number(a, pid > 0 ? procfs_ours(l->procfs, pid) : 0);
}

static void ask_protocol(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	struct file_stat at;
	char path[64];
	ssize_t n;
	int fd;

	/*
	 * Another thread may have closed the descriptor, and its number may now belong to another
	 * file. Do not access that file, because its file system may block.
	 */
	fd_path(l, q, path);
	fd = open(path, O_PATH | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = fd >= 0 && mounts_stat(fd, &at) && S_ISSOCK(at.mode)
		    ? getxattr(path, "system.sockprotoname", a->bytes, sizeof(a->bytes) - 1)
		    : 0;
	if (n > 0)
		a->len = strnlen(a->bytes, (size_t)n);
	else
		a->error = n ? -errno : -ENOENT;
	if (fd >= 0)
		close(fd);
}

static void ask_socket(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	const struct socket_fact *s;

	if (!l->sockets)
		l->sockets = socket_cache_create();
	s = sock_diag_find(l->sockets, (unsigned long)q->n, q->key);
	if (s)
		fact_set_socket(a, s);
	else
		a->error = -ENOENT;
}

/*
 * Looks up a device file by its path, as strace 7.2 does. If the file was deleted, the result may
 * describe another device file that now has this path.
 */
static void ask_device(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	struct file_stat found;

	if (!get_stat(lookup_find(&l->lookup, 0, q->key, 0), &found) ||
	    !(S_ISCHR(found.mode) || S_ISBLK(found.mode))) {
		a->error = -ENOENT;
		return;
	}
	fact_add_number(a, found.mode & S_IFMT);
	fact_add_number(a, (int64_t)found.rdev);
}

static void ask_comm(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char comm[PROC_COMM_SIZE];

	if (proc_comm(procfs_pid(l->procfs, (pid_t)q->n), comm))
		fact_set_bytes(a, comm, strlen(comm));
	else
		a->error = -ENOENT;
}

static void ask_pid(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	fact_add_number(
		a, procfs_translate(l->procfs, pid_of(l, q), (enum pid_kind)q->of, (pid_t)q->n));
}

static void ask_namespace(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid_of(l, q), q->key);
	set_link(a, AT_FDCWD, path);
}

static void ask_mapping(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	const size_t len = strlen(q->key);
	char path[64], line[512];
	uint64_t start;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid_of(l, q));
	f = fopen(path, "re");
	while (f && !a->count && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, q->key);

		if (at && at[len] == '\n' && sscanf(line, "%" SCNx64, &start) == 1)
			fact_add_number(a, (int64_t)start);
	}
	if (f)
		fclose(f);
	if (!a->count)
		a->error = -ENOENT;
}

/*
 * The offsets at which the parts of an io_uring are mapped: IORING_OFF_SQ_RING, IORING_OFF_CQ_RING
 * and IORING_OFF_SQES.
 */
static const uint64_t uring_offsets[] = {0, 0x8000000, 0x10000000};

static FILE *open_proc(struct live *l, const struct fact_question *q, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid_of(l, q), name);
	return fopen(path, "re");
}

/* Returns true if the io_uring in *q has a kernel thread that fetches the requests. */
static bool has_sq_thread(struct live *l, const struct fact_question *q)
{
	char name[32], line[512];
	int thread = -1;
	FILE *f;

	snprintf(name, sizeof(name), "fdinfo/%d", (int)q->n);
	f = open_proc(l, q, name);
	while (f && thread < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "SqThread: %d", &thread);
	if (f)
		fclose(f);
	return thread >= 0;
}

/*
 * Finds the mappings of an io_uring by the inode. Since Linux 5.16, each io_uring has its own
 * inode. In older kernels, all io_urings have the same inode, so the answer describes the first
 * io_uring in the maps file.
 */
static void ask_uring(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	/* The addresses of the mappings, followed by the size of the last mapping in bytes. */
	uint64_t start, end, offset, found[ARRAY_SIZE(uring_offsets) + 1] = {0};
	char path[64], line[512] = "";
	unsigned long inode;
	struct stat st;
	FILE *f;

	fd_path(l, q, path);
	if (readlink(path, line, sizeof(line) - 1) < 0 || stat(path, &st)) {
		a->error = -errno;
		return;
	}
	if (!strstr(line, "[io_uring]")) {
		a->error = -EOPNOTSUPP;
		return;
	}
	f = open_proc(l, q, "maps");
	while (f && fgets(line, sizeof(line), f)) {
		if (!strstr(line, "[io_uring]") ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %lu", &start, &end,
			   &offset, &inode) != 4 ||
		    inode != st.st_ino)
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(uring_offsets); i++)
			if (offset == uring_offsets[i] && !found[i])
				found[i] = start;
		if (start == found[2])
			found[3] = end - start;
	}
	if (f)
		fclose(f);
	for (size_t i = 0; i < ARRAY_SIZE(found); i++)
		fact_add_number(a, (int64_t)found[i]);
	fact_add_number(a, has_sq_thread(l, q));
}

/* Creates an io_uring to find out at which offsets the kernel places the parts of a ring. */
static void ask_uring_layout(struct live *l attr_unused, const struct fact_question *q attr_unused,
			     struct fact_answer *a)
{
	struct io_uring_params p = {0};
	const int fd = (int)syscall(SYS_io_uring_setup, 1, &p);

	if (fd < 0) {
		a->error = -errno;
		return;
	}
	close(fd);
	fact_add_number(a, p.sq_off.head);
	fact_add_number(a, p.sq_off.tail);
	fact_add_number(a, p.sq_off.ring_entries);
	fact_add_number(a, p.cq_off.tail);
	fact_add_number(a, p.cq_off.ring_entries);
	fact_add_number(a, p.cq_off.cqes);
}

static void ask_family(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	const char *name;

	if (!l->families)
		l->families = genl_create();
	name = genl_name(l->families, (uint64_t)q->n);
	if (name)
		fact_set_bytes(a, name, strlen(name));
	else
		a->error = genl_is_empty(l->families) ? -EOPNOTSUPP : -ENOENT;
}

static void ask_interface(struct live *l attr_unused, const struct fact_question *q,
			  struct fact_answer *a)
{
	char name[IF_NAMESIZE];

	if (if_indextoname((unsigned)q->n, name))
		fact_set_bytes(a, name, strlen(name));
	else
		a->error = -errno;
}

/* Reads the value only once, as strace does, because every decoded struct msghdr may need it. */
static void ask_optmem_max(struct live *l, const struct fact_question *q attr_unused,
			   struct fact_answer *a)
{
	FILE *in = l->optmem_max ? NULL : fopen("/proc/sys/net/core/optmem_max", "re");

	if (!l->optmem_max && (!in || fscanf(in, "%" SCNd64, &l->optmem_max) != 1))
		l->optmem_max = -1;
	if (in)
		fclose(in);
	if (l->optmem_max < 0)
		a->error = -ENOENT;
	else
		fact_add_number(a, l->optmem_max);
}

static void ask_boot_time(struct live *l attr_unused, const struct fact_question *q attr_unused,
			  struct fact_answer *a)
{
	struct timespec now, up;

	if (clock_gettime(CLOCK_REALTIME, &now) || clock_gettime(CLOCK_BOOTTIME, &up))
		a->error = -errno;
	else
		fact_add_number(a, (int64_t)(now.tv_sec - up.tv_sec) * 1000000000 + now.tv_nsec -
					   up.tv_nsec);
}

static void ask_command(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	const ssize_t n = proc_read(a->bytes, sizeof(a->bytes), "/proc/%d/cmdline",
				    procfs_pid(l->procfs, (pid_t)q->n));

	if (n < 0)
		a->error = (int)n;
	else
		a->len = (size_t)n;
}

static void ask_program(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", procfs_pid(l->procfs, (pid_t)q->n));
	set_link(a, AT_FDCWD, path);
}

/*
 * Answers with the process's control group in the v2 hierarchy or, if there is none, with its group
 * in the first hierarchy.
 */
static void ask_cgroup(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char text[4096];
	const ssize_t n = proc_read(text, sizeof(text) - 1, "/proc/%d/cgroup",
				    procfs_pid(l->procfs, (pid_t)q->n));
	const char *line;

	if (n <= 0) {
		a->error = n ? (int)n : -ENOENT;
		return;
	}
	text[n] = '\0';
	/* A line is ID:CONTROLLERS:PATH. */
	line = strncmp(text, "0::", 3) ? strstr(text, "\n0::") : text;
	line = strchr(line ? line : text, '/');
	if (line)
		fact_set_bytes(a, line, strcspn(line, "\n"));
	else
		a->error = -ENOENT;
}

static void ask_lock_holder(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	const pid_t holder = procfs_ours(l->procfs, locks_holder(pid_of(l, q), q));

	if (holder > 0)
		fact_add_number(a, holder);
	else
		a->error = -ENOENT;
}

static void ask_epoll(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	int64_t count = 0;
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid_of(l, q), (int)q->n);
	f = fopen(path, "re");
	if (!f) {
		a->error = -errno;
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		int fd;

		if (sscanf(line, "tfd: %d", &fd) != 1)
			continue;
		if (a->len < sizeof(a->bytes) - 16)
			a->len += (size_t)snprintf(a->bytes + a->len, sizeof(a->bytes) - a->len,
						   "%d ", fd);
		count++;
	}
	fclose(f);
	fact_add_number(a, count);
}

static struct selinux *selinux_of(struct live *l)
{
	if (!l->selinux)
		l->selinux = selinux_create();
	return l->selinux;
}

/*
 * Returns true if a process provides the file that *st describes, so reading an attribute of the
 * file may block. `path` is the text of the link in /proc/self/fd to the file. Files that are not
 * in a directory, such as sockets and pipes, have a path without a leading slash.
 */
static bool is_by_process(struct live *l, pid_t tid, const char *path, const struct file_stat *st)
{
	return *path == '/' && mounts_by_process(l->lookup.mounts, tid, st);
}

/*
 * Sets *a to an SELinux context of the file of our O_PATH descriptor fd, and closes fd. If fd is
 * -1, the answer is an error.
 */
static void set_context(struct live *l, const struct fact_question *q, int fd,
			struct fact_answer *a)
{
	char link[32], path[PATH_MAX];
	struct file_stat st;
	ssize_t n;

	a->error = -ENOENT;
	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	if (!*path || !mounts_stat(fd, &st) || is_by_process(l, q->tid, path, &st)) {
		a->error = -EOPNOTSUPP;
	} else if (q->of == CONTEXT_ACTUAL) {
		a->error = selinux_of_file(selinux_of(l), link, a);
	} else {
		if (ends_with_deleted(path, (size_t)n) && is_deleted(l, link, path))
			path[(size_t)n - strlen(DELETED)] = '\0';
		a->error = selinux_expected(selinux_of(l), path, st.mode, a);
	}
	close(fd);
}

static void ask_fd_context(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	char path[64];

	fd_path(l, q, path);
	set_context(l, q, open(path, O_PATH | O_CLOEXEC), a);
}

static void ask_path_context(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	set_context(l, q, lookup_find_at(&l->lookup, q->tid, (int)q->n, q->key), a);
}

static void ask_thread_context(struct live *l, const struct fact_question *q, struct fact_answer *a)
{
	a->error = selinux_of_thread(selinux_of(l), pid_of(l, q), a);
}

static void ask(struct facts *f, const struct fact_question *q, struct fact_answer *a)
{
	typedef void ask_fn(struct live *, const struct fact_question *, struct fact_answer *);
	static ask_fn *const by_kind[FACT_KINDS] = {
		[FACT_FD_PATH] = ask_path,
		[FACT_FD_INFO] = ask_info,
		[FACT_FD_PIDFD] = ask_pidfd,
		[FACT_FD_PROTOCOL] = ask_protocol,
		[FACT_SOCKET] = ask_socket,
		[FACT_DEVICE] = ask_device,
		[FACT_COMM] = ask_comm,
		[FACT_PID] = ask_pid,
		[FACT_NAMESPACE] = ask_namespace,
		[FACT_MAPPING] = ask_mapping,
		[FACT_GENL_FAMILY] = ask_family,
		[FACT_INTERFACE] = ask_interface,
		[FACT_BOOT_TIME] = ask_boot_time,
		[FACT_OPTMEM_MAX] = ask_optmem_max,
		[FACT_COMMAND] = ask_command,
		[FACT_LOCK_HOLDER] = ask_lock_holder,
		[FACT_EPOLL] = ask_epoll,
		[FACT_URING] = ask_uring,
		[FACT_URING_LAYOUT] = ask_uring_layout,
		[FACT_FD_CONTEXT] = ask_fd_context,
		[FACT_PATH_CONTEXT] = ask_path_context,
		[FACT_THREAD_CONTEXT] = ask_thread_context,
		[FACT_PROGRAM] = ask_program,
		[FACT_CGROUP] = ask_cgroup,
	};

	by_kind[q->kind](container_of(f, struct live, facts), q, a);
}

static const struct facts_ops live_ops = {.ask = ask};

struct facts *live_facts_create(const struct procfs *procfs)
{
	struct live *l = mem_zalloc(sizeof(*l));

	l->facts.ops = &live_ops;
	l->procfs = procfs;
	for (size_t i = 0; i < FD_LINKS; i++)
		l->links[i].open = -1;
	lookup_init(&l->lookup, procfs, NULL);
	return &l->facts;
}

void live_facts_destroy(struct facts *f)
{
	struct live *l = container_of(f, struct live, facts);

	if (!f)
		return;
	socket_cache_destroy(l->sockets);
	genl_destroy(l->families);
	selinux_destroy(l->selinux);
	lookup_deinit(&l->lookup);
	for (size_t i = 0; i < FD_LINKS; i++)
		close_link(&l->links[i]);
	free(l);
}
