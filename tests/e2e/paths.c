/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs whose critical path is known. The argument selects how the work is passed on. For each
 * thread on the critical path, prints the thread's id, its time on the path, and a time that may
 * belong to this thread or to another one, all in microseconds. The last line is "0" and the
 * duration of the run. The exit status is 2 if a thread was so late that the path is not the
 * expected one.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STAGES 4
#define ROUNDS 3
#define MS     1000

enum kind { FUTEX, PIPE, SOCKET };

struct stage {
	int in, out;	   /* descriptors of the two ends of a pipe or socket pair */
	volatile int word; /* a futex */
	int ms;		   /* duration of the work */
	int tid;
	long us; /* time on the critical path, in microseconds */
	/*
	 * Time that may belong to this stage or to its neighbour, in microseconds, because the
	 * moment at which the path moves on is not known exactly.
	 */
	long either;
};

static enum kind kind;
/* Memory that all processes share. */
static struct shared {
	struct stage stages[STAGES];
	long reached; /* the time up to which the critical path is known */
} * shared;
static struct stage *stages;
/* A lock that is handed over in the order of the requests. A nonzero `turns[n]` admits request n.
 */
static volatile int turns[STAGES * ROUNDS + 1];
static int requests;
/* True if a thread did not have to wait for the lock. The path is then not the expected one. */
static volatile int late;

static void check(int done)
{
	if (!done)
		exit(1);
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Uses the processor until `ms` milliseconds have passed. */
static void work(int ms)
{
	const long end = now() + ms * MS;

	while (now() < end)
		;
}

/*
 * Must be called when the critical path leaves this thread. Adds to s->us the time since the path
 * arrived at this thread.
 */
static void leave(struct stage *s)
{
	const long time = now();

	s->us += time - shared->reached;
	shared->reached = time;
}

/*
 * The critical path has moved from the stage `from` to the stage `to` at some time since leave().
 * The program cannot know when exactly the kernel created the child or ended the wait, which takes
 * several milliseconds on emulated machines. The time since leave() is therefore added to the
 * member `either` of both stages.
 */
static void arrive(struct stage *from, struct stage *to)
{
	const long time = now();

	from->either += time - shared->reached;
	to->either += time - shared->reached;
	shared->reached = time;
}

static void await(volatile int *word)
{
	while (!*word)
		late |= syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) != 0;
}

static void set(volatile int *word)
{
	*word = 1;
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void receive(struct stage *s)
{
	char c;

	if (kind == FUTEX)
		await(&s->word);
	else
		check(read(s->in, &c, 1) == 1);
}

static void pass(struct stage *s)
{
	if (kind == FUTEX)
		set(&s->word);
	else
		check(write(s->out, "", 1) == 1);
}

static void *run_stage(void *arg)
{
	struct stage *s = arg;

	s->tid = (int)syscall(SYS_gettid);
	receive(s);
	work(s->ms);
	leave(s);
	if (s + 1 < stages + STAGES)
		pass(s + 1);
	return NULL;
}

static void chain(void)
{
	pthread_t threads[STAGES];

	for (int i = 0; i < STAGES; i++) {
		struct stage *s = &stages[i];
		int fds[2] = {-1, -1};

		check(kind == FUTEX ||
		      !(kind == PIPE ? pipe(fds) : socketpair(AF_UNIX, SOCK_STREAM, 0, fds)));
		s->in = fds[0];
		s->out = fds[1];
		check(!pthread_create(&threads[i], NULL, run_stage, s));
	}
	shared->reached = now();
	pass(&stages[0]);
	for (int i = 0; i < STAGES; i++)
		pthread_join(threads[i], NULL);
}

/* Runs the stages as processes. Each process works, then starts the next one and waits for it. */
static void processes(int i)
{
	pid_t child;

	stages[i].tid = getpid();
	work(stages[i].ms);
	leave(&stages[i]);
	if (i + 1 == STAGES)
		return;
	child = fork();
	if (!child) {
		arrive(&stages[i], &stages[i + 1]);
		processes(i + 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	arrive(&stages[i + 1], &stages[i]);
}

/*
 * Runs one process that works and then waits for children that sleep at the same time. The path
 * goes through the child that sleeps longest.
 */
static void fork_join(void)
{
	stages[0].tid = getpid();
	work(40);
	for (int i = 1; i < STAGES; i++) {
		if (i == STAGES - 1)
			leave(&stages[0]);
		if (fork())
			continue;
		stages[i].tid = getpid();
		if (i == STAGES - 1)
			arrive(&stages[0], &stages[i]);
		nanosleep(&(struct timespec){.tv_nsec = 90000000l * i}, NULL);
		if (i == STAGES - 1)
			leave(&stages[i]);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	arrive(&stages[STAGES - 1], &stages[0]);
	work(40);
	leave(&stages[0]);
}

static void *hold_lock(void *arg)
{
	struct stage *s = arg;

	s->tid = (int)syscall(SYS_gettid);
	receive(s);
	for (int i = 0; i < ROUNDS; i++) {
		const int turn = __sync_fetch_and_add(&requests, 1);

		late |= turns[turn];
		await(&turns[turn]);
		work(30 + 10 * (int)(s - stages));
		leave(s);
		set(&turns[turn + 1]);
	}
	return NULL;
}

/* Runs threads that all need the same lock nearly all the time. */
static void convoy(void)
{
	pthread_t threads[STAGES];

	for (int i = 0; i < STAGES; i++)
		check(!pthread_create(&threads[i], NULL, hold_lock, &stages[i]));
	for (int i = 0; i < STAGES; i++)
		pass(&stages[i]);
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	shared->reached = now();
	set(&turns[0]);
	for (int i = 0; i < STAGES; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const long begin = now();

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	check(shared != MAP_FAILED);
	stages = shared->stages;
	shared->reached = begin;
	for (int i = 0; i < STAGES; i++)
		stages[i].ms = 80 + 40 * i;
	kind = !strcmp(name, "pipe") ? PIPE : !strcmp(name, "socket") ? SOCKET : FUTEX;
	if (!strcmp(name, "process"))
		processes(0);
	else if (!strcmp(name, "join"))
		fork_join();
	else if (!strcmp(name, "convoy"))
		convoy();
	else
		chain();
	for (int i = 0; i < STAGES; i++)
		printf("%d %ld %ld\n", stages[i].tid, stages[i].us, stages[i].either);
	printf("0 %ld\n", now() - begin);
	return late ? 2 : 0;
}
