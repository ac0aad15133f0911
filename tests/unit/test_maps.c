/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parsing of /proc/PID/maps, tables of mappings, and the cache of address spaces. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/proc/maps.h"
#include "stack/files/map_table.h"
#include "mmap_cache.h"

static struct mapping parsed(const char *line)
{
	struct mapping m = {0};

	assert_true(mapping_parse(line, strlen(line), &m));
	return m;
}

static void refused(const char *line)
{
	struct mapping m = {.start = 42};

	assert_false(mapping_parse(line, strlen(line), &m));
	assert_int_equal(m.start, 42);
}

static void test_line(void **state)
{
	struct mapping m = parsed("7f00a000-7f00b000 r-xp 00001000 fd:0a 123456 "
				  "                   /usr/lib/libc.so.6");

	(void)state;
	assert_int_equal(m.start, 0x7f00a000);
	assert_int_equal(m.end, 0x7f00b000);
	assert_int_equal(m.offset, 0x1000);
	assert_int_equal(m.dev_major, 0xfd);
	assert_int_equal(m.dev_minor, 0x0a);
	assert_int_equal(m.inode, 123456);
	assert_true(m.executable);
	assert_string_equal(m.name, "/usr/lib/libc.so.6");
	free(m.name);
}

static void test_line_kinds(void **state)
{
	struct mapping m = parsed("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 "
				  "                 [vsyscall]");

	(void)state;
	assert_true(m.start == 0xffffffffff600000);
	assert_string_equal(m.name, "[vsyscall]");
	free(m.name);
	m = parsed("1000-2000 rw-s 00000000 00:01 18446744073709551615 /dev/zero (deleted)");
	assert_false(m.executable);
	assert_true(m.inode == UINT64_MAX);
	assert_string_equal(m.name, "/dev/zero (deleted)");
	free(m.name);
	m = parsed("1000-2000 r-xp 00000000 00:00 0 ");
	assert_null(m.name);
	m = parsed("1000-2000 r-xp 00000000 00:00 0");
	assert_null(m.name);
	m = parsed("1000-2000 r-xp 00000000 08:01 7 /a b\\012c\\134d");
	assert_string_equal(m.name, "/a b\nc\\134d");
	free(m.name);
}

static void test_line_refused(void **state)
{
	static const char *const lines[] = {
		"",
		" ",
		"x",
		"1000",
		"1000-",
		"1000-2000",
		"1000-2000 ",
		"1000-2000 r-x",
		"1000-2000 r-xp",
		"1000-2000 r-xp 0",
		"1000-2000 r-xp 0 8",
		"1000-2000 r-xp 0 8:",
		"1000-2000 r-xp 0 8:1",
		"1000-2000 r-xp 0 8:1 ",
		"1000-2000 r-xp 0 8:1 x",
		"2000-1000 r-xp 0 8:1 1",
		"1000-1000 r-xp 0 8:1 1",
		"-1000 r-xp 0 8:1 1",
		"10000000000000000-2 r-xp 0 8:1 1",
		"1000-2000 r-xp 0 8:1 18446744073709551616",
		"1000-2000 r-xp 0 100000000:1 1",
		"1000-2000 r-xp 0 8:1 1/x",
		"G000-2000 r-xp 0 8:1 1",
		"1000-2000  r-xp 0 8:1 1",
		"Size:                  4 kB",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		refused(lines[i]);
}

static void test_table(void **state)
{
	static const char text[] = "1000-2000 r-xp 00000000 08:01 7 /one\n"
				   "nonsense\n"
				   "2000-3000 rw-p 00001000 08:01 7 /one\n"
				   "3000-5000 r-xp 00002000 08:01 7 /one\n"
				   "\n"
				   "4000-6000 r-xp 00000000 08:01 8 /overlaps\n"
				   "0-1000 r-xp 00000000 08:01 9 /backwards\n"
				   /*
				    * The last line counts, too, although it does not end with a
				    * newline.
				    */
				   "9000-a000 r-xp 00000000 00:00 0";
	struct map_table *t = map_table_parse(text, sizeof(text) - 1), *u;

	(void)state;
	assert_int_equal(t->n, 3);
	assert_null(map_table_find(t, 0xfff));
	assert_ptr_equal(map_table_find(t, 0x1000), t->v[0]);
	assert_ptr_equal(map_table_find(t, 0x1fff), t->v[0]);
	assert_null(map_table_find(t, 0x2000));
	assert_ptr_equal(map_table_find(t, 0x4fff), t->v[1]);
	assert_null(map_table_find(t, 0x5000));
	assert_ptr_equal(map_table_find(t, 0x9fff), t->v[2]);
	assert_null(map_table_find(t, UINT64_MAX));
	assert_true(map_table_overlaps(t, (struct map_range){0x1fff, 0x2001}));
	assert_false(map_table_overlaps(t, (struct map_range){0x2000, 0x3000}));
	assert_false(map_table_overlaps(t, (struct map_range){0, 0}));
	u = map_table_replace(t, (struct map_range){0x1800, 0x3001}, NULL);
	assert_int_equal(u->n, 1);
	assert_int_equal(u->v[0]->start, 0x9000);
	/* the original table is unchanged, because others may share it */
	assert_int_equal(t->n, 3);
	map_table_put(t);
	assert_null(u->v[0]->name);
	map_table_put(u);
	t = map_table_parse("", 0);
	assert_int_equal(t->n, 0);
	assert_null(map_table_find(t, 0));
	map_table_put(t);
}

/* For any text, the table must be sorted and must not have overlaps. */
static void test_any_text(void **state)
{
	char text[4096];
	size_t n;

	(void)state;
	srand(7);
	for (int round = 0; round < 3000; round++) {
		struct map_table *t;

		for (n = 0; n < sizeof(text) - 200;) {
			static const char *const parts[] = {
				"1000-2000 r-xp 00000000 08:01 7 /x",
				"f000-ffffffffffffffff --xp 0 0:0 0",
				"\n",
				" ",
				"-",
				"\\012",
				"r-xp",
				"7fffffffffff",
				"0:0 1",
				"\n\n",
			};
			const char *p = parts[rand() % ARRAY_SIZE(parts)];

			n += snprintf(text + n, 64, "%s", p);
			if (rand() % 4 == 0)
				text[n++] = rand();
			if (rand() % 20 == 0)
				break;
		}
		t = map_table_parse(text, n);
		for (size_t i = 0; i < t->n; i++) {
			assert_true(t->v[i]->start < t->v[i]->end);
			assert_true(!i || t->v[i - 1]->end <= t->v[i]->start);
		}
		map_table_put(t);
	}
}

/* Address spaces, with this process as the tracee. */

struct fixture {
	struct map_source *source;
	struct mmap_cache *cache;
	struct mm_task *mm, *other;
	struct map_view view; /* view of mm for the current walk */
	char *code;	      /* PAGES executable pages */
};

#define PAGES 4
#define SIZE  (PAGES * 4096ul)

/* Ends the last walk's view of mm, if any, and begins a view for the next walk. */
static void next_walk(struct fixture *f)
{
	if (f->view.task)
		map_view_end(&f->view);
	map_view_begin(&f->view, f->mm);
}

static void begin(struct fixture *f, bool follow, bool no_query)
{
	struct mmap_cache_config config = {.follow = follow, .no_query = no_query};

	memset(f, 0, sizeof(*f));
	f->source = proc_maps_create(NULL);
	f->cache = mmap_cache_create(&config, f->source);
	f->code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(f->code != MAP_FAILED);
	f->mm = mmap_cache_attach(f->cache, getpid(), getpid(), false);
	next_walk(f);
}

static void end(struct fixture *f)
{
	map_view_end(&f->view);
	mmap_cache_release(f->mm);
	mmap_cache_release(f->other);
	mmap_cache_destroy(f->cache);
	proc_maps_destroy(f->source);
	munmap(f->code, SIZE);
}

/*
 * Removes the mapping of code as munmap(2) would, but keeps the pages reserved, so that nothing
 * else is mapped there.
 */
static void vacate(char *p, size_t n)
{
	assert_ptr_equal(mmap(p, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), p);
}

static struct mapping *at(struct fixture *f, unsigned long offset)
{
	return map_view_find(&f->view, (uintptr_t)f->code + offset);
}

static void check_find(bool no_query)
{
	struct fixture f;
	struct mapping *m;
	uint64_t asked;

	begin(&f, true, no_query);
	m = at(&f, 0);
	assert_non_null(m);
	assert_true(m->start <= (uintptr_t)f.code && m->end >= (uintptr_t)f.code + SIZE);
	m = map_view_find(&f.view, (uintptr_t)&check_find);
	assert_non_null(m);
	assert_non_null(strstr(m->name, "test_maps"));
	assert_true(m->inode != 0);
	asked = mmap_cache_counters(f.cache)->queries + mmap_cache_counters(f.cache)->reads;
	assert_ptr_equal(map_view_find(&f.view, (uintptr_t)&check_find), m);
	next_walk(&f);
	assert_ptr_equal(map_view_find(&f.view, (uintptr_t)&check_find), m);
	assert_int_equal(
		mmap_cache_counters(f.cache)->queries + mmap_cache_counters(f.cache)->reads, asked);
	/* The stack is not executable, so its mapping is not in the table. */
	assert_null(map_view_find(&f.view, (uintptr_t)&f));
	end(&f);
}

static void test_find_query(void **state)
{
	(void)state;
	check_find(false);
}

/* A query for a thread that is gone does not claim that the mapping is gone. */
static void test_find_gone(void **state)
{
	struct map_source *source = proc_maps_create(NULL);
	const pid_t nobody = 1 << 29; /* a number that no thread has */
	struct mapping m = {0};
	intptr_t keep = 0;

	(void)state;
	assert_int_equal(source->ops->find(source, nobody, &keep, 0x1000, false, &m), -ESRCH);
	proc_maps_destroy(source);
}

static void test_find_text(void **state)
{
	(void)state;
	check_find(true);
}

/*
 * The mappings of malloc() and of thread stacks contain no code, so changes to them drop nothing
 * from the cache.
 */
static void test_data_costs_nothing(void **state)
{
	struct fixture f;
	uint64_t generation, stamp,
		args[6] = {0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1ull, 0};
	struct mapping *m;
	void *p;

	(void)state;
	begin(&f, true, false);
	m = at(&f, 0);
	generation = mmap_cache_generation(f.cache);
	stamp = mmap_cache_stamp(f.mm);
	for (int i = 0; i < 10; i++) {
		mmap_cache_enter(f.mm, MM_MMAP, args);
		p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mmap_cache_exit(f.mm, MM_MMAP, args, (intptr_t)p, false);
		mmap_cache_enter(f.mm, MM_MUNMAP, (uint64_t[6]){(uintptr_t)p, 65536});
		munmap(p, 65536);
		mmap_cache_exit(f.mm, MM_MUNMAP, (uint64_t[6]){(uintptr_t)p, 65536}, 0, false);
	}
	assert_int_equal(mmap_cache_generation(f.cache), generation);
	assert_int_equal(mmap_cache_stamp(f.mm), stamp);
	assert_ptr_equal(at(&f, 0), m);
	end(&f);
}

static void test_unmap(void **state)
{
	struct fixture f;
	struct mapping *other;
	uint64_t args[6], stamp;

	(void)state;
	begin(&f, true, false);
	other = map_view_find(&f.view, (uintptr_t)&check_find);
	assert_non_null(at(&f, 4096));
	args[0] = (uintptr_t)f.code + 4096;
	args[1] = 100; /* munmap() rounds the length up to whole pages */
	stamp = mmap_cache_stamp(f.mm);
	mmap_cache_enter(f.mm, MM_MUNMAP, args);
	/*
	 * While the syscall is in progress, mappings in its range are looked up each time and not
	 * cached.
	 */
	next_walk(&f);
	assert_non_null(at(&f, 4096));
	vacate(f.code + 4096, 4096);
	next_walk(&f);
	assert_null(at(&f, 4096));
	mmap_cache_exit(f.mm, MM_MUNMAP, args, 0, false);
	assert_true(mmap_cache_stamp(f.mm) > stamp);
	next_walk(&f);
	assert_null(at(&f, 4096));
	assert_non_null(at(&f, 0));
	assert_non_null(at(&f, 8192));
	/* Mappings outside the range were kept. */
	assert_ptr_equal(map_view_find(&f.view, (uintptr_t)&check_find), other);
	end(&f);
}

static void test_failed_change(void **state)
{
	struct fixture f;
	uint64_t args[6] = {0}, generation;

	(void)state;
	begin(&f, true, false);
	assert_non_null(at(&f, 0));
	args[0] = (uintptr_t)f.code;
	args[1] = SIZE;
	mmap_cache_enter(f.mm, MM_MUNMAP, args);
	generation = mmap_cache_generation(f.cache);
	mmap_cache_exit(f.mm, MM_MUNMAP, args, -22, true);
	assert_int_equal(mmap_cache_generation(f.cache), generation);
	assert_non_null(at(&f, 0));
	end(&f);
}

/*
 * A mapping replaces another mapping, as when a library is loaded at the address of an unloaded
 * library.
 */
static void test_replaced(void **state)
{
	struct fixture f;
	uint64_t args[6];
	struct mapping *m;
	FILE *file = tmpfile();

	(void)state;
	assert_int_equal(ftruncate(fileno(file), SIZE), 0);
	begin(&f, true, false);
	assert_int_equal(at(&f, 0)->inode, 0);
	args[0] = (uintptr_t)f.code;
	args[1] = SIZE;
	args[2] = PROT_READ | PROT_EXEC;
	args[3] = MAP_FIXED | MAP_PRIVATE;
	mmap_cache_enter(f.mm, MM_MMAP, args);
	if (mmap(f.code, SIZE, PROT_READ | PROT_EXEC, MAP_FIXED | MAP_PRIVATE, fileno(file), 0) ==
	    MAP_FAILED)
		skip();
	/*
	 * Another thread's stack is walked at this moment: the kernel has created the mapping, but
	 * the exit stop has not been handled.
	 */
	next_walk(&f);
	assert_true(at(&f, 0)->inode != 0);
	mmap_cache_exit(f.mm, MM_MMAP, args, (intptr_t)f.code, false);
	next_walk(&f);
	m = at(&f, 0);
	assert_non_null(m);
	assert_true(m->inode != 0);
	fclose(file);
	end(&f);
}

static void check_untraced(bool no_query)
{
	struct fixture f;
	uint64_t stale;

	begin(&f, false, no_query);
	assert_non_null(at(&f, 0));
	stale = mmap_cache_counters(f.cache)->stale;
	/* remove the mapping as an untraced thread would, without notifying the cache */
	vacate(f.code, SIZE);
	next_walk(&f);
	assert_null(at(&f, 0));
	assert_true(mmap_cache_counters(f.cache)->stale > stale);
	assert_non_null(map_view_find(&f.view, (uintptr_t)&check_untraced));
	end(&f);
}

static void test_untraced_query(void **state)
{
	(void)state;
	check_untraced(false);
}

static void test_untraced_text(void **state)
{
	(void)state;
	check_untraced(true);
}

static void test_life(void **state)
{
	struct fixture f;
	struct map_view other;
	struct mapping *m;
	uint64_t args[6] = {0}, stamp;

	(void)state;
	begin(&f, true, false);
	m = at(&f, 0);
	next_walk(&f);
	/*
	 * A new thread shares the address space, and a fork copies it. A change updates only the
	 * stamp of the address space in which it was made.
	 */
	f.other = mmap_cache_fork(f.mm, getpid(), getpid(), true);
	map_view_begin(&other, f.other);
	assert_int_not_equal(map_view_settled(&f.view), 0);
	assert_int_equal(map_view_settled(&other), map_view_settled(&f.view));
	map_view_end(&other);
	assert_int_equal(mmap_cache_stamp(f.other), mmap_cache_stamp(f.mm));
	mmap_cache_release(f.other);
	f.other = mmap_cache_fork(f.mm, getpid(), getpid(), false);
	assert_int_not_equal(mmap_cache_stamp(f.other), mmap_cache_stamp(f.mm));
	stamp = mmap_cache_stamp(f.other);
	map_view_begin(&other, f.other);
	assert_ptr_equal(map_view_find(&other, (uintptr_t)f.code), m);
	args[0] = (uintptr_t)f.code;
	args[1] = 4096;
	mmap_cache_enter(f.mm, MM_MUNMAP, args);
	mmap_cache_exit(f.mm, MM_MUNMAP, args, 0, false);
	assert_int_equal(mmap_cache_stamp(f.other), stamp);
	assert_ptr_equal(map_view_find(&other, (uintptr_t)f.code), m);
	map_view_end(&other);
	mmap_cache_exec(f.other, getpid());
	assert_true(mmap_cache_stamp(f.other) > stamp);
	/*
	 * If the threads of a process are attached one by one, the cache detects that they share an
	 * address space.
	 */
	mmap_cache_release(f.other);
	f.other = mmap_cache_attach(f.cache, getpid(), getpid(), false);
	assert_int_equal(mmap_cache_stamp(f.other), mmap_cache_stamp(f.mm));
	end(&f);
}

/* Makes n pages executable or not, as if a thread had called mprotect(2). */
static void protect(struct fixture *f, unsigned first, unsigned n, int prot, bool in_flight)
{
	uint64_t args[6] = {(uintptr_t)f->code + first * 4096, n * 4096, prot};

	mmap_cache_enter(f->mm, MM_MPROTECT, args);
	assert_int_equal(mprotect(f->code + first * 4096, n * 4096, prot), 0);
	if (!in_flight)
		mmap_cache_exit(f->mm, MM_MPROTECT, args, 0, false);
}

/* A mapping that a walk has found stays valid during the walk, even if the mapping grows. */
static void check_growth(bool no_query)
{
	struct fixture f;
	struct mapping *before, *all;
	uint64_t start, end_of_code;

	begin(&f, true, no_query);
	protect(&f, 1, 3, PROT_READ, false);
	assert_non_null(at(&f, 0));
	protect(&f, 1, 1, PROT_READ | PROT_EXEC, false);
	next_walk(&f);
	before = at(&f, 0);
	assert_non_null(before);
	start = before->start;
	all = at(&f, 4096);
	assert_non_null(all);
	end_of_code = (uintptr_t)f.code + 2 * 4096;
	assert_true(all->end >= end_of_code);
	/* Without the view's reference to the mapping, this would be a read of freed memory. */
	assert_int_equal(before->start, start);
	/* While a change is in progress, merged mappings are found but not cached. */
	protect(&f, 2, 1, PROT_READ | PROT_EXEC, true);
	next_walk(&f);
	assert_non_null(at(&f, 2 * 4096));
	assert_non_null(at(&f, 0));
	assert_non_null(at(&f, 4096));
	assert_int_equal(map_view_settled(&f.view), 0);
	next_walk(&f);
	assert_non_null(at(&f, 0));
	assert_null(at(&f, 3 * 4096));
	end(&f);
}

static void test_growth_query(void **state)
{
	(void)state;
	check_growth(false);
}

static void test_growth_text(void **state)
{
	(void)state;
	check_growth(true);
}

/* If a thread dies during a change of its mappings, the change is no longer in progress. */
static void test_death_in_change(void **state)
{
	struct fixture f;
	uint64_t args[6] = {0}, queries;

	(void)state;
	begin(&f, true, false);
	f.other = mmap_cache_fork(f.mm, getpid(), getpid(), true);
	assert_non_null(at(&f, 0));
	args[0] = (uintptr_t)f.code;
	args[1] = SIZE;
	mmap_cache_enter(f.other, MM_MUNMAP, args);
	mmap_cache_release(f.other);
	f.other = NULL;
	next_walk(&f);
	assert_non_null(at(&f, 0));
	queries = mmap_cache_counters(f.cache)->queries;
	next_walk(&f);
	assert_non_null(at(&f, 0));
	assert_int_equal(mmap_cache_counters(f.cache)->queries, queries);
	end(&f);
}

/* A source whose list is `list`, and whose mappings are all executable. */
struct listed_source {
	struct map_source base;
	const char *list;
	uint64_t version;
	bool incomplete;
};

static int listed_find(struct map_source *s attr_unused, pid_t tid attr_unused,
		       intptr_t *keep attr_unused, uint64_t addr attr_unused,
		       bool names attr_unused, struct mapping *m attr_unused)
{
	return -ENOTTY;
}

static struct map_table *listed_list(struct map_source *s, pid_t tid attr_unused)
{
	const char *list = container_of(s, struct listed_source, base)->list;

	return map_table_parse(list, strlen(list));
}

static bool listed_reads_execute(struct map_source *s attr_unused, pid_t tid attr_unused)
{
	return true;
}

/*
 * With READ_IMPLIES_EXEC, brk(2) makes memory executable. Lookups find the memory even if the call
 * was not reported, because a seccomp filter lets it pass.
 */
static void test_brk(void **state)
{
	static const struct map_source_ops ops = {
		.find = listed_find, .list = listed_list, .reads_execute = listed_reads_execute};
	struct listed_source source = {.base = {&ops},
				       .list = "1000-2000 rwxp 00000000 00:00 0 [heap]\n"};
	struct mmap_cache_config config = {.follow = true};
	struct mmap_cache *cache = mmap_cache_create(&config, &source.base);
	struct mm_task *mm = mmap_cache_attach(cache, 1, 1, true);
	uint64_t args[6] = {0x4000};
	struct map_table *all;
	struct map_view view;

	(void)state;
	map_table_put(mmap_cache_all(mm));
	source.list = "1000-3000 rwxp 00000000 00:00 0 [heap]\n";
	map_view_begin(&view, mm);
	assert_non_null(map_view_find(&view, 0x2000));
	map_view_end(&view);

	source.list = "1000-4000 rwxp 00000000 00:00 0 [heap]\n";
	mmap_cache_enter(mm, MM_BRK, args);
	mmap_cache_exit(mm, MM_BRK, args, 0x4000, false);
	all = mmap_cache_all(mm);
	assert_non_null(map_table_find(all, 0x3000));
	map_table_put(all);
	mmap_cache_release(mm);
	mmap_cache_destroy(cache);
}

static uint64_t listed_version(struct map_source *s, pid_t tid attr_unused)
{
	return container_of(s, struct listed_source, base)->version;
}

static bool listed_incomplete(struct map_source *s, pid_t tid attr_unused)
{
	return container_of(s, struct listed_source, base)->incomplete;
}

/*
 * Cached mappings are dropped if the source has a new version of them, for example because the
 * record of an execve was lost.
 */
static void test_version(void **state attr_unused)
{
	static const struct map_source_ops ops = {.find = listed_find,
						  .list = listed_list,
						  .reads_execute = listed_reads_execute,
						  .version = listed_version,
						  .incomplete = listed_incomplete};
	struct listed_source source = {{&ops}, "1000-2000 r-xp 00000000 00:00 7 /old\n", 1, false};
	struct mmap_cache_config config = {.follow = true};
	struct mmap_cache *cache = mmap_cache_create(&config, &source.base);
	struct mm_task *mm = mmap_cache_attach(cache, 1, 1, true);
	struct map_view view;

	map_view_begin(&view, mm);
	assert_string_equal(map_view_find(&view, 0x1000)->name, "/old");
	assert_false(map_view_incomplete(&view));
	map_view_end(&view);

	source.list = "1000-2000 r-xp 00000000 00:00 8 /new\n";
	source.version = 2;
	source.incomplete = true;
	map_view_begin(&view, mm);
	assert_string_equal(map_view_find(&view, 0x1000)->name, "/new");
	assert_true(map_view_incomplete(&view));
	map_view_end(&view);
	mmap_cache_release(mm);
	mmap_cache_destroy(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version),		cmocka_unit_test(test_line),
		cmocka_unit_test(test_line_kinds),	cmocka_unit_test(test_line_refused),
		cmocka_unit_test(test_table),		cmocka_unit_test(test_any_text),
		cmocka_unit_test(test_find_query),	cmocka_unit_test(test_find_gone),
		cmocka_unit_test(test_find_text),	cmocka_unit_test(test_data_costs_nothing),
		cmocka_unit_test(test_unmap),		cmocka_unit_test(test_failed_change),
		cmocka_unit_test(test_replaced),	cmocka_unit_test(test_untraced_query),
		cmocka_unit_test(test_untraced_text),	cmocka_unit_test(test_growth_query),
		cmocka_unit_test(test_growth_text),	cmocka_unit_test(test_life),
		cmocka_unit_test(test_death_in_change), cmocka_unit_test(test_brk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
