/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A 32-bit program that prints the results of syscalls that tracer modifies. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int got;

static void handler(int sig)
{
	got = sig;
}

static void say(const char *call, long ret)
{
	printf("%s %ld %s\n", call, ret, ret == -1 ? strerror(errno) : "");
}

int main(void)
{
#ifdef SYS_getuid32
	char text[] = "unchanged", path[] = "/nonexistent";
	long long at = 0;
	int fd = fileno(tmpfile());

	signal(SIGUSR1, handler);
	say("getppid", syscall(SYS_getppid));
	say("fchdir", syscall(SYS_fchdir, fd));
	say("read", syscall(SYS_read, fd, text, 9));
	puts(text);
	say("chdir", syscall(SYS_chdir, path));
	say("access", syscall(SYS_access, path, R_OK));
	puts(path);
	say("sched_yield", syscall(SYS_sched_yield));
	say("signal", got == SIGUSR1);
	say("getuid", syscall(SYS_getuid32));
	say("getgid", syscall(SYS_getgid32));
	say("_llseek", syscall(SYS__llseek, fd, 1, 5, &at, SEEK_SET));
	printf("%lld\n", at);
	return 0;
#else
	return 1;
#endif
}
