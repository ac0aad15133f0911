/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/lock_board.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "capture/capture.h"
#include "capture/proc/late_reader.h"
#include "session/current_memory.h"
#include "session/snapshot_waits.h"
#include "session/state.h"
#include "syscall.h"
#include "util/clock.h"

/* Time between two updates of the board in nanoseconds. */
#define UPDATE_NS 250000000

struct lock_watch {
	struct session *session;
	struct late_reader reader;
	struct timespec at;
};

struct lock_board *lock_board_create(void)
{
	void *p = mmap(NULL, sizeof(struct lock_board), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void lock_board_destroy(struct lock_board *b)
{
	if (b)
		munmap(b, sizeof(*b));
}

struct lock_wait lock_board_find(const struct lock_board *b, pid_t tid)
{
	const unsigned n = b ? atomic_load(&b->n) : 0;

	for (unsigned i = 0; i < n && i < LOCK_BOARD_MAX; i++)
		if (b->waits[i].tid == tid)
			return b->waits[i];
	return (struct lock_wait){0};
}

struct lock_watch *lock_watch_create(struct session *s)
{
	struct lock_watch *w = mem_zalloc(sizeof(*w));

	w->session = s;
	late_reader_init(&w->reader, s->capture->procfs);
	w->at = clock_after(UPDATE_NS);
	return w;
}

void lock_watch_destroy(struct lock_watch *w)
{
	if (!w)
		return;
	late_reader_deinit(&w->reader);
	free(w);
}

struct timespec lock_watch_deadline(const struct lock_watch *w)
{
	return w->at;
}

/* Sets holder and joined in *shot. */
static void find_holder(struct waits *waits, const struct tcb *tcb, struct memory *m,
			struct snapshot *shot)
{
	const int row = tcb->syscall->row;
	struct tcb copy = *tcb;

	copy.memory = m;
	copy.facts = waits->session->facts;
	if (row != ROW_fcntl && row != ROW_fcntl64) {
		waits_find_holder(waits, &copy, m, shot);
		return;
	}
	/*
	 * The struct flock of fcntl(2) is in memory, and the session does not decode calls that it
	 * only records. Therefore decode the call here.
	 */
	copy.syscall = NULL;
	syscall_begin(&copy, waits->session->rows);
	syscall_decode_enter(&copy, &waits->session->decode);
	waits_find_holder(waits, &copy, m, shot);
	syscall_forget(&copy);
}

void lock_watch_update(struct lock_watch *w)
{
	struct session *s = w->session;
	struct lock_board *b = s->o->lock_board;
	struct waits waits = {.session = s};
	unsigned n = 0;

	if (timespec_before(clock_after(0), w->at))
		return;
	if (atomic_load(&b->wanted)) {
		for (struct tcb *tcb = capture_next(s->capture, NULL, OLDEST_FIRST);
		     tcb && n < LOCK_BOARD_MAX; tcb = capture_next(s->capture, tcb, OLDEST_FIRST)) {
			struct current_memory memory = current_memory_of(&w->reader, tcb->tid);
			struct snapshot shot = {0};

			if (!syscall_is_running(tcb->syscall))
				continue;
			find_holder(&waits, tcb, &memory.memory, &shot);
			if (shot.holder || shot.joined)
				b->waits[n++] =
					(struct lock_wait){tcb->tid, shot.holder, shot.joined};
		}
		atomic_store(&b->n, n);
		waits_deinit(&waits);
	}
	w->at = clock_after(UPDATE_NS);
}
