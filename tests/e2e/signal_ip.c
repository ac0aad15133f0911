/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals and a stop that occur outside of syscalls. -i must show an address in wait_for_signals().
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t come;

static void on_signal(int sig)
{
	(void)sig;
	come++;
}

/*
 * Waits for n signals. The linker defines symbols for the start and the end of the function's
 * section; see ld(1).
 */
__attribute__((noinline, section("waiting"))) static void wait_for_signals(int n)
{
	while (come < n)
		;
}

/* Returns the state letter of a process, see proc_pid_stat(5), or 0 on failure. */
static int state_of(pid_t pid)
{
	char path[32], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state;
}

/*
 * Waits until a process has been stopped for a while. A tracee also stops for a moment before a
 * signal is delivered.
 */
static void wait_for_stop(pid_t pid)
{
	for (int stopped = 0; stopped < 30; usleep(10000)) {
		int state = state_of(pid);

		stopped = state == 't' || state == 'T' ? stopped + 1 : 0;
	}
}

extern const char __start_waiting[], __stop_waiting[];

int main(void)
{
	struct itimerval soon = {.it_value.tv_usec = 20000};
	pid_t parent = getpid();

	printf("%lx %lx\n", (long)__start_waiting, (long)__stop_waiting);
	fflush(stdout);
	signal(SIGALRM, on_signal);
	signal(SIGCONT, on_signal);
	setitimer(ITIMER_REAL, &soon, NULL);
	wait_for_signals(1);
	if (fork() == 0) {
		usleep(100000); /* the parent must run first */
		kill(parent, SIGSTOP);
		wait_for_stop(parent);
		kill(parent, SIGCONT);
		_exit(0);
	}
	wait_for_signals(2);
	wait(NULL);
	return 0;
}
