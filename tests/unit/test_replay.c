/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the session with an engine that traces nothing: it reports a fixed list of stops, and memory
 * has fixed contents. The output therefore depends only on data that the engine provides through
 * capture/capture.h.
 */
#include <linux/audit.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "answers.h"
#include "capture/capture.h"
#include "capture/chunks.h"
#include "cli/options.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "session/session.h"
#include "stack/files/file_source.h"
#include "stack/files/map_source.h"
#include "stack/files/map_table.h"
#include "util/mem.h"
#include "util/strbuf.h"

/* Larger than any pid that the kernel assigns, so /proc has no data about these threads. */
#define LEADER 5000100
#define THREAD 5000101
#define CHILD  5000200

#define PATH 0x10000 /* address of "/etc/hosts" */

struct step {
	enum stop_kind kind;
	pid_t tid;
	uint64_t nr; /* for syscall stops: the syscall's number */
	uint64_t args[3];
	int64_t ret;
	pid_t other; /* the value of stop.pid */
	int sig, status;
};

struct replay {
	struct capture capture;
	const struct step *steps;
	size_t n, at;
	struct tcb *tcbs[8]; /* in order of creation; NULL for a free slot */
	struct tcb *gone[8];
	unsigned gone_count;
	struct tcb *stopped; /* this thread must be resumed before the next stop */
	unsigned resumed;
	struct chunks memory;
	struct answers answers;
	struct map_source maps;
	struct file_source files;
};

/* The steps that the next engine reports, and the numbers of resumes and stops in the last run. */
static const struct step *next_steps;
static size_t next_count;
static unsigned resumed, stops;
/*
 * A NULL-terminated array of recorded facts, or NULL if there are none. For their format, see
 * answers.h.
 */
static const char *const *next_facts;

/*
 * The recorded stack: two frames linked by frame pointers, in code of two files that do not exist.
 */
#define STACK 0x7000
static const uint64_t stack_words[] = {
	[0] = STACK + 0x18,
	0x401234, /* return address of the frame that makes the syscall */
	0,
	STACK + 0x30,
	0x501678,
	0,
	0,
	0};
/*
 * The code at each pc of the recorded stack: leave, ret. This code shows that the functions have
 * frame pointers.
 */
static const uint8_t leave_ret[16] = {0xc9, 0xc3};

static int find_mapping(struct map_source *s attr_unused, pid_t tid attr_unused,
			intptr_t *keep attr_unused, uint64_t addr attr_unused,
			bool names attr_unused, struct mapping *m attr_unused)
{
	return -ENOTTY;
}

static struct map_table *list_mappings(struct map_source *s attr_unused, pid_t tid)
{
	static const char maps[] = "00400000-00402000 r-xp 00000000 08:01 11 /opt/app\n"
				   "00501000-00502000 r-xp 00001000 08:01 12 /opt/lib.so\n";

	assert_int_equal(tid, LEADER);
	return map_table_parse(maps, sizeof(maps) - 1);
}

static bool reads_execute(struct map_source *s attr_unused, pid_t tid attr_unused)
{
	return false;
}

static const struct map_source_ops map_ops = {
	.find = find_mapping,
	.list = list_mappings,
	.reads_execute = reads_execute,
};

static int open_mapped(struct file_source *s attr_unused, pid_t tid attr_unused,
		       const struct mapping *m attr_unused)
{
	errno = ENOENT;
	return -1;
}

static int open_path(struct file_source *s attr_unused, pid_t pid attr_unused,
		     const char *path attr_unused, bool owned attr_unused)
{
	errno = ENOENT;
	return -1;
}

static ssize_t path_of(struct file_source *s attr_unused, int fd attr_unused, char *buf attr_unused,
		       size_t size attr_unused)
{
	return -1;
}

static pid_t inner_pid(struct file_source *s attr_unused, pid_t pid)
{
	return pid;
}

static const struct file_source_ops file_ops = {
	.path_of = path_of,
	.inner_pid = inner_pid,
	.open_mapped = open_mapped,
	.open_path = open_path,
};

/* The replayed machine is always x86_64, even if the test runs on another machine. */
enum {
	NR_OPENAT = 257,
	NR_FORK = 57,
	NR_PAUSE = 34,
	NR_EXIT_GROUP = 231,
	NR_CLONE = 56,
	NR_EXECVE = 59,
	NR_EXIT = 60,
	NR_GETPPID = 110,
};

/* Sets only the registers that stack walks need. */
static int replay_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	const struct arch_mode *mode = &arch_x86_64.modes[0];
	const uint64_t words[] = {tcb->regs.ip, tcb->regs.sp, STACK, tcb->regs.nr};
	const uint16_t at[] = {mode->column_at[mode->pc], mode->column_at[mode->sp],
			       mode->column_at[mode->bp], mode->calls[0].nr};

	*regs = (struct arch_regs){.mode = mode};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		memcpy(regs->bytes + at[i], &words[i], sizeof(words[i]));
	return 0;
}

static struct replay *replay_of(const struct capture *c)
{
	return container_of((struct capture *)c, struct replay, capture);
}

static struct tcb *replay_find(const struct capture *c, pid_t tid)
{
	const struct replay *r = replay_of(c);

	for (size_t i = 0; i < ARRAY_SIZE(r->tcbs); i++) {
		if (r->tcbs[i] && r->tcbs[i]->tid == tid)
			return r->tcbs[i];
	}
	return NULL;
}

static struct tcb *add(struct replay *r, pid_t tid, unsigned flags)
{
	struct tcb *tcb = mem_zalloc(sizeof(*tcb));

	tcb->tid = tid;
	tcb->tgid = tid == THREAD ? LEADER : tid;
	tcb->flags = flags;
	tcb->capture = &r->capture;
	tcb->memory = &r->memory.memory;
	tcb->facts = r->capture.facts;
	snprintf(tcb->comm, sizeof(tcb->comm), "app%d", tid % 1000);
	for (size_t i = 0; i < ARRAY_SIZE(r->tcbs); i++) {
		if (!r->tcbs[i]) {
			r->tcbs[i] = tcb;
			return tcb;
		}
	}
	fail();
	return NULL;
}

static void drop(struct replay *r, struct tcb *tcb)
{
	for (size_t i = 0; i < ARRAY_SIZE(r->tcbs); i++) {
		if (r->tcbs[i] == tcb)
			r->tcbs[i] = NULL;
	}
	assert_true(r->gone_count < ARRAY_SIZE(r->gone));
	r->gone[r->gone_count++] = tcb;
}

static void free_gone(struct replay *r)
{
	while (r->gone_count)
		free(r->gone[--r->gone_count]);
}

static int replay_attach(struct capture *c, pid_t pid, unsigned *attached)
{
	add(replay_of(c), pid, TCB_ATTACHED);
	*attached = 1;
	return 0;
}

static void tell(struct replay *r, const struct step *step, struct stop *stop)
{
	struct tcb *tcb = stop->tcb, *heir;

	switch (step->kind) {
	case STOP_SYSCALL_ENTER:
		tcb->regs = (struct syscall_regs){
			.audit = AUDIT_ARCH_X86_64, .nr = step->nr, .ip = 0x401000, .sp = 0x7000};
		memcpy(tcb->regs.args, step->args, sizeof(step->args));
		tcb->flags |= TCB_IN_SYSCALL;
		break;
	case STOP_SYSCALL_EXIT:
		tcb->regs.ret = step->ret;
		tcb->regs.is_error = step->ret < 0;
		tcb->flags &= ~TCB_IN_SYSCALL;
		break;
	case STOP_FORK:
		stop->child = add(r, step->other, 0);
		break;
	case STOP_VANISHED:
		drop(r, tcb);
		heir = replay_find(&r->capture, step->other);
		if (heir)
			heir->tid = tcb->tid;
		break;
	case STOP_EXITED:
		drop(r, tcb);
		break;
	default:
		break;
	}
}

static void replay_wait(struct capture *c, struct stop *stop,
			const struct timespec *deadline attr_unused)
{
	struct replay *r = replay_of(c);
	const struct step *step = &r->steps[r->at];

	free_gone(r);
	*stop = (struct stop){.kind = STOP_NONE};
	if (r->at == r->n)
		return;
	assert_null(r->stopped);
	r->at++;
	stop->kind = step->kind;
	stop->tcb = step->tid ? replay_find(c, step->tid) : NULL;
	stop->pid = step->other;
	stop->sig = step->sig;
	stop->status = step->status;
	/*
	 * The first stop is at a fixed time in the past. The other stops follow at intervals of a
	 * millisecond.
	 */
	stop->time = 1700000000000000000 + (int64_t)r->at * 1000000;
	stop->mono = 100000000000 + (int64_t)r->at * 1000000;
	if (step->kind == STOP_SIGNAL) {
		stop->has_info = true;
		stop->info = (siginfo_t){.si_signo = step->sig, .si_code = SI_USER};
		stop->info.si_pid = LEADER;
	}
	if (step->kind == STOP_LOST) {
		stop->lost = (uint64_t)step->ret;
		stop->cause = foreign("the buffer was full");
		return;
	}
	assert_non_null(stop->tcb);
	tell(r, step, stop);
	if (step->kind != STOP_EXITED && step->kind != STOP_VANISHED) {
		r->stopped = stop->tcb;
		stops++;
	}
}

static void replay_resume(struct tcb *tcb)
{
	struct replay *r = replay_of(tcb->capture);

	assert_ptr_equal(r->stopped, tcb);
	r->stopped = NULL;
	resumed++;
}

static int replay_detach(struct tcb *tcb)
{
	tcb->flags |= TCB_DETACHING;
	drop(replay_of(tcb->capture), tcb);
	return 0;
}

static void replay_interrupt(struct capture *c attr_unused)
{
}

static size_t replay_count(const struct capture *c)
{
	const struct replay *r = replay_of(c);
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(r->tcbs); i++)
		n += r->tcbs[i] != NULL;
	return n;
}

static struct tcb *replay_next(const struct capture *c, const struct tcb *prev,
			       enum capture_order order attr_unused)
{
	const struct replay *r = replay_of(c);
	bool found = !prev;

	for (size_t i = 0; i < ARRAY_SIZE(r->tcbs); i++) {
		if (found && r->tcbs[i])
			return r->tcbs[i];
		found |= r->tcbs[i] == prev;
	}
	return NULL;
}

static void replay_end(struct capture *c attr_unused)
{
}

static void replay_destroy(struct capture *c)
{
	struct replay *r = replay_of(c);

	free_gone(r);
	for (size_t i = 0; i < ARRAY_SIZE(r->tcbs); i++)
		free(r->tcbs[i]);
	chunks_deinit(&r->memory);
	answers_deinit(&r->answers);
	free(r);
}

static const struct capture_ops replay_ops = {
	.attach = replay_attach,
	.wait = replay_wait,
	.resume = replay_resume,
	.detach = replay_detach,
	.interrupt = replay_interrupt,
	.count = replay_count,
	.find = replay_find,
	.next = replay_next,
	.get_regs = replay_get_regs,
	.end = replay_end,
	.destroy = replay_destroy,
};

static struct capture *replay_create(const struct capture_config *config attr_unused)
{
	struct replay *r = mem_zalloc(sizeof(*r));

	r->capture = (struct capture){
		.ops = &replay_ops, .name = "replay", .capabilities = CAPTURE_TIMES};
	r->steps = next_steps;
	r->n = next_count;
	chunks_init(&r->memory);
	chunks_add(&r->memory, PATH, "/etc/hosts", sizeof("/etc/hosts"));
	chunks_add(&r->memory, STACK, stack_words, sizeof(stack_words));
	chunks_add(&r->memory, 0x401000, leave_ret, sizeof(leave_ret));
	chunks_add(&r->memory, 0x401234, leave_ret, sizeof(leave_ret));
	chunks_add(&r->memory, 0x501678, leave_ret, sizeof(leave_ret));
	chunks_add_error(&r->memory, 0, 0x1000, -EFAULT);
	answers_init(&r->answers, NULL);
	for (const char *const *line = next_facts; line && *line; line++)
		assert_null(answers_parse(&r->answers, *line));
	if (next_facts)
		r->capture.facts = &r->answers.facts;
	r->maps.ops = &map_ops;
	r->files.ops = &file_ops;
	r->capture.maps = &r->maps;
	r->capture.files = &r->files;
	return &r->capture;
}

static const struct engine replay_engine = {"replay", CAPTURE_TIMES, replay_create};

/*
 * Runs the session over the steps, with the options in `line`, separated by spaces. Returns the
 * output. The caller must free it.
 */
static char *run(const char *line, const struct step *steps, size_t n)
{
	char path[] = "/tmp/tracer-replay-XXXXXX", text[256], *argv[16], *out;
	int argc = 0, fd = mkstemp(path);
	struct options o;
	off_t size;

	assert_true(fd >= 0);
	snprintf(text, sizeof(text), "tracer --quiet=attach %s -o%s -p%d", line, path, LEADER);
	for (char *t = strtok(text, " "); t; t = strtok(NULL, " "))
		argv[argc++] = t;
	argv[argc] = NULL;
	options_parse(&o, argc, argv);
	o.engine = &replay_engine;
	next_steps = steps;
	next_count = n;
	resumed = stops = 0;
	assert_int_equal(session_run(&o), 0);
	assert_int_equal(resumed, stops);
	options_deinit(&o);
	size = lseek(fd, 0, SEEK_END);
	out = mem_zalloc((size_t)size + 1);
	assert_int_equal(pread(fd, out, (size_t)size, 0), size);
	close(fd);
	unlink(path);
	return out;
}

#define CHECK(line, steps, expected)                                                               \
	do {                                                                                       \
		char *text_ = run(line, steps, ARRAY_SIZE(steps));                                 \
		assert_string_equal(text_, expected);                                              \
		free(text_);                                                                       \
	} while (0)

#define ENTER(tid, nr, ...)                                                                        \
	{                                                                                          \
		STOP_SYSCALL_ENTER, tid, nr, {__VA_ARGS__}, 0, 0, 0, 0                             \
	}
#define LEAVE(tid, ret)                                                                            \
	{                                                                                          \
		STOP_SYSCALL_EXIT, tid, 0, {0}, ret, 0, 0, 0                                       \
	}
#define AT(kind, tid)                                                                              \
	{                                                                                          \
		kind, tid, 0, {0}, 0, 0, 0, 0                                                      \
	}
#define OTHER(kind, tid, o)                                                                        \
	{                                                                                          \
		kind, tid, 0, {0}, 0, o, 0, 0                                                      \
	}
#define SIGNAL(tid, sig)                                                                           \
	{                                                                                          \
		STOP_SIGNAL, tid, 0, {0}, 0, 0, sig, 0                                             \
	}
#define EXITED(tid, status)                                                                        \
	{                                                                                          \
		STOP_EXITED, tid, 0, {0}, 0, 0, 0, status                                          \
	}
#define LOST(tid, n)                                                                               \
	{                                                                                          \
		STOP_LOST, tid, 0, {0}, n, 0, 0, 0                                                 \
	}

/* A syscall, a child that gets a signal and exits, and lost events. */
static const struct step family[] = {
	AT(STOP_NEW, LEADER),
	ENTER(LEADER, NR_OPENAT, -100ull, PATH, 0),
	LEAVE(LEADER, 3),
	ENTER(LEADER, NR_OPENAT, -100ull, 8, 0),
	LEAVE(LEADER, -EFAULT),
	ENTER(LEADER, NR_OPENAT, -100ull, PATH + 0x1000, 0),
	LEAVE(LEADER, -ENOENT),
	ENTER(LEADER, NR_FORK, 0),
	OTHER(STOP_FORK, LEADER, CHILD),
	AT(STOP_NEW, CHILD),
	LEAVE(LEADER, CHILD),
	ENTER(LEADER, NR_PAUSE, 0),
	SIGNAL(CHILD, SIGUSR1),
	AT(STOP_MAPPING, CHILD),
	LOST(0, 5),
	LOST(CHILD, 1),
	ENTER(CHILD, NR_EXIT_GROUP, 3),
	AT(STOP_EXITING, CHILD),
	EXITED(CHILD, 3 << 8),
	LEAVE(LEADER, -514), /* ERESTARTNOHAND */
	EXITED(LEADER, SIGKILL),
};

/* A thread calls execve while its leader is blocked in a syscall. */
static const struct step heirs[] = {
	AT(STOP_NEW, LEADER),
	ENTER(LEADER, NR_CLONE, 0),
	OTHER(STOP_FORK, LEADER, THREAD),
	AT(STOP_NEW, THREAD),
	LEAVE(LEADER, THREAD),
	ENTER(LEADER, NR_PAUSE, 0),
	ENTER(THREAD, NR_EXECVE, PATH, 0, 0),
	OTHER(STOP_VANISHED, LEADER, THREAD),
	OTHER(STOP_EXEC, LEADER, THREAD),
	LEAVE(LEADER, 0),
	ENTER(LEADER, NR_EXIT, 0),
	EXITED(LEADER, 0),
};

static void test_text(void **state attr_unused)
{
	CHECK("-f", family,
	      "5000100 openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY) = 3\n"
	      "5000100 openat(AT_FDCWD, 0x8, O_RDONLY) = -1 EFAULT (Bad address)\n"
	      "5000100 openat(AT_FDCWD, 0x11000, O_RDONLY) = -1 ENOENT (No such file or "
	      "directory)\n"
	      "5000100 fork()                          = 5000200\n"
	      "5000100 pause( <unfinished ...>\n"
	      "5000200 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER, si_pid=5000100, si_uid=0} "
	      "---\n"
	      "--- lost 5 events: the buffer was full ---\n"
	      "5000200 --- lost 1 event: the buffer was full ---\n"
	      "5000200 exit_group(3)                   = ?\n"
	      "5000200 +++ exited with 3 +++\n"
	      "5000100 <... pause resumed>)            = ? ERESTARTNOHAND (To be restarted if no "
	      "handler)\n"
	      "5000100 +++ killed by SIGKILL +++\n");
}

static void test_times(void **state attr_unused)
{
	/* The options are parsed for the machine that tracer runs on. */
	if (abi_native()->index != ABI_X86_64)
		skip();
	CHECK("-f -ttt -T -e trace=fork,pause", family,
	      "5000100 1700000000.008000 fork()        = 5000200 <0.003000>\n"
	      "5000100 1700000000.012000 pause( <unfinished ...>\n"
	      "5000200 1700000000.013000 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER, "
	      "si_pid=5000100, si_uid=0} ---\n"
	      "1700000000.015000 --- lost 5 events: the buffer was full ---\n"
	      "5000200 1700000000.016000 --- lost 1 event: the buffer was full ---\n"
	      "5000200 1700000000.019000 +++ exited with 3 +++\n"
	      "5000100 1700000000.020000 <... pause resumed>) = ? ERESTARTNOHAND (To be restarted "
	      "if no handler) <0.008000>\n"
	      "5000100 1700000000.021000 +++ killed by SIGKILL +++\n");
}

static void test_exec(void **state attr_unused)
{
	CHECK("-f", heirs,
	      "5000100 clone(child_stack=NULL, flags=0) = 5000101\n"
	      "5000100 pause( <unfinished ...>\n"
	      "5000101 execve(\"/etc/hosts\", NULL, NULL <unfinished ...>\n"
	      "5000100 <... pause resumed>)            = ?\n"
	      "5000100 +++ superseded by execve in pid 5000101 +++\n"
	      "5000100 <... execve resumed>)           = 0\n"
	      "5000100 exit(0)                         = ?\n"
	      "5000100 +++ exited with 0 +++\n");
}

static void test_held(void **state attr_unused)
{
	CHECK("-f -z", heirs,
	      "5000100 clone(child_stack=NULL, flags=0) = 5000101\n"
	      "5000100 +++ superseded by execve in pid 5000101 +++\n"
	      "5000100 <... execve resumed>)           = 0\n"
	      "5000100 +++ exited with 0 +++\n");
}

static void test_json(void **state attr_unused)
{
	CHECK("-f --format=json", family,
	      "{\"type\":\"attach\",\"time\":1700000000.001000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\"}\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.002000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\",\"args\":{"
	      "\"dirfd\":\"AT_FDCWD\",\"pathname\":\"/etc/"
	      "hosts\",\"flags\":[\"O_RDONLY\"]},\"ret\":3,\"error\":null,\"duration\":0.001000000}"
	      "\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.004000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\",\"args\":{"
	      "\"dirfd\":\"AT_FDCWD\",\"pathname\":\"0x8\",\"flags\":[\"O_RDONLY\"]},\"ret\":-1,"
	      "\"error\":\"EFAULT\",\"duration\":0.001000000}\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.006000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"nr\":257,\"name\":\"openat\",\"abi\":\"x86_64\",\"args\":{"
	      "\"dirfd\":\"AT_FDCWD\",\"pathname\":{\"address\":\"0x11000\",\"not_captured\":true},"
	      "\"flags\":[\"O_RDONLY\"]},\"ret\":-"
	      "1,\"error\":\"ENOENT\",\"duration\":0.001000000}\n"
	      "{\"type\":\"fork\",\"time\":1700000000.009000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"child\":5000200}\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.008000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"nr\":57,\"name\":\"fork\",\"abi\":\"x86_64\",\"args\":{},"
	      "\"ret\":5000200,\"error\":null,\"duration\":0.003000000}\n"
	      "{\"type\":\"signal\",\"time\":1700000000.013000,\"pid\":5000200,\"tid\":5000200,"
	      "\"comm\":\"app200\",\"signal\":\"SIGUSR1\",\"info\":{\"si_signo\":\"SIGUSR1\",\"si_"
	      "code\":\"SI_USER\",\"si_pid\":5000100,\"si_uid\":0}}\n"
	      "{\"type\":\"lost\",\"time\":1700000000.015000,\"pid\":0,\"tid\":0,\"comm\":\"\","
	      "\"count\":5,\"cause\":\"the buffer was full\"}\n"
	      "{\"type\":\"lost\",\"time\":1700000000.016000,\"pid\":5000200,\"tid\":5000200,"
	      "\"comm\":\"app200\",\"count\":1,\"cause\":\"the buffer was full\"}\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.017000,\"pid\":5000200,\"tid\":5000200,"
	      "\"comm\":\"app200\",\"nr\":231,\"name\":\"exit_group\",\"abi\":\"x86_64\",\"args\":{"
	      "\"status\":3},\"ret\":null,\"error\":null,\"status\":\"unfinished\",\"duration\":"
	      "null}\n"
	      "{\"type\":\"exit\",\"time\":1700000000.019000,\"pid\":5000200,\"tid\":5000200,"
	      "\"comm\":\"app200\",\"exit_status\":3}\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.012000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"nr\":34,\"name\":\"pause\",\"abi\":\"x86_64\",\"args\":{},"
	      "\"ret\":null,\"error\":\"ERESTARTNOHAND\",\"status\":\"restart\",\"duration\":0."
	      "008000000}\n"
	      "{\"type\":\"exit\",\"time\":1700000000.021000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"signal\":\"SIGKILL\",\"core_dumped\":false}\n");
}

static void test_exec_json(void **state attr_unused)
{
	CHECK("-f --format=json -e trace=execve", heirs,
	      "{\"type\":\"attach\",\"time\":1700000000.001000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\"}\n"
	      "{\"type\":\"fork\",\"time\":1700000000.003000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"child\":5000101}\n"
	      "{\"type\":\"exec\",\"time\":1700000000.008000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app100\",\"superseded_by\":5000101}\n"
	      "{\"type\":\"exec\",\"time\":1700000000.009000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app101\"}\n"
	      "{\"type\":\"syscall\",\"time\":1700000000.007000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app101\",\"nr\":59,\"name\":\"execve\",\"abi\":\"x86_64\",\"args\":{"
	      "\"pathname\":\"/etc/"
	      "hosts\",\"argv\":null,\"envp\":null},\"ret\":0,\"error\":null,\"duration\":0."
	      "003000000}\n"
	      "{\"type\":\"exit\",\"time\":1700000000.012000,\"pid\":5000100,\"tid\":5000100,"
	      "\"comm\":\"app101\",\"exit_status\":0}\n");
}

/* The log and the summary are two sinks. Each of them gets all events. */
static void test_two_sinks(void **state attr_unused)
{
	if (abi_native()->index != ABI_X86_64)
		skip();
	CHECK("-f -C -w -Ucalls,errors,name -e trace=openat,pause", family,
	      "5000100 openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY) = 3\n"
	      "5000100 openat(AT_FDCWD, 0x8, O_RDONLY) = -1 EFAULT (Bad address)\n"
	      "5000100 openat(AT_FDCWD, 0x11000, O_RDONLY) = -1 ENOENT (No such file or "
	      "directory)\n"
	      "5000100 pause( <unfinished ...>\n"
	      "5000200 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER, si_pid=5000100, si_uid=0} "
	      "---\n"
	      "--- lost 5 events: the buffer was full ---\n"
	      "5000200 --- lost 1 event: the buffer was full ---\n"
	      "5000200 +++ exited with 3 +++\n"
	      "5000100 <... pause resumed>)            = ? ERESTARTNOHAND (To be restarted if no "
	      "handler)\n"
	      "5000100 +++ killed by SIGKILL +++\n"
	      "    calls    errors syscall\n"
	      "--------- --------- ----------------\n"
	      "        1         1 pause\n"
	      "        3         2 openat\n"
	      "--------- --------- ----------------\n"
	      "        4         3 total\n"
	      "6 events were lost and not counted here\n");
}

static void test_filter(void **state attr_unused)
{
	CHECK("-f -P/etc/hosts", family,
	      "5000100 openat(AT_FDCWD, \"/etc/hosts\", O_RDONLY) = 3\n"
	      "5000200 --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER, si_pid=5000100, si_uid=0} "
	      "---\n"
	      "--- lost 5 events: the buffer was full ---\n"
	      "5000200 --- lost 1 event: the buffer was full ---\n"
	      "5000200 +++ exited with 3 +++\n"
	      "5000100 +++ killed by SIGKILL +++\n");
}

/* Questions about descriptors and threads are answered only from the engine's facts. */
static void test_facts(void **state attr_unused)
{
	static const char *const facts[] = {"fd_path tid=5000100 n=-100 = 4 \"/srv\"",
					    "fd_path tid=5000100 n=3 = 10 \"/etc/hosts\"",
					    "comm n=5000100 = \"parent\"",
					    "comm n=5000200 = \"child\"", NULL};

	next_facts = facts;
	CHECK("-f -y -e trace=openat -e signal=none", family,
	      "5000100 openat(AT_FDCWD</srv>, \"/etc/hosts\", O_RDONLY) = 3</etc/hosts>\n"
	      "5000100 openat(AT_FDCWD</srv>, 0x8, O_RDONLY) = -1 EFAULT (Bad address)\n"
	      "5000100 openat(AT_FDCWD</srv>, 0x11000, O_RDONLY) = -1 ENOENT (No such file or "
	      "directory)\n"
	      "--- lost 5 events: the buffer was full ---\n"
	      "5000200 --- lost 1 event: the buffer was full ---\n"
	      "5000200 +++ exited with 3 +++\n");
	CHECK("-f -Y -e trace=none -e signal=none", family,
	      "--- lost 5 events: the buffer was full ---\n"
	      "5000200<child> --- lost 1 event: the buffer was full ---\n"
	      "5000200<child> +++ exited with 3 +++\n");
	next_facts = NULL;
}

static void test_stacks(void **state attr_unused)
{
	static const struct step one[] = {
		AT(STOP_NEW, LEADER),
		ENTER(LEADER, NR_GETPPID, 0),
		LEAVE(LEADER, 1),
		EXITED(LEADER, 0),
	};

	CHECK("-k", one,
	      "getppid()                               = 1\n"
	      " > /opt/app() [0x1000]\n"
	      " > /opt/app() [0x1234]\n"
	      " > /opt/lib.so() [0x1678]\n"
	      "+++ exited with 0 +++\n");
}

/* All unfinished state is freed when an engine ends. */
static void test_left(void **state attr_unused)
{
	static const struct step left[] = {
		AT(STOP_NEW, LEADER),
		ENTER(LEADER, NR_PAUSE, 0),
	};

	CHECK("", left, "pause( <detached ...>\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	  cmocka_unit_test(test_times),
		cmocka_unit_test(test_exec),	  cmocka_unit_test(test_held),
		cmocka_unit_test(test_json),	  cmocka_unit_test(test_exec_json),
		cmocka_unit_test(test_two_sinks), cmocka_unit_test(test_filter),
		cmocka_unit_test(test_left),	  cmocka_unit_test(test_facts),
		cmocka_unit_test(test_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
