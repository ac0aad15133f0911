/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/live.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/proc/tasks.h"
#include "cli/options.h"
#include "session/lock_board.h"
#include "session/session.h"
#include "sinks/live/board.h"
#include "trace/format/block.h"
#include "util/die_by_signal.h"
#include "util/msg.h"

/*
 * Maximum size in bytes of the temporary trace without --output-limit. When it is exceeded,
 * 1/DROP_SHARE of the maximum size is dropped at once.
 */
#define TRACE_BYTES (1024ull << 20)
#define DROP_SHARE  4
/* Time to wait for the recorder to create its file, in milliseconds. */
#define CREATE_MS 5000

static const char *option_name(const struct options *o)
{
	return o->live_ns ? "--live" : "--tui";
}

/* Returns a new file without a name. On failure, prints a message and returns -1. */
static int temporary(const struct options *o)
{
	const char *dir = getenv("TMPDIR");
	attr_cleanup(mem_free_ptr) char *path =
		mem_printf("%s/tracer-XXXXXX", dir && *dir ? dir : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	else
		msg_errno("%s: %s", option_name(o), path);
	return fd;
}

/* Replaces the standard descriptors that refer to the terminal. */
static void leave_terminal(int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (isatty(STDIN_FILENO))
		dup2(null, STDIN_FILENO);
	if (isatty(STDOUT_FILENO))
		dup2(output, STDOUT_FILENO);
	if (isatty(STDERR_FILENO))
		dup2(output, STDERR_FILENO);
	/* In a new session, /dev/tty does not refer to the terminal. */
	setsid();
}

static void attr_noreturn record(const struct recording *r, const struct options *o, pid_t parent)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGWINCH};
	struct options own = *o;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	leave_terminal(r->output);
	own.leaves_command = true;
	own.text.limits.bytes = 0; /* --output-limit limits the temporary trace instead, see
				      live_limit() */
	own.lock_board = r->locks;
	own.live_board = r->board;
	/*
	 * SIGTERM always ends the recording. Reset the signals, because the screen may have set
	 * handlers.
	 */
	own.capture.interruptible = 2;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
	if (!r->kept && !r->board)
		own.write_trace = r->live.path;
	/* exit(3) writes no output of the parent, because the buffers of stdio were empty. */
	exit(session_run(&own));
}

/*
 * Opens the user's trace as soon as the recorder has created it. Returns false if the recorder
 * ends, which then has printed a message. Also returns false if the recorder needs too much time,
 * and prints a message itself.
 */
static bool open_kept(struct recording *r, const char *path)
{
	struct pollfd alive = {.fd = r->live.alive, .events = POLLIN};
	struct stat st;

	for (int waited = 0; waited < CREATE_MS; waited += 10) {
		r->live.trace = open(path, O_RDONLY | O_CLOEXEC);
		if (r->live.trace >= 0 && !fstat(r->live.trace, &st) && st.st_size > 0)
			return true;
		if (r->live.trace >= 0)
			close(r->live.trace);
		if (poll(&alive, 1, 10) > 0)
			return false;
	}
	msg("--tui: cannot read the trace '%s'", path);
	return false;
}

/*
 * Waits until the trace has its first block or the recorder has ended, for at most CREATE_MS.
 * Returns false if the recorder has ended without writing a block.
 */
static bool wait_for_block(const struct recording *r)
{
	struct pollfd alive = {.fd = r->live.alive, .events = POLLIN};
	struct stat st;

	for (int waited = 0; waited < CREATE_MS; waited += 10) {
		if (!fstat(r->live.trace, &st) && st.st_size > 0)
			return true;
		if (poll(&alive, 1, 10) > 0)
			return !fstat(r->live.trace, &st) && st.st_size > 0;
	}
	return true;
}

/*
 * Creates the trace file or the board to which the recorder writes. On failure, prints a message
 * and returns false.
 */
static bool open_files(struct recording *r, const struct options *o)
{
	r->output = temporary(o);
	if (r->output < 0)
		return false;
	if (o->live_ns) {
		r->board = live_board_create();
		if (!r->board)
			msg_errno("--live: cannot allocate memory for the table");
		return r->board;
	}
	r->locks = lock_board_create();
	if (!r->kept)
		r->live.trace = temporary(o);
	return r->kept || r->live.trace >= 0;
}

bool live_start(struct recording *r, const struct options *o)
{
	const pid_t parent = getpid();
	int ends[2];
	bool begun;

	*r = (struct recording){.kept = o->write_trace != NULL,
				.limit = o->text.limits.bytes ? o->text.limits.bytes : TRACE_BYTES};
	r->live.trace = -1;
	if (!open_files(r, o))
		return false;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		msg_errno("%s: pipe", option_name(o));
		return false;
	}
	r->live.alive = ends[0];
	proc_fd_path(r->live.path, sizeof(r->live.path), r->live.trace);
	r->live.recorder = fork();
	if (!r->live.recorder)
		record(r, o, parent);
	close(ends[1]);
	if (r->live.recorder < 0) {
		msg_errno("%s: fork", option_name(o));
		return false;
	}
	if (r->board)
		return true;
	begun = r->kept ? open_kept(r, o->write_trace) : wait_for_block(r);
	if (!begun)
		live_end(r);
	proc_fd_path(r->live.path, sizeof(r->live.path), r->live.trace);
	return begun;
}

/*
 * Finds the first STATE block at or after `from`. Stores its header in *h and its position in
 * *offset. Reading can start at such a block, because the block describes all threads. Returns
 * false if there is none.
 */
static bool find_state(struct block_reader *r, uint64_t from, uint64_t size, struct block_header *h,
		       uint64_t *offset)
{
	uint64_t next = from;

	while (block_find(r, next, size, h, offset, &next))
		if (h->kind == BLOCK_STATE)
			return true;
	return false;
}

void live_limit(struct recording *r)
{
	struct block_reader *reader;
	uint64_t offset, next, start = 0;
	struct block_header h;
	struct stat st;

	if (r->kept || fstat(r->live.trace, &st) < 0 ||
	    (uint64_t)st.st_size - r->dropped < r->limit)
		return;
	/* Keep the META block, which is at the start of the file. */
	reader = block_reader_create(r->live.trace);
	if (block_header_at(reader, 0, &h, &next) &&
	    find_state(reader, r->dropped + r->limit / DROP_SHARE, (uint64_t)st.st_size, &h,
		       &offset)) {
		start = align_up(r->dropped > next ? r->dropped : next, 4096);
		if (offset > start &&
		    !fallocate(r->live.trace, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			       (off_t)start, (off_t)(offset - start)) &&
		    !__builtin_add_overflow((int64_t)h.first, h.real, &r->kept_from))
			r->dropped = offset;
	}
	block_reader_destroy(reader);
}

/*
 * Writes the contents of the file `output`, which is the output of the program, to standard output.
 */
static void show_output(int output)
{
	char buffer[16 << 10];
	off_t offset = 0;
	ssize_t n;

	while ((n = pread(output, buffer, sizeof(buffer), offset)) > 0) {
		if (write(STDOUT_FILENO, buffer, (size_t)n) < 0)
			return;
		offset += n;
	}
}

int live_end(struct recording *r)
{
	struct pollfd alive = {.fd = r->live.alive, .events = POLLIN};
	const bool ended = poll(&alive, 1, 0) > 0;
	int status = 0;

	if (r->live.recorder > 0) {
		kill(r->live.recorder, SIGTERM);
		while (waitpid(r->live.recorder, &status, 0) < 0 && errno == EINTR)
			;
	}
	r->live.recorder = 0;
	lock_board_destroy(r->locks);
	live_board_destroy(r->board);
	r->locks = NULL;
	r->board = NULL;
	show_output(r->output);
	if (ended && WIFSIGNALED(status))
		die_by_signal(WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
