/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A process to attach to. One thread runs code that another thread replaces again and again,
 * forever. Prints the id of the first thread. For the arguments, see swap.h.
 */
#include "swap.h"

#include <pthread.h>

static void *changer(void *arg)
{
	(void)arg;
	for (int i = 0;; i++)
		swap(i);
	return NULL;
}

static NOINLINE void *walked(void *arg)
{
	TRUTH;
	(void)arg;
	for (int i = 0;; i++) {
		walk(i);
		usleep(1000);
	}
	return NULL;
}

static void *teller(void *arg)
{
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	return walked(arg);
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	(void)argc;
	libraries = argv + 1;
	pthread_create(&t, NULL, changer, NULL);
	pthread_create(&u, NULL, teller, NULL);
	pthread_join(t, NULL);
	return 0;
}
