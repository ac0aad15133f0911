/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/job.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/proc/tasks.h"
#include "util/msg.h"

#define READ_BYTES (64u << 10)
/* Longer lines are dropped. tracer itself limits the size of an event. */
#define LINE_MAX_BYTES (16u << 20)

/* Replaces the child by tracer with these arguments. Runs in the child and never returns. */
static void attr_noreturn become(char **argv, int input, int output, int messages)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (input < 0)
		input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(messages, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	proc_exec_self(argv);
	msg_errno("cannot execute tracer");
	_exit(127);
}

void job_start(struct job *j, char **argv, int input)
{
	int ends[2] = {-1, -1};

	job_stop(j);
	j->messages = memfd_create("messages", MFD_CLOEXEC);
	if (j->messages < 0 || pipe2(ends, O_CLOEXEC) < 0 || (j->pid = fork()) < 0) {
		*j = (struct job){
			.messages = j->messages, .error = errno, .status = 127, .ended = true};
		close(j->messages);
		close(ends[0]);
		close(ends[1]);
		return;
	}
	if (!j->pid)
		become(argv, input, ends[1], j->messages);
	close(ends[1]);
	j->fd = ends[0];
	fcntl(j->fd, F_SETFL, O_NONBLOCK);
}

static void take_status(struct job *j)
{
	int status = 0;

	while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
		;
	j->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	j->ended = true;
	close(j->fd);
	j->fd = -1;
}

bool job_read(struct job *j)
{
	ssize_t n;

	if (!j->pid || j->ended)
		return false;
	if (j->used) {
		j->buffer.len -= j->used;
		memmove(j->buffer.data, j->buffer.data + j->used, j->buffer.len);
		j->used = 0;
	}
	if (j->buffer.len > LINE_MAX_BYTES)
		j->buffer.len = 0;
	n = read(j->fd, strbuf_room(&j->buffer, READ_BYTES), READ_BYTES);
	if (n > 0)
		j->buffer.len += (size_t)n;
	else if (!n || (errno != EAGAIN && errno != EINTR))
		take_status(j);
	return n > 0;
}

const char *job_line(struct job *j, size_t *n)
{
	const char *line = j->buffer.data ? j->buffer.data + j->used : NULL;
	const char *end = line ? memchr(line, '\n', j->buffer.len - j->used) : NULL;

	if (!end)
		return NULL;
	*n = (size_t)(end - line);
	j->used += *n + 1;
	return line;
}

bool job_has_line(const struct job *j)
{
	return j->buffer.len > j->used &&
	       memchr(j->buffer.data + j->used, '\n', j->buffer.len - j->used);
}

bool job_done(const struct job *j)
{
	return j->ended && !job_has_line(j);
}

void job_message(struct job *j, struct strbuf *b)
{
	char text[512];
	ssize_t n = j->pid ? pread(j->messages, text, sizeof(text) - 1, 0) : 0;
	const char *start = text;

	if (j->error)
		strbuf_printf(b, "cannot start tracer: %s", strerror(j->error));
	if (n <= 0)
		return;
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	/* Omit the program's name. */
	if (strstr(text, ": "))
		start = strstr(text, ": ") + 2;
	strbuf_puts(b, start);
}

void job_stop(struct job *j)
{
	if (j->pid && !j->ended) {
		kill(j->pid, SIGKILL);
		take_status(j);
	}
	if (j->pid)
		close(j->messages);
	strbuf_deinit(&j->buffer);
	*j = (struct job){0};
}
