/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * oracle FILE OPTIONS [LINE]: makes the syscalls of a case file, so that strace can trace them. It
 * makes all syscalls whose cases have exactly these options, or only the syscall at LINE.
 *
 * The kernel does not carry out these syscalls. A seccomp filter passes each syscall made through
 * gates.h to another process of this program. That process writes the memory that the syscall would
 * have written, and answers with the result from the case. A tracer sees the entry and the exit,
 * and the memory at both. This works for x32 even if the kernel does not support it. CALLS_ABI=ABI
 * in the environment sets the ABI of cases that name no ABI. The default is x86_64.
 *
 * In the log, each case is between two syscalls with the unused number MARK_CALL. The first has the
 * argument MARK plus the line number of the case, and the second has the argument MARK.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call.h"
#include "cases.h"
#include "gates.h"

#define MARK_CALL 0xbeef
#define MARK	  0x100000

/* Memory shared with the process that answers syscalls. */
struct shared {
	volatile int listener; /* the seccomp filter's listener, or -1 before it is installed */
	volatile int kind;     /* enum call_end */
	volatile int64_t ret;
	/* The syscall is exit() or exit_group(), which needs no answer. */
	volatile int ends_itself;
	volatile pid_t caller;
	volatile unsigned written; /* number of `blocks` to write */
	struct {
		uint64_t addr;
		size_t size, at; /* `at` is an offset in bytes[] */
	} blocks[CALL_BLOCKS];
	unsigned char bytes[CALL_ARENA_SIZE];
};

static struct shared *shared;

/*
 * Answers syscalls until all processes that have the filter have exited, or until a syscall never
 * returns.
 */
static void answer(void)
{
	while (shared->listener < 0)
		usleep(100);
	for (;;) {
		struct seccomp_notif call = {0};
		struct seccomp_notif_resp reply = {0};

		if (ioctl(shared->listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			_exit(0);
		for (unsigned i = 0; i < shared->written; i++)
			memcpy((void *)shared->blocks[i].addr, shared->bytes + shared->blocks[i].at,
			       shared->blocks[i].size);
		reply.id = call.id;
		if (shared->kind == CALL_FAILS)
			reply.error = (int)shared->ret;
		else
			reply.val = shared->ret;
		if (shared->kind == CALL_NEVER_ENDS) {
			if (!shared->ends_itself)
				kill(shared->caller, SIGKILL);
			reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
			reply.val = 0;
		}
		ioctl(shared->listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
		if (shared->kind == CALL_NEVER_ENDS)
			_exit(0);
	}
}

static int filter_gates(void)
{
	uint64_t ips[] = {(uint64_t)gate_64_end, (uint64_t)gate_32_end};
	const unsigned ip = offsetof(struct seccomp_data, instruction_pointer);
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(ips[0] >> 32), 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ips[0], 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ips[1], 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

static void memory_begin(const struct call *c)
{
	size_t at = 0;

	shared->written = 0;
	for (unsigned i = 0; i < c->nblocks; i++) {
		const struct call_block *b = &c->blocks[i];

		mprotect((void *)b->addr, b->size, PROT_READ | PROT_WRITE);
		memcpy((void *)b->addr, b->entry, b->size);
		if (!b->exit)
			continue;
		shared->blocks[shared->written].addr = b->addr;
		shared->blocks[shared->written].size = b->size;
		shared->blocks[shared->written++].at = at;
		memcpy(shared->bytes + at, b->exit, b->size);
		at += b->size;
	}
}

static void memory_end(const struct call *c)
{
	const struct call_block *last = c->nblocks ? &c->blocks[c->nblocks - 1] : NULL;

	if (last)
		mprotect((void *)CALL_ARENA, last->addr + last->size - CALL_ARENA, PROT_NONE);
}

static void make(const struct call *c, unsigned line)
{
	uint64_t gate[7] = {c->nr};

	memcpy(gate + 1, c->args, sizeof(c->args));
	if (call_facts_begin(c))
		return;
	memory_begin(c);
	shared->kind = c->end;
	shared->ret = c->ret;
	shared->ends_itself = !strncmp(c->name, "exit", 4);
	syscall(MARK_CALL, MARK + line, 0L, 0L, 0L, 0L, 0L);
	if (c->abi == CALL_I386)
		gate_32(gate);
	else
		gate_64(gate);
	syscall(MARK_CALL, MARK, 0L, 0L, 0L, 0L, 0L);
	memory_end(c);
	call_facts_end(c);
}

/* Like call_parse(), but uses CALLS_ABI if the line names no ABI. */
static int parse(struct call *c, const char *line)
{
	const char *abi = getenv("CALLS_ABI");
	char *named;
	int ret;

	if (!abi)
		return call_parse(c, line, CALL_ARENA);
	if (asprintf(&named, "%s %.*s", abi, (int)strcspn(line, "\n"), line) < 0)
		abort();
	ret = call_parse(c, named, CALL_ARENA);
	free(named);
	return ret;
}

int main(int argc, char **argv)
{
	unsigned only = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
	struct cases file;
	static struct call call;
	int listener;

	if (argc < 3 || cases_load(&file, argv[1]))
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED ||
	    mmap((void *)CALL_ARENA, CALL_ARENA_SIZE, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return 2;
	shared->listener = -1;
	shared->caller = getpid();
	/*
	 * The answering process shares the descriptors of this process, so it can use the listener
	 * of the filter.
	 */
	switch (syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0)) {
	case -1:
		return 2;
	case 0:
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		answer();
	}
	mprotect((void *)CALL_ARENA, CALL_ARENA_SIZE, PROT_NONE);
	if (chdir("/"))
		return 2;
	listener = filter_gates();
	if (listener < 0) {
		perror("seccomp");
		return 2;
	}
	/*
	 * The cases use low descriptors, so move the listener to a high descriptor. Store its
	 * number only after the low descriptors are closed, because the other process ends when its
	 * listener is closed.
	 */
	listener = dup2(listener, 250);
	for (int fd = 0; fd < 10; fd++)
		close(fd);
	shared->listener = listener;
	for (size_t i = 0; i < file.n; i++) {
		if (only && only != file.v[i].line)
			continue;
		if (parse(&call, file.v[i].call) == 0 && call_runs_here(&call) &&
		    !strcmp(call.options, argv[2]) && (only || call.end != CALL_NEVER_ENDS))
			make(&call, file.v[i].line);
		call_release(&call);
	}
	_exit(0);
}
