/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parts of the BPF engine: ring buffers, the order of their records, and the BPF program that makes
 * the memory reads of a plan. That program reads memory of this process, and must find the same
 * data as capture/plan.c.
 */
#include "config.h"

#include <limits.h>
#include <linux/bpf.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if WITH_BPF
#include "capture/bpf/loaded.h"
#endif
#include "capture/bpf/code_cache.h"
#include "capture/bpf/order.h"
#include "capture/bpf/reads.h"
#include "capture/bpf/map_values.h"
#include "capture/facts.h"
#include "capture/memory.h"
#include "capture/plan.h"
#include "capture/proc/late_reader.h"
#include "capture/proc/tasks.h"
#include "linux/arch/arch.h"
#include "util/mem.h"

/* ---- ring buffers and the order of their records ---- */

#define PAGE	  4096
#define RING_SIZE 8192

struct fake_ring {
	unsigned long *pages;
	struct ring ring;
};

static void fake_ring_init(struct fake_ring *f, size_t store)
{
	int fd = memfd_create("ring", 0);
	char *at =
		mmap(NULL, 2 * PAGE + 2 * RING_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(fd >= 0 && at != MAP_FAILED);
	assert_int_equal(ftruncate(fd, 2 * PAGE + RING_SIZE), 0);
	assert_true(mmap(at, 2 * PAGE + RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			 fd, 0) == at);
	assert_true(mmap(at + 2 * PAGE + RING_SIZE, RING_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 2 * PAGE) == at + 2 * PAGE + RING_SIZE);
	close(fd);
	f->pages = (unsigned long *)at;
	ring_over_memory(&f->ring, at, PAGE, RING_SIZE, store);
}

static void fake_ring_deinit(struct fake_ring *f)
{
	munmap(f->pages, 2 * PAGE + 2 * RING_SIZE);
}

/* Writes a record as the kernel does. Returns false if the ring is full. */
static bool fake_write(struct fake_ring *f, uint64_t time, uint32_t tid, size_t n, uint32_t bits)
{
	unsigned long *produced = (unsigned long *)((char *)f->pages + PAGE);
	char *data = (char *)f->pages + 2 * PAGE;
	struct record r = {.time = time, .tid = tid};
	char *at = data + (*produced & (RING_SIZE - 1));
	uint32_t head[2] = {n | bits, 0};

	if (*produced + align_up(8 + n, 8) - *f->pages > RING_SIZE)
		return false;
	memcpy(at, head, sizeof(head));
	memcpy(at + 8, &r, size_min(n, sizeof(r)));
	*produced += align_up(8 + n, 8);
	return true;
}

static void test_ring(void **state attr_unused)
{
	struct fake_ring f;
	unsigned long start, bytes;
	unsigned seen = 0, written = 0;
	size_t n;

	fake_ring_init(&f, 0);
	assert_false(ring_next(&f.ring, &start, &bytes, &n));
	/* The ring is filled and emptied many times, with discarded records in between. */
	for (int round = 0; round < 500; round++) {
		while (fake_write(&f, written, written, 24 + written % 333,
				  written % 7 == 3 ? BPF_RINGBUF_DISCARD_BIT : 0))
			written++;
		while (ring_next(&f.ring, &start, &bytes, &n)) {
			const struct record *r = ring_at(&f.ring, bytes);

			if (seen % 7 == 3)
				seen++;
			assert_int_equal(r->tid, seen);
			assert_int_equal(n, 24 + seen % 333);
			seen++;
			ring_release(&f.ring, f.ring.next);
		}
	}
	assert_true(written - seen <= 1);
	assert_true(written > 10000);
	/* The reader stops at a record that the kernel is still writing. */
	fake_write(&f, 1, 1, 24, BPF_RINGBUF_BUSY_BIT);
	fake_write(&f, 2, 2, 24, 0);
	assert_false(ring_next(&f.ring, &start, &bytes, &n));
	fake_ring_deinit(&f);
}

static void test_order(void **state attr_unused)
{
	struct fake_ring f[3];
	struct ring rings[3];
	const struct record *r;
	uint64_t last = 0, time = 0;
	unsigned ring, count = 0, written = 0, seed = 1;
	struct order *o;
	size_t n;

	for (int i = 0; i < 3; i++) {
		fake_ring_init(&f[i], 4 * RING_SIZE);
		rings[i] = f[i].ring;
	}
	o = order_create(rings, 3);
	assert_null(order_next(o, &n, &ring));
	for (int round = 0; round < 300; round++) {
		uint64_t now;

		for (int i = 0; i < 100; i++) {
			/* Adjacent records in a ring may be swapped. */
			seed = seed * 1103515245 + 12345;
			time += 10;
			written += fake_write(&f[seed >> 16 & 1], time + (seed >> 20 & 15), 0,
					      sizeof(*r) + (seed >> 24), 0);
		}
		now = time - 200;
		order_refill(o, now, 0);
		while ((r = order_next(o, &n, &ring))) {
			assert_true(r->time >= last && r->time < now);
			assert_true(ring < 2 && n >= sizeof(*r));
			last = r->time;
			count++;
		}
	}
	order_refill(o, UINT64_MAX, 0);
	while (order_next(o, &n, &ring))
		count++;
	assert_int_equal(count, written);
	assert_true(count > 3000);
	order_refill(o, UINT64_MAX, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ring_used(&rings[i]), 0);
		assert_non_null(rings[i].store);
	}
	order_trim(o);
	order_destroy(o);
	for (int i = 0; i < 3; i++) {
		assert_null(rings[i].store);
		fake_ring_deinit(&f[i]);
	}
}

/*
 * Writes one record that contains both the entry and the return of a syscall, each with its time.
 */
static void fake_call(struct fake_ring *f, uint64_t entered, uint64_t left)
{
	char *data = (char *)f->pages + 2 * PAGE;
	unsigned long at = ((unsigned long *)((char *)f->pages + PAGE))[0];
	const size_t n = sizeof(struct enter_record) + sizeof(struct leave_record);
	struct enter_record *e = (struct enter_record *)(data + ((at + 8) & (RING_SIZE - 1)));

	assert_true(fake_write(f, entered, 1, n, 0));
	memset(e, 0, n);
	e->head = (struct record){.time = entered, .tid = 1, .kind = RECORD_ENTER};
	e->leave = sizeof(*e);
	*(struct leave_record *)(e + 1) = (struct leave_record){
		.head = {.time = left, .tid = 1, .kind = RECORD_LEAVE}, .ret = (int64_t)left};
}

static bool is_leave(const struct record *r, const void *ctx attr_unused)
{
	return r->kind == RECORD_LEAVE;
}

/* Events that occur between a syscall's entry and its return are reported between them. */
static void test_order_calls(void **state attr_unused)
{
	static const uint64_t times[] = {10, 12, 15, 20, 30, 35};
	const struct leave_record *leave = NULL;
	const struct record *r;
	struct fake_ring f[2];
	struct ring rings[2];
	struct order *o;
	unsigned ring;
	size_t n;

	for (int i = 0; i < 2; i++) {
		fake_ring_init(&f[i], 0);
		rings[i] = f[i].ring;
	}
	o = order_create(rings, 2);
	fake_call(&f[0], 10, 20);
	fake_call(&f[0], 30, 40);
	fake_write(&f[1], 12, 2, sizeof(*r), 0);
	fake_write(&f[1], 15, 2, sizeof(*r), 0);
	fake_write(&f[1], 35, 2, sizeof(*r), 0);
	/*
	 * Other records may still precede the return of the second syscall, so this return is not
	 * reported yet.
	 */
	assert_true(order_refill(o, 36, 0));
	for (unsigned i = 0; i < ARRAY_SIZE(times); i++) {
		r = order_next(o, &n, &ring);
		assert_non_null(r);
		assert_int_equal(r->time, times[i]);
	}
	assert_null(order_next(o, &n, &ring));
	r = order_find(o, is_leave, NULL, &n);
	assert_true(r && r->time == 40 && n == sizeof(*leave));
	assert_false(order_refill(o, 40, 0));
	assert_true(order_refill(o, 41, 0));
	leave = (const struct leave_record *)order_next(o, &n, &ring);
	assert_true(leave && leave->ret == 40 && n == sizeof(*leave));
	assert_false(order_refill(o, 50, 0));
	/* order_find() also finds records that have not been read from the rings yet. */
	fake_call(&f[1], 60, 70);
	r = order_find(o, is_leave, NULL, &n);
	assert_true(r && r->time == 70);
	order_destroy(o);
	for (int i = 0; i < 2; i++)
		fake_ring_deinit(&f[i]);
}

/* ---- BPF program that reads memory ---- */

static ssize_t own_read(struct memory *m attr_unused, uint64_t addr, void *buf, size_t n)
{
	struct iovec local = {buf, n}, remote = {(void *)(uintptr_t)addr, n};
	ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);

	return got < 0 ? -errno : got;
}
static const struct memory_ops own_ops = {.read_some = own_read};
static struct memory own_memory = {&own_ops};

/*
 * If true, load the program variant for kernels that require aligned accesses. Any kernel can check
 * the alignment.
 */
static bool aligned;

#if WITH_BPF
static int map_of(const struct loaded *l, const char *name)
{
	return l->bpf.bpf_map__fd(loaded_map(l, name));
}

/* Pins the test to its current CPU and returns the CPU's index. */
static unsigned stay(void)
{
	const int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
	return (unsigned)cpu;
}

/* Loads, for one CPU, only the BPF program that makes the reads of a plan with n operations. */
static bool load_machine(struct loaded *l, unsigned n, unsigned cpu)
{
	const struct setup setup = {.cpus = cpu + 1, .aligned = aligned};
	struct bpf_program *p = NULL;
	int err;

	assert_true(loaded_init(l));
	assert_true(loaded_open(l, &setup, false));
	while ((p = l->bpf.bpf_object__next_program(l->object, p)))
		l->bpf.bpf_program__set_autoload(p, p == l->bpf.bpf_object__find_program_by_name(
								 l->object, "make_reads_once"));
	l->bpf.bpf_map__set_max_entries(loaded_map(l, "ops"), n + 1);
	l->bpf.bpf_map__set_max_entries(loaded_map(l, "scratches"), cpu + 1);
	/*
	 * The program does not use these maps. Their types are not set, so libbpf must not create
	 * them.
	 */
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "rings"), false);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "events"), false);
	err = l->bpf.bpf_object__load(l->object);
	if (err == -EPERM || (err && proc_interprets_bpf()))
		return false;
	assert_int_equal(err, 0);
	return true;
}

/* Makes the reads of a plan in the kernel. Returns NULL if that is not permitted. */
static struct scratch *run_machine(const struct plan *p, const struct plan_limits *limits,
				   const uint64_t *args, int64_t result)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	struct scratch *s = mem_zalloc(sizeof(*s));
	struct read_op ops[READS_OF_ONE];
	struct loaded l = {0};
	const uint32_t cpu = stay();
	bool whole;

	s->ops = reads_of_plan(p, limits, ops, &whole);
	assert_true(whole);
	if (!load_machine(&l, s->ops, cpu)) {
		loaded_deinit(&l);
		free(s);
		return NULL;
	}
	memcpy(s->args, args, sizeof(uint64_t) * SYSCALL_ARGS_MAX);
	s->result = result;
	for (uint32_t i = 0; i < s->ops; i++) {
		const uint32_t key = i + 1;

		assert_int_equal(
			l.bpf.bpf_map_update_elem(map_of(&l, "ops"), &key, &ops[i], BPF_ANY), 0);
	}
	assert_int_equal(l.bpf.bpf_map_update_elem(map_of(&l, "scratches"), &cpu, s, BPF_ANY), 0);
	assert_int_equal(l.bpf.bpf_prog_test_run_opts(
				 l.bpf.bpf_program__fd(l.bpf.bpf_object__find_program_by_name(
					 l.object, "make_reads_once")),
				 &opts),
			 0);
	assert_int_equal(l.bpf.bpf_map_lookup_elem(map_of(&l, "scratches"), &cpu, s), 0);
	loaded_deinit(&l);
	return s;
}
#else
static struct scratch *run_machine(const struct plan *p attr_unused,
				   const struct plan_limits *limits attr_unused,
				   const uint64_t *args attr_unused, int64_t result attr_unused)
{
	return NULL;
}
#endif

static const struct plan_limits limits = {.bytes = {[PLAN_WHOLE] = 16384,
						    [PLAN_PATH] = 4096,
						    [PLAN_TEXT] = 33,
						    [PLAN_DATA] = 33,
						    [PLAN_ELEMENTS] = 16384},
					  .elements = 33,
					  .depth = PLAN_DEPTH_MAX};

/*
 * Returns true if a chunk of the record contains the bytes that were read. Strings are compared up
 * to their NUL.
 */
static bool has_read(const struct scratch *s, const struct plan_read *read)
{
	for (size_t at = 0; at + sizeof(struct chunk_head) <= s->used;) {
		const struct chunk_head *h = (const struct chunk_head *)(s->record + at);
		size_t size = h->size > 0 ? h->size : 0;

		if (h->addr == read->addr && size >= read->got &&
		    !memcmp(h + 1, read->bytes, read->got))
			return true;
		at += sizeof(*h) + align_up(size, 8);
	}
	return false;
}

static unsigned compare_one(const struct plan *p, const uint64_t *args, int64_t result)
{
	struct scratch *s = run_machine(p, &limits, args, result);
	struct plan_read reads[256];
	struct arena arena = {0};
	unsigned n, made;

	if (!s)
		skip();
	n = plan_run(p,
		     &(struct plan_call){.memory = &own_memory,
					 .args = args,
					 .has_result = result >= 0,
					 .result = result},
		     &limits, &arena, reads, ARRAY_SIZE(reads));
	for (unsigned i = 0; i < n; i++)
		if (!has_read(s, &reads[i])) {
			print_message("read %u of %u: %zu bytes at %#lx\n", i, n, reads[i].got,
				      (unsigned long)reads[i].addr);
			fail();
		}
	made = s->made_count;
	assert_int_equal(s->left, 0);
	free(s);
	arena_reset(&arena);
	return made;
}

/*
 * Checks that the BPF program collects at least the data that capture/plan.c reads. Returns the
 * number of reads that it made.
 */
static unsigned compare(const struct plan *p, const uint64_t *args, int64_t result)
{
	const unsigned made = compare_one(p, args, result);

	/* Run the plan again, with alignment checks. */
	aligned = true;
	assert_int_equal(compare_one(p, args, result), made);
	aligned = arch_native->aligned_programs;
	return made;
}

static struct plan_op at_argument(enum plan_kind kind, unsigned arg, enum plan_limit limit)
{
	return (struct plan_op){.kind = kind,
				.place = PLAN_ARGUMENT,
				.arg = arg,
				.limit = limit,
				.parent = -1,
				.pointer = 8,
				.unit = 1};
}

static struct plan_number argument(unsigned n)
{
	return (struct plan_number){.source = PLAN_ARG, .n = n};
}

/* Maps two readable pages followed by an unreadable page. */
static char *edge(void)
{
	char *at = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(at != MAP_FAILED);
	memset(at, 'x', 2 * PAGE);
	mprotect(at + 2 * PAGE, PAGE, PROT_NONE);
	return at;
}

static void test_machine_flat(void **state attr_unused)
{
	static const char path[] = "/etc/hosts";
	static char text[100] = "a text that is longer than thirty-three characters";
	char *at = edge();
	struct plan p = {.whole = true};
	struct plan_op data = at_argument(PLAN_BYTES, 1, PLAN_DATA);
	struct plan_op whole = at_argument(PLAN_BYTES, 3, PLAN_WHOLE);
	uint64_t args[6] = {
		(uintptr_t)path, (uintptr_t)text, 20, (uintptr_t)at + PAGE - 100, 6 * PAGE, 0};
	struct scratch *s;

	data.count = argument(2);
	whole.count = argument(4);
	plan_add(&p, at_argument(PLAN_STRING, 0, PLAN_PATH));
	plan_add(&p, at_argument(PLAN_STRING, 1, PLAN_TEXT));
	plan_add(&p, data);
	plan_add(&p, whole);
	plan_add(&p, at_argument(PLAN_STRING, 5, PLAN_PATH));
	assert_int_equal(compare(&p, args, -1), 4);
	/*
	 * If a byte range crosses the end of readable memory, the bytes before the end are
	 * collected.
	 */
	s = run_machine(&p, &limits, args, -1);
	assert_non_null(s);
	assert_int_equal(s->failed, 1);
	assert_int_equal(s->made[3].got, PAGE + 100);
	free(s);
	/*
	 * Strings that cross the end of readable memory are not collected, nor are byte ranges of
	 * length 0.
	 */
	args[0] = (uintptr_t)at + 2 * PAGE - 5;
	args[1] = 8;
	args[2] = 0;
	args[4] = 0;
	s = run_machine(&p, &limits, args, -1);
	assert_non_null(s);
	assert_int_equal(s->failed, 1);
	assert_int_equal(s->made_count, 2);
	assert_int_equal(s->made[0].got, 0);
	assert_int_equal(((struct chunk_head *)s->record)->size, -EFAULT);
	free(s);
	munmap(at, 3 * PAGE);
}

/* An array of strings, as in execve(). */
static void test_machine_list(void **state attr_unused)
{
	char *list[70], text[70][16];
	struct plan p = {.whole = true};
	struct plan_op strings = {.kind = PLAN_STRING,
				  .place = PLAN_POINTER,
				  .limit = PLAN_TEXT,
				  .parent = 0,
				  .pointer = 8};
	const uint64_t args[6] = {0, (uintptr_t)list};

	for (int i = 0; i < 69; i++) {
		snprintf(text[i], sizeof(text[i]), "s%d", i);
		list[i] = text[i];
	}
	list[69] = NULL;
	plan_add(&p, at_argument(PLAN_POINTERS, 1, PLAN_WHOLE));
	plan_add(&p, strings);
	assert_int_equal(compare(&p, args, -1), 70);
	list[3] = NULL;
	assert_int_equal(compare(&p, args, -1), 4);
}

/*
 * A struct msghdr has a pointer to a vector of buffers. Another member is the length of the vector.
 */
static void test_machine_vector(void **state attr_unused)
{
	struct iovec vector[5];
	char bytes[5][24];
	struct {
		uint64_t name;
		uint32_t namelen, pad;
		uint64_t iov, iovlen, control, controllen;
	} header = {.name = (uintptr_t) "address",
		    .namelen = 8,
		    .iov = (uintptr_t)vector,
		    .iovlen = 5,
		    .control = (uintptr_t)bytes,
		    .controllen = 3};
	struct plan p = {.whole = true};
	struct plan_op op = at_argument(PLAN_BYTES, 0, PLAN_WHOLE);
	const uint64_t args[6] = {(uintptr_t)&header};

	for (int i = 0; i < 5; i++) {
		snprintf(bytes[i], sizeof(bytes[i]), "bytes %d", i);
		vector[i] = (struct iovec){bytes[i], 3 * i};
	}
	op.unit = sizeof(header);
	op.count = (struct plan_number){.n = 1};
	plan_add(&p, op);
	op.unit = 1;
	op.place = PLAN_POINTER;
	op.parent = 0;
	op.count = (struct plan_number){.source = PLAN_FIELD, .op = 0, .offset = 8, .width = 4};
	plan_add(&p, op);
	op.offset = 16;
	op.unit = sizeof(*vector);
	op.count = (struct plan_number){.source = PLAN_FIELD, .op = 0, .offset = 24};
	plan_add(&p, op);
	/* The buffers: each vector element contains a buffer's address and length. */
	op.parent = 2;
	op.offset = 0;
	op.unit = 1;
	op.limit = PLAN_DATA;
	op.count = (struct plan_number){.source = PLAN_FIELD, .op = 2, .offset = 8};
	plan_add(&p, op);
	assert_int_equal(compare(&p, args, -1), 1 + 1 + 1 + 4);
	/* The same plan with a condition that is false. */
	p.ops[3].condition = (struct plan_number){.source = PLAN_FIELD, .op = 0, .offset = 40};
	p.ops[3].mask = 0xff;
	p.ops[3].value = 4;
	assert_int_equal(compare(&p, args, -1), 3);
	p.ops[3].value = 3;
	assert_int_equal(compare(&p, args, -1), 7);
}

static void test_machine_result(void **state attr_unused)
{
	static char bytes[64] = "what was read";
	struct plan p = {.whole = true};
	struct plan_op op = at_argument(PLAN_BYTES, 1, PLAN_DATA);
	const uint64_t args[6] = {0, (uintptr_t)bytes, 64, 20 << 16, UINT32_MAX};

	op.count = (struct plan_number){.source = PLAN_RESULT};
	plan_add(&p, op);
	op.count = (struct plan_number){.source = PLAN_IOC_SIZE, .n = 3};
	plan_add(&p, op);
	op.count = (struct plan_number){.source = PLAN_ARG_INT, .n = 4};
	plan_add(&p, op);
	assert_int_equal(compare(&p, args, 13), 2);
	assert_int_equal(compare(&p, args, -1), 1);
}

/* ---- mappings ---- */

/* A process's code is read once and stays available after the process has exited. */
static void test_code_cache(void **state attr_unused)
{
	static const char code[] = "code that is in no file";
	const uint64_t addr = (uint64_t)(uintptr_t)code;
	struct late_reader late;
	struct code_cache c;
	char got[sizeof(code)];
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	late_reader_init(&late, NULL);
	code_cache_init(&c, &late);
	assert_int_equal(code_cache_read(&c, pid, pid, addr, got, sizeof(got)), sizeof(got));
	assert_string_equal(got, code);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	memset(got, 0, sizeof(got));
	nanosleep(&(struct timespec){.tv_nsec = CODE_CACHE_NS}, NULL);
	/*
	 * No thread has the id INT_MAX, so the cached code must be found by the id of the process.
	 */
	assert_int_equal(code_cache_read(&c, INT_MAX, pid, addr, got, sizeof(got)), sizeof(got));
	assert_string_equal(got, code);
	assert_int_equal(code_cache_read(&c, pid, pid, 1 << 20, got, 1), -ESRCH);
	assert_int_equal(late_reader_read(&late, pid, addr, got, 0), 0);
	assert_int_equal(late_reader_write(&late, pid, addr, got, 0), 0);
	code_cache_deinit(&c);
	late_reader_deinit(&late);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_cache),     cmocka_unit_test(test_ring),
		cmocka_unit_test(test_order),	       cmocka_unit_test(test_order_calls),
		cmocka_unit_test(test_machine_flat),   cmocka_unit_test(test_machine_list),
		cmocka_unit_test(test_machine_vector), cmocka_unit_test(test_machine_result),
	};

	aligned = arch_native->aligned_programs;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
