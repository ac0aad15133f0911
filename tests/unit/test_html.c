/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests --format=html with synthetic events. Checks the contents of the page's chunks. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "give.h"
#include "fake_stack.h"
#include "html_parts.h"
#include "sinks/html/html.h"
#include "sinks/text/text_config.h"

static char path[] = "/tmp/tracer-html-XXXXXX";

static void new_path(void)
{
	int fd;

	strcpy(path, "/tmp/tracer-html-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
}

static char *slurp(void)
{
	struct stat st;
	FILE *f = fopen(path, "r");
	char *text;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	text = malloc(st.st_size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, st.st_size, f), st.st_size);
	text[st.st_size] = 0;
	fclose(f);
	unlink(path);
	return text;
}

static uint64_t number(const struct html_parts *p, size_t *at)
{
	uint64_t v = 0;
	uint8_t byte;

	for (unsigned shift = 0;; shift += 7) {
		assert_true(*at < p->columns.len);
		byte = p->columns.data[(*at)++];
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
}

static int64_t signed_number(const struct html_parts *p, size_t *at)
{
	uint64_t v = number(p, at);

	return v & 1 ? (int64_t) ~(v >> 1) : (int64_t)(v >> 1);
}

static struct syscall_event call(pid_t tid, const char *comm, const char *name, enum ret_kind kind,
				 int64_t ret, long ns, struct fake_stack *stack)
{
	struct syscall_event e = {.base = {.name = name,
					   .tid = tid,
					   .tgid = 12,
					   .mono = {100, 5000},
					   .time = {1700000000, 0},
					   .ret_kind = kind,
					   .ret = ret},
				  .row = -1};

	memcpy(e.base.comm, comm, strlen(comm));
	e.base.duration.tv_nsec = ns;
	e.base.stack = FAKE_STACK(stack);
	return e;
}

static const struct frame hostile_frames[] = {
	{.module = "/bin/</script><script>alert(1)</script>",
	 .symbol = "\xff\n<b>",
	 .addr = 0x1000},
	{.module = "/bin/app", .symbol = "main", .addr = 0xffffffffff600000, .offset = 5},
};
static struct fake_stack hostile = {hostile_frames, ARRAY_SIZE(hostile_frames), STACK_COMPLETE};

static struct sink *create(bool stacks)
{
	static const struct text_config text = {.follow = true};
	static const struct foreign command[] = {{"x"}, {"</script><b>\"&\n\xff"}};
	struct sink_config config = {.path = path,
				     .stacks = stacks,
				     .command = command,
				     .command_len = ARRAY_SIZE(command),
				     .text = &text};
	struct sink *s;

	new_path();
	s = html_sink_create(&config);
	assert_non_null(s);
	s->unwinder = (struct unwinder *)s;
	return s;
}

static void test_rows(void **state)
{
	static const int64_t expected[7][4] = {
		{0, 1, 4, 5},			/* event kinds: call, failed, signal, exited */
		{0, 1, -1, 0},			/* thread indexes, as differences: +1, -1 */
		{0, 1, 2, 3},			/* names */
		{0, 1000000000, -999998700, 0}, /* end times, as differences */
		{1500, 200, 0, 0},		/* durations */
		{100, 0, 0, 0},			/* bytes */
		{2 << 4, -(2 << 4), 0, 0},	/* stacks, as differences: two nodes or none */
	};
	struct sink *s = create(true);
	struct syscall_event e = call(12, "a<b>\x01", "read", RET_VALUE, 100, 1500, &hostile);
	struct signal_event sig = {.base = head_of(&e.base), .sig = SIGTERM};
	struct process_event p = {.base = head_of(&e.base), .kind = PROCESS_FORKED, .code = 13};
	struct html_parts parts;
	const char *rest;
	size_t at = 0;
	char *text;

	(void)state;
	s->ops->thread_begin(s, &e.base);
	give_call(s, EVENT_ENTER, &e);
	give_call(s, EVENT_SYSCALL, &e);
	give_process(s, &p);
	e = call(13, "app", "open", RET_ERROR, 2, 200, NULL);
	e.base.mono = (struct timespec){101, 6300};
	give_call(s, EVENT_SYSCALL, &e);
	sig.base.mono.tv_nsec += 2800;
	give_signal(s, &sig);
	p.base = sig.base;
	p.kind = PROCESS_EXITED;
	p.code = 3;
	give_process(s, &p);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_int_equal(strncmp(text, "<!DOCTYPE html>\n", 16), 0);
	assert_non_null(strstr(text, "\n</html>\n"));
	assert_null(strstr(text, "@STYLE@"));
	assert_null(strstr(text, "@SCRIPT@"));
	/* The page escapes all text that the traced program controls. */
	assert_null(strstr(text, "alert(1)"));
	assert_null(strstr(text, "<b>"));
	rest = html_parts_read(&parts, text);
	assert_non_null(rest);
	assert_string_equal(rest, "\n</body>\n</html>\n");
	assert_string_equal(
		strbuf_str(&parts.lists),
		"{\"rows\":4,\"base\":1500,\"strings\":[\"a<b>\\u0001\",\"read\",\"main\","
		"\"/bin/app\",\"\\ufffd\\n<b>\",\"/bin/</script><script>alert(1)</script>\","
		"\"app\",\"open\",\"SIGTERM\",\"exited with 3\"],"
		"\"names\":[1,0,7,0,8,0,9,0],\"who\":[0,0,1,6],"
		"\"frames\":[3,4,0,\"18446744073699065856\",5,0,0,0,5,6,0,4096,0,0,0,0],"
		"\"nodes\":[0,0,1,1],\"threads\":[0,12,12,-1,1,13,0,0,1,13,12,0],\"commands\":[],"
		"\"wakes\":[],"
		"\"title\":\"x </script><b>\\\"&\\\\012\\\\377\",\"clock\":1700000000.000000,"
		"\"stacks\":true,\"classes\":[\"file\",\"desc\",\"process\",\"network\",\"signal\","
		"\"ipc\",\"memory\",\"creds\",\"clock\"],\"complete\":true}");
	assert_string_equal(strbuf_str(&parts.text),
			    "read() = 100\n"
			    "open() = -1 ENOENT (No such file or directory)\n"
			    "--- SIGTERM ---\n"
			    "+++ exited with 3 +++\n");
	for (unsigned column = 0; column < 7; column++)
		for (unsigned row = 0; row < 4; row++) {
			bool is_signed = column == 1 || column == 3 || column == 6;
			int64_t v = is_signed ? signed_number(&parts, &at)
					      : (int64_t)number(&parts, &at);

			assert_int_equal(v, expected[column][row]);
		}
	assert_int_equal(at, parts.columns.len);
	html_parts_free(&parts);
	free(text);
}

static void test_empty(void **state)
{
	struct sink *s = create(false);
	struct html_parts parts;
	const char *rest;
	char *text;

	(void)state;
	assert_int_equal(s->ops->flush(s), 0);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	rest = html_parts_read(&parts, text);
	assert_non_null(rest);
	assert_non_null(strstr(strbuf_str(&parts.lists), "\"stacks\":false"));
	assert_int_equal(parts.text.len, 0);
	assert_null(html_parts_read(&(struct html_parts){0}, rest));
	html_parts_free(&parts);
	free(text);
}

/* A thread that calls execve gets its leader's pid, but keeps its index in the page. */
static void test_moved(void **state)
{
	struct sink *s = create(false);
	struct syscall_event e = call(12, "app", "getpid", RET_VALUE, 12, 1, NULL);
	struct event leader = e.base;
	struct html_parts parts;
	char *text;

	(void)state;
	give_call(s, EVENT_SYSCALL, &e);
	e = call(13, "app", "execve", RET_VALUE, 0, 1, NULL);
	give_call(s, EVENT_ENTER, &e);
	s->ops->thread_begin(s, &e.base);
	s->ops->thread_moved(s, &leader, 13);
	e.base.tid = 12;
	give_call(s, EVENT_SYSCALL, &e);
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	assert_non_null(html_parts_read(&parts, text));
	assert_non_null(
		strstr(strbuf_str(&parts.lists), "\"threads\":[0,12,12,-1,1,13,12,-1,1,12,12,-1]"));
	assert_non_null(strstr(strbuf_str(&parts.lists), "\"who\":[0,0,1,0]"));
	html_parts_free(&parts);
	free(text);
}

/*
 * Even if there are more names than the sink remembers, no row is missing, and each chunk can be
 * read independently.
 */
static void test_many(void **state)
{
	enum { CALLS = 280000 };
	struct sink *s = create(false);
	struct syscall_event e = call(12, "app", "", RET_VALUE, 0, 10, NULL);
	char name[32];
	struct html_parts parts;
	unsigned lines = 0, chunks = 0;
	char *text;

	(void)state;
	e.base.name = name;
	for (unsigned i = 0; i < CALLS; i++) {
		snprintf(name, sizeof(name), "c%x", i);
		e.base.mono.tv_nsec = 5000 + i * 100;
		give_call(s, EVENT_SYSCALL, &e);
	}
	assert_int_equal(s->ops->end(s), 0);
	text = slurp();
	for (const char *p = text; (p = html_parts_read(&parts, p));) {
		for (size_t i = 0; i < parts.text.len; i++)
			lines += parts.text.data[i] == '\n';
		chunks++;
		html_parts_free(&parts);
	}
	assert_int_equal(lines, CALLS);
	assert_true(chunks > 10);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
