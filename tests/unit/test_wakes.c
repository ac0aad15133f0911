/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks the reported causes of wake-ups, for lists of syscalls with exact times. */
#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "event/sched.h"
#include "event/value.h"
#include "linux/syscall_desc.h"
#include "util/mem.h"
#include "wake/wakes.h"

#define THREADS	     8
#define PROCESS(tid) ((tid) < 4 ? 1 : 4)

static struct wakes *wakes;
static struct arena arena;
/*
 * The current syscalls of threads 1 to 7. Threads 1 to 3 belong to process 1, the others to process
 * 4.
 */
static struct syscall_event calls[THREADS];
static struct wake_thread threads[THREADS];

static int begin_test(void **state)
{
	(void)state;
	wakes = wakes_create(false);
	memset(threads, 0, sizeof(threads));
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	wakes_destroy(wakes);
	arena_reset(&arena);
	return 0;
}

static struct timespec us(int64_t t)
{
	return (struct timespec){t / 1000000, t % 1000000 * 1000};
}

/* Reports that thread `tid` enters a syscall at the time `at`, in microseconds. fd may be NULL. */
static void enter_fd(int tid, int64_t at, int row, const char *fd, uint64_t a0, uint64_t a1,
		     uint64_t a2)
{
	struct syscall_event *e = &calls[tid];

	*e = (struct syscall_event){.base = {.kind = EVENT_SYSCALL,
					     .name = syscall_descs[row].name,
					     .tid = tid,
					     .tgid = PROCESS(tid),
					     .mono = us(at)},
				    .row = row,
				    .raw_args = {a0, a1, a2}};
	snprintf(e->base.comm, sizeof(e->base.comm), "t%d", tid);
	if (fd) {
		struct value *v = value_fd(&arena, (int)a0);

		v->str = fd;
		v->len = strlen(fd);
		e->base.args[0].in = v;
		e->base.nargs = 1;
	}
	wakes_enter(wakes, &threads[tid], e);
}

static void enter(int tid, int64_t at, int row, uint64_t a0, uint64_t a1, uint64_t a2)
{
	enter_fd(tid, at, row, NULL, a0, a1, a2);
}

/*
 * Reports that thread `tid` returns from its syscall at the time `at`. If `ret` is negative, it is
 * an error. Returns the cause of the wake-up as "NAME CAUSE AT", or "- CAUSE AT" if no thread
 * caused it, or "" if the syscall did not wait.
 */
static const char *leave(int tid, int64_t at, int64_t ret)
{
	static char text[64];
	struct syscall_event *e = &calls[tid];
	const struct wakeup *w;

	e->base.ret_kind = ret < 0 ? RET_ERROR : RET_VALUE;
	e->base.ret = ret < 0 ? -ret : ret;
	at -= e->base.mono.tv_sec * 1000000 + e->base.mono.tv_nsec / 1000;
	e->base.duration = us(at);
	w = wakes_leave(wakes, &threads[tid], e);
	if (!w)
		return "";
	snprintf(text, sizeof(text), "%s %s %d", w->tid ? w->comm : "-", wake_cause_name(w->cause),
		 (int)(w->at / 1000));
	return text;
}

static void ends(int tid, int64_t at)
{
	struct event e = {.tid = tid, .tgid = PROCESS(tid), .mono = us(at)};

	snprintf(e.comm, sizeof(e.comm), "t%d", tid);
	wakes_exit(wakes, &threads[tid], &e);
}

#define WAIT (FUTEX_WAIT | FUTEX_PRIVATE_FLAG)
#define WAKE (FUTEX_WAKE | FUTEX_PRIVATE_FLAG)

static void test_futex(void **state)
{
	(void)state;
	enter(4, 10, ROW_futex, 0x1000, WAIT, 0);
	enter(5, 20, ROW_futex, 0x2000, WAKE, 1); /* another futex */
	leave(5, 21, 0);
	/* still in progress when the waiting thread returns */
	enter(6, 30, ROW_futex, 0x1000, WAKE, 1);
	assert_string_equal(leave(4, 32, 0), "t6 futex 32");
	leave(6, 40, 1);
}

/*
 * Reports a context switch like an engine: thread `tid` was blocked from `from` to `to`, was woken
 * while thread `waker` ran, and then waited 1 us for a CPU. `context` is the kind of waker, such as
 * SCHED_THREAD. If `call` is not NULL, it is the name of the waker's syscall.
 */
static void sleeps(int tid, int64_t from, int64_t to, int waker, const char *context,
		   const char *call)
{
	struct event e = {.source = SCHED_SOURCE,
			  .name = SCHED_SWITCH,
			  .nargs = 3,
			  .args = {{.name = "blocked_ns",
				    .in = value_uint(&arena, (uint64_t)(to - from) * 1000)},
				   {.name = "runnable_ns", .in = value_uint(&arena, 1000)},
				   {.name = "waker", .in = value_new(&arena, VALUE_STRUCT, 0)}}};
	struct value *v[] = {value_int(&arena, waker),
			     value_string(&arena, arena_printf(&arena, "t%d", waker), 2),
			     value_new(&arena, VALUE_NAME, 0), value_new(&arena, VALUE_NAME, 0)};
	static const char *const names[] = {"tid", "comm", "context", "call"};

	v[2]->str = context;
	v[3]->str = call;
	for (size_t i = 0; i < ARRAY_SIZE(v) - !call; i++) {
		v[i]->name = names[i];
		value_add(e.args[2].in, v[i]);
	}
	sleeps_add(&threads[tid].sleeps, &e, (to + 1) * 1000);
}

/* Begins the next call of thread `tid`, for which no context switches have been reported yet. */
static void enter_again(int tid, int64_t at, int row, const char *fd, uint64_t a0, uint64_t a1)
{
	threads[tid].sleeps = (struct sleeps){0};
	enter_fd(tid, at, row, fd, a0, a1, 0);
}

/* With context switches from the engine, the waker is the one that the engine reports. */
static void test_exact(void **state)
{
	(void)state;
	wakes_destroy(wakes);
	wakes = wakes_create(true);
	/* t6 wakes the futex, too, but the engine reports that t5 woke the thread. */
	enter_again(4, 10, ROW_futex, NULL, 0x1000, WAIT);
	enter(6, 11, ROW_futex, 0x1000, WAKE, 1);
	leave(6, 12, 1);
	sleeps(4, 10, 20, 5, SCHED_THREAD, "futex");
	assert_string_equal(leave(4, 22, 0), "t5 futex 20");
	/* The longest sleep counts. */
	enter_again(4, 30, ROW_read, "pipe:[7]", 3, 0);
	sleeps(4, 31, 40, 5, SCHED_THREAD, "write");
	sleeps(4, 42, 43, 6, SCHED_THREAD, "munmap");
	assert_string_equal(leave(4, 45, 1), "t5 pipe 40");
	/* A call that was not blocked was not woken. */
	enter(6, 50, ROW_futex, 0x1000, WAKE, 1);
	enter_again(4, 50, ROW_futex, NULL, 0x1000, WAIT);
	leave(6, 51, 1);
	assert_string_equal(leave(4, 52, 0), "");
	/* An interrupt means that a timeout has expired, or that data has arrived from outside. */
	enter_again(4, 60, ROW_futex, NULL, 0x1000, WAIT);
	sleeps(4, 61, 70, 5, SCHED_INTERRUPT, NULL);
	assert_string_equal(leave(4, 72, -ETIMEDOUT), "- timer 70");
	enter_again(4, 80, ROW_pread64, NULL, 3, 0);
	sleeps(4, 81, 90, 5, SCHED_INTERRUPT, NULL);
	assert_string_equal(leave(4, 92, 1), "- outside 90");
	/* A signal ends a call. */
	enter_again(4, 100, ROW_read, "pipe:[7]", 3, 0);
	sleeps(4, 101, 110, 5, SCHED_THREAD, "kill");
	assert_string_equal(leave(4, 112, -EINTR), "t5 signal 110");
	/* A thread released a lock of the kernel. */
	enter_again(4, 120, ROW_mmap, NULL, 0, 0);
	sleeps(4, 121, 130, 5, SCHED_THREAD, "munmap");
	assert_string_equal(leave(4, 132, 0), "t5 kernel 130");
	enter_again(4, 140, ROW_io_uring_enter, NULL, 3, 0);
	sleeps(4, 141, 150, 5, SCHED_RING, NULL);
	assert_string_equal(leave(4, 152, 1), "t5 io_uring 150");
	/* A sleep that ends before it begins is ignored. */
	enter_again(4, 160, ROW_read, "pipe:[7]", 3, 0);
	sleeps(4, 170, 161, 5, SCHED_THREAD, "write");
	assert_string_equal(leave(4, 172, 1), "");
}

/* Even if the kernel does not report the peers of sockets, those of socketpair(2) are known. */
static void test_pair(void **state)
{
	static const char *const ends[] = {"socket:[8]", "socket:[9]"};
	struct value *sv = value_new(&arena, VALUE_ARRAY, 0);

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct value *v = value_fd(&arena, 3 + i);

		v->str = ends[i];
		v->len = strlen(ends[i]);
		value_add(sv, v);
	}
	enter(1, 10, ROW_socketpair, 0, 0, 0);
	calls[1].base.args[3] = (struct arg){.out = sv};
	calls[1].base.nargs = 4;
	leave(1, 11, 0);
	enter_fd(4, 20, ROW_recvfrom, "socket:[8]", 3, 0, 0);
	enter_fd(5, 30, ROW_sendto, "socket:[7]", 5, 0, 0);
	leave(5, 31, 1);
	enter_fd(5, 40, ROW_sendto, "socket:[9]", 4, 0, 0);
	leave(5, 41, 1);
	assert_string_equal(leave(4, 50, 1), "t5 socket 41");
	enter_fd(4, 60, ROW_read, "socket:[8]", 3, 0, 0);
	enter_fd(6, 70, ROW_close, "socket:[9]", 4, 0, 0);
	leave(6, 71, 0);
	assert_string_equal(leave(4, 80, 0), "t6 socket 71");
}

/* A wake-up of one thread explains only one wait. A wake-up that woke no thread explains none. */
static void test_futex_count(void **state)
{
	(void)state;
	enter(4, 10, ROW_futex, 0x1000, WAIT, 0);
	enter(5, 10, ROW_futex, 0x1000, WAIT, 0);
	enter(6, 20, ROW_futex, 0x1000, WAKE, 1);
	leave(6, 25, 1);
	enter(7, 50, ROW_futex, 0x1000, WAKE, 1);
	leave(7, 55, 1);
	assert_string_equal(leave(4, 60, 0), "t6 futex 25");
	assert_string_equal(leave(5, 61, 0), "t7 futex 55");
	enter(4, 70, ROW_futex, 0x1000, WAIT, 0);
	enter(6, 80, ROW_futex, 0x1000, WAKE, 1);
	leave(6, 85, 0);
	assert_string_equal(leave(4, 90, 0), "");
}

/*
 * Private futexes of two processes are different even at the same address. Shared futexes can be
 * the same at different addresses.
 */
static void test_futex_process(void **state)
{
	(void)state;
	enter(4, 10, ROW_futex, 0x1000, WAIT, 0);
	enter(1, 20, ROW_futex, 0x1000, WAKE, 1);
	leave(1, 30, 1);
	assert_string_equal(leave(4, 40, 0), "");
	enter(4, 50, ROW_futex, 0x1040, FUTEX_WAIT, 0);
	enter(1, 60, ROW_futex, 0x7040, FUTEX_WAKE, 1);
	leave(1, 70, 1);
	assert_string_equal(leave(4, 80, 0), "t1 futex 70");
	enter(4, 90, ROW_futex, 0x1000, WAIT, 0);
	assert_string_equal(leave(4, 91, -EAGAIN), "");
	enter(4, 92, ROW_futex, 0x1000, WAIT, 0);
	assert_string_equal(leave(4, 95, -ETIMEDOUT), "- timer 95");
}

static void test_join(void **state)
{
	(void)state;
	enter(4, 10, ROW_futex, 0x1000, FUTEX_WAIT, 6);
	enter(5, 20, ROW_exit, 0, 0, 0);
	ends(5, 21);
	enter(6, 30, ROW_exit, 0, 0, 0);
	assert_string_equal(leave(4, 33, 0), "t6 thread 33");
}

static void test_pipe(void **state)
{
	(void)state;
	enter_fd(4, 10, ROW_read, "pipe:[7]", 3, 0, 1);
	enter_fd(5, 15, ROW_close, "pipe:[7]", 9, 0, 0); /* the pipe is still open elsewhere */
	leave(5, 16, 0);
	enter_fd(6, 20, ROW_write, "pipe:[8]", 5, 0, 1);
	leave(6, 21, 1);
	enter_fd(1, 30, ROW_write, "pipe:[7]", 4, 0, 1);
	leave(1, 35, 1);
	assert_string_equal(leave(4, 40, 1), "t1 pipe 35");
	/* If a read returns 0, the last close() of the other end is the cause. */
	enter_fd(4, 50, ROW_read, "pipe:[7]", 3, 0, 1);
	enter_fd(5, 60, ROW_close, "pipe:[7]", 4, 0, 0);
	leave(5, 61, 0);
	enter_fd(6, 70, ROW_close, "pipe:[7]", 4, 0, 0);
	leave(6, 71, 0);
	assert_string_equal(leave(4, 75, 0), "t6 pipe 71");
}

/* A process that wrote to a pipe exits, which closes the pipe. */
static void test_pipe_exit(void **state)
{
	(void)state;
	enter_fd(4, 10, ROW_read, "pipe:[7]", 3, 0, 1);
	enter_fd(1, 20, ROW_write, "pipe:[7]", 4, 0, 1);
	leave(1, 21, 1);
	leave(4, 25, 1);
	enter_fd(4, 30, ROW_read, "pipe:[7]", 3, 0, 1);
	ends(1, 40);
	assert_string_equal(leave(4, 45, 0), "t1 pipe 40");
}

/* Only a read that began after the pipe was full can have made space in it. */
static void test_full_pipe(void **state)
{
	(void)state;
	enter_fd(5, 10, ROW_read, "pipe:[7]", 3, 0, 1);
	enter_fd(4, 20, ROW_write, "pipe:[7]", 4, 0, 1);
	leave(5, 22, 1);
	assert_string_equal(leave(4, 25, 1), "");
	enter_fd(4, 30, ROW_write, "pipe:[7]", 4, 0, 1);
	enter_fd(5, 40, ROW_read, "pipe:[7]", 3, 0, 1);
	leave(5, 42, 1);
	assert_string_equal(leave(4, 45, 1), "t5 pipe 42");
}

static void test_children(void **state)
{
	(void)state;
	enter(4, 10, ROW_wait4, (uint64_t)-1, 0, 0);
	ends(2, 20);
	assert_string_equal(leave(4, 25, 0), "");
	enter(4, 30, ROW_wait4, (uint64_t)-1, 0, 0);
	ends(1, 40);
	assert_string_equal(leave(4, 45, 1), "t1 child 40");
	enter(4, 50, ROW_wait4, (uint64_t)-1, 0, WNOHANG);
	ends(1, 55);
	assert_string_equal(leave(4, 60, 1), "");
}

static void test_signals(void **state)
{
	(void)state;
	enter(4, 10, ROW_pause, 0, 0, 0);
	enter(1, 20, ROW_kill, 4, 15, 0);
	leave(1, 22, 0);
	assert_string_equal(leave(4, 30, -EINTR), "t1 signal 22");
	enter(4, 40, ROW_pause, 0, 0, 0);
	assert_string_equal(leave(4, 50, -EINTR), "- signal 50");
}

/* If no thread caused the wake-up, only long syscalls and sleeps count as waits. */
static void test_outside(void **state)
{
	(void)state;
	enter_fd(4, 0, ROW_read, "/etc/motd", 3, 0, 1);
	assert_string_equal(leave(4, 999, 1), "");
	enter_fd(4, 2000, ROW_read, "/etc/motd", 3, 0, 1);
	assert_string_equal(leave(4, 3000, 1), "- outside 3000");
	enter(4, 4000, ROW_nanosleep, 0, 0, 0);
	assert_string_equal(leave(4, 4010, 0), "- timer 4010");
}

/*
 * Old wake-up records are discarded. If a record is discarded while its syscall is still in
 * progress, no harm is done.
 */
static void test_many(void **state)
{
	(void)state;
	enter_fd(1, 0, ROW_write, "pipe:[7]", 3, 0, 1);
	for (int i = 0; i < 100000; i++) {
		enter(5, 10 + i, ROW_futex, 0x1000, WAKE, 1);
		leave(5, 10 + i, 1);
	}
	leave(1, 200000, 1);
	enter_fd(4, 0, ROW_read, "pipe:[7]", 3, 0, 1);
	assert_string_equal(leave(4, 200001, 1), "- outside 200001");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)
	const struct CMUnitTest tests[] = {
		TEST(test_futex),     TEST(test_futex_count), TEST(test_futex_process),
		TEST(test_join),      TEST(test_pipe),	      TEST(test_pipe_exit),
		TEST(test_full_pipe), TEST(test_children),    TEST(test_signals),
		TEST(test_outside),   TEST(test_many),	      TEST(test_exact),
		TEST(test_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
