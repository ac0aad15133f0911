/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts from the running system are correct, and recorded facts are read back unchanged. Questions
 * that were not recorded are answered with "unknown".
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "answers.h"
#include "capture/proc/live.h"
#include "trace/record/recorded_facts.h"

static struct facts *live;

static int setup(void **state)
{
	(void)state;
	live = live_facts_create(NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	live_facts_destroy(live);
	return 0;
}

/* Writes facts about this process and some of its descriptors as one text. */
static void describe(struct facts *f, const int *fds, size_t n, char *out, size_t size)
{
	char text[256], comm[16] = "";
	struct fact_answer path;
	struct socket_fact s;
	int shown, pid;
	unsigned type;
	uint64_t rdev;
	size_t len = 0;

#define SAY(...) len += snprintf(out + len, size - len, __VA_ARGS__)
	for (size_t i = 0; i < n; i++) {
		SAY("%d: %zd", (int)i, fact_fd_path(f, getpid(), fds[i], &path));
		SAY(" %s %d;", path.bytes, (int)path.numbers[0]);
		if (fact_fd_info(f, getpid(), fds[i], "eventfd-count", text, sizeof(text)))
			SAY(" count %s;", text);
		if (fact_fd_protocol(f, getpid(), fds[i], text, sizeof(text))) {
			SAY(" %s", text);
			if (fact_socket(f, strtoul(path.bytes + strlen("socket:["), NULL, 10), text,
					&s))
				SAY(" %d %u %u %d;", s.family, s.port, s.peer_port, s.address[0]);
		}
		if (fact_fd_pidfd(f, getpid(), fds[i], &shown, &pid))
			SAY(" %d %d;", shown, pid);
	}
	SAY(" %d", fact_device(f, "/dev/null", &type, &rdev));
	SAY(" %x %u:%u", type, major(rdev), minor(rdev));
	SAY(" %d %s", fact_comm(f, getpid(), comm), comm);
	SAY(" %d", fact_pid(f, getpid(), PID_PROCESS, getpid()));
	SAY(" %d %s", fact_namespace(f, getpid(), "mnt", text, sizeof(text)), text);
	SAY(" %d", fact_interface(f, 1, text, sizeof(text)));
	SAY(" %d", fact_genl_family(f, 0x10, text, sizeof(text)));
	SAY(" %d", fact_genl_family(f, 0xfff0, text, sizeof(text)));
#undef SAY
}

static void test_live(void **state)
{
	char text[256], name[] = "/tmp/tracer-facts-XXXXXX", comm[16], was[16];
	struct fact_answer path;
	int fd = mkstemp(name), count = eventfd(7, 0);
	int64_t boot;

	(void)state;
	assert_int_equal(fact_fd_path(live, getpid(), fd, &path), strlen(name));
	assert_string_equal(path.bytes, name);
	assert_int_equal(path.numbers[0], strlen(name));
	unlink(name);
	assert_int_equal(fact_fd_path(live, getpid(), fd, &path), strlen(name) + 10);
	assert_int_equal(path.numbers[0], strlen(name));
	assert_true(fact_fd_info(live, getpid(), count, "eventfd-count", text, sizeof(text)));
	assert_int_equal(atoi(text), 7);
	assert_false(fact_fd_info(live, getpid(), fd, "eventfd-count", text, sizeof(text)));
	assert_int_equal(fact_fd_path(live, getpid(), -1, &path), -EBADF);
	assert_int_equal(fact_fd_path(live, getpid(), 999, &path), -ENOENT);
	assert_true(fact_fd_path(live, getpid(), AT_FDCWD, &path) > 0);
	assert_int_equal(path.bytes[0], '/');
	prctl(PR_GET_NAME, was);
	prctl(PR_SET_NAME, "fact\nnot");
	assert_true(fact_comm(live, getpid(), comm));
	assert_string_equal(comm, "fact");
	prctl(PR_SET_NAME, was);
	assert_true(fact_boot_time(live, &boot));
	assert_true(boot > 0);
	close(fd);
	close(count);
}

static void test_recorded(void **state)
{
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fds[] = {open("/dev/null", O_RDONLY), eventfd(7, 0), socket(AF_INET, SOCK_STREAM, 0),
		     (int)syscall(SYS_pidfd_open, getpid(), 0)};
	static char first[16384], again[16384];
	struct answers a;
	struct fact_answer path;

	(void)state;
	assert_int_equal(bind(fds[2], (struct sockaddr *)&any, sizeof(any)), 0);
	assert_int_equal(listen(fds[2], 1), 0);
	answers_init(&a, live);
	describe(&a.facts, fds, ARRAY_SIZE(fds), first, sizeof(first));
	/* Recorded answers do not change when the descriptors are closed. */
	a.source = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	describe(&a.facts, fds, ARRAY_SIZE(fds), again, sizeof(again));
	assert_string_equal(first, again);
	assert_non_null(strstr(first, "/dev/null"));
	assert_non_null(strstr(first, " count "));
	assert_int_equal(fact_fd_path(&a.facts, getpid(), 999, &path), -ENODATA);
	answers_clear(&a);
	assert_int_equal(fact_fd_path(&a.facts, getpid(), fds[0], &path), -ENODATA);
	answers_deinit(&a);
	assert_int_equal(fact_fd_path(NULL, getpid(), 1, &path), -ENODATA);
}

static void test_text(void **state)
{
	static const char *const wrong[] = {"",
					    "fd_path",
					    "nothing = 1",
					    "fd_path n = 1",
					    "fd_path n= = 1",
					    "fd_path x=1 = 1",
					    "fd_path n=1 = \"a",
					    "fd_path n=1 = \"\\xz\"",
					    "fd_path n=1 = 1 2 3 4 5 6 7",
					    "fd_path n=1 = !0",
					    "fd_path n=1 = \"a\" 1",
					    "fd_info key=a = 1"};
	struct fact_answer path;
	struct answers a;
	char text[64];
	unsigned type;
	uint64_t rdev;

	(void)state;
	answers_init(&a, NULL);
	assert_null(answers_parse(&a, "fd_path tid=5 n=3 = 2 \"/a\\x20\\\"(deleted)\""));
	assert_int_equal(fact_fd_path(&a.facts, 5, 3, &path), 13);
	assert_string_equal(path.bytes, "/a \"(deleted)");
	assert_int_equal(path.numbers[0], 2);
	assert_null(answers_parse(&a, "fd_path tid=5 n=3 = \"/b\""));
	assert_int_equal(fact_fd_path(&a.facts, 5, 3, &path), 2);
	assert_int_equal(path.numbers[0], 2);
	assert_int_equal(a.known.n, 1);
	assert_null(answers_parse(&a, "fd_path tid=5 n=4 = !9"));
	assert_int_equal(fact_fd_path(&a.facts, 5, 4, &path), -EBADF);
	assert_int_equal(fact_fd_path(&a.facts, 6, 3, &path), -ENODATA);
	assert_null(answers_parse(&a, " device key=\"/dev/x\"=0x2000 0x103"));
	assert_true(fact_device(&a.facts, "/dev/x", &type, &rdev));
	assert_int_equal(type, S_IFCHR);
	assert_int_equal(rdev, makedev(1, 3));
	assert_false(fact_device(&a.facts, "/dev/y", &type, &rdev));
	assert_null(answers_parse(&a, "interface n=2 = \"eth0\""));
	assert_true(fact_interface(&a.facts, 2, text, sizeof(text)));
	assert_string_equal(text, "eth0");
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (!answers_parse(&a, wrong[i]))
			fail_msg("'%s' is taken", wrong[i]);
	answers_deinit(&a);
}

/* Answers may come from a file, so inconsistent answers are corrected or rejected. */
static void test_hostile(void **state)
{
	struct fact_answer path;
	struct socket_fact s;
	struct answers a;
	char comm[16];

	(void)state;
	answers_init(&a, NULL);
	assert_null(answers_parse(&a, "fd_path n=1 = 99 \"abc\""));
	assert_int_equal(fact_fd_path(&a.facts, 0, 1, &path), 3);
	assert_int_equal(path.numbers[0], 3);
	assert_null(answers_parse(&a, "fd_path n=2 = -1 \"abc\""));
	assert_int_equal(fact_fd_path(&a.facts, 0, 2, &path), 3);
	assert_int_equal(path.numbers[0], 3);
	assert_null(answers_parse(&a, "comm n=1 = \"0123456789abcdefghij\""));
	assert_true(fact_comm(&a.facts, 1, comm));
	assert_string_equal(comm, "0123456789abcde");
	assert_null(answers_parse(&a, "socket n=1 key=\"TCP\" = 2 80 81 \"short\""));
	assert_false(fact_socket(&a.facts, 1, "TCP", &s));
	assert_null(answers_parse(&a, "socket n=1 key=\"TCP\" = 77"));
	assert_false(fact_socket(&a.facts, 1, "TCP", &s));
	answers_deinit(&a);
}

/* Checks the path of descriptor fd of process pid. */
static void check_path(pid_t pid, int fd, const char *expected)
{
	struct fact_answer path;

	assert_int_equal(fact_fd_path(live, pid, fd, &path), strlen(expected));
	assert_string_equal(path.bytes, expected);
}

/* The answers are right although links of descriptors stay open. */
static void test_links(void **state)
{
	char first[] = "/tmp/tracer-facts-XXXXXX", second[64];
	int fd = mkstemp(first), other = open("/dev/null", O_RDONLY);
	struct fact_answer path;

	(void)state;
	snprintf(second, sizeof(second), "%s.renamed", first);
	for (unsigned i = 0; i < 3; i++)
		check_path(getpid(), fd, first);
	rename(first, second);
	check_path(getpid(), fd, second);
	dup2(other, fd);
	check_path(getpid(), fd, "/dev/null");
	/* The number fd + 64 has the same place. */
	dup2(open(second, O_RDONLY), fd + 64);
	for (unsigned i = 0; i < 3; i++) {
		check_path(getpid(), fd + 64, second);
		check_path(getpid(), fd, "/dev/null");
	}
	close(fd + 64);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(fact_fd_path(live, getpid(), fd + 64, &path), -ENOENT);
	close(fd);
	assert_int_equal(fact_fd_path(live, getpid(), fd, &path), -ENOENT);
	close(other);
	unlink(second);
}

/* Starts a process that waits and whose id is `id`, or any if id is 0. Returns -1 on failure. */
static pid_t start(pid_t id)
{
	struct clone_args args = {.exit_signal = SIGCHLD,
				  .set_tid = id ? (uintptr_t)&id : 0,
				  .set_tid_size = id != 0};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A link that was opened for a process is not used for a later process with the same id. */
static void test_links_of_reused_id(void **state)
{
	const int fd = open("/dev/null", O_RDONLY);
	struct fact_answer path;
	pid_t pid = start(0);

	(void)state;
	dup2(open("/dev/full", O_RDONLY), fd);
	for (unsigned i = 0; i < 3; i++)
		check_path(pid, fd, "/dev/null");
	check_path(getpid(), fd, "/dev/full");
	check_path(getpid(), fd, "/dev/full");
	check_path(pid, fd, "/dev/null");
	end(pid);
	dup2(open("/dev/null", O_RDONLY), fd);
	assert_int_equal(fact_fd_path(live, pid, fd, &path), -ENOENT);
	pid = start(0);
	for (unsigned i = 0; i < 3; i++)
		check_path(pid, fd, "/dev/null");
	end(pid);
	dup2(open("/dev/zero", O_RDONLY), fd);
	/* Only root can choose the id of a process. */
	if (start(pid) != pid)
		return;
	for (unsigned i = 0; i < 3; i++)
		check_path(pid, fd, "/dev/zero");
	end(pid);
	close(fd);
}

/* Answers that all descriptors have the same path, except descriptor 9, which is not open. */
static void answer(struct facts *f, const struct fact_question *q, struct fact_answer *a)
{
	(void)f;
	if (q->kind == FACT_FD_PATH && q->n == 9)
		a->error = -ENOENT;
	else
		fact_set_bytes(a, "/x", 2);
}

/* Asks about descriptor fd of thread 5. Returns false if the answers were known. */
static bool asks(struct recorded_facts *r, int fd, bool info)
{
	struct fact_answer path;
	char text[16];

	if (facts_knows_fd(&r->facts, 5, fd))
		return false;
	fact_fd_path(&r->facts, 5, fd, &path);
	if (info)
		fact_fd_info(&r->facts, 5, fd, "pos", text, sizeof(text));
	facts_asked_fd(&r->facts, 5, fd);
	return true;
}

/* The answers about a descriptor are known until a tracee may have changed them. */
static void test_known(void **state)
{
	static const struct facts_ops answer_ops = {.ask = answer};
	struct recorded_facts *r = calloc(1, sizeof(*r));
	struct facts source = {.ops = &answer_ops};
	struct strbuf records = {0};

	(void)state;
	recorded_facts_init(r, &source, &records);
	r->descriptors_known = true;
	r->tid = r->tgid = 5;
	assert_true(asks(r, 3, false));
	assert_false(asks(r, 3, false));
	assert_true(asks(r, 4, false));
	assert_false(asks(r, 3, false));
	recorded_facts_fd_changed(r, 5, 3);
	assert_true(asks(r, 3, false));
	assert_false(asks(r, 4, false));
	recorded_facts_fd_changed(r, 5, -1);
	assert_true(asks(r, 3, false));
	recorded_facts_files_changed(r);
	assert_true(asks(r, 3, false));
	recorded_facts_sockets_changed(r);
	assert_true(asks(r, 3, false));
	recorded_facts_tasks_changed(r);
	assert_true(asks(r, 3, false));
	/* After this, the trace does not contain the answers any more. */
	recorded_facts_forget(r);
	assert_true(asks(r, 3, false));
	/* A call that opens the descriptor is not noticed. */
	assert_true(asks(r, 9, false));
	assert_true(asks(r, 9, false));
	/* The answer to this question can change at any time. */
	assert_true(asks(r, 6, true));
	assert_true(asks(r, 6, true));
	assert_false(asks(r, 3, false));
	r->tid = 7;
	assert_true(asks(r, 3, false));
	r->tid = 5;
	r->descriptors_known = false;
	assert_true(asks(r, 3, false));
	assert_true(asks(r, 3, false));
	/* A source that does not record never knows the answers. */
	assert_false(facts_knows_fd(&source, 5, 3));
	assert_false(facts_knows_fd(NULL, 5, 3));
	facts_asked_fd(&source, 5, 3);
	facts_asked_fd(NULL, 5, 3);
	recorded_facts_deinit(r);
	strbuf_deinit(&records);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_live, setup, teardown),
		cmocka_unit_test_setup_teardown(test_links, setup, teardown),
		cmocka_unit_test_setup_teardown(test_links_of_reused_id, setup, teardown),
		cmocka_unit_test(test_known),
		cmocka_unit_test_setup_teardown(test_recorded, setup, teardown),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
