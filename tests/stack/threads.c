/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads whose stacks are walked while other threads map and unmap memory, and load and unload a
 * library. The main thread runs a library that another library replaces at the same address.
 */
#include "truth.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

typedef void callback(void);

static volatile int done;
static char **libraries;

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static NOINLINE void deeper(int n)
{
	TRUTH;
	if (n)
		deeper(n - 1);
	else
		leaf();
}

static void *walked(void *arg)
{
	TRUTH;
	(void)arg;
	for (int i = 0; i < 100; i++)
		deeper(i % 10);
	return NULL;
}

static void *mapper(void *arg)
{
	TRUTH;
	(void)arg;
	while (!done) {
		char *p = mmap(NULL, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		mprotect(p, 4096, PROT_READ | PROT_WRITE);
		munmap(p, 65536);
		usleep(100);
	}
	return NULL;
}

static void *loader(void *arg)
{
	TRUTH;
	(void)arg;
	while (!done) {
		void *h = dlopen("libm.so.6", RTLD_NOW);

		dlclose(h);
		usleep(200);
	}
	return NULL;
}

static NOINLINE void run_library(const char *path)
{
	TRUTH;
	void *h = dlopen(path, RTLD_NOW);
	void (*entry)(callback *) = dlsym(h, "frame_of_layout");

	if (!entry)
		abort();
	truth_names[truth_depth++] = "frame_of_layout";
	for (int i = 0; i < 5; i++)
		entry(leaf);
	truth_depth--;
	dlclose(h);
}

/* Alternately maps the pages of the two libraries over each other, without unmapping them first. */
static NOINLINE void replace(void)
{
	TRUTH;
	char *at = (char *)0x10000000000;
	callback *fn = leaf;

	for (int i = 0; i < 20; i++) {
		int fd = open(libraries[i % 2], O_RDONLY);
		/* file offset of frame_of_layout in this library */
		long offset = atol(libraries[2 + i % 2]);

		if (mmap(at, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, offset) !=
		    at)
			abort();
		close(fd);
		truth_names[truth_depth++] = "frame_of_layout";
		((void (*)(callback *))at)(fn);
		truth_depth--;
	}
}

int main(int argc, char **argv)
{
	TRUTH;
	pthread_t t[4], m, l;

	(void)argc;
	libraries = argv + 1;
	pthread_create(&m, NULL, mapper, NULL);
	pthread_create(&l, NULL, loader, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, walked, NULL);
	for (int i = 0; i < 20; i++)
		run_library(libraries[i % 2]);
	replace();
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	done = 1;
	pthread_join(m, NULL);
	pthread_join(l, NULL);
	check();
	return 0;
}
