/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/loaded.h"

#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/fd_root.h"
#include "capture/bpf/privilege.h"
#include "capture/bpf/sys.h"
#include "capture/bpf/tracepoint.h"
#include "capture/bpf/types.h"
#include "util/msg.h"

void loaded_init(struct loaded *l)
{
	memset(l->programs, 0xff, sizeof(l->programs));
	memset(l->links, 0xff, sizeof(l->links));
	memset(l->events, 0, sizeof(l->events));
}

/* The level of our own pid namespace, or -errno. */
static int own_level(const struct kernel_offsets *offsets)
{
	struct code code = {0};
	int err = program_level(&code, offsets), level = err ? err : sys_run(&code);

	code_deinit(&code);
	return level;
}

/* What programs need to know of the process that is tracing. */
static bool find_ourselves(struct program_config *config)
{
	const int level = own_level(config->kernel);
	int err = level;

	if (err >= 0 && config->fds == WANTED_ALL_FDS)
		err = fd_root_find(&config->kernel->fd, &config->root);
	if (err < 0) {
		privilege_explain(-err, "program");
		return false;
	}
	if (level && config->by_id) {
		msg("--engine=bpf is not possible inside a pid namespace, as this kernel knows "
		    "threads by their ids outside: use --engine=ptrace");
		return false;
	}
	config->level = (unsigned)level;
	return true;
}

/* Since Linux 7.0, tracepoints let other threads have the CPU. */
static bool programs_are_preempted(void)
{
	struct utsname name;

	return !uname(&name) && atoi(name.release) >= 7;
}

/* The events of the programs that are not to be preempted. */
static bool find_events(struct loaded *l)
{
	const int err = tracepoint_permitted();

	if (err) {
		msg("--engine=bpf needs perf_event_open(2), since Linux 7.0 (%s, see the sysctl "
		    "kernel.perf_event_paranoid): run tracer as root, or use --engine=ptrace",
		    strerror(-err));
		return false;
	}
	for (int p = 0; p < PROGRAMS; p++) {
		const char *event = program_event(p);
		const int id = event ? tracepoint_id(event) : 0;

		if (id < 0) {
			msg("--engine=bpf needs to read events/%s/id of tracefs, since Linux 7.0 "
			    "(%s): run tracer as root, let it read /sys/kernel/tracing, or use "
			    "--engine=ptrace",
			    event, strerror(-id));
			return false;
		}
		l->events[p] = id;
	}
	return true;
}

static int load_one(const struct btf *btf, int types, enum program p, int event,
		    const struct program_config *config, char *log, size_t size)
{
	struct program_function functions[5] = {{0, TYPE_PROGRAM}};
	struct program_code made;
	struct program_spec spec = {.name = "tracer",
				    .type = BPF_PROG_TYPE_TRACEPOINT,
				    .code = &made.code,
				    .btf = types,
				    .functions = functions,
				    .nfunctions = 1};
	int fd;

	if (!event) {
		fd = btf_find(btf, BTF_KIND_TYPEDEF, program_tracepoint(p));
		if (fd < 0)
			return fd;
		spec.type = BPF_PROG_TYPE_TRACING;
		spec.attach = BPF_TRACE_RAW_TP;
		spec.attach_id = fd;
	}
	fd = program_make(&made, p, config);
	if (made.body)
		functions[spec.nfunctions++] = (struct program_function){made.body, TYPE_BODY};
	if (made.step)
		functions[spec.nfunctions++] = (struct program_function){made.step, TYPE_STEP};
	if (made.stack)
		functions[spec.nfunctions++] = (struct program_function){made.stack, TYPE_STACK};
	if (made.fd)
		functions[spec.nfunctions++] = (struct program_function){made.fd, TYPE_FD};
	if (!fd)
		fd = sys_program(&spec, log, size);
	code_deinit(&made.code);
	return fd;
}

static bool load_all(struct loaded *l, const struct btf *btf, int types,
		     const struct program_config *config)
{
	char log[512] = "";

	for (int p = 0; p < PROGRAMS; p++) {
		const unsigned copies = config->preempted ? program_copies(p) : 1;

		for (unsigned i = 0; i < copies; i++) {
			int fd = load_one(btf, types, p, l->events[p], config, log, sizeof(log));

			if (fd < 0) {
				privilege_explain(-fd, *log ? log : "program");
				return false;
			}
			l->programs[p][i] = fd;
		}
	}
	return true;
}

bool loaded_load(struct loaded *l, const struct btf *btf, int types, struct program_config *config)
{
	struct kernel_offsets offsets;
	const char *missing;

	config->preempted = programs_are_preempted();
	if (kernel_offsets_find(btf, &offsets, config->preempted, &missing) ||
	    (config->fds && fd_offsets_find(btf, &offsets.fd, &missing))) {
		msg("--engine=bpf: this kernel has no %s", missing);
		return false;
	}
	config->kernel = &offsets;
	return find_ourselves(config) && (!config->preempted || find_events(l)) &&
	       load_all(l, btf, types, config);
}

int loaded_attach(struct loaded *l)
{
	for (int p = 0; p < PROGRAMS; p++) {
		for (int i = 0; i < PROGRAM_COPIES; i++) {
			const int program = l->programs[p][i];
			int fd;

			if (program < 0 || l->links[p][i] >= 0)
				continue;
			fd = l->events[p] ? tracepoint_attach(l->events[p], program)
					  : sys_attach(program);
			if (fd < 0) {
				loaded_detach(l);
				return fd;
			}
			l->links[p][i] = fd;
		}
	}
	return 0;
}

static void close_all(int fds[PROGRAMS][PROGRAM_COPIES])
{
	for (int p = PROGRAMS; p-- > 0;) {
		for (int i = PROGRAM_COPIES; i-- > 0;) {
			if (fds[p][i] >= 0)
				close(fds[p][i]);
			fds[p][i] = -1;
		}
	}
}

void loaded_detach(struct loaded *l)
{
	close_all(l->links);
}

void loaded_deinit(struct loaded *l)
{
	close_all(l->links);
	close_all(l->programs);
}

/* What all copies of a program have missed, at most. */
static uint64_t misses_of(const int copies[PROGRAM_COPIES])
{
	uint64_t least = 0;

	for (int i = 0; i < PROGRAM_COPIES && copies[i] >= 0; i++) {
		uint64_t misses;

		sys_program_misses(copies[i], &misses);
		if (!i || misses < least)
			least = misses;
	}
	return least;
}

uint64_t loaded_misses(const struct loaded *l)
{
	uint64_t misses = 0;

	for (int p = 0; p < PROGRAMS; p++)
		misses += misses_of(l->programs[p]);
	return misses;
}
