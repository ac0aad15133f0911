/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of functions: demangled names, names in perf maps, and their text. Paths of open files. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/proc/files.h"
#include "stack/files/file_source.h"
#include "stack/namer/demangle.h"
#include "stack/names/naming.h"
#include "stack/names/perf_map.h"
#include "unwind.h"
#include "util/strbuf.h"

static void test_text(void **state)
{
	struct strbuf b = {0};

	(void)state;
	naming_text(&b, "main", 0x1a, 0x113a, NULL, 0, NULL);
	naming_text(&b, "main", 0, 0x1120, "a.c", 7, NULL);
	naming_text(&b, NULL, 0, 0x40, NULL, 0, "nobody knows");
	assert_string_equal(strbuf_str(&b),
			    "(main+0x1a) [0x113a]\n(main+0x0) [0x1120] a.c:7\n() [0x40] "
			    "(nobody knows)\n");
	strbuf_deinit(&b);
}

static const char *jit(const struct perf_map *p, uint64_t pc)
{
	uint64_t start;
	const char *name = perf_map_find(p, pc, &start);

	assert_true(!name || start <= pc);
	return name ? name : "";
}

static void append(struct perf_map *p, const char *s)
{
	perf_map_append(p, s, strlen(s));
}

static void test_perf_map(void **state)
{
	struct perf_map *p = perf_map_create(1, NULL, NULL);

	(void)state;
	append(p, "1000 100 one\n2000 10 a name with blanks\n30");
	assert_string_equal(jit(p, 0x10ff), "one");
	assert_string_equal(jit(p, 0x1100), "");
	assert_string_equal(jit(p, 0x2000), "a name with blanks");
	assert_string_equal(jit(p, 0x3000), "");
	append(p, "00 8 thr");
	append(p, "ee\n");
	assert_string_equal(jit(p, 0x3007), "three");
	append(p, "nonsense\n\n 1 2 3\n4000 0 empty\nffffffffffffffff 10 wraps\n5000 10 \n");
	assert_string_equal(jit(p, 0x4000), "");
	assert_string_equal(jit(p, 0x5000), "");
	/*
	 * New code that overlaps older code replaces all of the older code, including the part that
	 * the new code does not cover.
	 */
	append(p, "1080 10 new\n");
	assert_string_equal(jit(p, 0x1080), "new");
	assert_string_equal(jit(p, 0x1000), "");
	for (int i = 0; i < 5000; i++) {
		char line[64];

		snprintf(line, sizeof(line), "%x 10 code%d\n", 0x100000 + (i * 7919 % 5000) * 16,
			 i);
		append(p, line);
	}
	for (int i = 0; i < 5000; i++) {
		char want[32];

		snprintf(want, sizeof(want), "code%d", i);
		assert_string_equal(jit(p, 0x100000 + (i * 7919 % 5000) * 16 + 15), want);
	}
	assert_string_equal(jit(p, 0x1080), "new");
	assert_string_equal(jit(p, 0x1000), "");
	perf_map_put(p);
}

static void write_map(const char *path, const char *text, off_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fflush(f);
	assert_int_equal(ftruncate(fileno(f), size), 0);
	fclose(f);
}

/* A rewritten file is read again, but only up to a limited total number of bytes. */
static void test_perf_map_renewed(void **state)
{
	struct file_source *files = proc_files_create(NULL, NULL);
	struct perf_map *p = perf_map_create(getpid(), files, NULL);
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	write_map(path, "1000 100 one\n", 13);
	perf_map_refresh(p);
	assert_string_equal(jit(p, 0x1000), "one");
	unlink(path);
	write_map(path, "1000 100 two\n", 200 << 20);
	perf_map_refresh(p);
	assert_string_equal(jit(p, 0x1000), "two");
	unlink(path);
	write_map(path, "1000 100 three\n", 200 << 20);
	perf_map_refresh(p);
	assert_string_equal(jit(p, 0x1000), "three");
	unlink(path);
	write_map(path, "1000 100 four\n", 14);
	perf_map_refresh(p);
	assert_string_equal(jit(p, 0x1000), "");
	unlink(path);
	perf_map_put(p);
	proc_files_destroy(files);
}

static void check_demangled(const char *name, const char *expected)
{
	char *nice = symbol_demangle(name);

	if (expected)
		assert_string_equal(nice, expected);
	else
		assert_null(nice);
	free(nice);
}

static void test_demangle(void **state)
{
	char name[512];
	size_t n;

	(void)state;
	if (!unwind_has(UNWIND_DEMANGLING))
		skip();
	check_demangled("_ZN3foo3barIiEEvT_", "void foo::bar<int>(int)");
	check_demangled("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	check_demangled("_RNvC7mycrate4main", "mycrate::main");
	check_demangled("_Z?", NULL);
	check_demangled("main", NULL);
	/*
	 * f(A, P<A, A>, P<P<A, A>, P<A, A> >, …). The name of each argument is twice as long as the
	 * name before it.
	 */
	n = sprintf(name, "_Z1f1A1PIS_S_ES0_IS1_S1_E");
	for (int i = 2; i < 30; i++) {
		const char digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i];

		n += sprintf(name + n, "S0_IS%c_S%c_E", digit, digit);
	}
	check_demangled(name, NULL);
}

/* A path that does not fit is an error. */
static void test_path_of(void **state)
{
	struct file_source *files = proc_files_create(NULL, NULL);
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	char path[16];

	(void)state;
	assert_int_equal(files->ops->path_of(files, fd, path, sizeof(path)), 9);
	assert_memory_equal(path, "/dev/null", 9);
	errno = 0;
	assert_int_equal(files->ops->path_of(files, fd, path, 8), -1);
	assert_int_equal(errno, ENAMETOOLONG);
	close(fd);
	proc_files_destroy(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_perf_map),
		cmocka_unit_test(test_perf_map_renewed),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_path_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
