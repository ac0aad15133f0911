/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creates processes with CLONE_UNTRACED, using every syscall that accepts it. Each child calls
 * getppid() and exits with 0 if its registers and memory are unchanged.
 */
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

static void check(int ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

/*
 * Makes a syscall with two arguments. After the syscall, stores the value of the first argument's
 * register in *first.
 */
static long call2(long nr, uint64_t *first, uint64_t second)
{
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret), "+D"(*first)
			 : "a"(nr), "S"(second), "d"(0L)
			 : "rcx", "r11", "r10", "r8", "memory");
	return ret;
}

static void child(int ok)
{
	syscall(SYS_getppid);
	_exit(!ok);
}

static void parent(long pid, const char *what)
{
	int status = -1;

	check(pid > 0, what);
	waitpid(pid, &status, __WALL);
	check(!status, what);
}

static void by_clone(void)
{
	const uint64_t flags = CLONE_UNTRACED | SIGCHLD;
	uint64_t reg = flags;
	long pid = call2(SYS_clone, &reg, 0);

	if (!pid)
		child(reg == flags);
	check(reg == flags, "clone: the register of the parent");
	parent(pid, "clone: the register of the child");
	reg = CLONE_UNTRACED | CLONE_SIGHAND;
	check(call2(SYS_clone, &reg, 0) < 0, "clone: an error");
	check(reg == (CLONE_UNTRACED | CLONE_SIGHAND), "clone: the register after an error");
}

static void by_clone3(struct clone_args *args, const char *what)
{
	const uint64_t flags = args->flags;
	uint64_t reg = (uint64_t)(uintptr_t)args;
	long pid = call2(SYS_clone3, &reg, sizeof(*args));

	if (!pid)
		child(reg == (uint64_t)(uintptr_t)args && args->flags == flags);
	check(args->flags == flags, what);
	parent(pid, what);
}

int main(void)
{
	struct clone_args args = {.flags = CLONE_UNTRACED, .exit_signal = SIGCHLD};
	struct clone_args *constant =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	by_clone();
	by_clone3(&args, "clone3");
	args.flags |= CLONE_VFORK;
	by_clone3(&args, "clone3, vfork");
	memcpy(constant, &args, sizeof(args));
	mprotect(constant, 4096, PROT_READ);
	by_clone3(constant, "clone3, memory that cannot be written");
	args.exit_signal = 1000;
	check(syscall(SYS_clone3, &args, sizeof(args)) < 0, "clone3: an error");
	check(args.flags == (CLONE_UNTRACED | CLONE_VFORK), "clone3: the flags after an error");
	return failures;
}
