/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes io_uring requests. The argument selects the kind of ring or the kind of requests. Exits
 * with status 77 if the kernel does not support this kind.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Constants that the headers of Debian 12 do not have. */
enum {
	SETUP_NO_MMAP = 1 << 14,
	SETUP_REGISTERED_FD_ONLY = 1 << 15,
	SETUP_NO_SQARRAY = 1 << 16,
	REGISTER_RESIZE = 33,
	RECV_MULTISHOT = 1 << 1,
	ENTER_REGISTERED = 1 << 4,
	ENTRIES = 8
};

static struct io_uring_params params;
static char *ring, *sqes;
static int fd;
static unsigned enter_flags = IORING_ENTER_GETEVENTS, to_submit;
static char buf[64];

#define AT(offset) ((unsigned *)(ring + (offset)))

static void need(int ok)
{
	if (!ok)
		exit(errno == EINVAL || errno == ENOSYS || errno == EPERM ? 77 : 3);
}

static void map_ring(void)
{
	ring = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	need(ring != MAP_FAILED && sqes != MAP_FAILED);
}

/* Sets user_addr, the last 8 bytes of the offsets. Older headers call this member resv2. */
static void set_address(void *offsets, size_t size, const char *address)
{
	const uint64_t n = (uintptr_t)address;

	memcpy((char *)offsets + size - sizeof(n), &n, sizeof(n));
}

static void setup(unsigned flags)
{
	params.flags = flags;
	if (flags & SETUP_NO_MMAP) {
		ring = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		sqes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		set_address(&params.cq_off, sizeof(params.cq_off), ring);
		set_address(&params.sq_off, sizeof(params.sq_off), sqes);
	}
	fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
	need(fd >= 0);
	if (!(flags & SETUP_NO_MMAP))
		map_ring();
}

static struct io_uring_sqe *request(int opcode, int file, const void *addr, unsigned len)
{
	unsigned *tail = AT(params.sq_off.tail), i = *tail & (params.sq_entries - 1);
	const unsigned size = params.flags & IORING_SETUP_SQE128 ? 128 : 64;
	struct io_uring_sqe *sqe = (void *)(sqes + i * size);

	memset(sqe, 0, size);
	sqe->opcode = (uint8_t)opcode;
	sqe->fd = file;
	sqe->addr = (uintptr_t)addr;
	sqe->len = len;
	sqe->user_data = *tail;
	if (!(params.flags & SETUP_NO_SQARRAY))
		AT(params.sq_off.array)[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	to_submit++;
	return sqe;
}

static void submit_and_wait(unsigned wait)
{
	if (syscall(SYS_io_uring_enter, fd, to_submit, wait, enter_flags, NULL, 0) < 0)
		exit(3);
	to_submit = 0;
}

/* Reads the completions. Returns the result of the last one. */
static int results(void)
{
	unsigned *head = AT(params.cq_off.head), *tail = AT(params.cq_off.tail);
	const unsigned size = params.flags & IORING_SETUP_CQE32 ? 32 : 16;
	int res = 0;

	for (; *head != __atomic_load_n(tail, __ATOMIC_ACQUIRE);
	     __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE)) {
		const unsigned i = *head & (params.cq_entries - 1);

		res = ((struct io_uring_cqe *)(ring + params.cq_off.cqes + i * size))->res;
	}
	return res;
}

static int submit(void)
{
	submit_and_wait(to_submit);
	return results();
}

/* Makes more requests than the queues have entries. Each request is different. */
static void requests(void)
{
	for (unsigned i = 1; i <= 3 * ENTRIES; i++) {
		request(IORING_OP_READ, -1, buf, i);
		if (i % 3 == 0)
			submit();
	}
}

static void registered_ring(void)
{
	struct io_uring_rsrc_update update = {.offset = -1U, .data = (unsigned)fd};

	need(syscall(SYS_io_uring_register, fd, IORING_REGISTER_RING_FDS, &update, 1) == 1);
	close(fd);
	fd = (int)update.offset;
	enter_flags |= ENTER_REGISTERED;
}

static void registered(void)
{
	registered_ring();
	requests();
}

static void registered_before(void)
{
	char go;

	registered_ring();
	need(write(1, "\n", 1) == 1 && read(0, &go, 1) == 1);
	requests();
}

/*
 * Makes requests with a copy of the descriptor whose number was not a descriptor at the first
 * attempt.
 */
static void copied(void)
{
	const int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0), copy = pidfd + 1;

	need(pidfd >= 0);
	if (syscall(SYS_io_uring_enter, copy, 0, 0, 0, NULL, 0) != -1)
		exit(3);
	need(syscall(SYS_pidfd_getfd, pidfd, fd, 0) == copy);
	close(fd);
	fd = copy;
	requests();
}

static void resize(void)
{
	struct io_uring_params larger = {.sq_entries = 2 * ENTRIES, .cq_entries = 8 * ENTRIES};

	request(IORING_OP_READ, -1, buf, 1);
	submit();
	larger.flags = IORING_SETUP_CQSIZE;
	need(syscall(SYS_io_uring_register, fd, REGISTER_RESIZE, &larger, 1) == 0);
	munmap(ring, 4096);
	munmap(sqes, 4096);
	map_ring();
	larger.flags = params.flags;
	params = larger;
	requests();
}

static void multishot(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int server = socket(AF_INET, SOCK_STREAM, 0), client;

	need(!bind(server, (void *)&a, len) && !listen(server, 4) &&
	     !getsockname(server, (void *)&a, &len));
	request(IORING_OP_ACCEPT, server, NULL, 0)->ioprio = IORING_ACCEPT_MULTISHOT;
	submit_and_wait(0);
	for (unsigned i = 0; i < 2; i++) {
		client = socket(AF_INET, SOCK_STREAM, 0);
		need(!connect(client, (void *)&a, len));
		submit_and_wait(1);
		need(results() >= 0);
	}
	request(IORING_OP_POLL_ADD, client, NULL, IORING_POLL_ADD_MULTI)->poll32_events = POLLOUT;
	submit();
	request(IORING_OP_POLL_REMOVE, -1, (void *)1, 0);
	submit_and_wait(2);
	results();
	request(IORING_OP_ASYNC_CANCEL, -1, (void *)0, 0);
	submit_and_wait(2);
}

/*
 * Makes requests for which the kernel chooses buffers from a group. The sender's data needs two
 * buffers.
 */
static void buffers(void)
{
	static char group[2][8];
	int pair[2];

	need(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
	request(IORING_OP_PROVIDE_BUFFERS, 2, group, sizeof(group[0]))->buf_group = 7;
	submit();
	need(write(pair[1], "one", 3) == 3 && write(pair[1], "three", 5) == 5);
	for (unsigned i = 0; i < 2; i++) {
		struct io_uring_sqe *sqe = request(IORING_OP_RECV, pair[0], NULL, 0);

		sqe->flags = IOSQE_BUFFER_SELECT;
		sqe->buf_group = 7;
		submit();
	}
	request(IORING_OP_REMOVE_BUFFERS, 1, NULL, 0)->buf_group = 7;
	submit();
}

static void direct(void)
{
	static const int none[4] = {-1, -1, -1, -1};
	struct io_uring_sqe *sqe;

	need(!syscall(SYS_io_uring_register, fd, IORING_REGISTER_FILES, none, 4));
	sqe = request(IORING_OP_OPENAT, AT_FDCWD, "/dev/zero", 0);
	sqe->file_index = 3;
	submit();
	sqe = request(IORING_OP_READ, 2, buf, 4);
	sqe->flags = IOSQE_FIXED_FILE;
	submit();
	sqe = request(IORING_OP_CLOSE, 0, NULL, 0);
	sqe->file_index = 3;
	submit();
	request(IORING_OP_OPENAT, AT_FDCWD, "/dev/null", 0);
	submit();
}

/* Makes a chain of requests. The second one fails, so the third one is cancelled. */
static void chain(void)
{
	request(IORING_OP_NOP, -1, NULL, 0)->flags = IOSQE_IO_LINK;
	request(IORING_OP_READ, -1, buf, 1)->flags = IOSQE_IO_LINK;
	request(IORING_OP_NOP, -1, NULL, 0);
	request(IORING_OP_READ, -1, buf, 2);
	submit();
}

/* Makes requests with the same ring in the parent, in its child, and in the parent again. */
static void shared(void)
{
	int status;
	pid_t child;

	request(IORING_OP_READ, -1, buf, 1);
	submit();
	child = fork();
	if (!child) {
		request(IORING_OP_READ, -1, buf, 2);
		submit();
		_exit(0);
	}
	need(waitpid(child, &status, 0) == child && !status);
	request(IORING_OP_READ, -1, buf, 3);
	submit();
}

/* Copies the ring's descriptor 1100 times, and makes requests with another ring. */
static void many(void)
{
	const struct rlimit files = {2048, 2048};

	need(!setrlimit(RLIMIT_NOFILE, &files));
	for (unsigned i = 0; i < 1100; i++)
		need(dup(fd) >= 0);
	setup(0);
	requests();
}

static void *in_thread(void *unused)
{
	requests();
	return unused;
}

static void threads(void)
{
	pthread_t t;

	for (unsigned i = 0; i < 2; i++)
		need(!pthread_create(&t, NULL, in_thread, NULL) && !pthread_join(t, NULL));
}

static const struct kind {
	const char *name;
	unsigned flags;
	void (*use)(void);
} kinds[] = {
	{"plain", 0, requests},
	{"no_mmap", SETUP_NO_MMAP, requests},
	{"no_sqarray", SETUP_NO_SQARRAY, requests},
	{"sqe128", IORING_SETUP_SQE128, requests},
	{"cqe32", IORING_SETUP_CQE32, requests},
	{"registered", 0, registered},
	{"registered_only", SETUP_NO_MMAP | SETUP_REGISTERED_FD_ONLY, requests},
	{"registered_before", 0, registered_before},
	{"copied", 0, copied},
	{"resize", IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | SETUP_NO_SQARRAY,
	 resize},
	{"multishot", 0, multishot},
	{"buffers", 0, buffers},
	{"direct", 0, direct},
	{"chain", 0, chain},
	{"shared", 0, shared},
	{"many", 0, many},
	{"threads", 0, threads},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (argc < 2 || strcmp(argv[1], kinds[i].name) != 0)
			continue;
		if (kinds[i].flags & SETUP_REGISTERED_FD_ONLY)
			enter_flags |= ENTER_REGISTERED;
		setup(kinds[i].flags);
		kinds[i].use();
		return 0;
	}
	return 3;
}
