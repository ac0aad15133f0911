/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mappings of processes that the BPF engine derives from mapping events, also if events were
 * lost.
 */
#include "config.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "capture/bpf/mmaps.h"
#include "capture/bpf/spaces.h"
#include "capture/bpf/threads.h"
#include "util/mem.h"

/* A PERF_RECORD_MMAP2 of linux/perf_event.h, as mmaps.c requests it. */
struct mmap2 {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, generation;
	uint32_t prot, flags;
	char name[8];
	uint64_t time;
};

static void test_mmaps(void **state)
{
	struct mmap2 r = {.head = {.type = PERF_RECORD_MMAP2, .size = sizeof(r)},
			  .pid = 5,
			  .addr = 0x1000,
			  .len = 0x2000,
			  .pgoff = 0x3000,
			  .ino = 9,
			  .prot = PROT_READ | PROT_EXEC,
			  .name = "/x",
			  .time = 77};
	struct mmap_event e;

	(void)state;
	assert_true(mmaps_parse(&r, sizeof(r), &e));
	assert_int_equal(e.kind, MMAP_MAPPED);
	assert_int_equal(e.time, 77);
	assert_int_equal(e.mapping.end, 0x3000);
	assert_string_equal(e.mapping.name, "/x");
	/* Reject a record that is too short, has an unterminated name, or is not executable. */
	assert_false(mmaps_parse(&r, sizeof(r) - 8, &e));
	memset(r.name, 'x', sizeof(r.name));
	assert_false(mmaps_parse(&r, sizeof(r), &e));
	r.name[0] = '\0';
	r.prot = PROT_READ;
	assert_false(mmaps_parse(&r, sizeof(r), &e));
}

/*
 * If set, the process has exited, and /proc lists none of its mappings. Otherwise, /proc lists two
 * mappings.
 */
static bool process_is_gone;

static struct map_table *live_list(struct map_source *s attr_unused, pid_t tid attr_unused)
{
	struct map_table *t = map_table_new(2);

	for (uint64_t at = 0x5000; !process_is_gone && at <= 0x7000; at += 0x2000) {
		t->v[t->n] = mem_zalloc(sizeof(struct mapping));
		*t->v[t->n++] =
			(struct mapping){.start = at, .end = at + 0x1000, .offset = at, .refs = 1};
	}
	return t;
}

static const struct map_source_ops live_ops = {.list = live_list};
static struct map_source live = {&live_ops};

/*
 * If mapping events arrived too late, the mappings of the process are read again. Address spaces
 * without any known mapping are counted.
 */
static void test_spaces_unknown(void **state attr_unused)
{
	const struct mapping m = {.start = 0x1000, .end = 0x2000};
	struct threads threads = {0};
	struct mmaps *mmaps = mmaps_open(0);
	struct spaces *s = spaces_create(&live, mmaps, &threads);

	process_is_gone = false;
	spaces_start(s, 5);
	spaces_map(s, 5, 1, &m, false);
	assert_non_null(spaces_find(s, 5, 0x1800));
	assert_false(spaces_incomplete(s, 5));
	assert_int_equal(spaces_unknown(s), 0);
	spaces_map(s, 5, 1, &m, true);
	assert_null(spaces_find(s, 5, 0x1800));
	assert_non_null(spaces_find(s, 5, 0x5800));
	assert_int_equal(spaces_unknown(s), 0);
	/* execve() dropped all mappings of the process. */
	spaces_exec(s, 5, false);
	assert_non_null(spaces_find(s, 5, 0x5800));
	assert_int_equal(spaces_unknown(s), 1);
	process_is_gone = true;
	spaces_exec(s, 5, false);
	assert_null(spaces_find(s, 5, 0x5800));
	assert_null(spaces_find(s, 5, 0x5800));
	assert_true(spaces_incomplete(s, 5));
	assert_int_equal(spaces_unknown(s), 2);
	spaces_destroy(s);
	mmaps_close(mmaps);
	threads_deinit(&threads);
}

static void add_mapped(struct mmaps *m, uint64_t addr, uint64_t time)
{
	const struct mmap2 r = {.head = {.type = PERF_RECORD_MMAP2, .size = sizeof(r)},
				.pid = 5,
				.addr = addr,
				.len = 0x1000,
				.prot = PROT_EXEC,
				.time = time};

	mmaps_add(m, &r, sizeof(r));
}

/* Adds an execve of process 5. */
static void add_exec(struct mmaps *m, uint64_t time)
{
	const struct {
		struct perf_event_header head;
		uint32_t pid, tid;
		char comm[8];
		uint64_t time;
	} r = {.head = {.type = PERF_RECORD_COMM,
			.misc = PERF_RECORD_MISC_COMM_EXEC,
			.size = sizeof(r)},
	       .pid = 5,
	       .comm = "x",
	       .time = time};

	mmaps_add(m, &r, sizeof(r));
}

/* Adds a loss whose period begins at time 0. */
static void add_lost(struct mmaps *m, uint64_t time)
{
	const struct {
		struct perf_event_header head;
		uint64_t id, lost, time;
	} r = {.head = {.type = PERF_RECORD_LOST, .size = sizeof(r)}, .lost = 1, .time = time};

	mmaps_add(m, &r, sizeof(r));
}

/* Applies the events before a time to *s, as mapped.c does. */
static void apply(struct spaces *s, struct mmaps *m, uint64_t time)
{
	struct mmap_event e;

	while (mmaps_next(m, time, &e)) {
		if (e.kind == MMAP_MAPPED)
			spaces_map(s, e.tgid, e.time, &e.mapping, e.late);
		else if (e.kind == MMAP_EXEC)
			spaces_exec(s, e.tgid, e.late);
		else
			spaces_invalidate(s);
	}
	spaces_advance(s, time);
}

/*
 * If the record of a process's creation was lost, its mappings are read from /proc, which is newer
 * than the current record. No mapping is used that the process may have made later.
 */
static void test_spaces_later(void **state attr_unused)
{
	struct threads threads = {0};
	struct mmaps *mmaps = mmaps_open(0);
	struct spaces *s = spaces_create(&live, mmaps, &threads);
	uint64_t version;

	process_is_gone = false;
	apply(s, mmaps, 10);
	add_mapped(mmaps, 0x7000, 20);
	assert_null(spaces_find(s, 5, 0x7800));
	assert_true(spaces_incomplete(s, 5));
	assert_non_null(spaces_find(s, 5, 0x5800));
	apply(s, mmaps, 30);
	assert_non_null(spaces_find(s, 5, 0x7800));
	spaces_end(s, 5);

	/* /proc shows the mappings after an execve that has not been applied yet. */
	add_exec(mmaps, 40);
	add_mapped(mmaps, 0x5000, 50);
	assert_null(spaces_find(s, 5, 0x5800));
	assert_null(spaces_find(s, 5, 0x7800));
	assert_true(spaces_incomplete(s, 5));
	version = spaces_source(s)->ops->version(spaces_source(s), 5);
	apply(s, mmaps, 60);
	assert_non_null(spaces_find(s, 5, 0x5800));
	assert_false(spaces_incomplete(s, 5));
	assert_int_not_equal(spaces_source(s)->ops->version(spaces_source(s), 5), version);

	/* A child whose creation is known has the mappings of its parent. */
	spaces_fork(s, 5, 6, false);
	process_is_gone = true;
	assert_non_null(spaces_find(s, 6, 0x5800));
	assert_false(spaces_incomplete(s, 6));
	spaces_destroy(s);
	mmaps_close(mmaps);
	threads_deinit(&threads);
}

/*
 * While events are missing, only those mappings are used that exist before and after. After that,
 * the mappings in /proc are used, or none if the process is gone.
 */
static void test_spaces_lost(void **state attr_unused)
{
	const struct mapping old = {.start = 0x1000, .end = 0x2000};
	const struct mapping same = {.start = 0x5000, .end = 0x6000, .offset = 0x5000};
	struct threads threads = {0};
	struct mmaps *mmaps = mmaps_open(0);
	struct spaces *s = spaces_create(&live, mmaps, &threads);

	process_is_gone = false;
	spaces_start(s, 5);
	spaces_map(s, 5, 1, &old, false);
	spaces_map(s, 5, 1, &same, false);
	add_lost(mmaps, 20);
	apply(s, mmaps, 10);
	assert_null(spaces_find(s, 5, 0x1800));
	assert_non_null(spaces_find(s, 5, 0x5800));
	assert_null(spaces_find(s, 5, 0x7800));
	assert_true(spaces_incomplete(s, 5));
	apply(s, mmaps, 30);
	assert_non_null(spaces_find(s, 5, 0x5800));
	assert_non_null(spaces_find(s, 5, 0x7800));
	spaces_advance(s, UINT64_MAX);
	assert_false(spaces_incomplete(s, 5));
	spaces_destroy(s);
	mmaps_close(mmaps);

	mmaps = mmaps_open(0);
	s = spaces_create(&live, mmaps, &threads);
	process_is_gone = true;
	spaces_start(s, 5);
	spaces_map(s, 5, 1, &old, false);
	add_lost(mmaps, 20);
	apply(s, mmaps, 30);
	assert_null(spaces_find(s, 5, 0x1800));
	assert_true(spaces_incomplete(s, 5));
	spaces_destroy(s);
	mmaps_close(mmaps);
	threads_deinit(&threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mmaps),
		cmocka_unit_test(test_spaces_unknown),
		cmocka_unit_test(test_spaces_later),
		cmocka_unit_test(test_spaces_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
