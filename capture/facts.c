/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int facts_ask(struct facts *f, const struct fact_question *q, struct fact_answer *a)
{
	a->error = 0;
	a->count = 0;
	a->len = 0;
	a->late = false;
	if (f) {
		f->ops->ask(f, q, a);
		f->late |= a->late;
	} else {
		a->error = -ENODATA;
	}
	a->bytes[a->len] = '\0';
	return a->error;
}

bool facts_were_late(struct facts *f)
{
	const bool late = f && f->late;

	if (late)
		f->late = false;
	return late;
}

bool facts_knows_fd(struct facts *f, pid_t tid, int fd)
{
	return f && f->ops->knows_fd && f->ops->knows_fd(f, tid, fd);
}

void facts_asked_fd(struct facts *f, pid_t tid, int fd)
{
	if (f && f->ops->asked_fd)
		f->ops->asked_fd(f, tid, fd);
}

void fact_add_number(struct fact_answer *a, int64_t n)
{
	if (a->count < FACT_NUMBERS)
		a->numbers[a->count++] = n;
}

void fact_set_bytes(struct fact_answer *a, const void *bytes, size_t len)
{
	a->len = size_min(len, sizeof(a->bytes) - 1);
	if (a->len)
		memcpy(a->bytes, bytes, a->len);
}

/*
 * Returns number i of an answer, or 0 if the answer has fewer numbers. Answers from an invalid
 * trace can have too few.
 */
static int64_t number(const struct fact_answer *a, unsigned i)
{
	return i < a->count ? a->numbers[i] : 0;
}

/*
 * Asks a question whose answer is a string, and copies the string to buf, truncated to size bytes.
 * Returns 0 or -errno.
 */
static int ask_text(struct facts *f, const struct fact_question *q, char *buf, size_t size)
{
	struct fact_answer a;
	int err = facts_ask(f, q, &a);

	if (err)
		return err;
	a.len = size_min(a.len, size - 1);
	memcpy(buf, a.bytes, a.len);
	buf[a.len] = '\0';
	return 0;
}

ssize_t fact_fd_path(struct facts *f, pid_t tid, int fd, struct fact_answer *a)
{
	const struct fact_question q = {.kind = FACT_FD_PATH, .tid = tid, .n = fd};

	if (facts_ask(f, &q, a))
		return a->error;
	if (!a->count || a->numbers[0] < 0 || (uint64_t)a->numbers[0] > a->len)
		a->numbers[0] = (int64_t)a->len;
	return (ssize_t)a->len;
}

bool fact_fd_info(struct facts *f, pid_t tid, int fd, const char *key, char *buf, size_t size)
{
	const struct fact_question q = {.kind = FACT_FD_INFO, .tid = tid, .n = fd, .key = key};

	return !ask_text(f, &q, buf, size);
}

bool fact_fd_pidfd(struct facts *f, pid_t tid, int fd, int *shown, int *pid)
{
	const struct fact_question q = {.kind = FACT_FD_PIDFD, .tid = tid, .n = fd};
	struct fact_answer a;

	if (facts_ask(f, &q, &a))
		return false;
	*shown = (int)number(&a, 0);
	*pid = (int)number(&a, 1);
	return true;
}

bool fact_fd_protocol(struct facts *f, pid_t tid, int fd, char *buf, size_t size)
{
	const struct fact_question q = {.kind = FACT_FD_PROTOCOL, .tid = tid, .n = fd};

	return !ask_text(f, &q, buf, size);
}

/*
 * The format of the answer to FACT_SOCKET: numbers[0] is the address family, which determines the
 * other data.
 * - AF_INET, AF_INET6: numbers[1] and numbers[2] are the ports; bytes contains the addresses.
 * - AF_NETLINK: numbers[1] is the protocol, numbers[2] the port.
 * - AF_UNIX: numbers[1] is the inode of the peer; bytes contains the path.
 */
void fact_set_socket(struct fact_answer *a, const struct socket_fact *s)
{
	const size_t half = s->family == AF_INET ? 4 : 16;
	uint8_t both[32];

	fact_add_number(a, s->family);
	switch (s->family) {
	case AF_NETLINK:
		fact_add_number(a, s->protocol);
		fact_add_number(a, s->portid);
		break;
	case AF_UNIX:
		fact_add_number(a, (int64_t)s->peer_inode);
		fact_set_bytes(a, s->path, s->path_len);
		break;
	default:
		fact_add_number(a, s->port);
		fact_add_number(a, s->peer_port);
		memcpy(both, s->address, half);
		memcpy(both + half, s->peer, half);
		fact_set_bytes(a, both, 2 * half);
	}
}

bool fact_socket(struct facts *f, unsigned long inode, const char *protocol,
		 struct socket_fact *socket)
{
	const struct fact_question q = {.kind = FACT_SOCKET, .n = (int64_t)inode, .key = protocol};
	struct fact_answer a;
	size_t half;

	if (facts_ask(f, &q, &a))
		return false;
	*socket = (struct socket_fact){.family = (int)number(&a, 0)};
	switch (socket->family) {
	case AF_INET:
	case AF_INET6:
		half = socket->family == AF_INET ? 4 : 16;
		if (a.len != 2 * half)
			return false;
		socket->port = number(&a, 1);
		socket->peer_port = number(&a, 2);
		memcpy(socket->address, a.bytes, half);
		memcpy(socket->peer, a.bytes + half, half);
		return true;
	case AF_NETLINK:
		socket->protocol = number(&a, 1);
		socket->portid = number(&a, 2);
		return true;
	case AF_UNIX:
		socket->peer_inode = number(&a, 1);
		socket->path_len = size_min(a.len, sizeof(socket->path));
		memcpy(socket->path, a.bytes, socket->path_len);
		return true;
	default:
		return false;
	}
}

bool fact_device(struct facts *f, const char *path, unsigned *type, uint64_t *rdev)
{
	const struct fact_question q = {.kind = FACT_DEVICE, .key = path};
	struct fact_answer a;

	if (facts_ask(f, &q, &a))
		return false;
	*type = number(&a, 0);
	*rdev = number(&a, 1);
	return true;
}

bool fact_comm(struct facts *f, pid_t tid, char comm[16])
{
	const struct fact_question q = {.kind = FACT_COMM, .n = tid};

	return !ask_text(f, &q, comm, 16);
}

pid_t fact_pid(struct facts *f, pid_t tid, enum pid_kind kind, pid_t pid)
{
	const struct fact_question q = {.kind = FACT_PID, .tid = tid, .n = pid, .of = kind};
	struct fact_answer a;

	return facts_ask(f, &q, &a) ? 0 : (pid_t)number(&a, 0);
}

bool fact_namespace(struct facts *f, pid_t tid, const char *name, char *buf, size_t size)
{
	const struct fact_question q = {.kind = FACT_NAMESPACE, .tid = tid, .key = name};

	return !ask_text(f, &q, buf, size);
}

uint64_t fact_mapping(struct facts *f, pid_t tid, const char *name)
{
	const struct fact_question q = {.kind = FACT_MAPPING, .tid = tid, .key = name};
	struct fact_answer a;

	return facts_ask(f, &q, &a) ? 0 : (uint64_t)number(&a, 0);
}

int fact_genl_family(struct facts *f, unsigned id, char *buf, size_t size)
{
	const struct fact_question q = {.kind = FACT_GENL_FAMILY, .n = id};

	return ask_text(f, &q, buf, size);
}

bool fact_interface(struct facts *f, unsigned index, char *buf, size_t size)
{
	const struct fact_question q = {.kind = FACT_INTERFACE, .n = index};

	return !ask_text(f, &q, buf, size);
}

bool fact_boot_time(struct facts *f, int64_t *ns)
{
	const struct fact_question q = {.kind = FACT_BOOT_TIME};
	struct fact_answer a;

	if (facts_ask(f, &q, &a))
		return false;
	*ns = number(&a, 0);
	return true;
}

/* Copies the first n numbers of the answer to `numbers`. Returns false if the answer is unknown. */
static bool ask_numbers(struct facts *f, const struct fact_question *q, uint64_t *numbers,
			unsigned n)
{
	struct fact_answer a;

	if (facts_ask(f, q, &a))
		return false;
	for (unsigned i = 0; i < n; i++)
		numbers[i] = (uint64_t)number(&a, i);
	return true;
}

bool fact_uring(struct facts *f, pid_t tid, int fd, uint64_t numbers[5])
{
	const struct fact_question q = {.kind = FACT_URING, .tid = tid, .n = fd};

	return ask_numbers(f, &q, numbers, 5);
}

bool fact_uring_layout(struct facts *f, uint64_t numbers[6])
{
	const struct fact_question q = {.kind = FACT_URING_LAYOUT};

	return ask_numbers(f, &q, numbers, 6);
}

uint64_t fact_optmem_max(struct facts *f)
{
	const struct fact_question q = {.kind = FACT_OPTMEM_MAX};
	struct fact_answer a;

	return facts_ask(f, &q, &a) ? UINT64_MAX : (uint64_t)number(&a, 0);
}

static bool ask_path(struct facts *f, enum fact_kind kind, pid_t pid, struct fact_answer *a)
{
	const struct fact_question q = {.kind = kind, .n = pid};

	if (facts_ask(f, &q, a) || !a->len || a->len >= sizeof(a->bytes))
		return false;
	a->bytes[a->len] = '\0';
	return true;
}

bool fact_program(struct facts *f, pid_t pid, struct fact_answer *a)
{
	return ask_path(f, FACT_PROGRAM, pid, a);
}

bool fact_cgroup(struct facts *f, pid_t pid, struct fact_answer *a)
{
	return ask_path(f, FACT_CGROUP, pid, a);
}

bool fact_command(struct facts *f, pid_t pid, char *buf, size_t size)
{
	const struct fact_question q = {.kind = FACT_COMMAND, .n = pid};
	struct fact_answer a;

	if (facts_ask(f, &q, &a))
		return false;
	/*
	 * Remove NULs and blanks at the end. Programs that change their titles leave NULs there,
	 * see setproctitle(3).
	 */
	while (a.len && (!a.bytes[a.len - 1] || a.bytes[a.len - 1] == ' '))
		a.len--;
	for (size_t i = 0; i < a.len; i++)
		if (!a.bytes[i])
			a.bytes[i] = ' ';
	if (a.len < size) {
		memcpy(buf, a.bytes, a.len);
		buf[a.len] = '\0';
	} else {
		memcpy(buf, a.bytes, size - sizeof("..."));
		memcpy(buf + size - sizeof("..."), "...", sizeof("..."));
	}
	return a.len;
}

pid_t fact_lock_holder(struct facts *f, pid_t tid, int fd, const struct file_lock *wanted)
{
	char key[64], end[24] = "EOF";
	const struct fact_question q = {
		.kind = FACT_LOCK_HOLDER, .tid = tid, .n = fd, .of = wanted->kind, .key = key};
	struct fact_answer a;

	if (wanted->end != INT64_MAX)
		snprintf(end, sizeof(end), "%" PRId64, wanted->end);
	snprintf(key, sizeof(key), "%s %" PRId64 " %s", wanted->write ? "WRITE" : "READ",
		 wanted->start, end);
	return facts_ask(f, &q, &a) ? 0 : (pid_t)number(&a, 0);
}

size_t fact_epoll(struct facts *f, pid_t tid, int epoll, int *fds, size_t max, bool *more)
{
	const struct fact_question q = {.kind = FACT_EPOLL, .tid = tid, .n = epoll};
	struct fact_answer a;
	size_t n = 0;

	*more = false;
	if (facts_ask(f, &q, &a))
		return 0;
	/*
	 * The last number may be incomplete because the answer was truncated. Then no blank follows
	 * it.
	 */
	for (char *p = a.bytes, *end; n < max; p = end + 1) {
		const long fd = strtol(p, &end, 10);

		if (end == p || *end != ' ')
			break;
		fds[n++] = (int)fd;
	}
	*more = number(&a, 0) > (int64_t)n;
	return n;
}

/* Asks for an SELinux context. Returns false if there is none. */
static bool ask_context(struct facts *f, const struct fact_question *q, struct fact_answer *a)
{
	return !facts_ask(f, q, a) && *a->bytes;
}

bool fact_fd_context(struct facts *f, pid_t tid, int fd, enum context_kind kind,
		     struct fact_answer *a)
{
	const struct fact_question q = {.kind = FACT_FD_CONTEXT, .tid = tid, .n = fd, .of = kind};

	return ask_context(f, &q, a);
}

bool fact_path_context(struct facts *f, pid_t tid, int dir, const char *path,
		       enum context_kind kind, struct fact_answer *a)
{
	const struct fact_question q = {
		.kind = FACT_PATH_CONTEXT, .tid = tid, .n = dir, .of = kind, .key = path};

	return ask_context(f, &q, a);
}

bool fact_thread_context(struct facts *f, pid_t tid, struct fact_answer *a)
{
	const struct fact_question q = {.kind = FACT_THREAD_CONTEXT, .tid = tid};

	return ask_context(f, &q, a);
}
