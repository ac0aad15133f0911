/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * count PROGRAM [ARGUMENT]...: runs the program and prints to standard error the number of
 * instructions executed, in user space and in the kernel. Instructions of child processes are not
 * counted.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter_of(pid_t pid, int of_kernel)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_HW_INSTRUCTIONS,
				       .disabled = 1,
				       .enable_on_exec = 1,
				       .exclude_user = of_kernel,
				       .exclude_kernel = !of_kernel};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0UL);
}

int main(int argc, char **argv)
{
	uint64_t counted[2];
	int go[2], counters[2], status;
	char c;
	pid_t pid;

	if (argc < 2 || pipe(go))
		return 2;
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) == 0) {
			close(go[0]);
			execvp(argv[1], argv + 1);
		}
		_exit(127);
	}
	for (int i = 0; i < 2; i++) {
		counters[i] = counter_of(pid, i);
		if (counters[i] < 0) {
			perror("perf_event_open");
			return 2;
		}
	}
	close(go[1]);
	if (waitpid(pid, &status, 0) != pid || status)
		return 2;
	for (int i = 0; i < 2; i++)
		if (read(counters[i], &counted[i], sizeof(counted[i])) != sizeof(counted[i]))
			return 2;
	fprintf(stderr, "%lu %lu\n", counted[0], counted[1]);
	return 0;
}
