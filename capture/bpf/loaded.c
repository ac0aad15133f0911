/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/loaded.h"

#include <limits.h>
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "capture/bpf/privilege.h"
#include "capture/bpf/setup.h"
#include "capture/bpf/tracepoint.h"
#include "util/mem.h"
#include "util/msg.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#define PIDFD_OF_THREAD 0200 /* PIDFD_THREAD from linux/pidfd.h, since Linux 6.9 */

/* The BPF programs, in the order in which loaded_attach() attaches them. */
static const struct {
	const char *name;
	/* name of the tracepoint; NULL if the section name contains it, or with USE_FAULTS */
	const char *tracepoint;
	/* the perf event to use instead if programs at tracepoints can be preempted */
	const char *event;
	bool copy; /* true for a copy of the first program, used if programs at tracepoints can be
		      preempted */
	/*
	 * `requests` is set for programs that trace io_uring requests. `older` is the name of the
	 * tracepoint in older kernels.
	 */
	bool requests;
	const char *older;
	/* attach this program only if the previous program in the list could not be attached */
	bool instead;
	/*
	 * When the program is used. USE_FAULTS: if page faults are recorded; attached on each CPU.
	 * USE_SCHED: if setup.sched is set. USE_NO_SCHED: if setup.sched is not set. USE_WAKEUPS:
	 * if setup.sched or setup.wakers is set.
	 */
	enum { USE_ALWAYS, USE_SCHED, USE_WAKEUPS, USE_NO_SCHED, USE_FAULTS } use;
} programs[LOADED_PROGRAMS] = {
	{.name = "fork_0"},
	{.name = "fork_1", .copy = true},
	{.name = "fork_2", .copy = true},
	{.name = "exec", .tracepoint = "sched_process_exec", .event = "sched/sched_process_exec"},
	{.name = "end", .tracepoint = "sched_process_exit", .event = "sched/sched_process_exit"},
	{.name = "signalled", .tracepoint = "signal_deliver"},
	{.name = "generated"},
	{.name = "switched", .tracepoint = "sched_switch", .use = USE_NO_SCHED},
	{.name = "scheduled", .use = USE_SCHED},
	{.name = "woken", .use = USE_WAKEUPS},
	{.name = "faulted", .use = USE_FAULTS},
	/*
	 * The programs for completions are attached before those for submissions, so that the
	 * completion of each recorded submission is recorded.
	 */
	{.name = "completed_args", .tracepoint = "io_uring_complete", .requests = true},
	{.name = "completed",
	 .tracepoint = "io_uring_complete",
	 .event = "io_uring/io_uring_complete",
	 .requests = true,
	 .instead = true},
	{.name = "punted",
	 .tracepoint = "io_uring_queue_async_work",
	 .event = "io_uring/io_uring_queue_async_work",
	 .requests = true},
	{.name = "refused",
	 .tracepoint = "io_uring_req_failed",
	 .event = "io_uring/io_uring_req_failed",
	 .requests = true},
	{.name = "submitted",
	 .tracepoint = "io_uring_submit_req",
	 .older = "io_uring_submit_sqe",
	 .event = "io_uring/io_uring_submit_req",
	 .requests = true},
	{.name = "ring_created",
	 .tracepoint = "io_uring_create",
	 .event = "io_uring/io_uring_create",
	 .requests = true},
	{.name = "leave", .tracepoint = "sys_exit", .event = "raw_syscalls/sys_exit"},
	{.name = "enter", .tracepoint = "sys_enter", .event = "raw_syscalls/sys_enter"},
};

#define ANY_CPU UINT_MAX
/* Number of bytes to read at once from a list of threads or counts. */
#define LIST_BYTES (64u << 10)
/*
 * Time in nanoseconds to wait for the end of running programs if the kernel cannot report this end.
 */
#define PROGRAM_NS 20000000

/*
 * Size in bytes of the verifier's log for one program. The pages of the log are used only if a
 * program is refused.
 */
#define LOG_SIZE (256u << 10)

static void forget_programs(struct loaded *l)
{
	l->object = NULL;
	memset(l->programs, 0xff, sizeof(l->programs));
	memset(l->links, 0xff, sizeof(l->links));
	l->faults.n = 0;
}

bool loaded_init(struct loaded *l)
{
	forget_programs(l);
	if (libbpf_load(&l->bpf))
		return true;
	msg("--engine=bpf: libbpf is missing or too old: install it (Debian: libbpf1), or use "
	    "--engine=ptrace");
	return false;
}

/*
 * Returns true if other threads can preempt programs at tracepoints, which is the case since Linux
 * 7.0.
 */
static bool programs_are_preempted(void)
{
	struct utsname name;

	return !uname(&name) && atoi(name.release) >= 7;
}

static void refuse_requests(void)
{
	msg("--io-uring=on: this kernel cannot report the requests of io_urings to --engine=bpf: "
	    "use --engine=ptrace");
}

/*
 * Finds the ids of the perf events for the programs that are attached to perf events instead of
 * tracepoints. On failure, prints one message and returns false.
 */
static bool find_events(struct loaded *l)
{
	const int err = tracepoint_permitted();

	if (err) {
		privilege_explain_perf(-err, "is needed since Linux 7.0");
		return false;
	}
	for (int p = 0; p < LOADED_PROGRAMS; p++) {
		const bool used = l->requests || !programs[p].requests;
		const char *event = used ? programs[p].event : NULL;
		const int id = event ? tracepoint_id(event) : 0;

		if (id == -ENOENT && programs[p].requests) {
			refuse_requests();
			return false;
		}
		if (id < 0) {
			msg("--engine=bpf needs to read events/%s/id of tracefs on Linux 7.0 or "
			    "later (%s): mount tracefs at /sys/kernel/tracing, run tracer as "
			    "root, or use --engine=ptrace",
			    event, strerror(-id));
			return false;
		}
		l->events[p] = id;
	}
	return true;
}

bool loaded_counts_by_thread(const struct loaded *l)
{
	return l->setup.count_by & COUNT_BY_THREAD && !(l->setup.count_by & COUNT_OCTAVES);
}

static struct bpf_program *program_of(const struct loaded *l, int p)
{
	return l->bpf.bpf_object__find_program_by_name(l->object, programs[p].name);
}

/* Returns true if programs for context switches or wake-ups are used. */
static bool uses_sched(const struct loaded *l)
{
	return l->setup.sched != WANTED_SCHED_NONE || l->setup.wakers;
}

static bool is_used(const struct loaded *l, int p)
{
	if (programs[p].requests && !l->requests)
		return false;
	if (programs[p].use == USE_FAULTS)
		return l->setup.faults;
	if (programs[p].use == USE_WAKEUPS)
		return uses_sched(l);
	return programs[p].use == USE_ALWAYS ||
	       (programs[p].use == USE_SCHED) == (l->setup.sched != WANTED_SCHED_NONE);
}

/*
 * Sets the read-only data and the flags of the programs. Must be called before the programs are
 * loaded.
 */
static void apply_setup(struct loaded *l)
{
	struct bpf_program *p = NULL;

	l->bpf.bpf_map__set_initial_value(loaded_map(l, ".rodata"), &l->setup, sizeof(l->setup));
	/* Make the verifier refuse misaligned accesses even on a machine that permits them. */
	while (l->setup.aligned && (p = l->bpf.bpf_object__next_program(l->object, p)))
		l->bpf.bpf_program__set_flags(p, BPF_F_STRICT_ALIGNMENT);
	/* This program is only for a unit test. */
	l->bpf.bpf_program__set_autoload(
		l->bpf.bpf_object__find_program_by_name(l->object, "make_reads_once"), false);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "kept"), l->setup.stack_size);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "cgroups"), l->setup.groups);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "counts"), l->setup.counts);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "conditions"), l->setup.compares);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "keyed_counts"),
				       l->setup.count_by && !loaded_counts_by_thread(l));
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "thread_counts"), loaded_counts_by_thread(l));
	l->bpf.bpf_program__set_autoload(
		l->bpf.bpf_object__find_program_by_name(l->object, "count_running"),
		l->setup.counts);
	l->bpf.bpf_program__set_autoload(
		l->bpf.bpf_object__find_program_by_name(l->object, "list_threads"),
		l->lists_threads);
	l->bpf.bpf_program__set_autoload(
		l->bpf.bpf_object__find_program_by_name(l->object, "list_counts"),
		loaded_counts_by_thread(l));
	for (int i = 0; i < LOADED_PROGRAMS; i++)
		if (program_of(l, i) && !is_used(l, i))
			l->bpf.bpf_program__set_autoload(program_of(l, i), false);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "uring_rings"), l->requests);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "uring_requests"), l->requests);
	l->bpf.bpf_map__set_autocreate(loaded_map(l, "uring_opcodes"), l->requests);
}

bool loaded_open(struct loaded *l, const struct setup *setup, bool requests)
{
	const bool all_files = setup->fds == WANTED_ALL_FDS;
	const struct programs_object *o = &programs_objects[programs_are_preempted()][all_files];

	l->setup = *setup;
	l->requests = requests;
	setup_machine(&l->setup);
	if (programs_are_preempted() && !find_events(l))
		return false;
	l->object = l->bpf.bpf_object__open_mem(o->bytes, (size_t)(o->end - o->bytes), NULL);
	if (!l->object) {
		msg_errno("--engine=bpf: libbpf cannot read the programs");
		return false;
	}
	apply_setup(l);
	return true;
}

struct bpf_map *loaded_map(const struct loaded *l, const char *name)
{
	return l->bpf.bpf_object__find_map_by_name(l->object, name);
}

/* -- refusals ---------------------------------------------------------------- */

/* Gives each program a log buffer of LOG_SIZE bytes. The caller frees the result. */
static char *set_log_buffers(struct loaded *l)
{
	char *logs = mem_zalloc((size_t)LOADED_PROGRAMS * LOG_SIZE);

	for (int i = 0; i < LOADED_PROGRAMS; i++)
		if (program_of(l, i))
			l->bpf.bpf_program__set_log_buf(program_of(l, i),
							logs + (size_t)i * LOG_SIZE, LOG_SIZE);
	return logs;
}

/*
 * Returns the last line of the verifier's log for a program. Returns "" if there is none, or if the
 * kernel (before Linux 6.4) has truncated the log.
 */
static const char *last_line(char *log)
{
	const size_t n = strnlen(log, LOG_SIZE);
	char *end = strstr(log, "\nprocessed ");

	if (n + 2 >= LOG_SIZE || !end)
		return "";
	*end = 0;
	end = strrchr(log, '\n');
	return end ? end + 1 : log;
}

static void explain_refusal(char *logs, int err)
{
	const char *reason;
	struct utsname system;

	uname(&system);
	for (int i = 0; i < LOADED_PROGRAMS; i++) {
		char *log = logs + (size_t)i * LOG_SIZE;

		if (!*log)
			continue;
		reason = last_line(log);
		msg("--engine=bpf: Linux %s refuses the program \"%s\"%s%.200s: use "
		    "--engine=ptrace",
		    system.release, programs[i].name, *reason ? "; its verifier says: " : "",
		    reason);
		return;
	}
	privilege_explain(err, "program or map");
}

int loaded_pidfd(pid_t tid, pid_t tgid)
{
	int fd = (int)syscall(SYS_pidfd_open, tid, tid == tgid ? 0 : PIDFD_OF_THREAD);

	return fd < 0 ? -errno : fd;
}

/* -- loading ------------------------------------------------------------------ */

/*
 * Runs a program once on the given CPU, or on the current CPU if cpu is ANY_CPU. Returns the
 * program's result, or -errno.
 */
static int run_once(const struct loaded *l, const char *name, unsigned cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err;

	if (cpu != ANY_CPU) {
		opts.flags = BPF_F_TEST_RUN_ON_CPU;
		opts.cpu = cpu;
	}
	err = l->bpf.bpf_prog_test_run_opts(
		l->bpf.bpf_program__fd(l->bpf.bpf_object__find_program_by_name(l->object, name)),
		&opts);
	return err ? err : (int)opts.retval;
}

/*
 * Returns true if the kernel supports task storage. Since Linux 6.19, the kernel allocates task
 * storage with kmalloc_nolock(), which always fails on processors without a 16-byte
 * compare-and-exchange, such as riscv64 without Zacas.
 */
static bool has_storage(const struct loaded *l)
{
	const struct thread_state none = {0};
	const int map = l->bpf.bpf_map__fd(loaded_map(l, "threads"));
	int fd = loaded_pidfd(getpid(), getpid()), err;

	if (fd < 0)
		return true;
	err = l->bpf.bpf_map_update_elem(map, &fd, &none, BPF_NOEXIST);
	l->bpf.bpf_map_delete_elem(map, &fd);
	close(fd);
	return err != -ENOMEM;
}

/*
 * Determines tracer's pid namespace and root directory. On failure, prints one message and returns
 * false.
 */
static bool find_own_namespace(const struct loaded *l)
{
	const int level = run_once(l, "own_namespace", ANY_CPU);

	if (level < 0) {
		privilege_explain(-level, "program");
		return false;
	}
	if (level && l->setup.by_id) {
		msg("--engine=bpf cannot run inside a pid namespace on this kernel, because it "
		    "finds threads by their ids in the initial namespace: use --engine=ptrace");
		return false;
	}
	return true;
}

/*
 * Attaches a program to its tracepoint or event. Returns the descriptor of the attachment, or
 * -errno.
 */
static int attach(const struct loaded *l, int p)
{
	int fd;

	if (l->events[p])
		return tracepoint_attach(l->events[p], l->programs[p]);
	fd = l->bpf.bpf_raw_tracepoint_open(programs[p].tracepoint, l->programs[p]);
	if (fd == -ENOENT && programs[p].older)
		fd = l->bpf.bpf_raw_tracepoint_open(programs[p].older, l->programs[p]);
	return fd;
}

/* Returns 0 if the program can be attached, or -errno. */
static int try_attach(const struct loaded *l, int p)
{
	const int fd = attach(l, p);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/*
 * Returns true if the programs for io_uring requests can be attached. Some kernels lack the
 * tracepoints.
 */
static bool can_attach_requests(const struct loaded *l)
{
	int err = 0;

	for (int p = 0; p < LOADED_PROGRAMS; p++) {
		if (!programs[p].requests || l->programs[p] < 0 || (programs[p].instead && !err))
			continue;
		err = try_attach(l, p);
		if (err && !programs[p + 1].instead)
			return false;
	}
	return true;
}

/* Returns 0 if the programs for context switches and wake-ups can be attached, or -errno. */
static int try_attach_sched(const struct loaded *l)
{
	int err = 0;

	for (int p = 0; p < LOADED_PROGRAMS && !err; p++)
		if (l->programs[p] >= 0 &&
		    (programs[p].use == USE_SCHED || programs[p].use == USE_WAKEUPS))
			err = try_attach(l, p);
	return err;
}

enum load_result loaded_load(struct loaded *l)
{
	char *logs = set_log_buffers(l);
	int err = l->bpf.bpf_object__load(l->object);

	l->refusal = -err;
	if (err && !uses_sched(l))
		explain_refusal(logs, -err);
	free(logs);
	if (err)
		return uses_sched(l) ? LOAD_NO_SCHED : LOAD_FAILED;
	if (!l->setup.by_id && !has_storage(l))
		return LOAD_NO_STORAGE;
	for (int i = 0; i < LOADED_PROGRAMS; i++)
		if (program_of(l, i))
			l->programs[i] = l->bpf.bpf_program__fd(program_of(l, i));
	if (l->requests && !can_attach_requests(l)) {
		refuse_requests();
		return LOAD_FAILED;
	}
	l->refusal = uses_sched(l) ? -try_attach_sched(l) : 0;
	if (l->refusal)
		return LOAD_NO_SCHED;
	return find_own_namespace(l) ? LOAD_DONE : LOAD_FAILED;
}

static void detach_faults(struct loaded *l)
{
	vec_for_each (&l->faults, fd)
		close(*fd);
	vec_deinit(&l->faults);
}

/* Attaches a program to the page faults of each CPU that is online. Returns 0 or -errno. */
static int attach_faults(struct loaded *l, int p)
{
	for (unsigned cpu = 0; cpu < l->setup.cpus; cpu++) {
		const int fd = tracepoint_attach_faults(cpu, l->programs[p]);

		if (fd >= 0)
			*vec_push(&l->faults) = fd;
		else if (fd != -ENODEV)
			return fd;
	}
	return 0;
}

int loaded_attach(struct loaded *l)
{
	for (int p = 0; p < LOADED_PROGRAMS; p++) {
		int fd;

		if (l->programs[p] < 0 || l->links[p] >= 0 ||
		    (programs[p].instead && p && l->links[p - 1] >= 0))
			continue;
		if (programs[p].use == USE_FAULTS) {
			fd = l->faults.n ? 0 : attach_faults(l, p);
			if (fd < 0)
				loaded_detach(l);
			if (fd < 0)
				return fd;
			continue;
		}
		fd = attach(l, p);
		/* The next program in the list replaces this one. */
		if (fd < 0 && p + 1 < LOADED_PROGRAMS && programs[p + 1].instead)
			continue;
		if (fd < 0) {
			loaded_detach(l);
			return fd;
		}
		l->links[p] = fd;
	}
	return 0;
}

void loaded_detach(struct loaded *l)
{
	for (int p = LOADED_PROGRAMS; p-- > 0;) {
		if (l->links[p] >= 0)
			close(l->links[p]);
		l->links[p] = -1;
	}
	detach_faults(l);
}

/*
 * Waits until no program is running. Programs for calls run with preemption disabled, so
 * membarrier(2) waits for the end of these programs.
 */
static void wait_for_programs(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0))
		nanosleep(&(struct timespec){.tv_nsec = PROGRAM_NS}, NULL);
}

void loaded_finish(struct loaded *l)
{
	loaded_detach(l);
	wait_for_programs();
	for (unsigned cpu = 0; cpu < l->setup.cpus; cpu++)
		/* run_once() fails if the CPU is offline. An offline CPU has no pending entry. */
		run_once(l, "flush", cpu);
}

/*
 * Returns the descriptor of a file. Reading the file runs the program for each thread or, if map is
 * not negative, for each element of the map. Returns -errno on failure.
 */
static int open_iterator(const struct loaded *l, const char *name, int map)
{
	const int program =
		l->bpf.bpf_program__fd(l->bpf.bpf_object__find_program_by_name(l->object, name));
	union bpf_iter_link_info of = {.map.map_fd = (__u32)map};
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	int link, iterator;

	if (map >= 0) {
		opts.iter_info = &of;
		opts.iter_info_len = sizeof(of);
	}
	link = l->bpf.bpf_link_create(program, 0, BPF_TRACE_ITER, &opts);

	if (link < 0)
		return link;
	iterator = l->bpf.bpf_iter_create(link);
	close(link);
	return iterator;
}

int loaded_count_running(const struct loaded *l)
{
	const int iterator = open_iterator(l, "count_running", -1);
	int err = 0;
	char none[1];

	if (iterator < 0)
		return iterator;
	/* The first read handles all threads, because the program produces no output. */
	if (read(iterator, none, sizeof(none)) < 0)
		err = -errno;
	close(iterator);
	return err;
}

/*
 * Replaces the contents of b with the output of an iterator program, see open_iterator(). Returns 0
 * or -errno.
 */
static int read_list(const struct loaded *l, const char *name, int map, struct strbuf *b)
{
	const int iterator = open_iterator(l, name, map);
	ssize_t n;

	b->len = 0;
	if (iterator < 0)
		return iterator;
	while ((n = read(iterator, strbuf_room(b, LIST_BYTES), LIST_BYTES)) != 0) {
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			break;
		b->len += n > 0 ? (size_t)n : 0;
	}
	n = n < 0 ? -errno : 0;
	close(iterator);
	return (int)n;
}

int loaded_list_threads(const struct loaded *l, struct strbuf *b)
{
	return read_list(l, "list_threads", -1, b);
}

int loaded_list_counts(const struct loaded *l, struct strbuf *b)
{
	return read_list(l, "list_counts", l->bpf.bpf_map__fd(loaded_map(l, "thread_counts")), b);
}

void loaded_deinit(struct loaded *l)
{
	loaded_detach(l);
	if (l->object)
		l->bpf.bpf_object__close(l->object);
	forget_programs(l);
}

/* Returns how many times a program was skipped because it was already running on the same CPU. */
static uint64_t misses_of(const struct loaded *l, int p)
{
	struct bpf_prog_info info;
	__u32 size = sizeof(info);

	memset(&info, 0, sizeof(info));
	if (l->programs[p] < 0 || l->bpf.bpf_obj_get_info_by_fd(l->programs[p], &info, &size))
		return 0;
	return info.recursion_misses;
}

uint64_t loaded_misses(const struct loaded *l)
{
	uint64_t least = misses_of(l, 0), others = 0;

	/* An event counts as missed only if the kernel skipped all copies of the program. */
	for (int p = 1; p < LOADED_PROGRAMS; p++) {
		const uint64_t misses = misses_of(l, p);

		if (!programs[p].copy)
			others += misses;
		else if (l->programs[p] >= 0 && misses < least)
			least = misses;
	}
	return least + others;
}
