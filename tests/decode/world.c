/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "capture/facts.h"

static void answer(struct world *w, const struct fact_question *q, const int64_t *numbers,
		   unsigned n, const void *bytes, size_t len)
{
	struct fact_answer a = {0};

	for (unsigned i = 0; i < n; i++)
		fact_add_number(&a, numbers[i]);
	fact_set_bytes(&a, bytes, len);
	answers_add(&w->answers, q, &a);
}

static void answer_text(struct world *w, const struct fact_question *q, const char *text)
{
	answer(w, q, NULL, 0, text, strlen(text));
}

/*
 * Answers questions from w->answers, and all others with -ENOENT. Does not ask the running system.
 */
static void world_ask(struct facts *f, const struct fact_question *q, struct fact_answer *a)
{
	struct world *w = (struct world *)f;

	if (facts_ask(&w->answers.facts, q, a) == -ENODATA)
		a->error = -ENOENT;
}

static const struct facts_ops world_ops = {.ask = world_ask};

void world_init(struct world *w)
{
	*w = (struct world){.facts = {.ops = &world_ops}};
	answers_init(&w->answers, NULL);
}

void world_deinit(struct world *w)
{
	answers_deinit(&w->answers);
}

/* Sets the path of a descriptor, and its length without the suffix " (deleted)". */
static void is_path(struct world *w, int fd, const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), end = sizeof(deleted) - 1;
	int64_t name = len;

	if (len > end && !strcmp(path + len - end, deleted))
		name -= end;
	answer(w, &(struct fact_question){.kind = FACT_FD_PATH, .tid = w->tid, .n = fd}, &name, 1,
	       path, len);
}

static void is_device(struct world *w, const char *path)
{
	static const struct {
		const char *path;
		unsigned major, minor;
	} devices[] = {{"/dev/null", 1, 3}, {"/dev/zero", 1, 5}, {"/dev/full", 1, 7}};

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		const struct fact_question q = {.kind = FACT_DEVICE, .key = devices[i].path};
		int64_t numbers[] = {S_IFCHR, makedev(devices[i].major, devices[i].minor)};

		if (!strcmp(path, devices[i].path))
			answer(w, &q, numbers, 2, NULL, 0);
	}
}

/*
 * Makes the descriptor a socket and records what sock_diag(7) would report about it; see
 * fact_socket().
 */
static void is_socket(struct world *w, int fd, const char *protocol, const int64_t *numbers,
		      unsigned n, const void *bytes, size_t len)
{
	struct fact_question q = {.kind = FACT_FD_PROTOCOL, .tid = w->tid, .n = fd};
	char path[64];

	answer_text(w, &q, protocol);
	q = (struct fact_question){.kind = FACT_SOCKET, .n = 1000 + fd, .key = protocol};
	if (n)
		answer(w, &q, numbers, n, bytes, len);
	snprintf(path, sizeof(path), "socket:[%d]", 1000 + fd);
	is_path(w, fd, path);
}

static void is_inet(struct world *w, int fd, const struct call_socket *s)
{
	size_t half = s->family == AF_INET ? 4 : 16;
	int64_t numbers[] = {s->family, s->port, s->peer_port};
	unsigned char both[32];

	memcpy(both, s->address, half);
	memcpy(both + half, s->peer, half);
	is_socket(w, fd, s->protocol, numbers, 3, both, 2 * half);
}

static void is_info(struct world *w, int fd, const char *key, const char *value)
{
	answer_text(
		w,
		&(struct fact_question){.kind = FACT_FD_INFO, .tid = w->tid, .n = fd, .key = key},
		value);
}

static void is_unix(struct world *w, int fd, const char *what)
{
	int64_t numbers[] = {AF_UNIX, strtol(what, (char **)&what, 10)};
	char path[108];
	size_t len = 0;

	/* Abstract addresses begin with a NUL byte; see unix(7). */
	if (*what == ',')
		len = (size_t)snprintf(path, sizeof(path), "%s", what + 1);
	if (*path == '@' && len)
		*path = '\0';
	is_socket(w, fd, "UNIX-STREAM", numbers, 2, path, len);
}

static void is_descriptor(struct world *w, int fd, const char *what)
{
	struct call_socket s;
	char text[160];
	unsigned long addr;

	if (call_socket_parse(&s, what)) {
		is_inet(w, fd, &s);
	} else if (!strncmp(what, "netlink:", 8)) {
		int64_t numbers[] = {AF_NETLINK, strtol(what + 8, (char **)&what, 10), 0};

		numbers[2] = *what == ':' ? strtol(what + 1, NULL, 10) : 0;
		is_socket(w, fd, "NETLINK", numbers, 3, NULL, 0);
	} else if (!strncmp(what, "unix:", 5)) {
		is_unix(w, fd, what + 5);
	} else if (!strncmp(what, "socket:", 7)) {
		is_socket(w, fd, what + 7, NULL, 0, NULL, 0);
	} else if (!strncmp(what, "pidfd:", 6)) {
		int64_t numbers[] = {strtol(what + 6, NULL, 10), strtol(what + 6, NULL, 10)};

		is_path(w, fd, "anon_inode:[pidfd]");
		answer(w, &(struct fact_question){.kind = FACT_FD_PIDFD, .tid = w->tid, .n = fd},
		       numbers, 2, NULL, 0);
	} else if (!strncmp(what, "eventfd:", 8)) {
		is_path(w, fd, "anon_inode:[eventfd]");
		is_info(w, fd, "eventfd-count", what + 8);
		is_info(w, fd, "eventfd-id", "7");
		is_info(w, fd, "eventfd-semaphore", "0");
	} else if (!strncmp(what, "signalfd:", 9)) {
		is_path(w, fd, "anon_inode:[signalfd]");
		is_info(w, fd, "sigmask", what + 9);
	} else if (!strncmp(what, "bpf-", 4)) {
		snprintf(text, sizeof(text), "anon_inode:%s", what);
		is_path(w, fd, text);
	} else if (sscanf(what, "kvm-vcpu:%lx", &addr) == 1) {
		is_path(w, fd, "anon_inode:kvm-vcpu:0");
		answer(w,
		       &(struct fact_question){
			       .kind = FACT_MAPPING, .tid = w->tid, .key = "anon_inode:kvm-vcpu:0"},
		       (int64_t[]){(int64_t)addr}, 1, NULL, 0);
	} else {
		is_path(w, fd, what);
		is_device(w, what);
	}
}

static void is_pid(struct world *w, int pid, const char *ours)
{
	const int64_t n = strtol(ours, NULL, 10);

	for (int of = PID_THREAD; of <= PID_SESSION; of++)
		answer(w,
		       &(struct fact_question){.kind = FACT_PID, .tid = w->tid, .n = pid, .of = of},
		       &n, 1, NULL, 0);
}

/*
 * Adds a label: the SELinux context ACTUAL, or ACTUAL!!EXPECTED, of "N", "PATH", "N:PATH" or
 * "thread".
 */
static void is_label(struct world *w, const char *key, const char *contexts)
{
	struct fact_question q = {.kind = FACT_PATH_CONTEXT, .tid = w->tid, .n = AT_FDCWD};
	const char *expected = strstr(contexts, "!!");
	char *rest;

	q.key = key;
	if (!strcmp(key, "thread")) {
		q = (struct fact_question){.kind = FACT_THREAD_CONTEXT, .tid = w->tid};
	} else if (strchr("0123456789", *key)) {
		q.n = strtol(key, &rest, 10);
		q.key = *rest == ':' ? rest + 1 : NULL;
		q.kind = q.key ? FACT_PATH_CONTEXT : FACT_FD_CONTEXT;
	}
	answer(w, &q, NULL, 0, contexts,
	       expected ? (size_t)(expected - contexts) : strlen(contexts));
	q.of = CONTEXT_EXPECTED;
	if (expected)
		answer_text(w, &q, expected + 2);
}

void world_of_call(struct world *w, const struct call *c, int tid)
{
	answers_clear(&w->answers);
	w->tid = tid;
	answer_text(w, &(struct fact_question){.kind = FACT_INTERFACE, .n = 1}, "lo");
	answer_text(w, &(struct fact_question){.kind = FACT_GENL_FAMILY, .n = 16}, "nlctrl");
	for (unsigned i = 0; i < c->nfacts; i++) {
		const struct call_fact *f = &c->facts[i];

		switch (f->kind) {
		case CALL_FD:
			is_descriptor(w, f->n, f->what);
			break;
		case CALL_CWD:
			is_path(w, AT_FDCWD, f->what);
			break;
		case CALL_COMM:
			answer_text(w, &(struct fact_question){.kind = FACT_COMM, .n = f->n},
				    f->what);
			break;
		case CALL_PID:
			is_pid(w, f->n, f->what);
			break;
		case CALL_LABEL:
			is_label(w, f->key, f->what);
			break;
		case CALL_OPTMEM:
			answer(w, &(struct fact_question){.kind = FACT_OPTMEM_MAX},
			       (int64_t[]){strtol(f->what, NULL, 10)}, 1, NULL, 0);
			break;
		}
	}
}
