/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --format=json: values and lines, which are also checked against the schema. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "give.h"
#include "fake_stack.h"
#include "linux/arch/abi.h"
#include "linux/row_finder.h"
#include "linux/syscall_desc.h"
#include "sinks/json/json.h"
#include "sinks/json/json_text.h"
#include "syscall.h"
#include "capture/capture.h"
#include "capture/memory.h"

static const struct xlat_entry prot_rows[] = {
	{0, "PROT_NONE"}, {1, "PROT_READ"}, {2, "PROT_WRITE"}, {4, "PROT_EXEC"}};
static const struct xlat prot = {"prot", "PROT_???", XLAT_FLAGS, 4, prot_rows};
static const struct xlat_entry acc_rows[] = {{0, "O_RDONLY"}, {1, "O_WRONLY"}, {2, "O_RDWR"}};
static const struct xlat acc = {"acc", "O_???", XLAT_SORTED, 3, acc_rows};

static struct arena arena;

static void check(const struct value *v, const char *expected)
{
	struct strbuf b = {0};

	json_value(&b, v);
	assert_string_equal(strbuf_str(&b), expected);
	strbuf_deinit(&b);
}

static void test_values(void **state)
{
	struct value *v;

	(void)state;
	check(value_int(&arena, -5), "-5");
	check(value_int(&arena, INT64_C(1) << 53), "9007199254740992");
	check(value_int(&arena, (INT64_C(1) << 53) + 1), "\"9007199254740993\"");
	check(value_int(&arena, INT64_MIN), "\"-9223372036854775808\"");
	check(value_uint(&arena, UINT64_MAX), "\"18446744073709551615\"");
	check(value_hex(&arena, 0x10), "16");
	check(value_new(&arena, VALUE_OCT, 0644), "420");
	check(value_addr(&arena, 0), "null");
	check(value_addr(&arena, UINT64_MAX), "\"0xffffffffffffffff\"");
	/* Unreadable memory and memory that was not recorded look different. */
	check(value_unreadable(&arena, 0x10, -EFAULT), "\"0x10\"");
	check(value_unreadable(&arena, 0x10, -ENODATA),
	      "{\"address\":\"0x10\",\"not_captured\":true}");
	check(value_more_at(&arena, 0x10, -EFAULT), "{\"truncated\":true}");
	check(value_more_at(&arena, 0x10, -ENODATA),
	      "{\"address\":\"0x10\",\"not_captured\":true}");
	check(value_enum(&arena, &acc, 2), "\"O_RDWR\"");
	check(value_enum(&arena, &acc, 77), "77");
	check(value_flags(&arena, &prot, 0), "[]");
	check(value_flags(&arena, &prot, 0x43), "[\"PROT_READ\",\"PROT_WRITE\",\"0x40\"]");
	v = value_flags(&arena, &prot, 0);
	v->flags = VALUE_F_ZERO_NAMED;
	check(v, "[\"PROT_NONE\"]");
	v = value_or(&arena, 0x45);
	value_add(v, value_enum(&arena, &acc, 1));
	value_add(v, value_flags(&arena, &prot, 0x44));
	check(v, "[\"O_WRONLY\",\"PROT_EXEC\",\"0x40\"]");
	v = value_or(&arena, 0);
	value_add(v, value_enum(&arena, &acc, 0));
	value_add(v, value_flags(&arena, &prot, 0));
	check(v, "[\"O_RDONLY\"]");

	v = value_call(&arena, "makedev");
	value_add(v, value_hex(&arena, 1));
	check(v, "1");
	value_add(v, value_hex(&arena, 3));
	check(v, "{\"makedev\":[1,3]}");
	v = value_expr(&arena, VALUE_OP_TIMES, 8388608);
	value_add(v, value_int(&arena, 8192));
	value_add(v, value_int(&arena, 1024));
	check(v, "8388608");
	v = value_expr(&arena, VALUE_OP_ALTERNATIVE, 1);
	value_add(v, value_word(&arena, "TCGETS", 1));
	value_add(v, value_word(&arena, "OTHER", 1));
	check(v, "\"TCGETS or OTHER\"");
	v = value_expr(&arena, VALUE_OP_BESIDE, 0);
	value_add(v, value_int(&arena, 1));
	check(v, "1");
	value_add(v, value_addr(&arena, 16));
	check(v, "[1,\"0x10\"]");

	v = value_new(&arena, VALUE_STATUS, 0x8b);
	value_add_named(v, "killed", value_word(&arena, "SIGSEGV", 11));
	check(v, "{\"killed\":\"SIGSEGV\",\"core_dumped\":true}");
	check(value_device(&arena, 0x12345678abcdef01), "{\"makedev\":[305421807,1737145345]}");
	check(value_indexed(&arena, value_word(&arena, "X", 2), value_int(&arena, 3)),
	      "{\"index\":\"X\",\"value\":3}");

	v = value_struct(&arena);
	check(v, "{}");
	value_add_named(v, "a", value_int(&arena, 1));
	value_add(v, value_int(&arena, 2));
	value_add_named(v, "c", value_word(&arena, "X", 3));
	v->flags = VALUE_F_MORE;
	check(v, "{\"a\":1,\"1\":2,\"c\":\"X\",\"...\":true}");
	v = value_array(&arena);
	check(v, "[]");
	value_add(v, value_int(&arena, 1));
	v->flags = VALUE_F_MORE;
	check(v, "[1,{\"truncated\":true}]");
	v = value_new(&arena, VALUE_BITSET, 0);
	value_add(v, value_word(&arena, "KILL", 9));
	v->flags = VALUE_F_INVERTED;
	check(v, "{\"not\":[\"KILL\"]}");
	check(value_change(&arena, value_int(&arena, 1), value_int(&arena, 2)),
	      "{\"in\":1,\"out\":2}");
	check(value_change(&arena, value_int(&arena, 1), value_int(&arena, 1)), "1");

	v = value_fd(&arena, -100);
	check(v, "-100");
	v->flags = VALUE_F_ATFD;
	check(v, "\"AT_FDCWD\"");
	v->str = "/t";
	v->len = 2;
	check(v, "{\"fd\":\"AT_FDCWD\",\"path\":\"/t\"}");
	v->flags = VALUE_F_DELETED;
	v->extra = value_new(&arena, VALUE_DEVICE_FILE, 0);
	((struct value *)v->extra)->name = "device";
	value_add_named((struct value *)v->extra, "minor", value_uint(&arena, 3));
	check(v, "{\"fd\":-100,\"path\":\"/t\",\"device\":{\"minor\":3},\"deleted\":true}");
	v = value_new(&arena, VALUE_PID, 7);
	v->str = "sh";
	v->len = 2;
	check(v, "{\"pid\":7,\"comm\":\"sh\"}");
}

static void check_string(const char *s, size_t n, bool more, const char *expected)
{
	struct value *v = value_string(&arena, s, n);

	v->flags = more ? VALUE_F_MORE : 0;
	check(v, expected);
}

#define S(s) s, sizeof(s) - 1

static void test_strings(void **state)
{
	(void)state;
	check_string(S(""), false, "\"\"");
	check_string(S("a\"\\\b\t\n\v\f\r\0\x1f\x7f/"), false,
		     "\"a\\\"\\\\\\b\\t\\n\\u000b\\f\\r\\u0000\\u001f\\u007f/\"");
	check_string(S("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"), false,
		     "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"");
	check_string(S("a\xff"), false, "{\"text\":\"a\\ufffd\",\"hex\":\"61ff\"}");
	check_string(S("ab"), true, "{\"text\":\"ab\",\"truncated\":true}");
	check_string(S("a\xc3"), true,
		     "{\"text\":\"a\\ufffd\",\"hex\":\"61c3\",\"truncated\":true}");
	/*
	 * Invalid UTF-8: overlong sequences, a surrogate, a value above U+10FFFF, a lone
	 * continuation byte.
	 */
	check_string(S("\xc0\xaf"), false, "{\"text\":\"\\ufffd\\ufffd\",\"hex\":\"c0af\"}");
	check_string(S("\xe0\x80\xaf"), false,
		     "{\"text\":\"\\ufffd\\ufffd\\ufffd\",\"hex\":\"e080af\"}");
	check_string(S("\xed\xa0\x80"), false,
		     "{\"text\":\"\\ufffd\\ufffd\\ufffd\",\"hex\":\"eda080\"}");
	check_string(S("\xf4\x90\x80\x80"), false,
		     "{\"text\":\"\\ufffd\\ufffd\\ufffd\\ufffd\",\"hex\":\"f4908080\"}");
	check_string(S("\x80"), false, "{\"text\":\"\\ufffd\",\"hex\":\"80\"}");
}

static const char *source_dir(void)
{
	return getenv("SRC") ? getenv("SRC") : ".";
}

/* Runs the validator on a file. Skips the test if Python or jsonschema is missing. */
static void validate(const char *mode, const char *path)
{
	char command[1024];

	if (system("python3 -c 'import jsonschema' 2>/dev/null")) {
		print_message("python3-jsonschema is missing\n");
		unlink(path);
		skip();
	}
	snprintf(command, sizeof(command), "%s/tests/json_check.py %s%s %s", source_dir(),
		 *mode == '-' ? "" : source_dir(), mode, path);
	assert_int_equal(system(command), 0);
	unlink(path);
}

static unsigned random_next(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x >> 20;
}

/* The original bytes of any string can be recovered from the JSON text. */
static void test_round_trip(void **state)
{
	char path[] = "/tmp/test_json.XXXXXX";
	static const char *const pieces[] = {
		"a",	"\xc3", "\xbc", "\xe2", "\x82", "\xac",	    "\xf0\x9f",	   "\x98",
		"\x80", "\xff", "\"",	"\\",	"\n",	"\xed\xa0", "\xef\xbf\xbd"};
	struct strbuf b = {0};
	int fd = mkstemp(path);

	(void)state;
	for (unsigned line = 0; line < 5000; line++) {
		struct strbuf s = {0};

		for (unsigned n = random_next() % 12; n; n--) {
			if (random_next() % 4)
				strbuf_puts(&s, pieces[random_next() % ARRAY_SIZE(pieces)]);
			else
				strbuf_putc(&s, random_next());
		}
		for (size_t i = 0; i < s.len; i++)
			strbuf_printf(&b, "%02x", (unsigned char)s.data[i]);
		strbuf_putc(&b, '\t');
		json_bytes(&b, s.data ? s.data : "", s.len);
		strbuf_putc(&b, '\n');
		strbuf_deinit(&s);
	}
	assert_int_equal(write(fd, b.data, b.len), b.len);
	close(fd);
	strbuf_deinit(&b);
	validate("--bytes", path);
}

struct run {
	char path[32];
	struct sink *sink;
	struct tcb tcb;
};

static void run_begin(struct run *r)
{
	struct sink_config config = {.path = r->path, .stacks = true};
	int fd;

	strcpy(r->path, "/tmp/test_json.XXXXXX");
	fd = mkstemp(r->path);
	assert_true(fd >= 0);
	close(fd);
	r->sink = json_sink_create(&config);
	assert_non_null(r->sink);
	r->sink->unwinder = (struct unwinder *)r;
	r->tcb = (struct tcb){.tid = 13, .tgid = 12, .comm = "app"};
}

static void run_finish(struct run *r)
{
	r->sink->ops->thread_end(r->sink, &(struct event){.tid = 13});
	assert_int_equal(r->sink->ops->end(r->sink), 0);
}

static void run_end(struct run *r, const char *expected)
{
	static char text[65536];
	ssize_t n;
	int fd;

	run_finish(r);
	fd = open(r->path, O_RDONLY);
	n = read(fd, text, sizeof(text) - 1);
	assert_true(n >= 0);
	text[n] = 0;
	close(fd);
	assert_string_equal(text, expected);
	validate("/doc/tracer-json.schema.json", r->path);
}

#define WHO "\"time\":1763690000.123456,\"pid\":12,\"tid\":13,\"comm\":\"app\""
#define STACK                                                                                      \
	",\"stack\":[{\"module\":\"/lib/libc.so.6\",\"build_id\":\"00ff\",\"addr\":\"0x1000\","    \
	"\"symbol\":\"read\",\"offset\":16},{\"module\":\"/bin/app\",\"addr\":\"0x2000\","         \
	"\"symbol\":\"f<int;2>\",\"offset\":32,\"file\":\"a.cc\",\"line\":7},{\"module\":"         \
	"\"/bin/app\",\"addr\":\"0x3000\",\"symbol\":null}],\"stack_status\":\"no-cfi\","          \
	"\"stack_end\":\"0x3000\""

static void test_lines(void **state)
{
	struct run r;
	struct syscall_event e = {.abi = &abis[ABI_X86_64], .base.name = "openat"};
	struct signal_event sig = {.sig = SIGSEGV};
	struct process_event p = {.kind = PROCESS_EXITED, .code = 5};
	struct dump dumps[] = {
		{.bytes = (const uint8_t *)"a\n", .len = 2, .index = -1},
		{.bytes = (const uint8_t *)"\xff\0b", .len = 3, .index = 1},
	};

	(void)state;
	dumps[0].next = &dumps[1];
	run_begin(&r);
	event_identify(&e.base, &r.tcb);
	e.base.nr = 257;
	e.base.time = (struct timespec){1763690000, 123456789};
	sig.base = p.base = e.base;
	e.base.duration = (struct timespec){0, 12345};
	e.base.ret_kind = RET_VALUE;
	e.base.ret = 3;
	e.base.nargs = 2;
	e.base.args[0].name = "dirfd";
	e.base.args[0].in = value_fd(&arena, -100);
	e.base.args[0].in->flags = VALUE_F_ATFD;
	e.base.args[1].in = value_string(&arena, "/etc/hosts", 10);
	give_call(r.sink, EVENT_SYSCALL, &e);
	e.base.nargs = 0;
	e.dumps = &dumps[0];
	e.base.ret = 5;
	give_call(r.sink, EVENT_SYSCALL, &e);
	e.dumps = NULL;
	e.base.ret_kind = RET_ERROR;
	e.base.ret = ENOENT;
	e.tampered = foreign("(INJECTED) (DELAYED)");
	e.base.stack = FAKE_STACK(&fake_stack_bad);
	give_call(r.sink, EVENT_SYSCALL, &e);
	e.base.stack = NULL;
	e.tampered = foreign(NULL);
	e.base.ret_kind = RET_RESTART;
	e.base.ret = 512;
	e.base.ret_comment = value_flags(&arena, &prot, 1);
	e.base.ret_comment->name = "flags";
	give_call(r.sink, EVENT_SYSCALL, &e);
	e.base.ret_comment = NULL;
	e.base.ret_kind = RET_NONE;
	give_call(r.sink, EVENT_SYSCALL, &e);
	give_call(r.sink, EVENT_BLOCKED, &e);
	give_signal(r.sink, &sig);
	sig.base.args[0] = (struct arg){.name = "info", .in = value_struct(&arena)};
	give_signal(r.sink, &sig);
	give_process(r.sink, &p);
	for (p.kind = PROCESS_KILLED; p.kind <= PROCESS_FORKED; p.kind++)
		give_process(r.sink, &p);
	run_end(&r,
		"{\"type\":\"syscall\"," WHO ",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\","
		"\"args\":{\"dirfd\":\"AT_FDCWD\",\"arg2\":\"/etc/hosts\"},\"ret\":3,"
		"\"error\":null,\"duration\":0.000012345}\n"
		"{\"type\":\"syscall\"," WHO ",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\","
		"\"args\":{},\"ret\":5,\"error\":null,\"dumps\":[{\"data\":\"a\\n\"},"
		"{\"buffer\":1,\"data\":\"\\ufffd\\u0000b\",\"data_hex\":\"ff0062\"}],"
		"\"duration\":0.000012345}\n"
		"{\"type\":\"syscall\"," WHO ",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\","
		"\"args\":{},\"ret\":-1,\"error\":\"ENOENT\",\"tampered\":\"INJECTED DELAYED\","
		"\"duration\":0.000012345" STACK "}\n"
		"{\"type\":\"syscall\"," WHO ",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\","
		"\"args\":{},\"ret\":null,\"error\":\"ERESTARTSYS\",\"status\":\"restart\","
		"\"detail\":{\"flags\":[\"PROT_READ\"]},\"duration\":0.000012345}\n"
		"{\"type\":\"syscall\"," WHO ",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\","
		"\"args\":{},\"ret\":null,\"error\":null,\"status\":\"unfinished\","
		"\"duration\":null}\n"
		"{\"type\":\"blocked\"," WHO ",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\","
		"\"args\":{},\"blocked_for\":0.000012345}\n"
		"{\"type\":\"signal\"," WHO ",\"signal\":\"SIGSEGV\",\"info\":null}\n"
		"{\"type\":\"signal\"," WHO ",\"signal\":\"SIGSEGV\",\"info\":{}}\n"
		"{\"type\":\"exit\"," WHO ",\"exit_status\":5}\n"
		"{\"type\":\"exit\"," WHO ",\"signal\":\"SIGTRAP\",\"core_dumped\":false}\n"
		"{\"type\":\"stop\"," WHO ",\"signal\":\"SIGTRAP\"}\n"
		"{\"type\":\"exec\"," WHO ",\"superseded_by\":5}\n"
		"{\"type\":\"attach\"," WHO "}\n"
		"{\"type\":\"detach\"," WHO "}\n"
		"{\"type\":\"fork\"," WHO ",\"child\":5}\n");
}

/*
 * Reads memory that contains random bytes. Every eighth page is unreadable, so that no string or
 * array is very long.
 */
static ssize_t noise(struct memory *m attr_unused, uint64_t addr, void *buf, size_t n)
{
	unsigned char *p = buf;

	if (addr < 0x1000 || addr >> 47 || (addr >> 12) % 8 == 7)
		return -EFAULT;
	n = size_min(n, 0x1000 - (addr & 0xfff));
	for (size_t i = 0; i < n; i++)
		p[i] = random_next() % 4 ? random_next() : 0;
	return n;
}

static const struct memory_ops noise_ops = {.read_some = noise};

static uint64_t random_arg(void)
{
	switch (random_next() % 6) {
	case 0:
		return random_next() % 16;
	case 1:
		return 0x7fff00000000 + random_next() % 0x10000;
	case 2:
		return random_next();
	case 3:
		return (uint64_t)random_next() << 32 | random_next();
	case 4:
		return 1ul << random_next() % 64;
	default:
		return -(uint64_t)(random_next() % 200);
	}
}

/* Decodes every row of every table with random arguments. Each line must match the schema. */
static void test_sweep(void **state)
{
	struct decode_config config = {.string_limit = 32};
	struct memory memory = {&noise_ops};
	struct row_finder *rows = row_finder_create();
	struct run r;

	(void)state;
	run_begin(&r);
	r.tcb.memory = &memory;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		for (unsigned nr = 0; nr < abis[abi].nrows; nr++) {
			struct syscall_event *e;

			r.tcb.regs = (struct syscall_regs){.audit = abis[abi].audit,
							   .nr = nr | abis[abi].nr_mask};
			for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
				r.tcb.regs.args[i] = random_arg();
			e = syscall_begin(&r.tcb, rows);
			syscall_decode_enter(&r.tcb, &config);
			r.tcb.regs.is_error = random_next() % 4 == 0;
			r.tcb.regs.ret = r.tcb.regs.is_error ? -(int)(random_next() % 600 + 1)
							     : (int64_t)random_arg();
			syscall_end(&r.tcb);
			syscall_decode_exit(&r.tcb, &config);
			give_call(r.sink, EVENT_SYSCALL, e);
			syscall_finish(&r.tcb);
		}
	}
	syscall_forget(&r.tcb);
	row_finder_destroy(rows);
	run_finish(&r);
	validate("/doc/tracer-json.schema.json", r.path);
}

/* The schema and the validator reject each of these lines. */
static void test_rejects(void **state)
{
	static const char who[] = "\"time\":1.5,\"pid\":1,\"tid\":1,\"comm\":\"x\"";
	static const char *const bad[] = {
		"\"type\":\"syscall\",\"nr\":1,\"name\":\"write\",\"abi\":\"x86_64\",\"args\":{},"
		"\"error\":null,\"duration\":1.0",
		"\"type\":\"syscall\",\"nr\":1,\"name\":\"write\",\"abi\":\"x86_64\",\"args\":[],"
		"\"ret\":1,\"error\":null,\"duration\":1.0",
		"\"type\":\"fork\",\"child\":2,\"ret\":1",
		"\"type\":\"fork\",\"child\":2,\"unheard_of\":1",
		"\"type\":\"exit\",\"exit_status\":0,\"signal\":\"SIGINT\",\"core_dumped\":true",
		"\"type\":\"exit\",\"exit_status\":\"restart\"",
		"\"type\":\"exit\",\"status\":0",
		"\"type\":\"signal\",\"signal\":11,\"info\":null",
		"\"type\":\"syscall\",\"nr\":9,\"name\":\"mmap\",\"abi\":\"x86_64\",\"args\":{},"
		"\"ret\":\"0x1000\",\"error\":null,\"duration\":1.0",
		"\"type\":\"syscall\",\"nr\":9,\"name\":\"mmap\",\"abi\":\"x86_64\",\"args\":{},"
		"\"ret\":-1,\"error\":2,\"duration\":1.0",
		"\"type\":\"syscall\",\"nr\":9,\"name\":\"mmap\",\"abi\":\"x86_64\",\"args\":{},"
		"\"ret\":1,\"error\":null,\"duration\":1.0,\"detail\":\"x\"",
		"\"type\":\"attach\",\"stack\":[{\"module\":null,\"symbol\":null}],"
		"\"stack_status\":\"complete\"",
		"\"type\":\"attach\",\"stack\":[]",
		"\"type\":\"attach\",\"type\":\"attach\"",
		"\"type\":\"signal\",\"signal\":\"SIGINT\",\"info\":{\"a\":NaN}",
		"\"type\":\"signal\",\"signal\":\"SIGINT\",\"info\":{\"a\":9007199254740993}",
		"\"type\":\"signal\",\"signal\":\"SIGINT\",\"info\":{\"a\":\"\\ud800\"}",
	};
	char path[] = "/tmp/test_json.XXXXXX", command[1024];
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	if (system("python3 -c 'import jsonschema' 2>/dev/null"))
		skip();
	for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
		FILE *f = fopen(path, i ? "a" : "w");

		fprintf(f, "{%s,%s}\n", who, bad[i]);
		fclose(f);
	}
	snprintf(command, sizeof(command),
		 "%s/tests/json_check.py %s/doc/tracer-json.schema.json %s | grep -q '^%zu lines, "
		 "%zu bad$'",
		 source_dir(), source_dir(), path, ARRAY_SIZE(bad), ARRAY_SIZE(bad));
	assert_int_equal(system(command), 0);
	unlink(path);
}

static int reset(void **state)
{
	(void)state;
	arena_reset(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_values, reset),
		cmocka_unit_test_teardown(test_strings, reset),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test_teardown(test_lines, reset),
		cmocka_unit_test(test_rejects),
		cmocka_unit_test(test_sweep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
