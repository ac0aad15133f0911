/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the counts of each thread from the BPF map `thread_counts`, once at the end or repeatedly.
 */
#ifndef TRACER_CAPTURE_BPF_THREAD_COUNTS_H
#define TRACER_CAPTURE_BPF_THREAD_COUNTS_H

#include "capture/bpf/loaded.h"
#include "capture/capture.h"
#include "util/table.h"

struct thread_counts {
	const struct loaded *loaded;
	bool repeated; /* return only the increase since the last pass */
	bool started;  /* true if a pass has begun */
	/*
	 * The elements of the map in this pass (struct listed_count), and the offset in bytes of
	 * the next element to return.
	 */
	struct strbuf list;
	size_t next;
	/*
	 * The values that earlier passes returned. by_key maps a key to its index in `known`, plus
	 * 1.
	 */
	struct table by_key;
	VEC(struct known_count) known;
	VEC(size_t) unused; /* indexes in `known` */
	/*
	 * Threads that have ended. The elements of threads in `ending` are deleted in this pass.
	 * The threads in `ended` ended after this pass began. The value of a thread is the id of
	 * the thread that continues its calls (after an execve), or 1 if there is none.
	 */
	struct table ending, ended;
};

/* Initializes *c. `loaded` is borrowed. `repeated` is stored in the member with this name. */
void thread_counts_init(struct thread_counts *c, const struct loaded *loaded, bool repeated);
void thread_counts_deinit(struct thread_counts *c);
/*
 * Stores the counts of the next element in *sum. Returns false after the last element; then the
 * next call of this function begins a new pass. With `repeated`, stores only the counts since the
 * last pass, and skips elements without new calls.
 */
bool thread_counts_next(struct thread_counts *c, struct capture_counts *sum);
/*
 * Must be called when a thread has ended. With `repeated`, the thread's elements are deleted after
 * they have been returned. If the thread got another id by execve(2), `heir` is the new id,
 * otherwise 0.
 */
void thread_counts_end(struct thread_counts *c, pid_t tid, pid_t heir);
/* Must be called when a thread begins, because it may have the id of a thread that has ended. */
void thread_counts_begin(struct thread_counts *c, pid_t tid);

#endif
