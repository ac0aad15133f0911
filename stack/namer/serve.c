/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/namer/serve.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "stack/namer/demangle.h"
#include "stack/namer/dwarf_lines.h"
#include "stack/namer/unpack.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

struct namer_server {
	const struct namer_libraries *libs;
	struct dwarf_source *files[NAMER_FILES_MAX];
};

struct namer_server *namer_server_create(const struct namer_libraries *libs)
{
	struct namer_server *s = mem_zalloc(sizeof(*s));

	s->libs = libs;
	return s;
}

static bool answer_demangle(const char *text, size_t len, struct strbuf *out)
{
	char *name = mem_strndup(text, len), *nice = symbol_demangle(name);

	if (nice)
		strbuf_puts(out, nice);
	free(name);
	free(nice);
	return out->len;
}

bool namer_server_answer(struct namer_server *s, const struct namer_request *q, const char *text,
			 size_t len, const int *fds, unsigned nfds, struct strbuf *out)
{
	struct dwarf_source **file = &s->files[q->slot % NAMER_FILES_MAX];
	unsigned kept = 0;
	bool found = false;

	out->len = 0;
	switch (q->kind) {
	case NAMER_REQUEST_DEMANGLE:
		found = answer_demangle(text, len, out);
		break;
	case NAMER_REQUEST_OPEN:
		dwarf_source_close(*file);
		kept = nfds;
		*file = NULL;
		if (nfds)
			*file = dwarf_source_open(s->libs, fds[0], nfds > 1 ? fds[1] : -1);
		found = *file;
		break;
	case NAMER_REQUEST_CLOSE:
		dwarf_source_close(*file);
		*file = NULL;
		found = true;
		break;
	case NAMER_REQUEST_LINES:
		found = *file && dwarf_source_find(*file, q->at, out);
		break;
	case NAMER_REQUEST_UNPACK:
		found = nfds == 2 && unpack(s->libs, q, fds[0], fds[1]);
		break;
	}
	while (kept < nfds)
		close(fds[kept++]);
	return found;
}

/* Copies the descriptors that were sent with a message to `fds`. Returns their number. */
static unsigned take_fds(struct msghdr *m, int *fds)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	size_t n;

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return 0;
	n = size_min((c->cmsg_len - CMSG_LEN(0)) / sizeof(int), NAMER_FDS_MAX);
	memcpy(fds, CMSG_DATA(c), n * sizeof(int));
	return n;
}

/*
 * Starts a timer that kills this process with SIGALRM after `seconds`. 0 stops the timer. Without
 * the timer, an endless loop in a library would continue for minutes after tracer was killed.
 */
static void bound_time(int seconds)
{
	struct itimerval t = {.it_value.tv_sec = seconds};

	setitimer(ITIMER_REAL, &t, NULL);
}

static void attr_noreturn exit_quietly(void)
{
	_exit(1);
}

void namer_serve(const struct namer_libraries *libs, int sock)
{
	struct namer_server *s = namer_server_create(libs);
	struct namer_request q;
	struct strbuf out = {0};
	char *text = mem_alloc(NAMER_TEXT_MAX);

	/* If there is no more memory, exit without printing a message. */
	msg_set_exit_hook(exit_quietly);
	for (;;) {
		char control[CMSG_SPACE(NAMER_FDS_MAX * sizeof(int))];
		struct iovec in[] = {{&q, sizeof(q)}, {text, NAMER_TEXT_MAX}}, back[2];
		struct msghdr m = {.msg_iov = in,
				   .msg_iovlen = 2,
				   .msg_control = control,
				   .msg_controllen = sizeof(control)};
		struct namer_reply a;
		int fds[NAMER_FDS_MAX];
		ssize_t n = recvmsg(sock, &m, 0);

		if (n < (ssize_t)sizeof(q))
			_exit(0);
		bound_time(NAMER_DEADLINE + 1);
		a.found = namer_server_answer(s, &q, text, n - sizeof(q), fds, take_fds(&m, fds),
					      &out);
		a.size = out.len;
		bound_time(0);
		back[0] = (struct iovec){&a, sizeof(a)};
		back[1] = (struct iovec){out.data, out.len};
		m = (struct msghdr){.msg_iov = back, .msg_iovlen = 2};
		if (sendmsg(sock, &m, MSG_NOSIGNAL) < 0)
			_exit(0);
	}
}
