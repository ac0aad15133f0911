/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/namer/namer.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stack/namer/confine.h"
#include "stack/namer/demangle.h"
#include "stack/namer/libraries.h"
#include "stack/namer/serve.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/strbuf.h"

/* The namer process is started at most STARTS_MAX times in STARTS_PERIOD seconds. */
#define STARTS_MAX    5
#define STARTS_PERIOD 60
/*
 * Limit in bytes on the total size of the files that are open in the namer. A single file may be
 * larger.
 */
#define OPEN_SIZE_MAX (1ull << 30)

struct namer {
	struct namer_libraries *libs; /* NULL until the process is started for the first time */
	int sock, pidfd;	      /* socket and pidfd of the process; -1 if it is not running */
	uint32_t last_id;
	time_t starts[STARTS_MAX]; /* start times, in seconds of CLOCK_MONOTONIC; 0 if unused */
	unsigned next_start;
	/*
	 * The files that are open in the process, indexed by slot. If a slot is free, its id is 0.
	 */
	struct {
		uint32_t id;
		uint64_t size,
			used; /* `used` is the sequence number of the last request for this file */
	} open[NAMER_FILES_MAX];
	uint64_t nrequests;
	/* The last reply. */
	struct {
		struct namer_reply head;
		char bytes[NAMER_REPLY_MAX];
	} * reply;
	size_t at; /* offset of the next location in the reply */
};

const char *namer_status_text(enum namer_status s)
{
	static const char *const texts[] = {
		[NAMER_DIED] = "reading it crashed",
		[NAMER_SLOW] = "reading it took too long",
		[NAMER_OFF] = "symbol reader not available",
	};

	return (unsigned)s < ARRAY_SIZE(texts) ? texts[s] : NULL;
}

struct namer *namer_create(void)
{
	struct namer *n = mem_zalloc(sizeof(*n));

	n->sock = n->pidfd = -1;
	return n;
}

static void stop(struct namer *n)
{
	if (n->sock < 0)
		return;
	syscall(SYS_pidfd_send_signal, n->pidfd, SIGKILL, NULL, 0);
	close(n->pidfd);
	close(n->sock);
	n->sock = n->pidfd = -1;
	memset(n->open, 0, sizeof(n->open));
}

void namer_destroy(struct namer *n)
{
	if (!n)
		return;
	stop(n);
	free(n->reply);
	free(n->libs);
	free(n);
}

static bool send_message(int sock, struct iovec *parts, unsigned nparts, const int *fds,
			 unsigned nfds)
{
	char control[CMSG_SPACE(NAMER_FDS_MAX * sizeof(int))] = {0};
	struct msghdr m = {.msg_iov = parts, .msg_iovlen = nparts};
	struct cmsghdr *c;

	if (nfds) {
		m.msg_control = control;
		m.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, nfds * sizeof(int));
	}
	return sendmsg(sock, &m, MSG_NOSIGNAL) >= 0;
}

/*
 * Main function of an intermediate process, which starts the namer process and then exits. The
 * namer is therefore not a child of tracer, and tracer's wait calls report only tracees.
 */
static void attr_noreturn run_parent(const struct namer_libraries *libs, int sock, int theirs)
{
	struct iovec byte = {"", 1};
	pid_t pid = fork();
	int pidfd;

	if (!pid) {
		theirs = namer_confine(theirs);
		if (theirs < 0)
			_exit(1);
		namer_serve(libs, theirs);
	}
	pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	_exit(pidfd < 0 || !send_message(sock, &byte, 1, &pidfd, 1));
}

/* Receives the pidfd of the namer process from the process's parent. Returns -1 on failure. */
static int take_pidfd(int sock)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec in = {&byte, 1};
	struct msghdr m = {.msg_iov = &in,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c;
	int fd = -1;

	if (recvmsg(sock, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == 1 && (c = CMSG_FIRSTHDR(&m)) &&
	    c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}

static time_t now(void)
{
	return clock_after(0).tv_sec;
}

bool namer_may_start(const struct namer *n)
{
	time_t last = n ? n->starts[n->next_start] : 0;

	return n && (n->sock >= 0 || !last || now() - last >= STARTS_PERIOD);
}

static bool start(struct namer *n)
{
	time_t *slot = &n->starts[n->next_start];
	int pair[2];
	pid_t pid;

	if (!namer_may_start(n))
		return false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return false;
	*slot = now() + !now();
	n->next_start = (n->next_start + 1) % STARTS_MAX;
	if (!n->libs) {
		n->libs = mem_alloc(sizeof(*n->libs));
		namer_libraries_load(n->libs);
	}
	pid = fork();
	if (!pid)
		run_parent(n->libs, pair[1], pair[1]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(pair[1]);
	n->pidfd = pid > 0 ? take_pidfd(pair[0]) : -1;
	if (n->pidfd < 0) {
		close(pair[0]);
		return false;
	}
	n->sock = pair[0];
	if (!n->reply)
		n->reply = mem_alloc(sizeof(*n->reply));
	return true;
}

/* Waits until the socket is readable or closed. Returns false if this takes too long. */
static bool wait_reply(struct namer *n)
{
	struct timespec until = clock_after(NAMER_DEADLINE * 1000000000ull);
	struct pollfd p = {.fd = n->sock, .events = POLLIN};

	for (;;) {
		struct timespec left = timespec_sub(until, clock_after(0));
		int got = ppoll(&p, 1, left.tv_sec < 0 ? &(struct timespec){0} : &left, NULL);

		if (got > 0 || (got < 0 && errno != EINTR))
			return true;
		if (got == 0)
			return false;
	}
}

/*
 * Sends a request about file f to the running process and waits for the reply. If the process dies
 * or is too slow, stores this in f->failed, so that the file is not used again.
 */
static enum namer_status request(struct namer *n, struct namer_file *f,
				 const struct namer_request *q, const char *text, const int *fds,
				 unsigned nfds)
{
	struct iovec parts[] = {{(void *)q, sizeof(*q)}, {(void *)text, text ? strlen(text) : 0}};
	struct iovec in = {n->reply, sizeof(*n->reply)};
	struct msghdr m = {.msg_iov = &in, .msg_iovlen = 1};
	ssize_t got;

	n->nrequests++;
	n->at = 0;
	if (!send_message(n->sock, parts, 2, fds, nfds)) {
		/* The process exited before this request, so f is not the cause. */
		stop(n);
		return NAMER_OFF;
	}
	if (!wait_reply(n)) {
		stop(n);
		return f->failed = NAMER_SLOW;
	}
	got = recvmsg(n->sock, &m, MSG_DONTWAIT);
	if (got < (ssize_t)sizeof(n->reply->head) || m.msg_flags & MSG_TRUNC ||
	    n->reply->head.size != (size_t)got - sizeof(n->reply->head)) {
		stop(n);
		return f->failed = NAMER_DIED;
	}
	return n->reply->head.found ? NAMER_OK : NAMER_NONE;
}

static enum namer_status ready(struct namer *n, const struct namer_file *f)
{
	if (!n)
		return NAMER_NONE;
	if (f->failed)
		return f->failed;
	return n->sock >= 0 || start(n) ? NAMER_OK : NAMER_OFF;
}

enum namer_status namer_demangle(struct namer *n, struct namer_file *f, const char *name,
				 struct strbuf *nice)
{
	struct namer_request q = {.kind = NAMER_REQUEST_DEMANGLE};
	enum namer_status s;

	if (!is_mangled(name) || strlen(name) > NAMER_TEXT_MAX)
		return NAMER_NONE;
	s = ready(n, f);
	if (s == NAMER_OK)
		s = request(n, f, &q, name, NULL, 0);
	if (s == NAMER_OK) {
		nice->len = 0;
		strbuf_add(nice, n->reply->bytes, size_min(n->reply->head.size, NAMER_NAME_MAX));
	}
	return s;
}

/* Returns the slot in which a file is open, or -1 if it is not open. */
static int slot_of(const struct namer *n, const struct namer_file *f)
{
	for (int i = 0; n && f->id && i < NAMER_FILES_MAX; i++)
		if (n->open[i].id == f->id)
			return i;
	return -1;
}

bool namer_has(const struct namer *n, const struct namer_file *f)
{
	return slot_of(n, f) >= 0;
}

static enum namer_status close_slot(struct namer *n, struct namer_file *f, int slot)
{
	struct namer_request q = {.kind = NAMER_REQUEST_CLOSE, .slot = slot};

	n->open[slot].id = 0;
	n->open[slot].size = 0;
	return request(n, f, &q, NULL, NULL, 0);
}

/*
 * Closes files in the process until a file of the given size can be opened. Returns a free slot, or
 * -1 if the process has exited.
 */
static int make_room(struct namer *n, struct namer_file *f, uint64_t size)
{
	for (;;) {
		uint64_t all = size;
		int slot = -1, oldest = -1;

		for (int i = 0; i < NAMER_FILES_MAX; i++) {
			all += n->open[i].size;
			if (!n->open[i].id)
				slot = i;
			else if (oldest < 0 || n->open[i].used < n->open[oldest].used)
				oldest = i;
		}
		if (oldest < 0 || (slot >= 0 && all <= OPEN_SIZE_MAX))
			return slot;
		close_slot(n, f, oldest);
		if (n->sock < 0)
			return -1;
	}
}

enum namer_status namer_open(struct namer *n, struct namer_file *f, int fd, int common,
			     uint64_t size)
{
	struct namer_request q = {.kind = NAMER_REQUEST_OPEN};
	enum namer_status s = ready(n, f);
	int slot;

	if (s != NAMER_OK)
		return s;
	slot = make_room(n, f, size);
	if (slot < 0)
		return f->failed ? f->failed : NAMER_OFF;
	q.slot = slot;
	s = request(n, f, &q, NULL, (int[]){fd, common}, common < 0 ? 1 : 2);
	if (s == NAMER_OK || s == NAMER_NONE) {
		if (!f->id)
			f->id = ++n->last_id;
		n->open[slot].id = f->id;
		n->open[slot].size = size;
		n->open[slot].used = n->nrequests;
	}
	return s;
}

enum namer_status namer_lines(struct namer *n, struct namer_file *f, uint64_t addr)
{
	struct namer_request q = {.kind = NAMER_REQUEST_LINES, .at = addr};
	int slot = slot_of(n, f);

	if (f->failed)
		return f->failed;
	if (slot < 0)
		return n ? NAMER_OFF : NAMER_NONE;
	q.slot = slot;
	n->open[slot].used = n->nrequests;
	return request(n, f, &q, NULL, NULL, 0);
}

/*
 * Sets *s to the string of len bytes at the offset *at, or to NULL if len is NAMER_NO_STRING.
 * Returns false if the string is out of bounds.
 */
static bool take_string(const char *bytes, size_t size, size_t *at, uint32_t len, const char **s,
			size_t *s_len)
{
	*s = NULL;
	*s_len = 0;
	if (len == NAMER_NO_STRING)
		return true;
	if (len > size - *at)
		return false;
	*s = bytes + *at;
	*s_len = len;
	*at += len;
	return true;
}

bool namer_parse_location(const char *bytes, size_t size, size_t *at, struct namer_location *p)
{
	struct namer_wire_location w;
	size_t next = *at;

	if (size - next < sizeof(w))
		return false;
	memcpy(&w, bytes + next, sizeof(w));
	next += sizeof(w);
	p->line = w.line;
	if (!take_string(bytes, size, &next, w.symbol_len, &p->symbol, &p->symbol_len) ||
	    !take_string(bytes, size, &next, w.file_len, &p->file, &p->file_len))
		return false;
	*at = next;
	return true;
}

bool namer_next_location(struct namer *n, struct namer_location *p)
{
	return namer_parse_location(n->reply->bytes, n->reply->head.size, &n->at, p);
}

void namer_close(struct namer *n, struct namer_file *f)
{
	int slot = slot_of(n, f);

	if (slot >= 0 && n->sock >= 0)
		close_slot(n, f, slot);
	*f = (struct namer_file){0};
}

static uint8_t *read_all(int fd, size_t n)
{
	uint8_t *out = mem_alloc(n);
	size_t got = 0;

	while (got < n) {
		ssize_t r = pread(fd, out + got, n - got, got);

		if (r <= 0) {
			free(out);
			return NULL;
		}
		got += r;
	}
	return out;
}

enum namer_status namer_unpack(struct namer *n, struct namer_file *f, int fd,
			       enum namer_packing how, uint64_t at, uint64_t size, size_t max,
			       uint8_t **out, size_t *out_size)
{
	struct namer_request q = {
		.kind = NAMER_REQUEST_UNPACK, .slot = how, .at = at, .size = size, .max = max};
	enum namer_status s = ready(n, f);
	struct stat st;
	int to;

	*out = NULL;
	*out_size = 0;
	if (s != NAMER_OK)
		return s;
	/* A temporary file for the result. This function closes it. */
	to = memfd_create("unpacked", MFD_CLOEXEC);
	if (to < 0)
		return NAMER_OFF;
	s = request(n, f, &q, NULL, (int[]){fd, to}, 2);
	if (s == NAMER_OK && !fstat(to, &st) && st.st_size > 0 && (uint64_t)st.st_size <= max) {
		*out = read_all(to, st.st_size);
		*out_size = *out ? st.st_size : 0;
	}
	close(to);
	return s == NAMER_OK && !*out ? NAMER_NONE : s;
}
