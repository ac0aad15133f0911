/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/trace_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/format/coding.h"
#include "util/log_file.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/thread.h"
#include "util/vec.h"

/* Maximum number of blocks in the queue. If the queue is full, the recorder waits. */
#define QUEUE 16

extern char **environ;

struct job {
	struct block_header h;
	struct strbuf body;
};

/* A block's entry in the index. */
struct entry {
	uint64_t offset;
	struct block_header h;
};

struct trace_file {
	int fd;
	char *name;
	pid_t command;
	pid_t tracer; /* the thread that traces and calls the functions of this file */
	bool running; /* true if the writer thread exists */
	pthread_t thread;
	pthread_mutex_t lock; /* protects the members up to `ending` */
	pthread_cond_t filled, emptied;
	struct job queue[QUEUE];
	unsigned first, count;
	bool ending;
	/*
	 * ---- While the writer thread is running, only that thread uses the members below, except
	 * that all threads may read `error`.
	 */
	cpu_set_t cpus, allowed;     /* CPUs of the writer thread at its start, and now */
	struct block_packer *packer; /* NULL until the first block is written */
	struct strbuf out;
	uint64_t offset;
	VEC(struct entry) index;
	atomic_int error;
};

/*
 * Starts a shell command. Returns a descriptor that writes to the command's standard input, or
 * -errno.
 */
static int open_pipe(struct trace_file *f, const char *command)
{
	char *const argv[] = {"sh", "-c", (char *)command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t pipes;
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	sigemptyset(&pipes);
	sigaddset(&pipes, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &pipes);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	err = posix_spawn(&f->command, "/bin/sh", &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	if (!err)
		return ends[1];
	close(ends[1]);
	f->command = 0;
	return -err;
}

struct trace_file *trace_file_open(const char *path)
{
	struct trace_file *f = mem_zalloc(sizeof(*f));
	const char *why = NULL;

	if (log_path_is_command(path))
		f->fd = open_pipe(f, path + 1);
	else
		f->fd = log_file_open(path, false, &why);
	if (f->fd < 0) {
		const int error = -f->fd;

		errno = error;
		if (why)
			msg("cannot write the trace '%s': %s", path, why);
		else
			msg_errno("cannot write the trace '%s'", path);
		free(f);
		errno = error;
		return NULL;
	}
	f->name = mem_strdup(path);
	f->tracer = gettid();
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->filled, NULL);
	pthread_cond_init(&f->emptied, NULL);
	return f;
}

static void write_out(struct trace_file *f)
{
	size_t done = 0;

	while (done < f->out.len && !f->error) {
		ssize_t n = write(f->fd, f->out.data + done, f->out.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			f->error = n ? -errno : -EIO;
			msg_errno("cannot write the trace '%s'", f->name);
			break;
		}
		done += (size_t)n;
	}
	f->offset += f->out.len;
	f->out.len = 0;
}

/*
 * Compresses and writes a block. The first call loads libzstd. Runs in the writer thread, because
 * loading takes much longer than recording a call.
 */
static void pack(struct trace_file *f, const struct block_header *h, const void *body, size_t n)
{
	if (!f->packer)
		f->packer = block_packer_create();
	block_pack(f->packer, &f->out, h, body, n);
	write_out(f);
}

static void write_block(struct trace_file *f, const struct block_header *h, const void *body,
			size_t n)
{
	*vec_push(&f->index) = (struct entry){f->offset, *h};
	pack(f, h, body, n);
}

/*
 * If the tracing thread is bound to one CPU, keeps the writer thread off that CPU. The ptrace
 * engine binds the tracing thread to the CPU of the tracee (capture/ptrace/cpu_follow.h). If the
 * writer thread ran there, the scheduler would move the tracee to another CPU, and each stop would
 * take longer.
 */
static void leave_cpu(struct trace_file *f)
{
	cpu_set_t tracing, wanted = f->cpus;

	if (sched_getaffinity(f->tracer, sizeof(tracing), &tracing))
		return;
	CPU_AND(&tracing, &tracing, &f->cpus);
	if (CPU_COUNT(&tracing) == 1 && CPU_COUNT(&f->cpus) > 1)
		CPU_XOR(&wanted, &wanted, &tracing);
	if (!CPU_EQUAL(&wanted, &f->allowed) && !sched_setaffinity(0, sizeof(wanted), &wanted))
		f->allowed = wanted;
}

static void *writer(void *ctx)
{
	struct trace_file *f = ctx;
	struct job job = {0};

	CPU_ZERO(&f->cpus);
	sched_getaffinity(0, sizeof(f->cpus), &f->cpus);
	f->allowed = f->cpus;
	pthread_mutex_lock(&f->lock);
	for (;;) {
		struct strbuf used;

		while (!f->count && !f->ending)
			pthread_cond_wait(&f->filled, &f->lock);
		if (!f->count)
			break;
		job = f->queue[f->first];
		pthread_mutex_unlock(&f->lock);
		leave_cpu(f);
		write_block(f, &job.h, job.body.data, job.body.len);
		pthread_mutex_lock(&f->lock);
		/* The buffer stays in the slot of the queue, so that its memory can be reused. */
		used = job.body;
		used.len = 0;
		f->queue[f->first].body = used;
		f->first = (f->first + 1) % QUEUE;
		f->count--;
		pthread_cond_signal(&f->emptied);
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

void trace_file_put(struct trace_file *f, const struct block_header *h, struct strbuf *body)
{
	struct strbuf old;
	struct job *job;

	if (!f->running)
		f->running = thread_start(&f->thread, writer, f);
	/* The writer thread does not exist, so write the block in this thread. */
	if (!f->running) {
		write_block(f, h, body->data, body->len);
		body->len = 0;
		return;
	}
	pthread_mutex_lock(&f->lock);
	while (f->count == QUEUE)
		pthread_cond_wait(&f->emptied, &f->lock);
	job = &f->queue[(f->first + f->count++) % QUEUE];
	old = job->body;
	*job = (struct job){*h, *body};
	pthread_cond_signal(&f->filled);
	pthread_mutex_unlock(&f->lock);
	*body = old;
	body->len = 0;
}

int trace_file_error(const struct trace_file *f)
{
	return f->error;
}

/*
 * Writes the index and the END block. The size of an INDEX block is limited, so a long index
 * consists of several INDEX blocks. Each of them contains the offset of the previous INDEX block,
 * and the END block contains the offset of the last one.
 */
static void write_index(struct trace_file *f)
{
	struct block_header h = {.kind = BLOCK_INDEX};
	uint64_t from = 0, offset = 0;
	struct strbuf body = {0};

	for (size_t i = 0; i < f->index.n; i++) {
		const struct entry *e = &f->index.v[i];

		put_uleb(&body, e->offset - from);
		put_uleb(&body, e->h.kind);
		put_uleb(&body, e->h.first);
		put_uleb(&body, e->h.last - e->h.first);
		put_signed(&body, e->h.real);
		put_uleb(&body, e->h.sequence);
		put_uleb(&body, e->h.lost);
		from = e->offset;
		if (body.len < BLOCK_BODY_MAX - 128 && i + 1 < f->index.n)
			continue;
		h.last = offset;
		offset = f->offset;
		pack(f, &h, body.data, body.len);
		body.len = 0;
		from = 0;
	}
	h = (struct block_header){.kind = BLOCK_END, .last = offset};
	pack(f, &h, NULL, 0);
	strbuf_deinit(&body);
}

/* Waits for the shell command. (Only waits for tracees are restricted to capture/ptrace.) */
static void wait_for_command(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

int trace_file_close(struct trace_file *f, uint64_t *bytes)
{
	int error;

	if (!f)
		return 0;
	if (f->running) {
		pthread_mutex_lock(&f->lock);
		f->ending = true;
		pthread_cond_signal(&f->filled);
		pthread_mutex_unlock(&f->lock);
		pthread_join(f->thread, NULL);
	}
	write_index(f);
	error = f->error;
	if (bytes)
		*bytes = f->offset;
	if (close(f->fd) && !error) {
		error = -errno;
		msg_errno("cannot write the trace '%s'", f->name);
	}
	if (f->command)
		wait_for_command(f->command);
	for (unsigned i = 0; i < QUEUE; i++)
		strbuf_deinit(&f->queue[i].body);
	block_packer_destroy(f->packer);
	strbuf_deinit(&f->out);
	vec_deinit(&f->index);
	pthread_cond_destroy(&f->filled);
	pthread_cond_destroy(&f->emptied);
	pthread_mutex_destroy(&f->lock);
	free(f->name);
	free(f);
	return error;
}
