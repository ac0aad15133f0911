/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions of generated code that grow, shrink, split and merge, both between calls and while their
 * code is on the stack. Other threads change adjacent pages.
 */
#include "emit.h"
#include "truth.h"

#include <pthread.h>
#include <sys/mman.h>

#define PAGE	4096
#define PAGES	16
#define THREADS 3
#define ROUNDS	40

typedef void callback(void);

static unsigned char *code;
static __thread const int *path; /* indexes of the pages to call, ended by -1 */

static void set(unsigned char *base, int first, int last, int prot)
{
	if (mprotect(base + first * PAGE, (last - first + 1) * PAGE, prot))
		abort();
}

#define ON(first, last)	 set(code, first, last, PROT_READ | PROT_EXEC)
#define OFF(first, last) set(code, first, last, PROT_READ)

static unsigned char *region_new(void)
{
	unsigned char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	for (int i = 0; i < PAGES; i++)
		emit(p + i * PAGE, 0x20 + 0x10 * (i % 4));
	set(p, 0, PAGES - 1, PROT_READ);
	return p;
}

static NOINLINE void follow(void)
{
	TRUTH;
	int page = *path++;

	/* -2 means: make pages 0 to 5 executable while the caller runs in one of them. */
	if (page == -2) {
		ON(0, 5);
		page = *path++;
	}
	if (page < 0)
		check();
	else
		((void (*)(callback *))(code + page * PAGE))(follow);
	__asm__ volatile("");
}

static NOINLINE void through(const int *pages)
{
	TRUTH;
	path = pages;
	follow();
	__asm__ volatile("");
}

#define THROUGH(...) through((const int[]){__VA_ARGS__, -1})

static NOINLINE void grow(void)
{
	TRUTH;
	OFF(0, PAGES - 1);
	ON(0, 0);
	THROUGH(0);
	ON(1, 1);
	/*
	 * The mapping that contains the inner frame is already known. The outer frame is in pages
	 * that were added to this mapping later.
	 */
	THROUGH(1, 0);
	ON(2, 3);
	THROUGH(3, 1, 0, 2);
	THROUGH(0, 1, 2, 3);
	OFF(1, PAGES - 1);
	THROUGH(0, 0);
	THROUGH(0, -2, 5, 0);
}

static NOINLINE void shrink(void)
{
	TRUTH;
	ON(0, 7);
	THROUGH(7, 0);
	OFF(5, 7);
	THROUGH(4, 0);
	OFF(0, 0);
	THROUGH(1, 4);
	OFF(2, 4);
	THROUGH(1, 1);
}

static NOINLINE void split_and_merge(void)
{
	TRUTH;
	ON(0, 6);
	THROUGH(0, 3, 6);
	OFF(3, 3);
	THROUGH(0, 6, 2);
	OFF(5, 5);
	THROUGH(6, 4, 0);
	ON(3, 3);
	THROUGH(6, 3, 0, 4);
	ON(5, 5);
	THROUGH(5, 0, 6, 3);
	/* A new mapping replaces part of the region. */
	if (mmap(code + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		abort();
	emit(code + 2 * PAGE, 0x30);
	THROUGH(1, 3);
	ON(2, 2);
	THROUGH(1, 2, 3);
}

static volatile int done;

/*
 * Changes the pages around page 8. The code in these pages is never called, and page 8 stays
 * executable.
 */
static void *change_neighbours(void *arg)
{
	unsigned char *p = arg;

	for (int i = 0; !done; i++) {
		set(p, 9, 9 + i % 6, PROT_READ | PROT_EXEC);
		set(p, 2 + i % 6, 7, PROT_READ | PROT_EXEC);
		set(p, 9, 15, PROT_READ);
		set(p, 2, 7, PROT_READ);
	}
	return NULL;
}

int main(void)
{
	TRUTH;
	pthread_t threads[THREADS];

	code = region_new();
	grow();
	shrink();
	split_and_merge();
	code = region_new();
	ON(8, 8);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, change_neighbours, code);
	for (int i = 0; i < ROUNDS; i++)
		THROUGH(8, 8, 8);
	done = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
