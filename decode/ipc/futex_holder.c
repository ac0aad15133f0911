/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/ipc/futex_holder.h"

#include <linux/futex.h>

/* In a glibc mutex, the index of the word that contains the owner's id. The lock is word 0. */
#define MUTEX_OWNER 2
/* Value of a glibc mutex's lock word if threads wait for the lock (sysdeps/nptl/lowlevellock.h). */
#define LOCKED_WAITED 2
/* Value of the lock word of a locked plain mutex in musl. It is EBUSY, not a thread id. */
#define MUSL_LOCKED 16
/*
 * Since glibc 2.43, pthread_join(3) waits for `joinstate` in struct pthread. The value of joinstate
 * is at most JOIN_MAX while the thread runs. On 64-bit machines, the thread's id is stored JOIN_TID
 * bytes before joinstate.
 */
#define JOIN_MAX 2
#define JOIN_TID 856

/* A thread's wait on a futex: the thread sleeps as long as the word at addr is equal to val. */
struct wait {
	uint64_t addr;
	uint32_t val;
	bool pi, private;
};

static bool wait_of(const struct syscall_event *e, struct wait *w)
{
	const uint32_t op = (uint32_t)e->raw_args[1];

	w->addr = e->raw_args[0];
	w->pi = false;
	if (e->row == ROW_futex_wait) { /* futex_wait(uaddr, val, mask, flags, timeout, clockid) */
		w->val = (uint32_t)e->raw_args[1];
		w->private = e->raw_args[3] & FUTEX_PRIVATE_FLAG;
		return true;
	}
	if (e->row != ROW_futex && e->row != ROW_futex_time64)
		return false;
	w->val = (uint32_t)e->raw_args[2];
	w->private = op & FUTEX_PRIVATE_FLAG;
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return true;
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		w->pi = true;
		return true;
	default:
		return false;
	}
}

int futex_holder(struct memory *m, const struct syscall_event *e, bool *anywhere)
{
	uint32_t words[MUTEX_OWNER + 1] = {0};
	struct wait w;

	if (!wait_of(e, &w))
		return 0;
	/*
	 * If the whole mutex cannot be read, read only the lock word, because the memory may end
	 * directly after this word.
	 */
	if (memory_read(m, w.addr, words, sizeof(words)) &&
	    memory_read(m, w.addr, words, sizeof(words[0])))
		return 0;
	*anywhere = !w.private;
	if (w.pi)
		return (int)(words[0] & FUTEX_TID_MASK);
	if (words[0] != w.val)
		return 0; /* The futex has changed, so the thread is about to wake up. */
	if (w.val & FUTEX_WAITERS && (w.val & FUTEX_TID_MASK) != MUSL_LOCKED)
		return (int)(w.val & FUTEX_TID_MASK);
	return w.val == LOCKED_WAITED ? (int)(words[MUTEX_OWNER] & FUTEX_TID_MASK) : 0;
}

int futex_joined(struct memory *m, const struct syscall_event *e)
{
	struct wait w;
	uint32_t word, tid;

	if (!wait_of(e, &w) || w.pi || w.private || memory_read(m, w.addr, &word, sizeof(word)))
		return 0;
	if (word != w.val || word & ~FUTEX_TID_MASK)
		return 0;
	if (word <= JOIN_MAX && !memory_read(m, w.addr - JOIN_TID, &tid, sizeof(tid)) && tid &&
	    !(tid & ~FUTEX_TID_MASK))
		return (int)tid;
	return (int)word;
}
