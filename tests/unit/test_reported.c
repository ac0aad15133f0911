/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An engine reports io_uring requests as they can occur in a damaged trace: in any order, with
 * duplicate numbers and user_data, with completions without submissions, with too many rings, and
 * with unknown threads. tracer must not crash, and must not show a request more often than it was
 * submitted and completed.
 */
#include <linux/audit.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/capture.h"
#include "capture/chunks.h"
#include "cli/options.h"
#include "range.h"
#include "session/session.h"
#include "uring/ring.h"
#include "util/mem.h"

#define LEADER	5000100 /* larger than any pid that the kernel assigns */
#define DATA	0x10000
#define OP_READ 22

static unsigned seed, submissions, completions, stops = 60000;
static bool many; /* true if each request is submitted to a new ring */

struct replay {
	struct capture capture;
	struct chunks memory;
	struct tcb thread, nobody;
	struct capture_request request;
	struct uring_sqe sqe;
	unsigned at;
	bool attached;
};

static unsigned below(unsigned n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % n;
}

static int attach(struct capture *c, pid_t pid, unsigned *attached)
{
	struct replay *r = (struct replay *)c;

	r->thread = (struct tcb){.tid = pid,
				 .tgid = pid,
				 .flags = TCB_ATTACHED,
				 .capture = c,
				 .memory = &r->memory.memory};
	r->attached = true;
	*attached = 1;
	return 0;
}

/*
 * Creates a random request. The values of its members come from small sets, so that values repeat.
 * On average, one request in 16 has a ring with a random number.
 */
static void make_request(struct replay *r, struct stop *stop)
{
	static const uint8_t opcodes[] = {0, 1, 6, 13, 18, 19, OP_READ, 26, 62, 250};
	struct capture_request *q = &r->request;

	r->sqe = (struct uring_sqe){.opcode = opcodes[below(sizeof(opcodes))],
				    .flags = (uint8_t)below(256),
				    .fd = (int)below(5) - 1,
				    .addr = below(2) ? DATA : below(8),
				    .len = below(2) ? 4 : UINT32_MAX,
				    .user_data = below(4),
				    .file_index = below(3)};
	*q = (struct capture_request){.ring = {below(16) ? below(3) : below(5000), 1},
				      .number = below(8),
				      .sqe = &r->sqe,
				      .audit = below(8) ? AUDIT_ARCH_X86_64 : below(3),
				      .fd = (int)below(5) - 2,
				      .chain = below(8),
				      .silent = below(8),
				      .polled = below(2),
				      .user_data = below(4),
				      .result = (int)below(200) - 100,
				      .cqe_flags = below(16)};
	stop->kind = STOP_REQUEST_SUBMITTED + (many ? 0 : below(3));
	if (many)
		q->ring[0] = r->at;
	stop->request = q;
	submissions += stop->kind == STOP_REQUEST_SUBMITTED;
	completions += stop->kind == STOP_REQUEST_COMPLETED;
}

static void wait_for(struct capture *c, struct stop *stop,
		     const struct timespec *deadline attr_unused)
{
	struct replay *r = (struct replay *)c;
	const unsigned at = r->at++;

	stop_clear(stop);
	stop->time = stop->mono = 1700000000000000000 + at;
	stop->tcb = &r->thread;
	if (!at) {
		stop->kind = STOP_NEW;
	} else if (at == stops) {
		stop->kind = STOP_EXITED;
		r->attached = false;
	} else if (at > stops) {
		stop->kind = STOP_NONE;
		stop->tcb = NULL;
	} else {
		make_request(r, stop);
		r->nobody = (struct tcb){
			.tid = (int)below(2), .capture = c, .memory = &r->memory.memory};
		if (!below(4))
			stop->tcb = &r->nobody;
	}
}

static void resume(struct tcb *tcb attr_unused)
{
}

static void nothing(struct capture *c attr_unused)
{
}

static size_t count(const struct capture *c)
{
	return ((const struct replay *)c)->attached;
}

static struct tcb *find(const struct capture *c, pid_t tid)
{
	struct replay *r = (struct replay *)c;

	return r->attached && tid == r->thread.tid ? &r->thread : NULL;
}

static struct tcb *next(const struct capture *c, const struct tcb *prev,
			enum capture_order order attr_unused)
{
	return prev ? NULL : find(c, LEADER);
}

static pid_t tgid(const struct tcb *tcb attr_unused)
{
	return 0;
}

static void destroy(struct capture *c)
{
	chunks_deinit(&((struct replay *)c)->memory);
	free(c);
}

static const struct capture_ops ops = {.attach = attach,
				       .wait = wait_for,
				       .resume = resume,
				       .interrupt = nothing,
				       .count = count,
				       .find = find,

				       .next = next,
				       .tgid = tgid,
				       .end = nothing,
				       .destroy = destroy};

static bool reports;

static struct capture *create(const struct capture_config *config attr_unused)
{
	struct replay *r = mem_zalloc(sizeof(*r));

	r->capture = (struct capture){.ops = &ops,
				      .name = "replay",
				      .capabilities = CAPTURE_TIMES,
				      .reports_requests = reports};
	chunks_init(&r->memory);
	chunks_add(&r->memory, DATA, "data", 5);
	return &r->capture;
}

static const struct engine engine = {"replay", CAPTURE_TIMES, create};

/* Runs the session. Returns the number of lines about requests. */
static unsigned shown(void)
{
	char path[] = "/tmp/tracer-reported-XXXXXX", text[128], line[4096];
	char *argv[] = {"tracer", "-qq", "--io-uring=on", "-y", "-o", path, text, NULL};
	const int fd = mkstemp(path);
	struct options o;
	unsigned n = 0;
	FILE *f;

	assert_true(fd >= 0);
	snprintf(text, sizeof(text), "-p%d", LEADER);
	options_parse(&o, 7, argv);
	o.engine = &engine;
	submissions = completions = 0;
	assert_int_equal(session_run(&o), 0);
	options_deinit(&o);
	f = fdopen(fd, "r");
	while (fgets(line, sizeof(line), f))
		n += !strncmp(line, "io_uring(", 9);
	fclose(f);
	unlink(path);
	return n;
}

static void in_any_order(void **state attr_unused)
{
	unsigned n;

	reports = true;
	for (seed = 1; seed < 5; seed++) {
		const unsigned first = seed;

		n = shown();
		assert_uint_in_range(n, 1, submissions + completions);
		seed = first;
	}
}

/* The metadata of a trace can state that its engine did not report requests. */
static void unannounced(void **state attr_unused)
{
	reports = false;
	seed = 1;
	assert_int_equal(shown(), 0);
}

/* Sets `text` to the messages of a session in which n requests are submitted to n rings. */
static void say(unsigned n, char *text, size_t size)
{
	FILE *said = tmpfile();
	const int error = dup(STDERR_FILENO);

	reports = many = true;
	stops = n + 1;
	dup2(fileno(said), STDERR_FILENO);
	assert_uint_in_range(shown(), 1, n);
	dup2(error, STDERR_FILENO);
	close(error);
	rewind(said);
	text[fread(text, 1, size - 1, said)] = '\0';
	fclose(said);
}

/* If there are too many rings, requests of the oldest ring have no result. */
static void too_many_rings(void **state attr_unused)
{
	char text[4096];

	say(1024, text, sizeof(text));
	assert_null(strstr(text, "io_uring"));
	say(1025, text, sizeof(text));
	assert_non_null(strstr(text, "because there were more than 1024 descriptors of rings"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_any_order),
		cmocka_unit_test(unannounced),
		cmocka_unit_test(too_many_rings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
