/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of the engine that collects in the kernel: type information, instructions, rings, the
 * order of their records, and the machine that makes the reads of a plan. The machine is run in the
 * kernel over memory of ours, and must find what capture/plan.c finds.
 */
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/code.h"
#include "capture/bpf/machine.h"
#include "capture/bpf/mmaps.h"
#include "capture/bpf/order.h"
#include "capture/bpf/privilege.h"
#include "capture/bpf/programs.h"
#include "capture/bpf/reads.h"
#include "capture/bpf/records.h"
#include "capture/bpf/sys.h"
#include "capture/bpf/types.h"
#include "capture/facts.h"
#include "capture/proc/tasks.h"
#include "capture/plan.h"
#include "linux/arch/arch.h"
#include "util/mem.h"

/* -- type information -------------------------------------------------------- */

#define INFO(kind, n) ((uint32_t)(kind) << 24 | (n))

/*
 * int; struct inner { int a, b; }; typedef struct inner alias;
 * struct outer { int first; struct { int hidden; }; alias in; int bits : 3; };
 * typedef int (*call)(int, int);
 */
static const char names[] = "\0int\0inner\0a\0b\0alias\0outer\0first\0hidden\0in\0bits\0call";
enum {
	N_INT = 1,
	N_INNER = 5,
	N_A = 11,
	N_B = 13,
	N_ALIAS = 15,
	N_OUTER = 21,
	N_FIRST = 27,
	N_HIDDEN = 33,
	N_IN = 40,
	N_BITS = 43,
	N_CALL = 48
};
static const uint32_t types[] = {
	/* 1 */ N_INT,
	INFO(BTF_KIND_INT, 0),
	4,
	32,
	/* 2 */ N_INNER,
	INFO(BTF_KIND_STRUCT, 2),
	8,
	N_A,
	1,
	0,
	N_B,
	1,
	32,
	/* 3 */ N_ALIAS,
	INFO(BTF_KIND_TYPEDEF, 0),
	2,
	/* 4 */ 0,
	INFO(BTF_KIND_STRUCT, 1),
	4,
	N_HIDDEN,
	1,
	0,
	/* 5 */ N_OUTER,
	INFO(BTF_KIND_STRUCT, 4) | 1u << 31,
	24,
	N_FIRST,
	1,
	0,
	0,
	4,
	32,
	N_IN,
	3,
	64,
	N_BITS,
	1,
	3u << 24 | 128,
	/* 6 */ 0,
	INFO(BTF_KIND_FUNC_PROTO, 2),
	1,
	0,
	1,
	0,
	1,
	/* 7 */ 0,
	INFO(BTF_KIND_PTR, 0),
	6,
	/* 8 */ N_CALL,
	INFO(BTF_KIND_TYPEDEF, 0),
	7};

struct made_btf {
	struct btf_header head;
	uint32_t types[ARRAY_SIZE(types)];
	char names[sizeof(names)];
};

static struct made_btf make_btf(void)
{
	struct made_btf b = {.head = {.magic = BTF_MAGIC,
				      .version = BTF_VERSION,
				      .hdr_len = sizeof(b.head),
				      .type_len = sizeof(types),
				      .str_off = sizeof(types),
				      .str_len = sizeof(names)}};

	memcpy(b.types, types, sizeof(types));
	memcpy(b.names, names, sizeof(names));
	return b;
}

static void test_btf(void **state attr_unused)
{
	struct made_btf made = make_btf();
	struct btf *b = btf_parse(&made, sizeof(made));

	assert_non_null(b);
	assert_int_equal(btf_find(b, BTF_KIND_INT, "int"), 1);
	assert_int_equal(btf_find(b, BTF_KIND_TYPEDEF, "alias"), 3);
	assert_int_equal(btf_find(b, BTF_KIND_STRUCT, "alias"), -ENOENT);
	assert_int_equal(btf_find(b, BTF_KIND_STRUCT, "ner"), -ENOENT);
	assert_int_equal(btf_size(b, "outer"), 24);
	assert_int_equal(btf_size(b, "nothing"), -ENOENT);
	assert_int_equal(btf_member(b, "outer", "first"), 0);
	assert_int_equal(btf_member(b, "outer", "hidden"), 4);
	assert_int_equal(btf_member(b, "outer", "in"), 8);
	assert_int_equal(btf_member(b, "outer", "in.b"), 12);
	assert_int_equal(btf_member(b, "outer", "in.c"), -ENOENT);
	assert_int_equal(btf_member(b, "outer", "first.a"), -ENOENT);
	assert_int_equal(btf_member(b, "outer", "bits"), -EINVAL);
	assert_int_equal(btf_params(b, "call"), 2);
	assert_int_equal(btf_params(b, "alias"), -ENOENT);
	btf_free(b);
}

/* The head says how long it is, which need not be what the headers say that we are built with. */
static void test_btf_head(void **state attr_unused)
{
	static const uint32_t lengths[] = {24, 32, 40};
	const struct made_btf made = make_btf();

	for (unsigned i = 0; i < ARRAY_SIZE(lengths); i++) {
		const uint32_t n = lengths[i];
		uint8_t bytes[40 + sizeof(types) + sizeof(names)] = {0};
		struct btf *b;

		memcpy(bytes, &made, 24);
		memcpy(bytes + offsetof(struct btf_header, hdr_len), &n, sizeof(n));
		memcpy(bytes + n, types, sizeof(types));
		memcpy(bytes + n + sizeof(types), names, sizeof(names));
		b = btf_parse(bytes, n + sizeof(types) + sizeof(names));
		assert_non_null(b);
		assert_int_equal(btf_size(b, "outer"), 24);
		btf_free(b);
	}
}

/* Cut off anywhere, or with any byte changed, type information is refused or gives some answer. */
static void test_btf_damaged(void **state attr_unused)
{
	struct made_btf made = make_btf();
	uint8_t *bytes = (uint8_t *)&made;

	for (size_t n = 0; n < offsetof(struct made_btf, names) + sizeof(names); n++)
		assert_null(btf_parse(&made, n));
	for (size_t i = 0; i < sizeof(made); i++) {
		for (int bit = 0; bit < 8; bit++) {
			struct btf *b;

			bytes[i] ^= 1 << bit;
			b = btf_parse(&made, sizeof(made));
			if (b) {
				btf_member(b, "outer", "in.b");
				btf_params(b, "call");
			}
			btf_free(b);
			bytes[i] ^= 1 << bit;
		}
	}
}

static void test_btf_of_kernel(void **state attr_unused)
{
	struct kernel_offsets offsets;
	const char *missing;
	struct btf *b = btf_open(KERNEL_BTF);

	/* The engine is refused on a machine of which that is not known. */
	if (!b || !arch_native->regs_of_kernel) {
		btf_free(b);
		skip();
	}
	assert_int_equal(kernel_offsets_find(b, &offsets, false, &missing), 0);
	assert_true(offsets.tgid == offsets.pid + 4);
	for (enum program p = 0; p < PROGRAMS; p++)
		assert_true(btf_find(b, BTF_KIND_TYPEDEF, program_tracepoint(p)) > 0);
	/* The first parameter is a pointer that belongs to the tracepoint. */
	assert_int_equal(btf_params(b, "btf_trace_sys_enter"), 3);
	btf_free(b);
}

/* -- instructions ------------------------------------------------------------ */

static void test_code(void **state attr_unused)
{
	struct code c = {0};
	unsigned back = code_here(&c), forth = code_label(&c);

	code_mov_n(&c, R0, 7);
	code_if_n(&c, BPF_JEQ, R0, 7, forth);
	code_jump(&c, back);
	code_function(&c, R2, forth);
	code_place(&c, forth);
	code_exit(&c);
	assert_int_equal(code_link(&c), 0);
	assert_int_equal(c.insns.n, 6);
	assert_int_equal(c.insns.v[1].off, 3);
	assert_int_equal(c.insns.v[2].off, -3);
	assert_int_equal(c.insns.v[3].imm, 1);
	assert_int_equal(c.insns.v[0].code, BPF_ALU64 | BPF_MOV | BPF_K);
	code_jump(&c, code_label(&c));
	assert_int_equal(code_link(&c), -ENOENT);
	code_deinit(&c);
}

static void test_code_too_far(void **state attr_unused)
{
	struct code c = {0};
	unsigned end = code_label(&c);

	code_jump(&c, end);
	for (int i = 0; i < 40000; i++)
		code_exit(&c);
	code_place(&c, end);
	assert_int_equal(code_link(&c), -E2BIG);
	code_deinit(&c);
}

/* -- rings and their order --------------------------------------------------- */

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
	ring_over(&f->ring, at, PAGE, RING_SIZE, store);
}

static void fake_ring_deinit(struct fake_ring *f)
{
	munmap(f->pages, 2 * PAGE + 2 * RING_SIZE);
}

/* Writes a record as the kernel does. Returns false if there is no room. */
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
	/* The reader stops at a record that is not finished. */
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
			/* Within a ring, neighbours may be swapped. */
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
	order_rest(o);
	order_destroy(o);
	for (int i = 0; i < 3; i++) {
		assert_null(rings[i].store);
		fake_ring_deinit(&f[i]);
	}
}

/* The entry of a call at a time, and its return at another, in one record. */
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

/* What happens between the entry and the return of a call comes between them. */
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
	/* The return of the second call may still be preceded by others, so it is not told yet. */
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
	/* Records that were not taken yet are found too. */
	fake_call(&f[1], 60, 70);
	r = order_find(o, is_leave, NULL, &n);
	assert_true(r && r->time == 70);
	order_destroy(o);
	for (int i = 0; i < 2; i++)
		fake_ring_deinit(&f[i]);
}

/* -- the machine -------------------------------------------------------------- */

static ssize_t own_read(struct memory *m attr_unused, uint64_t addr, void *buf, size_t n)
{
	struct iovec local = {buf, n}, remote = {(void *)(uintptr_t)addr, n};
	ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);

	return got < 0 ? -errno : got;
}
static const struct memory_ops own_ops = {.read_some = own_read};
static struct memory own_memory = {&own_ops};

/* Whether a machine's kernel wants to see that accesses are aligned; all kernels can be asked to.
 */
static bool aligned;

/* Runs the reads of a plan in the kernel. NULL: we may not. */
static struct scratch *run_machine(const struct plan *p, const struct plan_limits *limits,
				   const uint64_t *args, int64_t result)
{
	struct read_op ops[READS_OF_ONE];
	struct code c = {.aligned = aligned};
	struct scratch *s = mem_zalloc(sizeof(*s));
	struct program_function functions[2] = {{0, TYPE_PROGRAM}, {0, TYPE_STEP}};
	const struct map_spec scratch = {.name = "test_scratch",
					 .type = BPF_MAP_TYPE_ARRAY,
					 .key_size = 4,
					 .value_size = sizeof(*s),
					 .entries = 1};
	struct map_spec reads = {.name = "test_ops",
				 .type = BPF_MAP_TYPE_ARRAY,
				 .key_size = 4,
				 .value_size = sizeof(*ops)};
	bool whole;
	unsigned n = reads_of_plan(p, limits, ops, &whole), step = code_label(&c),
		 missing = code_label(&c);
	char log[4096] = "";
	uint32_t zero = 0;
	int btf = types_load(), scratch_fd, ops_fd, fd;

	assert_true(whole);
	reads.entries = n + 1;
	scratch_fd = btf < 0 ? btf : sys_map(&scratch);
	if (scratch_fd < 0) {
		free(s);
		return NULL;
	}
	ops_fd = sys_map(&reads);
	assert_true(ops_fd >= 0);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t key = i + 1;

		assert_int_equal(sys_map_update(ops_fd, &key, &ops[i]), 0);
	}
	memcpy(s->args, args, sizeof(uint64_t) * SYSCALL_ARGS_MAX);
	s->result = result;
	assert_int_equal(sys_map_update(scratch_fd, &zero, s), 0);

	code_store_n(&c, SIZE_8, FP, -8, 0);
	code_map(&c, R1, scratch_fd);
	code_mov(&c, R2, FP);
	code_alu_n(&c, BPF_ADD, R2, -8);
	code_call(&c, HELPER_MAP_LOOKUP);
	code_if_n(&c, BPF_JEQ, R0, 0, missing);
	code_mov(&c, R6, R0);
	code_mov_n(&c, R1, READS(1, n));
	machine_run(&c, step, R1, CHUNK_MEMORY, -16);
	code_place(&c, missing);
	code_return(&c, 0);
	code_place(&c, step);
	functions[1].insn = c.insns.n;
	machine_function(&c, ops_fd);
	assert_int_equal(code_link(&c), 0);
	fd = sys_program(&(struct program_spec){.name = "test",
						.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
						.code = &c,
						.btf = btf,
						.functions = functions,
						.nfunctions = 2},
			 log, sizeof(log));
	if (fd == -EPERM || (fd < 0 && proc_interprets_bpf())) {
		free(s);
		s = NULL;
	} else {
		if (fd < 0)
			print_message("%s\n", log);
		assert_true(fd >= 0);
		assert_int_equal(sys_program_run(fd), 0);
		assert_int_equal(sys_map_lookup(scratch_fd, &zero, s), 0);
		close(fd);
	}
	close(scratch_fd);
	close(ops_fd);
	close(btf);
	code_deinit(&c);
	return s;
}

static const struct plan_limits limits = {.bytes = {[PLAN_WHOLE] = 16384,
						    [PLAN_PATH] = 4096,
						    [PLAN_TEXT] = 33,
						    [PLAN_DATA] = 33,
						    [PLAN_ELEMENTS] = 16384},
					  .elements = 33,
					  .depth = PLAN_DEPTH_MAX};

/* Whether a chunk of the record has what was read; of strings only what is before their end. */
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

/* The machine collects at least what a run of the plan reads. Returns how many reads it made. */
static unsigned compare(const struct plan *p, const uint64_t *args, int64_t result)
{
	const unsigned made = compare_one(p, args, result);

	/* And so it does where it is to be seen that accesses are aligned. */
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

/* Two pages, after which there is nothing. */
static char *edge(void)
{
	char *at = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(at != MAP_FAILED);
	memset(at, 'x', 2 * PAGE);
	munmap(at + 2 * PAGE, PAGE);
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
	/* Of bytes that go on beyond the end of memory, those before it are collected. */
	s = run_machine(&p, &limits, args, -1);
	assert_non_null(s);
	assert_int_equal(s->failed, 1);
	assert_int_equal(s->made[3].got, PAGE + 100);
	free(s);
	/*
	 * A string that goes on beyond the end of memory counts as none, and so does a negative
	 * length.
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
	munmap(at, 2 * PAGE);
}

/* An array of strings, as execve has it. */
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

/* A struct msghdr: buffers of a vector, the length of the vector in another member. */
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
	/* The buffers: at each element of the vector, as long as that says. */
	op.parent = 2;
	op.offset = 0;
	op.unit = 1;
	op.limit = PLAN_DATA;
	op.count = (struct plan_number){.source = PLAN_FIELD, .op = 2, .offset = 8};
	plan_add(&p, op);
	assert_int_equal(compare(&p, args, -1), 1 + 1 + 1 + 4);
	/* The same with a condition that does not hold. */
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

/* -- what is mapped ----------------------------------------------------------- */

static void test_mmaps(void **state)
{
	struct {
		struct perf_event_header head;
		uint32_t pid, tid;
		uint64_t addr, len, pgoff;
		uint32_t maj, min;
		uint64_t ino, generation;
		uint32_t prot, flags;
		char name[8];
		uint64_t time;
	} r = {.head = {.type = PERF_RECORD_MMAP2, .size = sizeof(r)},
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
	/* Its size is not what it says, its name does not end, it is no code. */
	assert_false(mmaps_parse(&r, sizeof(r) - 8, &e));
	memset(r.name, 'x', sizeof(r.name));
	assert_false(mmaps_parse(&r, sizeof(r), &e));
	r.name[0] = '\0';
	r.prot = PROT_READ;
	assert_false(mmaps_parse(&r, sizeof(r), &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mmaps),	       cmocka_unit_test(test_btf),
		cmocka_unit_test(test_btf_damaged),    cmocka_unit_test(test_btf_of_kernel),
		cmocka_unit_test(test_btf_head),       cmocka_unit_test(test_code),
		cmocka_unit_test(test_code_too_far),   cmocka_unit_test(test_ring),
		cmocka_unit_test(test_order),	       cmocka_unit_test(test_order_calls),
		cmocka_unit_test(test_machine_flat),   cmocka_unit_test(test_machine_list),
		cmocka_unit_test(test_machine_vector), cmocka_unit_test(test_machine_result),
	};

	aligned = arch_native->aligned_programs;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
