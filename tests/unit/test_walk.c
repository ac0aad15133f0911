/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the stack of a recorded stop: registers, memory and a list of mappings, without a process.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include "capture/chunks.h"
#include "mmap_cache.h"
#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/files/map_source.h"
#include "stack/files/map_table.h"
#include "unwind.h"
#include "util/mem.h"

#define ROUNDS 60
/*
 * Ensures that the function has its own frame. clang does not support noclone, and never clones
 * functions.
 */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

/* glibc's dynamic linker stores the address of argc and argv on the initial stack here. */
extern void *__libc_stack_end;

/* NOBODY is a pid that no process has. `record` is the recorded stop. */
#define NOBODY (1 << 29)
static struct record {
	uint64_t regs[ARCH_COLUMNS_MAX];
	uint8_t *stack;
	uint64_t sp, size;
	char maps[256 << 10];
	size_t maps_len;
} record;
static void *generated; /* executable memory without a file */

/* Copies the whole stack, including AddressSanitizer's redzones between variables. */
__attribute__((no_sanitize("address"))) static void copy_words(uint64_t *to, const uint64_t *from,
							       size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile uint64_t *)to)[i] = from[i];
}

/* Stores the registers in the order of the columns in linux/arch/NAME/arch.c. */
static void columns(const ucontext_t *uc, uint64_t *to)
{
	const mcontext_t *m = &uc->uc_mcontext;
#if defined(__x86_64__)
	static const uint8_t gregs[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
					REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
					REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

	for (size_t i = 0; i < ARRAY_SIZE(gregs); i++)
		to[i] = m->gregs[gregs[i]];
#elif defined(__aarch64__)
	for (size_t i = 0; i < 31; i++)
		to[i] = m->regs[i];
	to[31] = m->sp;
	to[32] = m->pc;
#elif defined(__riscv)
	for (size_t i = 0; i < 32; i++)
		to[i] = m->__gregs[i]; /* element 0 is the pc */
#endif
}

static NOINLINE void take(void)
{
	ucontext_t uc;
	ssize_t n;
	int fd;

	getcontext(&uc);
	columns(&uc, record.regs);
	record.sp = record.regs[arch_native->modes[0].sp];
	record.size = (uintptr_t)__libc_stack_end + 16 - record.sp;
	record.stack = malloc(record.size);
	copy_words((uint64_t *)record.stack, (const uint64_t *)record.sp,
		   record.size / sizeof(uint64_t));
	fd = open("/proc/self/maps", O_RDONLY);
	while ((n = read(fd, record.maps + record.maps_len,
			 sizeof(record.maps) - record.maps_len)) > 0)
		record.maps_len += n;
	close(fd);
}

#define LINK(name, next)                                                                           \
	static NOINLINE void name(void)                                                            \
	{                                                                                          \
		next();                                                                            \
		__asm__ volatile("" ::: "memory");                                                 \
	}
LINK(inner, take)
LINK(middle, inner)
LINK(outer, middle)

/*
 * The functions of a map source that contains the recorded mappings. Single mappings cannot be
 * queried, as before Linux 6.11.
 */
static int find(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		struct mapping *m)
{
	(void)s, (void)keep, (void)addr, (void)names, (void)m;
	assert_int_equal(tid, NOBODY);
	return -ENOTTY;
}

static struct map_table *list(struct map_source *s, pid_t tid)
{
	(void)s;
	assert_int_equal(tid, NOBODY);
	return map_table_parse(record.maps, record.maps_len);
}

static bool reads_execute(struct map_source *s, pid_t tid)
{
	(void)s, (void)tid;
	return false;
}

/* descriptor of the file to open instead of the test program, or -1 */
static int instead = -1;

static const struct map_source_ops map_ops = {
	.find = find,
	.list = list,
	.reads_execute = reads_execute,
};

/* Opens mapped files by their recorded names. */
static int open_mapped(struct file_source *s, pid_t tid, const struct mapping *m)
{
	(void)s;
	assert_int_equal(tid, NOBODY);
	if (instead >= 0 && strstr(m->name, "test_walk"))
		return fcntl(instead, F_DUPFD_CLOEXEC, 0);
	return open(m->name, O_RDONLY | O_CLOEXEC);
}

/* descriptor of the perf map of NOBODY, or -1 */
static int perf_map = -1;

static int open_path(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	(void)s, (void)pid, (void)owned;
	if (perf_map >= 0 && strstr(path, "/perf-"))
		return fcntl(perf_map, F_DUPFD_CLOEXEC, 0);
	errno = ENOENT;
	return -1;
}

static pid_t inner_pid(struct file_source *s, pid_t pid)
{
	(void)s;
	return pid;
}

static const struct file_source_ops file_ops = {
	.open_mapped = open_mapped,
	.open_path = open_path,
	.inner_pid = inner_pid,
};

struct walked {
	struct map_source maps;
	struct file_source files;
	struct mmap_cache *cache;
	struct mm_task *mm;
	struct unwinder *unwinder;
	struct chunks chunks;
	struct stack *stack;
};

static void begin(struct walked *w, enum unwinder_kind kind)
{
	struct unwind_config config = {.frame_limit = 256, .unwinder = kind};
	struct mmap_cache_config cache = {.follow = true};

	*w = (struct walked){.maps.ops = &map_ops, .files.ops = &file_ops};
	w->cache = mmap_cache_create(&cache, &w->maps);
	w->mm = mmap_cache_attach(w->cache, NOBODY, NOBODY, true);
	w->unwinder = unwinder_create(&config, w->cache, &w->files);
	chunks_init(&w->chunks);
}

/*
 * Walks the recorded stack from the given pc, as if only the first `known` bytes of the stack had
 * been recorded.
 */
static void walk_from(struct walked *w, enum unwinder_kind kind, uint64_t known, uint64_t pc)
{
	struct unwind_stop stop = {.tid = NOBODY, .tgid = NOBODY, .exact = true};

	begin(w, kind);
	chunks_add(&w->chunks, record.sp, record.stack, known);
	stop.mm = w->mm;
	stop.memory = &w->chunks.memory;
	stop.mode = arch_native->modes;
	memcpy(stop.regs, record.regs, sizeof(stop.regs));
	stop.regs[stop.mode->pc] = pc;
	w->stack = unwind_capture(w->unwinder, &stop);
}

static void walk(struct walked *w, enum unwinder_kind kind, uint64_t known)
{
	walk_from(w, kind, known, record.regs[arch_native->modes[0].pc]);
}

static void done(struct walked *w)
{
	stack_release(w->stack);
	mmap_cache_release(w->mm);
	unwinder_destroy(w->unwinder);
	mmap_cache_destroy(w->cache);
	chunks_deinit(&w->chunks);
}

static void check_whole(enum unwinder_kind kind, enum frame_by by)
{
	static const char *const names[] = {"take", "inner", "middle", "outer", "take_record"};
	const struct frame *f;
	struct walked w;
	size_t n;

	walk(&w, kind, record.size);
	assert_int_equal(stack_status(w.stack, NULL), STACK_COMPLETE);
	f = stack_frames(w.unwinder, w.stack, &n);
	assert_true(n > ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_non_null(f[i].symbol);
		assert_string_equal(f[i].symbol, names[i]);
		assert_int_equal(f[i].by, i ? by : FRAME_INNERMOST);
	}
	assert_string_equal(f[n - 1].symbol, "_start");
	done(&w);
}

static void test_rules(void **state)
{
	(void)state;
	check_whole(UNWINDER_AUTO, FRAME_BY_RULES);
	check_whole(UNWINDER_RULES, FRAME_BY_RULES);
}

static void test_rows(void **state)
{
	(void)state;
	check_whole(UNWINDER_ROWS, FRAME_BY_ROWS);
}

static void test_libunwind(void **state)
{
	(void)state;
	if (!unwind_has(UNWIND_LIBUNWIND))
		skip();
	check_whole(UNWINDER_LIBUNWIND, FRAME_BY_LIBUNWIND);
}

/* If only part of the stack was recorded, the walk ends there with a reason. */
static void test_cut_short(void **state)
{
	struct walked w;

	(void)state;
	for (uint64_t known = 16; known < record.size; known = known * 3 / 2) {
		walk(&w, UNWINDER_AUTO, known);
		assert_true(stack_status(w.stack, NULL) != STACK_COMPLETE ||
			    known + 256 > record.size);
		done(&w);
	}
	walk(&w, UNWINDER_AUTO, 16);
	assert_int_equal(stack_status(w.stack, NULL), STACK_NOT_COPIED);
	done(&w);
}

/* For any contents of the files, the worst result is a stack that ends early. */
static void test_hostile(void **state)
{
	static const enum unwinder_kind kinds[] = {UNWINDER_AUTO, UNWINDER_LIBUNWIND};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const struct elf_section *s;
	struct elf_file *f;
	struct stat st;
	uint8_t *image;

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	image = malloc(st.st_size);
	assert_int_equal(pread(fd, image, st.st_size, 0), st.st_size);
	f = elf_file_open_fd(fd);
	s = elf_file_section(f, ".eh_frame");
	assert_non_null(s);
	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		uint8_t *bad = malloc(s->size);
		int every = 4 << round % 6;

		memcpy(bad, image + s->offset, s->size);
		for (uint64_t i = rand() % every; i < s->size; i += 1 + rand() % every)
			bad[i] = rand();
		instead = memfd_create("bad", MFD_CLOEXEC);
		assert_int_equal(pwrite(instead, image, st.st_size, 0), st.st_size);
		assert_int_equal(pwrite(instead, bad, s->size, s->offset), s->size);
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
			struct walked w;

			walk(&w, kinds[k], record.size);
			assert_non_null(w.stack);
			done(&w);
		}
		close(instead);
		free(bad);
	}
	instead = -1;
	elf_file_close(f);
	free(image);
}

/* An unwinder without a map cache, as for recorded frames, prints its counters. */
static void test_counters(void **state)
{
	const struct unwind_config config = {.frame_limit = 256, .debug = true};
	struct file_source files = {.ops = &file_ops};

	(void)state;
	unwinder_destroy(unwinder_create(&config, NULL, &files));
}

/* The names in a stack do not depend on data that is dropped when the process ends. */
static void test_forgotten(void **state)
{
	struct arena arena = {0};
	const struct frame *f;
	struct walked w;
	size_t n;

	(void)state;
	perf_map = memfd_create("perf_map", MFD_CLOEXEC);
	dprintf(perf_map, "%lx 100 generated\n", (unsigned long)(uintptr_t)generated);
	walk_from(&w, UNWINDER_AUTO, record.size, (uintptr_t)generated + 16);
	f = stack_frames(w.unwinder, w.stack, &n);
	assert_string_equal(f->symbol, "generated");
	unwind_forget(w.unwinder, NOBODY);
	memset(arena_alloc(&arena, 64), 'x', 64); /* overwrite memory that was freed */
	assert_string_equal(f->symbol, "generated");
	arena_reset(&arena);
	done(&w);
	close(perf_map);
	perf_map = -1;
}

static NOINLINE void take_record(void)
{
	outer();
	__asm__ volatile("" ::: "memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),	  cmocka_unit_test(test_rows),
		cmocka_unit_test(test_libunwind), cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_hostile),	  cmocka_unit_test(test_counters),
		cmocka_unit_test(test_forgotten),
	};
	int failed;

	generated = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	take_record();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(record.stack);
	return failed;
}
