/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Answers questions about facts (capture/facts.h) by passing them to another source, and records
 * the answers. An answer is recorded only if it differs from the previous answer to the same
 * question. If only actions of tracees can change an answer, the question is not asked again until
 * a tracee has performed such an action.
 */
#ifndef TRACER_TRACE_RECORD_RECORDED_FACTS_H
#define TRACER_TRACE_RECORD_RECORDED_FACTS_H

#include "trace/format/fact_store.h"
#include "util/strbuf.h"

#define RECORDED_FD_SLOTS      2048
#define RECORDED_PROCESS_SLOTS 512

/* recorded_facts_init() initializes all members. It sets descriptors_known to false. */
struct recorded_facts {
	struct facts facts;	/* pass this to decoders */
	struct facts *source;	/* answers the questions; borrowed */
	struct strbuf *records; /* receives a FACT record for each new answer; borrowed */
	struct fact_store known;
	/*
	 * True if every process that can change descriptors of a tracee is traced, no two processes
	 * share descriptors, and no tracee has created an io_uring, whose requests can open and
	 * close descriptors.
	 */
	bool descriptors_known;
	/*
	 * the stopped thread and its process; answers about descriptors of other threads are not
	 * reused
	 */
	pid_t tid, tgid;
	/*
	 * Times of the last changes, according to `now`, a counter that each answer and each change
	 * increments. Several descriptors or processes share a slot of an array, so a change of one
	 * of them counts as a change of all of them.
	 */
	uint64_t now;
	struct {
		uint64_t changed;
		/*
		 * The descriptor about which all questions were asked last, and when that was; see
		 * facts_asked_fd().
		 */
		pid_t tid;
		int fd;
		uint64_t asked;
	} fds[RECORDED_FD_SLOTS];
	uint64_t processes[RECORDED_PROCESS_SLOTS];
	uint64_t files, sockets, tasks;
	/*
	 * true if all answers since the last call of facts_knows_fd() hold until a tracee changes
	 * them
	 */
	bool lasting;
};

void recorded_facts_init(struct recorded_facts *f, struct facts *source, struct strbuf *records);
void recorded_facts_deinit(struct recorded_facts *f);
/* Returns true if the store is full, so that recorded_facts_forget() should be called. */
bool recorded_facts_full(const struct recorded_facts *f);
void recorded_facts_forget(struct recorded_facts *f);

/*
 * Must be called when descriptor fd of a process refers to another file, or is about to. If fd is
 * -1, any descriptor of the process may have changed.
 */
void recorded_facts_fd_changed(struct recorded_facts *f, pid_t tgid, int fd);
/*
 * Must be called when names of files, addresses of sockets, or names or ids of threads may have
 * changed.
 */
static inline void recorded_facts_files_changed(struct recorded_facts *f)
{
	f->files = ++f->now;
}
static inline void recorded_facts_sockets_changed(struct recorded_facts *f)
{
	f->sockets = ++f->now;
}
static inline void recorded_facts_tasks_changed(struct recorded_facts *f)
{
	f->tasks = ++f->now;
}

#endif
