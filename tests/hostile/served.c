/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory whose pages another thread or process provides. tracer also traces the provider. tracer
 * must not wait for such a page while the provider is stopped.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

#define PAGE	      4096
#define NOT_PERMITTED 77

/*
 * Puts the beginning of a path at the end of the page, and the end of such a path at the start of
 * the page. In adjacent pages, a path then crosses each page boundary.
 */
static void fill(char *page)
{
	memset(page, 'x', PAGE);
	memcpy(page, "/there", 7);
	memcpy(page + PAGE - 6, "/not/s", 6);
}

/*
 * For each pair of adjacent pages, opens the path that begins in the first page and ends in the
 * second.
 */
static void open_all(const char *pages, long n)
{
	for (long i = 0; i < n; i++) {
		syscall(SYS_open, pages + i * PAGE + PAGE - 6, O_RDONLY);
		mark();
	}
}

/* ---- userfaultfd(2) ---- */

static int open_userfaultfd(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC), dev;

	if (fd < 0) {
		dev = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
		fd = dev < 0 ? -1 : ioctl(dev, _IO(0xaa, 0), O_CLOEXEC);
	}
	return fd >= 0 && !ioctl(fd, UFFDIO_API, &api) ? fd : -1;
}

static void *serve_faults(void *arg)
{
	static char page[PAGE];
	int fd = *(int *)arg;
	struct uffd_msg msg;

	fill(page);
	while (read(fd, &msg, sizeof(msg)) == sizeof(msg)) {
		struct uffdio_copy copy = {.src = (unsigned long)page, .len = PAGE};

		mark();
		copy.dst = msg.arg.pagefault.address & ~(PAGE - 1ul);
		ioctl(fd, UFFDIO_COPY, &copy);
	}
	return NULL;
}

void userfaults(long n)
{
	struct uffdio_register reg = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	char *pages = mmap(NULL, (n + 1) * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static int fd;
	pthread_t t;

	fd = open_userfaultfd();
	reg.range.start = (unsigned long)pages;
	reg.range.len = (n + 1) * PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_REGISTER, &reg))
		exit(NOT_PERMITTED);
	pthread_create(&t, NULL, serve_faults, &fd);
	open_all(pages, n);
}

/* ---- FUSE; see fuse(4) and <linux/fuse.h> ---- */

static void reply(int fd, uint64_t unique, int error, const void *data, size_t n)
{
	struct fuse_out_header head = {sizeof(head) + n, error, unique};
	struct iovec v[2] = {{&head, sizeof(head)}, {(void *)data, n}};

	if (writev(fd, v, 2) < 0)
		_exit(1);
}

/* maximum size in bytes of a FUSE read */
#define READ_MAX (1 << 17)

/* Answers a read with data from the descriptor `from`, or with a page from fill() if it is -1. */
static void answer_read(int fd, const struct fuse_in_header *h, int from)
{
	const struct fuse_read_in *in = (const struct fuse_read_in *)(h + 1);
	static char bytes[READ_MAX];
	ssize_t n = PAGE;

	if (from < 0)
		fill(bytes);
	else
		n = pread(from, bytes, in->size < READ_MAX ? in->size : READ_MAX,
			  (off_t)in->offset);
	mark();
	reply(fd, h->unique, n < 0 ? -EIO : 0, bytes, n < 0 ? 0 : (size_t)n);
}

/* The time in seconds for which the kernel may cache names and attributes. */
static unsigned valid = 999;

static void answer(int fd, const struct fuse_in_header *h, uint64_t size, int from)
{
	struct fuse_attr attr = {
		.ino = h->nodeid, .size = size, .nlink = 1, .mode = S_IFREG | 0755};
	struct fuse_init_out init = {.major = 7, .minor = 31, .max_write = PAGE};
	struct fuse_entry_out entry = {.nodeid = 2, .entry_valid = valid, .attr_valid = valid};
	struct fuse_attr_out attr_out = {.attr_valid = valid};
	struct fuse_open_out opened = {.fh = 1};
	struct fuse_statfs_out numbers = {.st = {.bsize = PAGE, .namelen = 255}};

	if (h->nodeid == 1)
		attr.mode = S_IFDIR | 0755;
	attr_out.attr = entry.attr = attr;
	entry.attr.mode = S_IFREG | 0755;
	switch (h->opcode) {
	case FUSE_INIT:
		reply(fd, h->unique, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		reply(fd, h->unique, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		reply(fd, h->unique, 0, &attr_out, sizeof(attr_out));
		break;
	case FUSE_OPEN:
		reply(fd, h->unique, 0, &opened, sizeof(opened));
		break;
	case FUSE_STATFS:
		reply(fd, h->unique, 0, &numbers, sizeof(numbers));
		break;
	case FUSE_READ:
		answer_read(fd, h, from);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		reply(fd, h->unique, -ENOSYS, NULL, 0);
	}
}

static void serve_files(int fd, uint64_t size, int from)
{
	static char request[1 << 17];
	ssize_t n;

	while ((n = read(fd, request, sizeof(request))) > 0 || errno == EINTR || errno == ENOENT)
		if (n > 0)
			answer(fd, (struct fuse_in_header *)request, size, from);
}

static void put(const char *path, const char *format, int n)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return;
	fprintf(f, format, n);
	fclose(f);
}

/* Moves this process to a new mount namespace and, if necessary, a new user namespace. */
static void own_mounts(void)
{
	int uid = (int)getuid(), gid = (int)getgid();

	if (unshare(CLONE_NEWNS)) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
			exit(NOT_PERMITTED);
		put("/proc/self/setgroups", "deny", 0);
		put("/proc/self/uid_map", "0 %d 1", uid);
		put("/proc/self/gid_map", "0 %d 1", gid);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		exit(NOT_PERMITTED);
}

/*
 * Starts a process that serves a FUSE file system, mounted at `where`. Every file in it has a size
 * of `size` bytes. Its contents are those of the file at the descriptor `from`. If `from` is -1,
 * every page of the file is one from fill(). Returns the server's pid.
 */
static pid_t serve_at(const char *where, uint64_t size, int from)
{
	char options[100];
	pid_t server;
	int fd;

	fd = open("/dev/fuse", O_RDWR);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (fd < 0 || mount("served", where, "fuse.served", MS_NOSUID | MS_NODEV, options))
		exit(NOT_PERMITTED);
	server = fork();
	if (!server) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve_files(fd, size, from);
		_exit(0);
	}
	close(fd);
	return server;
}

static void stop_serving(pid_t server)
{
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	mark_unsure(1);
}

void fuse_pages(long n)
{
	pid_t server;
	char *pages;
	int file;

	own_mounts();
	server = serve_at("/mnt", (n + 1) * PAGE, -1);
	file = open("/mnt/file", O_RDONLY);
	pages = mmap(NULL, (n + 1) * PAGE, PROT_READ, MAP_SHARED, file, 0);
	if (file < 0 || pages == MAP_FAILED)
		exit(NOT_PERMITTED);
	open_all(pages, n);
	stop_serving(server);
}

/* Executes the file `name`, a copy of this program in a FUSE file system, n times. */
static void run_copies(long n, const char *name, int counts_fd)
{
	char counts[16];
	pid_t pid;

	snprintf(counts, sizeof(counts), "%d", counts_fd);
	while (n--) {
		pid = fork();
		if (!pid) {
			execl(name, "file", "leaf", "3", counts, NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Starts a FUSE file system whose files contain this program. */
static pid_t serve_program(void)
{
	int from = open("/proc/self/exe", O_RDONLY);
	struct stat st;

	if (fstat(from, &st))
		exit(NOT_PERMITTED);
	own_mounts();
	return serve_at("/mnt", (uint64_t)st.st_size, from);
}

void fuse_program(long n, int counts_fd)
{
	pid_t server = serve_program();

	run_copies(n, "/mnt/file", counts_fd);
	stop_serving(server);
}

void overlay_program(long n, int counts_fd)
{
	pid_t server = serve_program();

	if (mount("overlay", "/mnt", "overlay", MS_NOSUID | MS_NODEV, "lowerdir=/mnt:/etc"))
		exit(NOT_PERMITTED);
	run_copies(n, "/mnt/file", counts_fd);
	stop_serving(server);
}

static __attribute__((noinline)) void call(void (*f)(void))
{
	f();
	asm volatile("");
}

void fuse_names(long n)
{
	const size_t size = 64; /* at least the code size of call() */
	char *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t server;

	own_mounts();
	server = serve_at("/tmp", PAGE, -1);
	memcpy(code, (const char *)call, size);
	while (n--)
		((void (*)(void (*)(void)))code)(mark);
	stop_serving(server);
}

void fuse_seen(long n)
{
	pid_t server;

	valid = 0;
	server = serve_at("/mnt", PAGE, -1);
	while (n--) {
		close((int)syscall(SYS_open, "/mnt/file", O_RDONLY));
		mark();
	}
	stop_serving(server);
}
