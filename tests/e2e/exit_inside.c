/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The main thread ends the process while another thread is blocked in a syscall. The log must show
 * the call that ends the process, then the exit of the other thread, then the exit of the main
 * thread.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *run(void *arg)
{
	pause();
	return arg;
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		if (!fork()) {
			pthread_t thread;

			pthread_create(&thread, NULL, run, NULL);
			usleep(400000); /* the other thread must enter its syscall first */
			if (i % 2)
				kill(getpid(), SIGKILL);
			_exit(3);
		}
		wait(NULL);
	}
	return 0;
}
