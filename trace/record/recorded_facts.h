/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts while they are recorded: questions go to another source, and what it answers is written
 * down, once for as long as the answer stays the same. Where only what tracees do can change an
 * answer, the question is not even asked again before one of them has done such a thing.
 */
#ifndef TRACER_TRACE_RECORD_RECORDED_FACTS_H
#define TRACER_TRACE_RECORD_RECORDED_FACTS_H

#include "trace/format/fact_store.h"
#include "util/strbuf.h"

#define RECORDED_FD_SLOTS      2048
#define RECORDED_PROCESS_SLOTS 512

/* {0}, but for source and records, is where it begins. */
struct recorded_facts {
	struct facts facts;	/* pass this one to decoders */
	struct facts *source;	/* borrowed */
	struct strbuf *records; /* gets a RECORD_FACT for each answer that is new; borrowed */
	struct fact_store known;
	/* Whether all who may change descriptors are traced and share them as threads do. */
	bool descriptors_known;
	pid_t tid, tgid; /* who is stopped: for others descriptors are asked for every time */
	/*
	 * What has changed when, by a clock that each answer and each change moves on. Of
	 * descriptors and processes many share one slot: what happens to one of them happens to
	 * all.
	 */
	uint64_t now;
	uint64_t fds[RECORDED_FD_SLOTS], processes[RECORDED_PROCESS_SLOTS];
	uint64_t files, sockets, tasks;
};

void recorded_facts_init(struct recorded_facts *f, struct facts *source, struct strbuf *records);
void recorded_facts_deinit(struct recorded_facts *f);
/* Whether there is too much of it, and forgetting all. */
bool recorded_facts_full(const struct recorded_facts *f);
void recorded_facts_forget(struct recorded_facts *f);

/* A descriptor of a process is, or will be, another file. fd -1: any of them may be. */
void recorded_facts_fd_changed(struct recorded_facts *f, pid_t tgid, int fd);
/* Files have other names, sockets other addresses, threads other names or ids. */
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
