/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes io_uring requests without liburing. Without an argument, makes one request of each kind. If
 * the argument is a number, makes this number of reads, ENTRIES at a time. With the argument
 * "attach", prints a line, waits for an input line, and then makes 100 reads, the second half of
 * them through a duplicate of the ring's descriptor. With the argument "silent", makes three
 * requests that have no completion on success, and one more request through a duplicate of the
 * ring's descriptor. If the first argument is "sqpoll", a kernel thread takes the requests from the
 * queue (IORING_SETUP_SQPOLL). The arguments described above can follow it.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/stat.h>
#include <linux/time_types.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES 64

static struct io_uring_params params;
static struct io_uring_sqe *sqes;
static char *ring;
static int fd;
static unsigned to_submit;

#define AT(offset) ((unsigned *)(ring + (offset)))

static struct io_uring_sqe *request(int opcode, int file, const void *addr, unsigned len,
				    uint64_t user_data)
{
	unsigned *tail = AT(params.sq_off.tail), i = *tail & (params.sq_entries - 1);
	struct io_uring_sqe *sqe = &sqes[i];

	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = (uint8_t)opcode;
	sqe->fd = file;
	sqe->addr = (uintptr_t)addr;
	sqe->len = len;
	sqe->user_data = user_data;
	AT(params.sq_off.array)[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	to_submit++;
	return sqe;
}

/*
 * Submits the requests and waits for the same number of completions. Returns the result of the last
 * one.
 */
static int submit(void)
{
	unsigned *head = AT(params.cq_off.head), *tail = AT(params.cq_off.tail), n = to_submit;
	struct io_uring_cqe *cqes = (void *)(ring + params.cq_off.cqes);
	int res = 0, flags = IORING_ENTER_GETEVENTS;

	if (params.flags & IORING_SETUP_SQPOLL)
		flags |= IORING_ENTER_SQ_WAKEUP;
	if (syscall(SYS_io_uring_enter, fd, n, n, flags, NULL, 0) != (long)n)
		exit(3);
	to_submit = 0;
	for (; n; n--) {
		/* If a timeout expires, the call returns before the completion is in the queue. */
		while (*head == __atomic_load_n(tail, __ATOMIC_ACQUIRE))
			if (syscall(SYS_io_uring_enter, fd, 0, n, flags, NULL, 0) < 0)
				exit(3);
		res = cqes[*head & (params.cq_entries - 1)].res;
		__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	}
	return res;
}

static void setup(void)
{
	size_t size;

	fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
	if (fd < 0)
		exit(77);
	size = params.sq_off.array + params.sq_entries * sizeof(unsigned);
	if (size < params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe))
		size = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
		    IORING_OFF_SQ_RING);
	sqes = mmap(NULL, params.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || (void *)sqes == MAP_FAILED)
		exit(3);
}

/* Makes one request of each kind, in an order that does not depend on timing. */
static void each(void)
{
	static struct __kernel_timespec soon = {0, 1};
	static struct statx st;
	static char buf[64];
	int pipes[2], file;

	request(IORING_OP_NOP, -1, NULL, 0, 1);
	submit();
	request(IORING_OP_OPENAT, AT_FDCWD, "/dev/zero", 0, 2)->open_flags = O_RDONLY;
	file = submit();
	request(IORING_OP_READ, file, buf, 4, 3)->off = (uint64_t)-1;
	submit();
	request(IORING_OP_OPENAT, AT_FDCWD, "/nowhere", 0, 4)->open_flags = O_RDONLY;
	submit();
	request(IORING_OP_STATX, AT_FDCWD, "/nowhere", STATX_SIZE, 5)->off = (uintptr_t)&st;
	submit();
	if (pipe(pipes))
		exit(3);
	request(IORING_OP_WRITE, pipes[1], "hello", 5, 6)->flags = IOSQE_IO_LINK;
	request(IORING_OP_READ, pipes[0], buf, 5, 7)->off = (uint64_t)-1;
	submit();
	request(IORING_OP_TIMEOUT, -1, &soon, 1, 8);
	submit();
	request(IORING_OP_POLL_ADD, pipes[1], NULL, 0, 9)->poll32_events = POLLOUT;
	submit();
	syscall(SYS_io_uring_register, fd, IORING_REGISTER_FILES, pipes, 2);
	request(IORING_OP_WRITE, 1, "fixed", 5, 10)->flags = IOSQE_FIXED_FILE;
	submit();
	request(IORING_OP_CLOSE, file, NULL, 0, 11);
	submit();
	request(250, 7, NULL, 3, 12);
	submit();
}

static int attached(void)
{
	static char buf[1];
	int file = open("/dev/zero", O_RDONLY), copy = dup(fd);

	if (write(1, "\n", 1) != 1 || read(0, buf, 1) != 1)
		return 3;
	for (unsigned i = 0; i < 100; i++) {
		request(IORING_OP_READ, file, buf, 1, i);
		submit();
		if (i == 49) {
			close(fd);
			fd = copy;
		}
	}
	return 0;
}

static int silent(void)
{
	int copy;

	if (!(params.features & IORING_FEAT_CQE_SKIP))
		return 77;
	for (unsigned i = 0; i < 3; i++) {
		request(IORING_OP_NOP, -1, NULL, 0, i)->flags = IOSQE_CQE_SKIP_SUCCESS;
		if (syscall(SYS_io_uring_enter, fd, 1, 0, 0, NULL, 0) != 1)
			return 3;
	}
	to_submit = 0;
	copy = dup(fd);
	close(fd);
	fd = copy;
	request(IORING_OP_NOP, -1, NULL, 0, 3);
	submit();
	return 0;
}

int main(int argc, char **argv)
{
	static char buf[1];
	unsigned long n;
	int file;

	if (argc > 1 && !strcmp(argv[1], "sqpoll")) {
		params.flags = IORING_SETUP_SQPOLL;
		argv++;
		argc--;
	}
	n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	setup();
	if (argc > 1 && !strcmp(argv[1], "attach"))
		return attached();
	if (argc > 1 && !strcmp(argv[1], "silent"))
		return silent();
	if (!n) {
		each();
		return 0;
	}
	file = open("/dev/zero", O_RDONLY);
	for (unsigned long i = 0; i < n; i++) {
		request(IORING_OP_READ, file, buf, 1, i);
		if (to_submit == ENTRIES || i + 1 == n)
			submit();
	}
	return 0;
}
