/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "sinks/output.h"
#include "sinks/rows/rows.h"
#include "sinks/text/text_call.h"
#include "sinks/threads.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/vec.h"

/* Number of events after which the sums are written. */
#define SUMS_EVERY 20000
/* Maximum number of processes to list. Further processes are only counted. */
#define PROCESSES_MAX 200000

struct process {
	pid_t pid, parent;
	uint64_t first, last, calls, errors;
	char comm[16];
	char *command, *end; /* owned; NULL if unknown */
};

struct processes_sink {
	struct sink base;
	struct output *out;
	struct threads current; /* processes by pid; values are index + 1 */
	VEC(struct process) all;
	uint64_t last, events, calls, errors;
};

static struct processes_sink *processes_of(struct sink *s)
{
	return container_of(s, struct processes_sink, base);
}

/*
 * Returns the process with this id, and adds it if it is new. If `fresh` is set and the known
 * process with this id has ended, adds a new process. Returns NULL if the list is full or `pid` is
 * not positive.
 */
static struct process *process_get(struct processes_sink *p, pid_t pid, bool fresh)
{
	uintptr_t i = (uintptr_t)threads_find(&p->current, pid);

	if (i && !(fresh && p->all.v[i - 1].end))
		return &p->all.v[i - 1];
	if (p->all.n >= PROCESSES_MAX || pid <= 0)
		return NULL;
	if (i)
		threads_remove(&p->current, pid);
	*vec_push(&p->all) = (struct process){.pid = pid};
	threads_add(&p->current, pid, (void *)(uintptr_t)p->all.n);
	return &p->all.v[p->all.n - 1];
}

static void put_sums(struct processes_sink *p)
{
	strbuf_printf(output_buf(p->out), "T\t%llu\t%llu\t%llu\n", (unsigned long long)p->last,
		      (unsigned long long)p->calls, (unsigned long long)p->errors);
	output_flush(p->out);
}

static void note_life(struct processes_sink *p, struct process *of, const struct event *e)
{
	const struct process_event *life = event_process(e);
	struct strbuf end = {0};
	struct process *child;

	if (life->kind == PROCESS_FORKED) {
		/*
		 * Add the child even if it may be a thread. A thread will not be listed, because no
		 * event will have its id as a process id.
		 */
		child = process_get(p, life->code, true);
		if (child && !child->parent)
			child->parent = e->tgid;
		return;
	}
	if (e->tid != e->tgid || (life->kind != PROCESS_EXITED && life->kind != PROCESS_KILLED))
		return;
	if (life->kind == PROCESS_EXITED) {
		strbuf_printf(&end, "exited with %d", life->code);
	} else {
		strbuf_puts(&end, "killed by ");
		text_signal_name(&end, life->code);
	}
	free(of->end);
	of->end = mem_strndup(end.data, end.len);
	strbuf_deinit(&end);
}

static void processes_event(struct sink *s, const struct event *e)
{
	struct processes_sink *p = processes_of(s);
	const bool is_call = e->kind == EVENT_SYSCALL || e->kind == EVENT_UNFINISHED;
	struct process *of;
	uint64_t time;

	if (!is_call && e->kind != EVENT_SIGNAL && e->kind != EVENT_PROCESS)
		return;
	of = process_get(p, e->tgid, false);
	if (!of)
		return;
	time = timespec_ns(e->time) + (is_call ? timespec_ns(e->duration) : 0);
	if (!of->first)
		of->first = timespec_ns(e->time);
	if (time > of->last)
		of->last = time;
	if (time > p->last)
		p->last = time;
	memcpy(of->comm, e->comm, sizeof(of->comm));
	if (is_call) {
		of->calls++;
		p->calls++;
		if (e->ret_kind == RET_ERROR) {
			of->errors++;
			p->errors++;
		}
	} else if (e->kind == EVENT_PROCESS) {
		note_life(p, of, e);
	}
	if (++p->events % SUMS_EVERY == 0)
		put_sums(p);
}

static void processes_command(struct sink *s, const struct event *e, struct foreign command)
{
	struct process *of = process_get(processes_of(s), e->tgid, false);
	struct strbuf b = {0};

	if (!of)
		return;
	escape_foreign(&b, command);
	free(of->command);
	of->command = b.len ? mem_strndup(b.data, b.len) : NULL;
	strbuf_deinit(&b);
}

static int processes_end(struct sink *s)
{
	struct processes_sink *p = processes_of(s);
	int err;

	vec_for_each (&p->all, of) {
		struct strbuf *b = output_buf(p->out);

		/* An id without events belongs to a thread, not to a process, so omit it. */
		if (of->first) {
			strbuf_printf(b, "P\t%d\t%d\t%llu\t%llu\t%llu\t%llu\t", (int)of->pid,
				      (int)of->parent, (unsigned long long)of->first,
				      (unsigned long long)of->last, (unsigned long long)of->calls,
				      (unsigned long long)of->errors);
			escape_name(b, of->comm, strnlen(of->comm, sizeof(of->comm)));
			strbuf_printf(b, "\t%s\t%s\n", of->end ? of->end : "",
				      of->command ? of->command : "");
		}
		free(of->command);
		free(of->end);
	}
	put_sums(p);
	vec_deinit(&p->all);
	threads_deinit(&p->current);
	err = output_close(p->out);
	free(p);
	return err;
}

static const struct sink_ops processes_ops = {
	.event = processes_event,
	.process_command = processes_command,
	.end = processes_end,
};

struct sink *processes_sink_create(const struct sink_config *config)
{
	struct processes_sink *p = mem_zalloc(sizeof(*p));

	(void)config;
	p->base.ops = &processes_ops;
	p->out = output_open("-", false);
	if (p->out)
		return &p->base;
	free(p);
	return NULL;
}
