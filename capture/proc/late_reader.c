/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/late_reader.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/own_signals.h"
#include "capture/proc/tasks.h"
#include "util/clock.h"
#include "util/thread.h"

/* System calls that Linux 5.1 to 5.9 introduced. Their numbers are the same on all machines. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#define PAGE 4096ul
/*
 * Maximum number of data bytes in a request or an answer. Each message must fit into the socket's
 * buffer.
 */
#define BYTES_MAX    (32ul << 10)
#define PAGES_MAX    (BYTES_MAX / PAGE + 1)
#define PATIENCE     100000000ll /* maximum duration of a call in nanoseconds */
#define PATIENCE_MIN 1000000ll
/*
 * When an access that begins in a page has timed out, all further accesses through the same thread
 * that begin in this page fail immediately during the next PAGE_NSEC nanoseconds.
 */
#define PAGE_NSEC 1000000000ull
/*
 * Maximum time to wait for a helper to start, in nanoseconds. A start may be slow on a busy
 * machine.
 */
#define START_NSEC 10000000000ull

/* A request to the helper. The bytes to write, if any, are in `bytes` of struct message. */
struct request {
	uint64_t addr;
	uint32_t n;
	pid_t tid;
	bool write;
};

/* The helper's answer. The bytes that were read, if any, are in `bytes` of struct message. */
struct answer {
	int64_t result;
};

struct message {
	union {
		struct request request;
		struct answer answer;
	};
	char bytes[BYTES_MAX];
};

/* -- the helper --------------------------------------------------------------- */

static int64_t execute_request(const struct request *q, char *bytes)
{
	struct iovec local = {bytes, q->n}, remote[PAGES_MAX];
	size_t count = 0, done = 0;
	ssize_t r;

	/* Use one element per page, so that all pages before an unreadable page are read. */
	while (done < q->n) {
		uint64_t at = q->addr + done;
		size_t len = size_min(PAGE - at % PAGE, q->n - done);

		remote[count++] = (struct iovec){(void *)(uintptr_t)at, len};
		done += len;
	}
	r = q->write ? process_vm_writev(q->tid, &local, 1, remote, count, 0)
		     : process_vm_readv(q->tid, &local, 1, remote, count, 0);
	return r < 0 ? -errno : r;
}

/* Handles requests until the other end of the socket is closed. */
static void serve(int sock)
{
	struct message m = {.answer.result = gettid()};
	ssize_t n = sizeof(m.answer);

	while (send(sock, &m, (size_t)n, MSG_NOSIGNAL) == n) {
		do
			n = recv(sock, &m, sizeof(m), 0);
		while (n < 0 && errno == EINTR);
		if (n < (ssize_t)sizeof(m.request))
			break;
		m.answer.result = execute_request(&(struct request){m.request.addr, m.request.n,
								    m.request.tid, m.request.write},
						  m.bytes);
		n = sizeof(m) - sizeof(m.bytes);
		if (m.answer.result > 0)
			n += m.answer.result;
	}
}

static void *thread_main(void *arg)
{
	int sock = (int)(intptr_t)arg;

	serve(sock);
	close(sock);
	return NULL;
}

static void attr_noreturn process_main(int sock)
{
	/*
	 * Close all other descriptors and leave the session. Otherwise, this helper would keep
	 * pipes open that it has inherited. Programs that wait for the end of such a pipe would
	 * then wait for this helper.
	 */
	dup2(sock, 0);
	syscall(SYS_close_range, 1, ~0u, 0);
	setsid();
	serve(0);
	_exit(0);
}

/* -- the tracer --------------------------------------------------------------- */

/*
 * Waits for a message until the time `until`, or until a signal that ends tracer arrives. Returns
 * the size of the message in bytes, or 0 if none came.
 */
static size_t receive(int sock, void *buf, size_t size, struct timespec until)
{
	struct pollfd p = {.fd = sock, .events = POLLIN};

	for (;;) {
		struct timespec left = timespec_sub(until, clock_after(0));
		int got = ppoll(&p, 1, left.tv_sec < 0 ? &(struct timespec){0} : &left, NULL);
		ssize_t n;

		if (!got || (got < 0 && (errno != EINTR || own_signals_ending())))
			return 0;
		if (got < 0)
			continue;
		n = recv(sock, buf, size, MSG_DONTWAIT);
		return n < 0 ? 0 : (size_t)n;
	}
}

/*
 * Starts the helper as a grandchild. The helper must not be our child, because tracer's waits must
 * see only tracees. Returns false if the child cannot be created.
 */
static bool start_process(int sock)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (!pid) {
		pid = fork();
		if (!pid)
			process_main(sock);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return pid > 0;
}

static void helper_close(struct late_helper *h)
{
	if (h->sock >= 0)
		close(h->sock);
	if (h->pidfd >= 0)
		close(h->pidfd);
	h->sock = h->pidfd = -1;
}

static bool start(struct late_reader *r)
{
	struct answer hello;
	int pair[2];
	bool ok;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return false;
	ok = r->threads_only ? thread_start(NULL, thread_main, (void *)(intptr_t)pair[1])
			     : start_process(pair[1]);
	/*
	 * A helper process has its own copy of the socket, so close ours. A helper thread closes
	 * this end of the socket itself.
	 */
	if (!ok || !r->threads_only)
		close(pair[1]);
	r->now.sock = pair[0];
	if (!ok ||
	    receive(pair[0], &hello, sizeof(hello), clock_after(START_NSEC)) != sizeof(hello)) {
		helper_close(&r->now);
		return false;
	}
	r->now.tid = (pid_t)hello.result;
	if (!r->threads_only)
		r->now.pidfd = (int)syscall(SYS_pidfd_open, r->now.tid, 0);
	return true;
}

/* Returns true if an abandoned helper has ended. */
static bool is_gone(const struct late_helper *h)
{
	struct pollfd p = {.fd = h->sock};

	return poll(&p, 1, 0) == 1 && p.revents & POLLHUP;
}

/*
 * Returns an unused element of r->abandoned, or NULL if all elements are in use. Frees the elements
 * of helpers that have ended.
 */
static struct late_helper *unused_entry(struct late_reader *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(r->abandoned); i++) {
		if (r->abandoned[i].sock >= 0 && is_gone(&r->abandoned[i]))
			helper_close(&r->abandoned[i]);
		if (r->abandoned[i].sock < 0)
			return &r->abandoned[i];
	}
	return NULL;
}

/*
 * Abandons the current helper, and kills it if it is a process. A helper thread ends as soon as the
 * kernel returns from its call.
 */
static void abandon(struct late_reader *r, struct late_helper *entry)
{
	if (r->now.pidfd >= 0)
		syscall(SYS_pidfd_send_signal, r->now.pidfd, SIGKILL, NULL, 0);
	/*
	 * A helper thread ends when it reads the end of this stream. It can still send its answer
	 * before that.
	 */
	shutdown(r->now.sock, SHUT_WR);
	*entry = r->now;
	r->now.sock = r->now.pidfd = -1;
}

/*
 * Returns the time limit in nanoseconds for the helper's next call, or 0 if the time budget is used
 * up.
 */
static uint64_t patience(struct late_reader *r)
{
	int64_t ns = allowance_left(&r->allowance);

	if (ns < PATIENCE_MIN)
		return 0;
	ns /= 8;
	return (uint64_t)(ns > PATIENCE ? PATIENCE : ns < PATIENCE_MIN ? PATIENCE_MIN : ns);
}

static bool has_timed_out(const struct late_reader *r, const struct request *q)
{
	for (size_t i = 0; i < ARRAY_SIZE(r->pages); i++)
		if (r->pages[i].tid == q->tid && r->pages[i].page == q->addr / PAGE &&
		    timespec_before(clock_after(0), r->pages[i].until))
			return true;
	return false;
}

/*
 * Remembers that the request q has timed out, so that accesses to its page fail immediately for a
 * while. Subtracts the time since the request was made, at the time `begin`, from the time budget.
 */
static void record_timeout(struct late_reader *r, const struct request *q, struct timespec begin)
{
	r->pages[r->next_page++ % LATE_PAGES] =
		(struct late_page){q->tid, q->addr / PAGE, clock_after(PAGE_NSEC)};
	allowance_spend(&r->allowance, begin);
}

static size_t wait_answer(const struct late_reader *r, struct message *m, uint64_t ns)
{
	struct timespec last = clock_after(ns > START_NSEC ? ns : START_NSEC);
	size_t n;

	/*
	 * Continue to wait as long as the helper is ready to run ('R'). It is then not blocked, but
	 * may be waiting for a CPU on a busy machine.
	 */
	do
		n = receive(r->now.sock, m, sizeof(*m), clock_after(ns));
	while (!n && proc_stat(r->procfs, r->now.tid, 3) == 'R' &&
	       timespec_before(clock_after(0), last) && !own_signals_ending());
	return n;
}

/*
 * Sends the request in *m, which includes the bytes to write, to the helper. Replaces *m with the
 * answer. Returns the result of the helper's system call, or -ETIMEDOUT if there is no answer or no
 * helper.
 */
static ssize_t ask(struct late_reader *r, struct message *m)
{
	const size_t head = sizeof(*m) - sizeof(m->bytes);
	struct late_helper *entry = unused_entry(r);
	struct timespec begin = clock_after(0);
	struct request q = m->request;
	size_t n = head + (q.write ? q.n : 0);
	uint64_t ns = patience(r);

	if (!entry || !ns || has_timed_out(r, &q))
		return -ETIMEDOUT;
	if (r->now.sock < 0 && !start(r))
		return -ETIMEDOUT;
	if (send(r->now.sock, m, n, MSG_NOSIGNAL) != (ssize_t)n) {
		helper_close(&r->now);
		return -ETIMEDOUT;
	}
	n = wait_answer(r, m, ns);
	if (n < head) {
		abandon(r, entry);
		record_timeout(r, &q, begin);
		return -ETIMEDOUT;
	}
	if (m->answer.result == -EPERM && !r->threads_only) {
		helper_close(&r->now);
		r->threads_only = true;
		m->request = q;
		return ask(r, m);
	}
	return (ssize_t)m->answer.result;
}

ssize_t late_reader_read(struct late_reader *r, pid_t tid, uint64_t addr, void *buf, size_t n)
{
	size_t got = 0;

	while (got < n) {
		struct message m;
		size_t len = size_min(n - got, BYTES_MAX);
		ssize_t one;

		m.request = (struct request){addr + got, (uint32_t)len, tid, false};
		one = ask(r, &m);
		if (one < 0)
			return got ? (ssize_t)got : one;
		memcpy((char *)buf + got, m.bytes, (size_t)one);
		got += (size_t)one;
		if ((size_t)one < len)
			break;
	}
	return got || !n ? (ssize_t)got : -EFAULT;
}

ssize_t late_reader_write(struct late_reader *r, pid_t tid, uint64_t addr, const void *buf,
			  size_t n)
{
	size_t done = 0;

	while (done < n) {
		struct message m;
		size_t len = size_min(n - done, BYTES_MAX);
		ssize_t one;

		m.request = (struct request){addr + done, (uint32_t)len, tid, true};
		memcpy(m.bytes, (const char *)buf + done, len);
		one = ask(r, &m);
		if (one < 0)
			return done ? (ssize_t)done : one;
		done += (size_t)one;
		if ((size_t)one < len)
			break;
	}
	return done || !n ? (ssize_t)done : -EFAULT;
}

void late_reader_init(struct late_reader *r, const struct procfs *procfs)
{
	*r = (struct late_reader){.procfs = procfs, .now = {-1, -1, 0}};
	allowance_init(&r->allowance);
	for (size_t i = 0; i < ARRAY_SIZE(r->abandoned); i++)
		r->abandoned[i] = (struct late_helper){-1, -1, 0};
}

void late_reader_deinit(struct late_reader *r)
{
	helper_close(&r->now);
	for (size_t i = 0; i < ARRAY_SIZE(r->abandoned); i++)
		helper_close(&r->abandoned[i]);
}
