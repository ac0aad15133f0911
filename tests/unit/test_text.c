/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text sink: values and lines as written by strace 7.2. */
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
#include "sinks/text/text.h"
#include "sinks/text/text_value.h"
#include "capture/capture.h"

static const struct xlat_entry prot_rows[] = {
	{0, "PROT_NONE"}, {1, "PROT_READ"}, {2, "PROT_WRITE"}, {4, "PROT_EXEC"}};
static const struct xlat prot = {"prot", "PROT_???", XLAT_FLAGS, 4, prot_rows};
static const struct xlat_entry whence_rows[] = {{0, "SEEK_SET"}, {1, "SEEK_CUR"}};
static const struct xlat whence = {"whence", "SEEK_???", XLAT_SORTED, 2, whence_rows};
static const struct xlat_entry acc_rows[] = {{0, "O_RDONLY"}, {1, "O_WRONLY"}, {2, "O_RDWR"}};
static const struct xlat acc = {"acc", "O_???", XLAT_SORTED, 3, acc_rows};
static const struct xlat_entry open_rows[] = {{0x40, "O_CREAT"}, {0x80000, "O_CLOEXEC"}};
static const struct xlat open_flags = {"open_flags", "O_???", XLAT_FLAGS, 2, open_rows};
static const struct xlat_entry fmt_rows[] = {{0100000, "S_IFREG"}};
static const struct xlat fmt = {"fmt", NULL, XLAT_SORTED, 1, fmt_rows};

static struct arena arena;

/* Checks the text of v in all three styles of constants. */
static void check(const struct value *v, const char *abbrev, const char *raw, const char *both)
{
	const char *expected[] = {abbrev, raw, both};

	for (unsigned style = CONST_ABBREV; style <= CONST_VERBOSE; style++) {
		struct text_config c = {.const_style = style};
		struct strbuf b = {0};

		text_value(&b, v, &c);
		assert_string_equal(strbuf_str(&b), expected[style]);
		strbuf_deinit(&b);
	}
}

static void check_same(const struct value *v, const char *text)
{
	check(v, text, text, text);
}

static void test_numbers(void **state)
{
	struct value *v;

	(void)state;
	check_same(value_int(&arena, -1), "-1");
	check_same(value_int(&arena, INT64_MIN), "-9223372036854775808");
	check_same(value_uint(&arena, UINT64_MAX), "18446744073709551615");
	check_same(value_hex(&arena, 0), "0");
	check_same(value_hex(&arena, UINT64_MAX), "0xffffffffffffffff");
	check_same(value_addr(&arena, 0), "NULL");
	check_same(value_unreadable(&arena, 0x10, EFAULT), "0x10");
	check_same(value_new(&arena, VALUE_OCT, 0), "0");
	check_same(value_new(&arena, VALUE_OCT, 0644), "0644");
	for (unsigned i = 0; i < 4; i++) {
		static const char *const text[] = {"000", "007", "022", "04755"};
		static const unsigned mode[] = {0, 7, 022, 04755};

		v = value_new(&arena, VALUE_OCT, mode[i]);
		v->text = TEXT_OCTAL;
		check_same(v, text[i]);
	}
	v = value_int(&arena, 1779294449);
	v->comment = "2026-05-20T16:27:29+0000";
	check_same(v, "1779294449 /* 2026-05-20T16:27:29+0000 */");
}

static void test_constants(void **state)
{
	struct value *v;

	(void)state;
	check(value_enum(&arena, &whence, 1), "SEEK_CUR", "0x1", "0x1 /* SEEK_CUR */");
	check(value_enum(&arena, &whence, 77), "0x4d /* SEEK_??? */", "0x4d",
	      "0x4d /* SEEK_??? */");
	check(value_enum(&arena, &fmt, 77), "0x4d", "0x4d", "0x4d");
	v = value_word(&arena, "SIGUSR1", 10);
	v->flags = VALUE_F_SIGNED;
	check(v, "SIGUSR1", "10", "10 /* SIGUSR1 */");
	v = value_word(&arena, "RLIM64_INFINITY", UINT64_MAX);
	v->text = TEXT_DECIMAL;
	check(v, "RLIM64_INFINITY", "18446744073709551615",
	      "18446744073709551615 /* RLIM64_INFINITY */");
	v = value_enum(&arena, &whence, 77);
	v->flags = VALUE_F_SIGNED;
	check_same(v, "77");
	check(value_flags(&arena, &prot, 3), "PROT_READ|PROT_WRITE", "0x3",
	      "0x3 /* PROT_READ|PROT_WRITE */");
	check(value_flags(&arena, &prot, 0x41), "PROT_READ|0x40", "0x41",
	      "0x41 /* PROT_READ|0x40 */");
	check(value_flags(&arena, &prot, 0x40), "0x40 /* PROT_??? */", "0x40",
	      "0x40 /* PROT_??? */");
	check_same(value_flags(&arena, &prot, 0), "0");
	v = value_flags(&arena, &prot, 0);
	v->flags = VALUE_F_ZERO_NAMED;
	check(v, "PROT_NONE", "0", "0 /* PROT_NONE */");
}

static struct value *open_mode(uint64_t n)
{
	struct value *v = value_or(&arena, n);

	value_add(v, value_enum(&arena, &acc, n & 3));
	value_add(v, value_flags(&arena, &open_flags, n & ~3));
	return v;
}

static void test_or(void **state)
{
	struct value *v;

	(void)state;
	check(open_mode(0), "O_RDONLY", "0", "0 /* O_RDONLY */");
	check(open_mode(0x80000), "O_RDONLY|O_CLOEXEC", "0x80000",
	      "0x80000 /* O_RDONLY|O_CLOEXEC */");
	check(open_mode(0x40000042), "O_RDWR|O_CREAT|0x40000000", "0x40000042",
	      "0x40000042 /* O_RDWR|O_CREAT|0x40000000 */");
	check(open_mode(0x40000000), "O_RDONLY|0x40000000", "0x40000000",
	      "0x40000000 /* O_RDONLY|0x40000000 */");
	v = open_mode(0x42);
	v->text = TEXT_EACH;
	check(v, "O_RDWR|O_CREAT", "0x2|0x40", "0x2 /* O_RDWR */|0x40 /* O_CREAT */");
	v = open_mode(0x20);
	v->text = TEXT_EACH;
	check(v, "O_RDONLY|0x20 /* O_??? */", "0|0x20", "0 /* O_RDONLY */|0x20 /* O_??? */");
	v = open_mode(0);
	v->text = TEXT_EACH;
	check(v, "O_RDONLY", "0", "0 /* O_RDONLY */");

	v = value_or(&arena, 0100644);
	v->text = TEXT_OCTAL;
	value_add(v, value_enum(&arena, &fmt, 0100000));
	value_add(v, value_new(&arena, VALUE_OCT, 0644))->text = TEXT_OCTAL;
	check(v, "S_IFREG|0644", "0100644", "0100644 /* S_IFREG|0644 */");
}

static void test_calls(void **state)
{
	struct value *v = value_call(&arena, "makedev");

	(void)state;
	v->num = 0x103;
	value_add(v, value_hex(&arena, 1));
	value_add(v, value_hex(&arena, 3));
	check(v, "makedev(0x1, 0x3)", "0x103", "0x103 /* makedev(0x1, 0x3) */");

	v = value_call(&arena, "htons");
	value_add(v, value_uint(&arena, 53));
	v->extra = value_string(&arena, "\0005", 2);
	((struct value *)v->extra)->text = TEXT_HEX_STRING;
	check(v, "htons(53)", "\"\\x00\\x35\"", "\"\\x00\\x35\" /* htons(53) */");

	v = value_expr(&arena, VALUE_OP_TIMES, 8388608);
	value_add(v, value_int(&arena, 8192));
	value_add(v, value_int(&arena, 1024));
	check(v, "8192*1024", "8388608", "8388608 /* 8192*1024 */");
}

static void test_composites(void **state)
{
	struct value *s = value_struct(&arena), *a = value_array(&arena), *v;

	(void)state;
	check_same(value_struct(&arena), "{}");
	check_same(a, "[]");
	value_add_named(s, "st_mode", value_int(&arena, 1));
	s->flags = VALUE_F_MORE;
	check_same(s, "{st_mode=1, ...}");
	value_add_named(s, "x", value_int(&arena, 3))->text = TEXT_UNNAMED;
	check_same(s, "{st_mode=1, 3, ...}");
	value_add(a, value_int(&arena, 1));
	a->flags = VALUE_F_MORE;
	check_same(a, "[1, ...]");
	v = value_new(&arena, VALUE_BITSET, 0);
	v->flags = VALUE_F_INVERTED;
	check_same(v, "~[]");
	value_add(v, value_word(&arena, "KILL", 9))->flags = VALUE_F_SIGNED;
	value_add(v, value_word(&arena, "STOP", 19))->flags = VALUE_F_SIGNED;
	check(v, "~[KILL STOP]", "~[9 19]", "~[9 /* KILL */ 19 /* STOP */]");

	check_same(value_change(&arena, value_int(&arena, 128), value_int(&arena, 16)),
		   "128 => 16");
	check_same(value_change(&arena, value_int(&arena, 16), value_int(&arena, 16)), "16");
	check_same(value_change(&arena, value_struct(&arena), value_struct(&arena)), "{} => {}");
	v = value_new(&arena, VALUE_SEQ, 0);
	value_add_named(v, "a", value_int(&arena, 1));
	value_add(v, value_int(&arena, 2));
	check_same(v, "a=1, 2");
}

static void check_string(const char *s, size_t n, enum hex_strings hex, const char *expected)
{
	struct text_config c = {.hex_strings = hex};
	struct strbuf b = {0};

	text_value(&b, value_string(&arena, s, n), &c);
	assert_string_equal(strbuf_str(&b), expected);
	strbuf_deinit(&b);
}

#define S(s) s, sizeof(s) - 1

static void test_strings(void **state)
{
	struct value *v;

	(void)state;
	check_string(S(""), HEX_NEVER, "\"\"");
	check_string(S("s\001\002\0029\n\t\r\v\f\"\\\177\200\377<>1end"), HEX_NEVER,
		     "\"s\\1\\2\\29\\n\\t\\r\\v\\f\\\"\\\\\\177\\200\\377<>1end\"");
	check_string(S("\0\08\0007"), HEX_NEVER, "\"\\0\\08\\0007\"");
	check_string(S("\0011"), HEX_NEVER, "\"\\0011\"");
	check_string(S("a\n"), HEX_NON_ASCII, "\"a\\n\"");
	check_string(S("a\x7f"), HEX_NON_ASCII, "\"\\x61\\x7f\"");
	check_string(S("\0018"), HEX_NON_ASCII_CHARS, "\"\\x018\"");
	check_string(S("a\n"), HEX_ALL, "\"\\x61\\x0a\"");
	v = value_string(&arena, "abc", 3);
	v->flags = VALUE_F_MORE;
	check_same(v, "\"abc\"...");
	v->flags = 0;
	v->text = TEXT_PLAIN;
	check_same(v, "abc");
}

static void test_fds(void **state)
{
	struct value *v = value_fd(&arena, -100);

	(void)state;
	check_same(v, "-100");
	v->flags = VALUE_F_ATFD;
	check(v, "AT_FDCWD", "-100", "-100 /* AT_FDCWD */");
	v->str = "/tmp";
	v->len = 4;
	check(v, "AT_FDCWD</tmp>", "-100</tmp>", "-100 /* AT_FDCWD */</tmp>");
	v = value_fd(&arena, 3);
	v->str = "/a<b>\"c\n\\d";
	v->len = strlen(v->str);
	v->flags = VALUE_F_DELETED;
	check_same(v, "3</a\\74b\\76\\\"c\\n\\\\d>(deleted)");
	v->str = "/dev/null";
	v->len = strlen(v->str);
	v->flags = 0;
	v->extra = value_plain(&arena, "char 1:3");
	check_same(v, "3</dev/null<char 1:3>>");
	v = value_fd(&arena, 6);
	v->extra = value_plain(&arena, "TCP:[127.0.0.1:1->127.0.0.1:2]");
	check_same(v, "6<TCP:[127.0.0.1:1->127.0.0.1:2]>");
	v = value_new(&arena, VALUE_PID, 12);
	v->str = "sh";
	v->len = 2;
	check_same(v, "12<sh>");
}

/* A sink that writes to a file, and two threads whose syscalls are reported to it. */
struct run {
	char path[32];
	struct text_config config;
	struct sink *sink;
	struct event who[2];
	struct syscall_event call[2];
};

static void run_begin(struct run *r)
{
	int fd;

	strcpy(r->path, "/tmp/test_text.XXXXXX");
	fd = mkstemp(r->path);
	assert_true(fd >= 0);
	close(fd);
	r->config.path = r->path;
	if (!r->config.column)
		r->config.column = 40;
	r->sink = text_sink_create(&r->config);
	assert_non_null(r->sink);
	r->sink->unwinder = (struct unwinder *)r;
	for (unsigned i = 0; i < 2; i++) {
		r->who[i] = (struct event){.tid = 100 + i};
		r->who[i].ip = 0x7f98ba59a829;
		r->who[i].nr = 80 + i;
		r->call[i] = (struct syscall_event){.base = r->who[i]};
	}
	r->sink->ops->thread_begin(r->sink, &r->who[0]);
}

static struct arg make_arg(const char *name, struct value *in, struct value *out)
{
	return (struct arg){.name = name, .in = in, .out = out};
}

static void call_begin(struct run *r, unsigned i, const char *name, unsigned nargs)
{
	struct syscall_event *e = &r->call[i];

	memset(e->base.args, 0, sizeof(e->base.args));
	e->base.name = name;
	e->base.nargs = nargs;
	e->base.ret_kind = RET_VALUE;
	e->base.ret = 0;
	e->base.ret_value = e->base.ret_comment = NULL;
	e->tampered = foreign(NULL);
	e->base.stack = NULL;
}

static void enter(struct run *r, unsigned i)
{
	give_call(r->sink, EVENT_ENTER, &r->call[i]);
}

static void leave(struct run *r, unsigned i, int64_t ret)
{
	r->call[i].base.ret = ret;
	give_call(r->sink, EVENT_SYSCALL, &r->call[i]);
}

static char *slurp(const char *path)
{
	static char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	assert_true(n >= 0);
	text[n] = 0;
	close(fd);
	return text;
}

static void run_end(struct run *r, const char *expected)
{
	for (unsigned i = 0; i < 2; i++)
		r->sink->ops->thread_end(r->sink, &r->who[i]);
	assert_int_equal(r->sink->ops->end(r->sink), 0);
	assert_string_equal(slurp(r->path), expected);
	unlink(r->path);
}

static void call_read(struct run *r, unsigned i)
{
	call_begin(r, i, "read", 3);
	r->call[i].base.args[0] = make_arg("fd", value_fd(&arena, 3), NULL);
	r->call[i].base.args[1] = make_arg("buf", NULL, value_string(&arena, "abc", 3));
	r->call[i].base.args[2] = make_arg("count", value_uint(&arena, 10), NULL);
}

static void test_lines(void **state)
{
	struct run r = {0};

	(void)state;
	run_begin(&r);
	call_read(&r, 0);
	enter(&r, 0);
	leave(&r, 0, 3);

	call_begin(&r, 0, "getpid", 0);
	enter(&r, 0);
	leave(&r, 0, 100);

	call_begin(&r, 0, "open", 1);
	r.call[0].base.args[0].in = value_string(&arena, "x", 1);
	r.call[0].base.ret_kind = RET_ERROR;
	enter(&r, 0);
	leave(&r, 0, ENOENT);
	enter(&r, 0);
	r.call[0].tampered = foreign("(INJECTED)");
	leave(&r, 0, EPERM);
	r.call[0].tampered = foreign(NULL);
	enter(&r, 0);
	leave(&r, 0, 4000);

	call_begin(&r, 0, "pause", 0);
	r.call[0].base.ret_kind = RET_RESTART;
	enter(&r, 0);
	leave(&r, 0, 514);

	call_begin(&r, 0, "poll", 0);
	r.call[0].base.ret_comment = value_array(&arena);
	enter(&r, 0);
	leave(&r, 0, 1);
	call_begin(&r, 0, "fcntl", 0);
	r.call[0].base.ret_value = value_hex(&arena, 1);
	r.call[0].base.ret_comment = value_word(&arena, "O_WRONLY", 1);
	r.call[0].base.ret_comment->name = "flags";
	enter(&r, 0);
	leave(&r, 0, 1);

	call_begin(&r, 0, "exit_group", 0);
	r.call[0].base.ret_kind = RET_NONE;
	enter(&r, 0);
	leave(&r, 0, 0);
	give_process(r.sink, &(struct process_event){.base = r.who[0], .code = 5});
	run_end(&r, "read(3, \"abc\", 10)                      = 3\n"
		    "getpid()                                = 100\n"
		    "open(\"x\")                               = -1 ENOENT (No such file or "
		    "directory)\n"
		    "open(\"x\")                               = -1 EPERM (Operation not "
		    "permitted) (INJECTED)\n"
		    "open(\"x\")                               = -1 (errno 4000)\n"
		    "pause()                                 = ? ERESTARTNOHAND (To be restarted "
		    "if no handler)\n"
		    "poll()                                  = 1 ([])\n"
		    "fcntl()                                 = 0x1 (flags O_WRONLY)\n"
		    "exit_group()                            = ?\n"
		    "+++ exited with 5 +++\n");
}

static void test_interleaved(void **state)
{
	struct run r = {.config.follow = true};

	(void)state;
	run_begin(&r);
	r.sink->ops->thread_begin(r.sink, &r.who[1]);
	call_read(&r, 0);
	enter(&r, 0);
	call_begin(&r, 1, "pipe2", 2);
	r.call[1].base.args[0].out = value_array(&arena);
	r.call[1].base.args[1].in = value_int(&arena, 0);
	enter(&r, 1);
	leave(&r, 0, 3);
	leave(&r, 1, 0);
	call_begin(&r, 0, "getpid", 0);
	enter(&r, 0);
	call_begin(&r, 1, "getpid", 0);
	enter(&r, 1);
	leave(&r, 1, 1);
	leave(&r, 0, 1);
	call_begin(&r, 1, "pause", 0);
	r.call[1].base.ret_kind = RET_NONE;
	enter(&r, 1);
	leave(&r, 1, 0);
	give_process(r.sink, &(struct process_event){
				     .base = r.who[1], .kind = PROCESS_SUPERSEDED, .code = 9620});
	give_process(r.sink, &(struct process_event){.base = r.who[1],
						     .kind = PROCESS_KILLED,
						     .code = SIGSEGV,
						     .core_dumped = true});
	run_end(&r, "100   read(3 <unfinished ...>\n"
		    "101   pipe2( <unfinished ...>\n"
		    "100   <... read resumed>, \"abc\", 10)    = 3\n"
		    "101   <... pipe2 resumed>[], 0)         = 0\n"
		    "100   getpid( <unfinished ...>\n"
		    "101   getpid()                          = 1\n"
		    "100   <... getpid resumed>)             = 1\n"
		    "101   pause()                           = ?\n"
		    "101   +++ superseded by execve in pid 9620 +++\n"
		    "101   +++ killed by SIGSEGV (core dumped) +++\n");
}

/* An argument that is printed partly at entry and partly at exit, like {…} => {…} for clone3(). */
static void test_halves(void **state)
{
	struct run r = {.config.follow = true};
	struct value *in = value_struct(&arena), *out;

	(void)state;
	run_begin(&r);
	r.sink->ops->thread_begin(r.sink, &r.who[1]);
	value_add_named(in, "flags", value_hex(&arena, 1));
	for (unsigned cut = 0; cut < 2; cut++) {
		call_begin(&r, 0, "clone3", 2);
		r.call[0].base.args[0].in = value_changing(&arena, in);
		r.call[0].base.args[1].in = value_uint(&arena, 88);
		enter(&r, 0);
		if (cut) {
			call_begin(&r, 1, "getpid", 0);
			enter(&r, 1);
			leave(&r, 1, 1);
		}
		r.call[0].base.args[0].out = value_change(&arena, in, value_struct(&arena));
		leave(&r, 0, 7);
	}
	for (unsigned fails = 0; fails < 2; fails++) {
		in = value_struct(&arena);
		value_add_named(in, "ifr_name", value_string(&arena, "lo", 2));
		in->flags = VALUE_F_OPEN;
		out = value_struct(&arena);
		value_add_named(out, "ifr_name", value_string(&arena, "lo", 2));
		value_add_named(out, "ifr_ifindex", value_int(&arena, 1));
		call_begin(&r, 0, "ioctl", 1);
		r.call[0].base.args[0].in = in;
		enter(&r, 0);
		r.call[0].base.args[0].out = fails ? NULL : out;
		leave(&r, 0, 0);
	}
	run_end(&r, "100   clone3({flags=0x1} => {}, 88)     = 7\n"
		    "100   clone3({flags=0x1} <unfinished ...>\n"
		    "101   getpid()                          = 1\n"
		    "100   <... clone3 resumed> => {}, 88)   = 7\n"
		    "100   ioctl({ifr_name=\"lo\", ifr_ifindex=1}) = 0\n"
		    "100   ioctl({ifr_name=\"lo\"})            = 0\n");
}

static struct value *number_struct(const char *const names[], const int numbers[], unsigned n)
{
	struct value *v = value_struct(&arena);

	for (unsigned i = 0; i < n; i++)
		value_add_named(v, names[i], value_int(&arena, numbers[i]));
	return v;
}

/*
 * At exit, only members that were not printed at entry are printed. This includes members of inner
 * structs.
 */
static void test_continuation(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct run r = {.config.path = NULL};
	struct value *in, *out, *outer_in, *outer_out, *now;

	(void)state;
	run_begin(&r);
	for (unsigned kind = 0; kind < 5; kind++) {
		in = number_struct(names, (const int[]){4, 40}, 2);
		out = number_struct(names, (const int[]){4, 40, 5}, 3);
		in->flags = VALUE_F_OPEN;
		outer_in = in;
		outer_out = out;
		if (kind == 1) /* the last printed child has changed */
			out->child->next->kind = VALUE_CHANGE,
			out->child->next->child = value_int(&arena, 40),
			out->child->next->child->next = value_int(&arena, 41);
		if (kind == 2) /* a child before the last printed child has changed */
			out->child->num = 41;
		if (kind == 3) { /* a child of a child has changed */
			outer_in = value_struct(&arena);
			outer_in->flags = VALUE_F_OPEN;
			value_add_named(outer_in, "x", in);
			outer_out = value_struct(&arena);
			value_add_named(outer_out, "x", out);
			value_add_named(outer_out, "y", value_int(&arena, 6));
		}
		if (kind == 4) { /* the comma has already been printed at entry */
			now = value_add_named(in, "c", value_pending(&arena));
			now->text |= TEXT_UNNAMED;
		}
		call_begin(&r, 0, "ioctl", 1);
		r.call[0].base.args[0].in = outer_in;
		enter(&r, 0);
		r.call[0].base.args[0].out = outer_out;
		leave(&r, 0, 0);
	}
	run_end(&r, "ioctl({a=4, b=40, c=5})                 = 0\n"
		    "ioctl({a=4, b=40 => 41, c=5})           = 0\n"
		    "ioctl({a=4, b=40 => {a=41, b=40, c=5})  = 0\n"
		    "ioctl({x={a=4, b=40, c=5}, y=6})        = 0\n"
		    "ioctl({a=4, b=40, c=5})                 = 0\n");
}

static void test_prefixes(void **state)
{
	struct run r = {.config = {.absolute = TIME_UNIX,
				   .absolute_unit = UNIT_US,
				   .relative = true,
				   .relative_unit = UNIT_MS,
				   .syscall_numbers = true,
				   .instruction_pointer = true,
				   .arg_names = true,
				   .durations = true,
				   .durations_unit = UNIT_NS,
				   .column = 20,
				   .stacks = true}};

	(void)state;
	run_begin(&r);
	call_read(&r, 0);
	r.call[0].base.time = (struct timespec){1795229863, 92449123};
	r.call[0].base.mono = (struct timespec){10, 999000000};
	r.call[0].base.duration = (struct timespec){0, 12001};
	enter(&r, 0);
	leave(&r, 0, 3);
	r.call[0].base.time.tv_sec++;
	r.call[0].base.mono = (struct timespec){12, 1000000};
	enter(&r, 0);
	r.call[0].base.stack = FAKE_STACK(&fake_stack_bad);
	leave(&r, 0, 3);
	give_process(r.sink, &(struct process_event){.base = head_of(&r.call[0].base)});
	run_end(&r, "1795229863.092449 (+     0.000) [  80] [00007f98ba59a829] "
		    "read(fd=3, buf=\"abc\", count=10) = 3 <0.000012001>\n"
		    "1795229864.092449 (+     1.002) [  80] [00007f98ba59a829] "
		    "read(fd=3, buf=\"abc\", count=10) = 3 <0.000012001>\n"
		    " > /bin/app() [0x3000]\n"
		    "1795229864.092449 (+     0.000) [  80] [????????????????] "
		    "+++ exited with 0 +++\n");
}

/* A thread is killed at a syscall entry, before its syscall number could be read. */
static void test_unknown(void **state attr_unused)
{
	struct run r = {.config = {.follow = true, .instruction_pointer = true, .column = 20}};

	run_begin(&r);
	r.sink->ops->thread_begin(r.sink, &r.who[1]);
	call_begin(&r, 1, "???", 0);
	r.call[1].unknown = true;
	enter(&r, 1);
	call_begin(&r, 0, "getpid", 0);
	enter(&r, 0);
	leave(&r, 0, 100);
	r.call[1].base.ret_kind = RET_NONE;
	leave(&r, 1, 0);
	run_end(&r, "101   [????????????????] ???"
		    "( <unfinished ...>\n"
		    "100   [00007f98ba59a829] getpid() = 100\n"
		    "101   [00007f98ba59a829] <... ??? resumed>) = ?\n");
}

static void test_stack_line(void **state)
{
	static const struct frame odd_frames[] = {
		{.module = "/bin/app", .symbol = "f\n+++ exited with 0 +++\xff", .addr = 0x2000},
		{.module = "/bin/a\n;\x1b", .addr = 0x3000},
	};
	struct fake_stack odd = {odd_frames, ARRAY_SIZE(odd_frames), STACK_COMPLETE};
	struct run r = {.config = {.stacks = true, .stack_line = true}};

	(void)state;
	run_begin(&r);
	call_begin(&r, 0, "getpid", 0);
	enter(&r, 0);
	r.call[0].base.stack = FAKE_STACK(&fake_stack_bad);
	leave(&r, 0, 3);
	call_begin(&r, 0, "getpid", 0);
	enter(&r, 0);
	r.call[0].base.stack = FAKE_STACK(&odd);
	leave(&r, 0, 3);
	run_end(&r, "getpid()                                = 3 @ "
		    "read;f<int:2>;app+0x3000;[no unwind information]\n"
		    "getpid()                                = 3 @ "
		    "f +++ exited with 0 +++\\xff;a : +0x3000\n");
}

static void test_no_entry(void **state)
{
	struct run r = {.config.follow = true};

	(void)state;
	run_begin(&r);
	r.sink->ops->thread_begin(r.sink, &r.who[1]);
	call_read(&r, 0);
	leave(&r, 0, 3);
	call_read(&r, 0);
	enter(&r, 0);
	give_process(r.sink, &(struct process_event){.base = r.who[0], .kind = PROCESS_DETACHED});
	call_read(&r, 0);
	enter(&r, 0);
	give_signal(r.sink, &(struct signal_event){.base = r.who[1], .sig = 33});
	give_process(r.sink, &(struct process_event){.base = r.who[0], .kind = PROCESS_DETACHED});
	run_end(&r, "100   read(3, \"abc\", 10)                = 3\n"
		    "100   read(3 <detached ...>\n"
		    "100   read(3 <unfinished ...>\n"
		    "101   --- SIGRT_1 ---\n");
}

static void test_separate(void **state attr_unused)
{
	struct run r = {.config = {.follow = true, .separately = true}};
	char path[64];

	run_begin(&r);
	r.sink->ops->thread_begin(r.sink, &r.who[1]);
	call_read(&r, 0);
	enter(&r, 0);
	call_read(&r, 1);
	enter(&r, 1);
	leave(&r, 0, 3);
	leave(&r, 1, 3);
	assert_int_equal(r.sink->ops->flush(r.sink), 0);
	for (unsigned i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s.%d", r.path, r.who[i].tid);
		assert_string_equal(slurp(path), "read(3, \"abc\", 10)                      = 3\n");
		unlink(path);
	}
	run_end(&r, "");
}

/* If a thread other than the leader calls execve, it takes over the leader's id and log. */
static void test_execve_by_thread(void **state)
{
	(void)state;
	for (unsigned separately = 0; separately < 2; separately++) {
		struct run r = {.config = {.follow = true, .separately = separately}};
		char path[64];

		run_begin(&r);
		r.sink->ops->thread_begin(r.sink, &r.who[1]);
		call_read(&r, 0);
		leave(&r, 0, 3);
		call_begin(&r, 1, "execve", 0);
		enter(&r, 1);
		give_process(r.sink, &(struct process_event){.base = r.who[0],
							     .kind = PROCESS_SUPERSEDED,
							     .code = 101});
		r.sink->ops->thread_end(r.sink, &r.who[0]);
		r.who[1].tid = r.call[1].base.tid = 100;
		r.sink->ops->thread_moved(r.sink, &r.who[1], 101);
		leave(&r, 1, 0);
		if (!separately) {
			run_end(&r, "100   read(3, \"abc\", 10)                = 3\n"
				    "101   execve( <pid changed to 100 ...>\n"
				    "100   +++ superseded by execve in pid 101 +++\n"
				    "100   <... execve resumed>)             = 0\n");
			continue;
		}
		run_end(&r, "");
		snprintf(path, sizeof(path), "%s.100", r.path);
		assert_string_equal(slurp(path), "read(3, \"abc\", 10)                      = 3\n"
						 "+++ superseded by execve in pid 101 +++\n"
						 "<... execve resumed>)                   = 0\n");
		unlink(path);
		snprintf(path, sizeof(path), "%s.101", r.path);
		assert_string_equal(slurp(path), "execve( <pid changed to 100 ...>\n");
		unlink(path);
	}
}

static void test_full_disk(void **state attr_unused)
{
	struct text_config config = {.path = "/dev/full", .column = 40};
	struct event who = {.tid = 1};
	struct syscall_event e = {.base = {.tid = 1, .name = "getpid", .ret_kind = RET_VALUE}};
	struct sink *s = text_sink_create(&config);
	int fds[2], saved;
	char text[256];
	ssize_t n;

	assert_non_null(s);
	assert_int_equal(pipe(fds), 0);
	saved = dup(STDERR_FILENO);
	dup2(fds[1], STDERR_FILENO);
	give_call(s, EVENT_SYSCALL, &e);
	assert_int_equal(s->ops->flush(s), 0);
	give_call(s, EVENT_SYSCALL, &e);
	assert_int_equal(s->ops->flush(s), 0);
	s->ops->thread_end(s, &who);
	assert_int_equal(s->ops->end(s), 0);
	dup2(saved, STDERR_FILENO);
	close(fds[1]);
	n = read(fds[0], text, sizeof(text) - 1);
	close(fds[0]);
	assert_true(n > 0);
	text[n] = 0;
	/* Each message is on a separate line. */
	assert_non_null(strstr(text, "/dev/full: No space left on device\n"));
	assert_ptr_equal(strchr(strchr(text, '\n') + 1, '\n'), text + n - 1);
}

static void test_pipe(void **state attr_unused)
{
	struct text_config config = {.column = 40};
	struct event who = {.tid = 1};
	struct syscall_event e = {.base = {.tid = 1, .name = "getpid", .ret_kind = RET_VALUE}};
	char path[] = "/tmp/test_text.XXXXXX", command[64];
	struct sink *s;
	int fd = mkstemp(path);

	close(fd);
	snprintf(command, sizeof(command), "|sleep 0.1; cat >%s", path);
	config.path = command;
	s = text_sink_create(&config);
	give_call(s, EVENT_SYSCALL, &e);
	s->ops->thread_end(s, &who);
	assert_int_equal(s->ops->end(s), 0);
	/* end() has waited for the command to exit. */
	assert_string_equal(slurp(path), "getpid()                                = 0\n");
	unlink(path);
}

static void test_color(void **state attr_unused)
{
	struct run r = {.config = {.color = true, .arg_names = true, .column = 20}};

	run_begin(&r);
	call_begin(&r, 0, "f", 2);
	r.call[0].base.args[0] = make_arg("x", value_enum(&arena, &whence, 0), NULL);
	r.call[0].base.args[1] = make_arg("y", value_enum(&arena, &whence, 9), NULL);
	r.call[0].base.ret_kind = RET_ERROR;
	enter(&r, 0);
	leave(&r, 0, EINVAL);
	call_begin(&r, 0, "f", 0);
	enter(&r, 0);
	leave(&r, 0, 0);
	r.sink->ops->thread_begin(r.sink, &r.who[1]);
	enter(&r, 0);
	give_process(r.sink, &(struct process_event){.base = r.who[1]});
	leave(&r, 0, 0);
	run_end(&r, "\033[33mf\033[0m(\033[35m\033[39mx\033[0m=\033[35m\033[34mSEEK_SET\033[35m"
		    "\033[0m, \033[35m\033[39my\033[0m=\033[35m0x9\033[36m /* SEEK_???\033[36m */"
		    "\033[35m\033[0m\033[0m)\033[0m \033[0m=\033[0m\033[0m \033[32m-1\033[0m "
		    "\033[31mEINVAL\033[0m \033[31m(Invalid argument)\033[0m\033[0m\n"
		    "\033[33mf\033[0m(\033[35m\033[0m\033[0m)\033[0m                 "
		    "\033[0m=\033[0m\033[0m \033[32m0\033[0m\033[0m\n"
		    "100   \033[33mf\033[0m(\033[35m\033[0m <unfinished ...>\033[0m\n"
		    "101   +++ exited with 0 +++\033[0m\n"
		    "100   <... f resumed>\033[0m)\033[0m \033[0m=\033[0m\033[0m "
		    "\033[32m0\033[0m\033[0m\n");
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
		cmocka_unit_test_teardown(test_numbers, reset),
		cmocka_unit_test_teardown(test_constants, reset),
		cmocka_unit_test_teardown(test_or, reset),
		cmocka_unit_test_teardown(test_calls, reset),
		cmocka_unit_test_teardown(test_composites, reset),
		cmocka_unit_test_teardown(test_strings, reset),
		cmocka_unit_test_teardown(test_fds, reset),
		cmocka_unit_test_teardown(test_lines, reset),
		cmocka_unit_test_teardown(test_interleaved, reset),
		cmocka_unit_test_teardown(test_halves, reset),
		cmocka_unit_test_teardown(test_continuation, reset),
		cmocka_unit_test_teardown(test_prefixes, reset),
		cmocka_unit_test_teardown(test_stack_line, reset),
		cmocka_unit_test_teardown(test_no_entry, reset),
		cmocka_unit_test_teardown(test_separate, reset),
		cmocka_unit_test_teardown(test_execve_by_thread, reset),
		cmocka_unit_test_teardown(test_full_disk, reset),
		cmocka_unit_test_teardown(test_pipe, reset),
		cmocka_unit_test_teardown(test_unknown, reset),
		cmocka_unit_test_teardown(test_color, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
