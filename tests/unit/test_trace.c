/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stops written as records, and the engine that replays them. Recorded stops are reported
 * unchanged, and damaged or hostile files do no harm.
 */
#include <linux/audit.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/facts.h"
#include "capture/memory.h"
#include "trace/format/block.h"
#include "trace/format/fact_store.h"
#include "trace/format/meta.h"
#include "trace/format/parts.h"
#include "trace/play/player.h"
#include "trace/format/stops.h"
#include "trace/play/trace.h"
#include "trace/record/tape.h"
#include "trace/record/trace_file.h"
#include "util/clock.h"

static struct tcb *nobody(const struct capture *c, pid_t tid)
{
	(void)c, (void)tid;
	return NULL;
}

static const struct capture_ops ops = {.find = nobody};
static struct capture capture = {.ops = &ops};

/* Parses b, which contains a single record. */
static struct stop_record take(const struct strbuf *b, struct stop_state *state,
			       const struct syscall_regs *regs)
{
	struct cursor in = {.p = (uint8_t *)b->data, .end = (uint8_t *)b->data + b->len}, rest;
	enum record_type type = (enum record_type)cursor_uint(&in, 1);
	struct stop_record s;
	size_t n;

	rest.p = take_bytes(&in, &n);
	rest.end = rest.p + n;
	rest.bad = false;
	assert_non_null(rest.p);
	assert_ptr_equal(in.p, in.end);
	assert_true(stop_take(&rest, type, regs, state, 0, &s));
	assert_ptr_equal(rest.p, rest.end);
	return s;
}

static void test_stops(void **state)
{
	struct tcb tcb = {.tid = 5, .tgid = 4, .capture = &capture};
	struct stop_state in = {0}, out = {0};
	struct syscall_regs regs = {0};
	struct strbuf b = {0};
	struct stop_record s;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct stop stop = {.kind = STOP_SYSCALL_ENTER, .tcb = &tcb};

		tcb.regs = (struct syscall_regs){
			.audit = i < 3 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_I386,
			.nr = 257,
			.args = {UINT64_MAX - 99, 0x7ffc00000000 + i, i, 0, i < 2 ? 7 : 8, 1},
			.ip = UINT64_MAX - i,
			.sp = 0x7fff0000 - i};
		tcb.cpu_us = i * 1000000ull + 999999;
		b.len = 0;
		stop_put(&b, &stop, &out, 0, i * 1000ull);
		s = take(&b, &in, &regs);
		assert_int_equal(s.stop.kind, STOP_SYSCALL_ENTER);
		assert_false(s.stop.unknown);
		assert_int_equal(s.ns, i * 1000);
		assert_memory_equal(&s.regs, &tcb.regs, offsetof(struct syscall_regs, ret));
		assert_int_equal(in.cpu, i * 1000000ull + 999999);
		regs = s.regs;

		stop.kind = STOP_SYSCALL_EXIT;
		tcb.regs.ret = i ? -(int64_t)i : INT64_MAX;
		tcb.regs.is_error = i != 0;
		stop.unknown = i % 2;
		b.len = 0;
		stop_put(&b, &stop, &out, 0, 5);
		s = take(&b, &in, &regs);
		assert_int_equal(s.stop.kind, STOP_SYSCALL_EXIT);
		assert_int_equal(s.stop.unknown, i % 2);
		assert_int_equal(s.regs.ret, tcb.regs.ret);
		assert_int_equal(s.regs.is_error, tcb.regs.is_error);
		assert_memory_equal(s.regs.args, tcb.regs.args, sizeof(s.regs.args));
		regs = s.regs;
	}
	strbuf_deinit(&b);
}

static void test_other_stops(void **state)
{
	struct tcb tcb = {.tid = 5, .tgid = 4, .capture = &capture, .flags = TCB_STARTED},
		   child = {.tid = 6};
	struct stop_state in = {0}, out = {0};
	const struct syscall_regs none = {0};
	struct strbuf b = {0};
	struct stop stop = {.kind = STOP_SIGNAL, .tcb = &tcb, .sig = SIGUSR1, .has_info = true};
	struct stop_record s;

	(void)state;
	stop.info.si_signo = SIGUSR1;
	stop.info.si_pid = 77;
	stop_put(&b, &stop, &out, 0, 1);
	s = take(&b, &in, &none);
	assert_int_equal(s.stop.kind, STOP_SIGNAL);
	assert_int_equal(s.stop.sig, SIGUSR1);
	assert_true(s.stop.has_info);
	assert_memory_equal(&s.stop.info, &stop.info, sizeof(stop.info));

	stop = (struct stop){.kind = STOP_NEW, .tcb = &tcb, .in_syscall = true};
	tcb.regs = (struct syscall_regs){
		.audit = AUDIT_ARCH_X86_64, .nr = 34, .ret = -514, .is_error = true};
	b.len = 0;
	stop_put(&b, &stop, &out, 0, 1);
	s = take(&b, &in, &none);
	assert_int_equal(s.stop.kind, STOP_NEW);
	assert_true(s.stop.in_syscall);
	assert_int_equal(s.flags, TCB_STARTED);
	assert_int_equal(s.tgid, 4);
	assert_int_equal(s.regs.nr, 34);
	assert_int_equal(s.regs.ret, -514);
	assert_true(s.regs.is_error);

	stop = (struct stop){
		.kind = STOP_FORK, .tcb = &tcb, .pid = 6, .child = &child, .child_shares_mm = true};
	b.len = 0;
	stop_put(&b, &stop, &out, 0, 1);
	s = take(&b, &in, &none);
	assert_int_equal(s.stop.pid, 6);
	assert_true(s.followed && s.stop.child_shares_mm);

	stop = (struct stop){.kind = STOP_EXITED, .tcb = &tcb, .status = 0xff00};
	b.len = 0;
	stop_put(&b, &stop, &out, 0, 1);
	s = take(&b, &in, &none);
	assert_int_equal(s.stop.status, 0xff00);

	stop = (struct stop){.kind = STOP_LOST, .lost = 1ull << 40, .cause = foreign("full")};
	b.len = 0;
	stop_put(&b, &stop, NULL, 0, 1);
	s = take(&b, NULL, &none);
	assert_int_equal(s.stop.lost, 1ull << 40);
	assert_string_equal(s.cause, "full");
	strbuf_deinit(&b);
}

static void test_facts(void **state)
{
	struct fact_question q = {.kind = FACT_FD_INFO, .tid = 1, .n = 3, .key = "pos"};
	struct fact_answer a = {0};
	struct stored_fact *stored;
	struct fact_store s = {0};

	(void)state;
	for (int i = 0; i < 3000; i++) {
		q.n = i;
		a.count = 0;
		fact_add_number(&a, i);
		fact_set_bytes(&a, "text", (size_t)(i % 5));
		assert_true(fact_store_put(&s, &q, &a, &stored));
		assert_false(fact_store_put(&s, &q, &a, &stored));
	}
	q.n = 7;
	q.key = NULL;
	assert_null(fact_store_find(&s, &q));
	q.key = "pos";
	assert_int_equal(fact_store_find(&s, &q)->numbers[0], 7);
	a.error = -ENOENT;
	assert_true(fact_store_put(&s, &q, &a, &stored));
	stored_fact_answer(fact_store_find(&s, &q), &a);
	assert_int_equal(a.error, -ENOENT);
	fact_store_clear(&s);
	assert_null(fact_store_find(&s, &q));
	fact_store_deinit(&s);
}

/*
 * Writes a trace with two EVENTS blocks: a thread, a syscall with memory, a child, and the end of
 * the child.
 */
static void make(struct strbuf *out)
{
	struct block_packer *p = block_packer_create();
	struct block_header h = {.kind = BLOCK_META, .real = 1000};
	struct tcb tcb = {.tid = 10, .tgid = 10, .capture = &capture, .flags = TCB_STARTED};
	struct tcb child = {.tid = 11, .tgid = 11, .capture = &capture};
	struct stop_state states[2] = {{0}};
	struct trace_meta m = {0};
	struct strbuf b = {0};

	meta_add(&m, "host", "here");
	meta_put(&m, &b);
	block_pack(p, out, &h, b.data, b.len);
	b.len = 0;
	stop_put_begin(&b, &tcb);
	stop_put_started(&b);
	stop_put_thread(&b, 10);
	stop_put(&b, &(struct stop){.kind = STOP_NEW, .tcb = &tcb}, &states[0], 0, 5);
	strbuf_add(&b, "\x04\x08\x80\x40/etc/x", 10);
	b.data[b.len - 1] = 0;
	tcb.regs = (struct syscall_regs){.audit = AUDIT_ARCH_X86_64, .nr = 2, .args = {0x1000}};
	stop_put(&b, &(struct stop){.kind = STOP_SYSCALL_ENTER, .tcb = &tcb}, &states[0], 0, 5);
	stop_put(&b, &(struct stop){.kind = STOP_FORK, .tcb = &tcb, .pid = 11, .child = &child},
		 &states[0], 0, 5);
	h = (struct block_header){.kind = BLOCK_EVENTS, .first = 100, .last = 115, .real = 1000};
	block_pack(p, out, &h, b.data, b.len);
	b.len = 0;
	stop_put_thread(&b, 11);
	stop_put(&b, &(struct stop){.kind = STOP_NEW, .tcb = &child}, &states[1], 1, 0);
	stop_put(&b, &(struct stop){.kind = STOP_EXITED, .tcb = &child}, &states[1], 1, 2);
	h = (struct block_header){
		.kind = BLOCK_EVENTS, .first = 200, .last = 202, .real = 1000, .sequence = 3};
	block_pack(p, out, &h, b.data, b.len);
	h = (struct block_header){.kind = BLOCK_END};
	block_pack(p, out, &h, NULL, 0);
	strbuf_deinit(&b);
	meta_deinit(&m);
	block_packer_destroy(p);
}

/*
 * Replays the n bytes as the session would, and reads all memory recorded with the stops. Sets
 * *status to the result of trace_close(), or to -1 if the bytes are not a trace. Returns the number
 * of stops.
 */
static unsigned play(const void *bytes, size_t n, int *status)
{
	struct trace *t = trace_of_bytes("test", bytes, n);
	struct capture *c;
	unsigned count = 0;
	struct stop stop;

	*status = -1;
	if (!t)
		return 0;
	c = player_create(t, &(struct player_config){.to = INT64_MAX});
	for (;;) {
		struct fact_answer a;
		char buf[64];

		capture_wait(c, &stop, NULL);
		if (stop.kind == STOP_NONE)
			break;
		count++;
		if (!stop.tcb)
			continue;
		assert_ptr_equal(stop.tcb->capture, c);
		(void)memory_read_string(stop.tcb->memory, stop.tcb->regs.args[0], buf,
					 sizeof(buf));
		fact_fd_path(stop.tcb->facts, stop.tcb->tid, 3, &a);
		if (stop.kind != STOP_EXITED && stop.kind != STOP_VANISHED)
			capture_resume(stop.tcb);
	}
	while (capture_count(c))
		capture_detach(capture_next(c, NULL, NEWEST_FIRST));
	capture_end(c);
	capture_destroy(c);
	*status = trace_close(t);
	return count;
}

static void test_player(void **state)
{
	struct strbuf file = {0};
	struct trace *t;
	struct capture *c;
	struct stop stop;
	char buf[16];
	int status;

	(void)state;
	make(&file);
	t = trace_of_bytes("test", file.data, file.len);
	assert_non_null(t);
	assert_true(foreign_is(meta_get(trace_meta(t), "host"), "here"));
	c = player_create(t, &(struct player_config){.to = INT64_MAX});
	assert_int_equal(capture_count(c), 1);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_NEW);
	assert_int_equal(stop.mono, 105);
	assert_int_equal(stop.time, 1105);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_SYSCALL_ENTER);
	assert_int_equal(stop.tcb->regs.nr, 2);
	assert_int_equal(memory_read_string(stop.tcb->memory, 0x1000, buf, sizeof(buf)), 5);
	assert_string_equal(buf, "/etc/");
	assert_int_equal(memory_read(stop.tcb->memory, 0x2000, buf, 1), -ENODATA);
	capture_wait(c, &stop, NULL);
	assert_int_equal(stop.kind, STOP_FORK);
	assert_non_null(stop.child);
	assert_int_equal(capture_count(c), 2);
	capture_destroy(c);
	assert_int_equal(trace_close(t), 0);
	assert_int_equal(play(file.data, file.len, &status), 5);
	assert_int_equal(status, 0);
	strbuf_deinit(&file);
}

#define SECOND ((int64_t)NSEC_PER_SEC)

/*
 * Adds a record of an unknown type with n incompressible bytes. These bytes include a fake header
 * of a STATE block. Seeking must not start at this header.
 */
static void put_padding(struct strbuf *b, size_t n)
{
	struct block_header h = {.kind = BLOCK_STATE};
	struct block_packer *p = block_packer_create();
	struct strbuf bytes = {0};
	unsigned seed = 1;

	block_pack(p, &bytes, &h, NULL, 0);
	block_packer_destroy(p);
	while (bytes.len < n) {
		seed = seed * 1664525 + 1013904223;
		strbuf_putc(&bytes, (char)(seed >> 24));
	}
	strbuf_putc(b, (char)200);
	put_bytes(b, bytes.data, bytes.len);
	strbuf_deinit(&bytes);
}

/*
 * Writes a trace in which thread 10 makes one syscall per second. STATE blocks follow the second,
 * fourth and sixth syscall. Only these blocks mention thread 11. `padding` is the number of
 * additional bytes in each EVENTS block.
 */
static void make_long(const char *path, size_t padding)
{
	struct trace_file *f = trace_file_open(path);
	struct tcb tcb = {.tid = 10, .tgid = 10, .capture = &capture};
	struct tcb other = {.tid = 11, .tgid = 10, .capture = &capture};
	struct stop_state state = {0};
	struct block_header h = {.kind = BLOCK_META};
	struct strbuf b = {0};

	assert_non_null(f);
	trace_file_put(f, &h, &b);
	for (uint64_t i = 1; i <= 6; i++) {
		h = (struct block_header){.kind = BLOCK_EVENTS,
					  .first = i * SECOND,
					  .last = i * SECOND + 1,
					  .sequence = 2 * i - 2};
		stop_put_thread(&b, 10);
		tcb.regs = (struct syscall_regs){
			.audit = AUDIT_ARCH_X86_64, .nr = i, .args = {i << 40}, .ip = 1000 + i};
		stop_put(&b, &(struct stop){.kind = STOP_SYSCALL_ENTER, .tcb = &tcb}, &state, i, 0);
		stop_put(&b, &(struct stop){.kind = STOP_SYSCALL_EXIT, .tcb = &tcb}, &state, i, 1);
		if (padding)
			put_padding(&b, padding);
		trace_file_put(f, &h, &b);
		if (i % 2)
			continue;
		h = (struct block_header){.kind = BLOCK_STATE,
					  .first = i * SECOND + 1,
					  .last = i * SECOND + 1,
					  .sequence = 2 * i};
		stop_put_is(&b, &tcb);
		other.flags = TCB_IN_SYSCALL;
		other.regs = tcb.regs;
		stop_put_is(&b, &other);
		trace_file_put(f, &h, &b);
	}
	strbuf_deinit(&b);
	assert_int_equal(trace_file_close(f, NULL), 0);
}

/*
 * Returns the first syscall that is reported if replay begins at the time `from`, in seconds.
 * Stores the number of known threads in *threads.
 */
static uint64_t first_from(const char *path, double from, size_t *threads)
{
	struct trace *t = trace_open(path);
	struct capture *c;
	struct tcb *other;
	struct stop stop;
	uint64_t nr;

	assert_non_null(t);
	c = player_create(t, &(struct player_config){.from = (int64_t)(from * (double)SECOND),
						     .to = INT64_MAX});
	do
		capture_wait(c, &stop, NULL);
	while (stop.kind == STOP_NEW);
	assert_int_equal(stop.kind, STOP_SYSCALL_ENTER);
	*threads = capture_count(c);
	nr = stop.tcb->regs.nr;
	assert_int_equal(stop.tcb->regs.ip, 1000 + nr);
	other = capture_find(c, 11);
	if (other) {
		assert_true(other->flags & TCB_IN_SYSCALL);
		assert_int_equal(other->tgid, 10);
		assert_int_equal(other->regs.args[0], other->regs.nr << 40);
	}
	capture_destroy(c);
	trace_destroy(t);
	return nr;
}

/*
 * Seeking with an index, without an index, with a damaged index, and with a damaged block at the
 * target.
 */
static void test_seek(void **state)
{
	char path[] = "/tmp/test_trace.XXXXXX";
	int fd = mkstemp(path);
	size_t threads;
	off_t size;

	(void)state;
	assert_true(fd >= 0);
	make_long(path, 0);
	for (int damage = 0; damage < 3; damage++) {
		for (unsigned i = 1; i < 6; i++) {
			assert_int_equal(first_from(path, i - 0.5, &threads), i);
			assert_int_equal(threads, i <= 2 ? 1 : 2);
		}
		size = lseek(fd, 0, SEEK_END);
		if (damage)
			assert_int_equal(ftruncate(fd, size - BLOCK_HEADER_SIZE), 0);
		else
			assert_int_equal(pwrite(fd, "?", 1, size - BLOCK_HEADER_SIZE - 1), 1);
	}
	make_long(path, 0);
	assert_int_equal(pwrite(fd, "?", 1, 9 * BLOCK_HEADER_SIZE), 1);
	for (unsigned i = 1; i < 6; i++)
		first_from(path, i - 0.5, &threads);
	close(fd);
	unlink(path);
}

/* Seeking without an index uses binary search, or reads from the start if the file is a pipe. */
static void test_seek_far(void **state)
{
	char path[] = "/tmp/test_trace.XXXXXX", command[64];
	int fd = mkstemp(path), standard = dup(STDIN_FILENO);
	size_t threads;

	(void)state;
	assert_true(fd >= 0 && standard >= 0);
	make_long(path, 600000);
	for (int cut = 0; cut < 3; cut++) {
		for (unsigned i = 1; i < 6; i++) {
			FILE *pipe;

			assert_int_equal(first_from(path, i - 0.5, &threads), i);
			assert_int_equal(threads, i <= 2 ? 1 : 2);
			snprintf(command, sizeof(command), "cat %s", path);
			pipe = popen(command, "r");
			assert_non_null(pipe);
			assert_int_equal(dup2(fileno(pipe), STDIN_FILENO), STDIN_FILENO);
			assert_int_equal(first_from("-", i - 0.5, &threads), i);
			assert_int_equal(threads, i <= 2 ? 1 : 2);
			assert_int_equal(dup2(standard, STDIN_FILENO), STDIN_FILENO);
			pclose(pipe);
		}
		assert_int_equal(ftruncate(fd, lseek(fd, 0, SEEK_END) - BLOCK_HEADER_SIZE), 0);
	}
	/*
	 * After a damaged header, reading continues at the next block. Seeking may also find an
	 * earlier block.
	 */
	assert_int_equal(pwrite(fd, "?", 1, 1500000), 1);
	assert_int_equal(first_from(path, 4.5, &threads), 5);
	close(standard);
	close(fd);
	unlink(path);
}

/* Writes a block with one syscall of thread `tid` in process 10. */
static void put_call(struct trace_file *f, pid_t tid, uint64_t nr, uint64_t sequence)
{
	struct tcb tcb = {.tid = tid, .tgid = 10, .capture = &capture};
	struct block_header h = {.kind = BLOCK_EVENTS,
				 .first = sequence * SECOND,
				 .last = sequence * SECOND,
				 .sequence = sequence};
	struct stop_state state = {0};
	struct strbuf b = {0};

	stop_put_thread(&b, tid);
	tcb.regs = (struct syscall_regs){.audit = AUDIT_ARCH_X86_64, .nr = nr};
	stop_put(&b, &(struct stop){.kind = STOP_SYSCALL_ENTER, .tcb = &tcb}, &state, 1, 0);
	stop_put(&b, &(struct stop){.kind = STOP_SYSCALL_EXIT, .tcb = &tcb}, &state, 1, 1);
	trace_file_put(f, &h, &b);
	strbuf_deinit(&b);
}

/*
 * Writes a trace of four parts. Its index lists threads 11 and 12 for the first part, thread 11 for
 * the second and the last part, and thread 12 for the third part.
 */
static void make_parts(const char *path)
{
	static const struct {
		pid_t tid;
		uint64_t nr;
		bool new_part, hidden;
	} calls[] = {{11, 1, false, false}, {12, 2, false, false}, {11, 3, true, false},
		     {12, 4, true, false},  {11, 5, false, true},  {11, 6, true, false}};
	struct trace_file *f = trace_file_open(path);
	struct tcb tcb = {.tgid = 10, .capture = &capture};
	struct part_list parts = {0};
	struct strbuf b = {0};

	assert_non_null(f);
	trace_file_put(f, &(struct block_header){.kind = BLOCK_META}, &b);
	for (tcb.tid = 11; tcb.tid <= 12; tcb.tid++)
		stop_put_begin(&b, &tcb);
	stop_put_started(&b);
	trace_file_put(f, &(struct block_header){.kind = BLOCK_EVENTS}, &b);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (calls[i].new_part) {
			part_list_end(&parts);
			for (tcb.tid = 11; tcb.tid <= 12; tcb.tid++)
				stop_put_is(&b, &tcb);
			trace_file_put(f,
				       &(struct block_header){.kind = BLOCK_STATE,
							      .first = 2 * i * SECOND,
							      .last = 2 * i * SECOND,
							      .sequence = 2 * i},
				       &b);
		}
		/*
		 * The index does not list the thread of a hidden syscall. If this syscall is
		 * reported, its part was read.
		 */
		if (!calls[i].hidden)
			part_list_add(&parts, 10, calls[i].tid);
		put_call(f, calls[i].tid, calls[i].nr, 2 * i);
	}
	part_list_end(&parts);
	assert_false(part_list_full(&parts));
	trace_file_put(f, &(struct block_header){.kind = BLOCK_THREADS}, &parts.body);
	part_list_deinit(&parts);
	strbuf_deinit(&b);
	assert_int_equal(trace_file_close(f, NULL), 0);
}

/* Checks the numbers of the syscalls made by the thread or the process with this id. */
static void calls_of(const char *path, pid_t id, const char *expected)
{
	struct trace *t = trace_open(path);
	struct strbuf found = {0};
	struct capture *c;
	struct stop stop;

	assert_non_null(t);
	c = player_create(t, &(struct player_config){.to = INT64_MAX, .ids = &id, .nids = 1});
	do {
		capture_wait(c, &stop, NULL);
		if (stop.kind == STOP_SYSCALL_ENTER)
			strbuf_printf(&found, "%d", (int)stop.tcb->regs.nr);
		if (stop.tcb && id != 10)
			assert_int_equal(stop.tcb->tid, id);
		assert_int_not_equal(stop.kind, STOP_LOST);
	} while (stop.kind != STOP_NONE);
	strbuf_putc(&found, '\0');
	assert_string_equal(found.data, expected);
	strbuf_deinit(&found);
	capture_destroy(c);
	trace_destroy(t);
}

/*
 * Only the parts with syscalls of the selected thread or process are read. Without an index, all
 * parts are read.
 */
static void test_parts(void **state)
{
	char path[] = "/tmp/test_trace.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	make_parts(path);
	calls_of(path, 10, "123456");
	calls_of(path, 12, "24");
	calls_of(path, 11, "136");
	calls_of(path, 13, "");
	assert_int_equal(ftruncate(fd, lseek(fd, 0, SEEK_END) - BLOCK_HEADER_SIZE), 0);
	calls_of(path, 12, "24");
	calls_of(path, 11, "1356");
	close(fd);
	unlink(path);
}

static void put_stop(struct strbuf *b, struct stop_state *state, struct tcb *tcb,
		     enum stop_kind kind, uint64_t nr)
{
	tcb->regs = (struct syscall_regs){.audit = AUDIT_ARCH_X86_64,
					  .nr = nr,
					  .args = {1000 + nr, 2000 + nr},
					  .ip = 0x401000,
					  .ret = (int64_t)nr};
	stop_put(b, &(struct stop){.kind = kind, .tcb = tcb}, state, 1, 1);
}

/* Even if the block with a syscall's return is missing, later stops are shown correctly. */
static void test_missing_return(void **state)
{
	static const enum stop_kind kinds[] = {
		STOP_NEW,	    STOP_SYSCALL_ENTER, STOP_LOST,
		STOP_SYSCALL_EXIT,  STOP_SYSCALL_ENTER, STOP_SYSCALL_EXIT,
		STOP_SYSCALL_ENTER, STOP_SYSCALL_EXIT,	STOP_NONE};
	static const uint64_t numbers[ARRAY_SIZE(kinds)] = {0, 1, 0, 1, 2, 2, 3, 3, 0};
	struct tcb tcb = {
		.tid = 5, .tgid = 5, .flags = TCB_STARTED | TCB_WAIT_EXECVE, .capture = &capture};
	struct block_packer *p = block_packer_create();
	struct stop_state before = {0}, after = {0};
	struct strbuf file = {0}, b = {0};
	struct capture *c;
	struct trace *t;
	struct stop stop;

	(void)state;
	block_pack(p, &file, &(struct block_header){.kind = BLOCK_META}, NULL, 0);
	stop_put_begin(&b, &tcb);
	stop_put_started(&b);
	stop_put_thread(&b, tcb.tid);
	put_stop(&b, &before, &tcb, STOP_NEW, 0);
	put_stop(&b, &before, &tcb, STOP_SYSCALL_ENTER, 1);
	block_pack(p, &file, &(struct block_header){.kind = BLOCK_EVENTS}, b.data, b.len);
	b.len = 0;
	stop_put_thread(&b, tcb.tid);
	for (uint64_t nr = 2; nr <= 3; nr++) {
		put_stop(&b, &after, &tcb, STOP_SYSCALL_ENTER, nr);
		put_stop(&b, &after, &tcb, STOP_SYSCALL_EXIT, nr);
	}
	block_pack(p, &file, &(struct block_header){.kind = BLOCK_EVENTS, .sequence = 3}, b.data,
		   b.len);
	block_pack(p, &file, &(struct block_header){.kind = BLOCK_END}, NULL, 0);
	t = trace_of_bytes("test", file.data, file.len);
	assert_non_null(t);
	c = player_create(t, &(struct player_config){.to = INT64_MAX});
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		capture_wait(c, &stop, NULL);
		assert_int_equal(stop.kind, kinds[i]);
		assert_int_equal(stop.unknown, i == 3);
		if (!numbers[i])
			continue;
		assert_int_equal(stop.tcb->regs.nr, numbers[i]);
		/* The execve that starts the output may be in the missing block. */
		assert_int_equal(!(stop.tcb->flags & TCB_WAIT_EXECVE), i > 2);
		assert_int_equal(stop.tcb->regs.args[1], 2000 + numbers[i]);
		if (i > 3 && stop.kind == STOP_SYSCALL_EXIT)
			assert_int_equal(stop.tcb->regs.ret, numbers[i]);
	}
	capture_destroy(c);
	trace_destroy(t);
	strbuf_deinit(&file);
	strbuf_deinit(&b);
	block_packer_destroy(p);
}

/*
 * If there are too many threads for the index, the part is marked as possibly containing any
 * thread.
 */
static void test_many_threads(void **state)
{
	struct part_list parts = {0};

	(void)state;
	for (pid_t i = 1; i < 1000000; i++)
		part_list_add(&parts, i, i);
	part_list_end(&parts);
	assert_int_equal(parts.body.len, 2);
	while (!part_list_full(&parts)) {
		for (pid_t i = 0; i < 1000; i++)
			part_list_add(&parts, 3 * i, 3 * i + 1);
		part_list_end(&parts);
		assert_true(parts.body.len < BLOCK_BODY_MAX);
	}
	part_list_deinit(&parts);
}

/*
 * A file that is truncated or has flipped bits yields at most as many stops as were written, and
 * causes no crash.
 */
static void test_hostile(void **state)
{
	unsigned seed = 1, packed = 0;
	struct strbuf file = {0};
	int status;

	(void)state;
	/* Discard the messages, which are tested elsewhere. */
	assert_non_null(freopen("/dev/null", "w", stderr));
	make(&file);
	for (size_t n = 0; n < file.len; n++) {
		assert_true(play(file.data, n, &status) <= 5);
		assert_int_not_equal(status, 0);
	}
	for (size_t bit = 0; bit < 8 * file.len; bit++) {
		file.data[bit / 8] ^= (char)(1 << bit % 8);
		/* There may be one additional stop that reports missing events. */
		assert_true(play(file.data, file.len, &status) <= 6);
		file.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	/* Random bytes in blocks with correct checksums. */
	for (unsigned i = 0; i < 4000; i++) {
		struct block_packer *p = block_packer_create();
		struct block_header h = {.kind = BLOCK_EVENTS, .sequence = i % 3};
		struct strbuf out = {0};
		char body[64];
		size_t n = i % sizeof(body);

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1664525 + 1013904223;
			body[k] = (char)(seed >> 24 & (k % 3 ? 0x1f : 0xff));
		}
		block_pack(p, &out, &h, body, n);
		block_pack(p, &out, &h, body, n);
		packed += play(out.data, out.len, &status);
		strbuf_deinit(&out);
		block_packer_destroy(p);
	}
	assert_true(packed > 100);
	strbuf_deinit(&file);
}

/* If the file of a tape cannot be created, the blocks stay in memory. */
static void test_tape(void **state attr_unused)
{
	struct tape *tape = tape_create("/nowhere/tape", 8);
	const struct block_header h = {.kind = BLOCK_EVENTS};
	struct strbuf body = {0};
	struct tape_written w;

	tape_put(tape, &h, &body, 3);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(tape_write(tape, &h, &body, &w), -ENOENT);
		assert_null(w.path);
		assert_int_equal(w.calls, 0);
		assert_int_equal(w.all_calls, 3);
	}
	tape_destroy(tape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stops),	       cmocka_unit_test(test_other_stops),
		cmocka_unit_test(test_facts),	       cmocka_unit_test(test_player),
		cmocka_unit_test(test_seek),	       cmocka_unit_test(test_seek_far),
		cmocka_unit_test(test_parts),	       cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_missing_return), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_tape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
