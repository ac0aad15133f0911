/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signal handlers: nested handlers, a handler on an alternate stack, a handler that runs after a
 * fault, and handlers that interrupt arbitrary instructions.
 */
#include "truth.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

static volatile int ticks;
static int *volatile bad = (int *)16;

static NOINLINE void inner(void)
{
	TRUTH;
	check();
}

/*
 * Between the handler and the interrupted function are the signal trampoline and the frames of the
 * function that raised the signal.
 */
static void on_usr2(int sig)
{
	TRUTH;
	(void)sig;
	check();
	inner();
}

static NOINLINE void raise_usr2(void)
{
	TRUTH;
	kill(getpid(), SIGUSR2);
}

static void on_usr1(int sig)
{
	TRUTH;
	(void)sig;
	check();
	raise_usr2();
	check();
}

static NOINLINE void raise_usr1(void)
{
	TRUTH;
	kill(getpid(), SIGUSR1);
	check();
}

static void on_segv(int sig, siginfo_t *info, void *context)
{
	TRUTH;
	ucontext_t *uc = context;

	(void)sig;
	(void)info;
	check();
	bad = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#if defined __x86_64__
	for (int i = 0; i < 16; i++)
		if (uc->uc_mcontext.gregs[i] == 16)
			uc->uc_mcontext.gregs[i] = (long)bad;
#elif defined __aarch64__
	for (int i = 0; i < 31; i++)
		if (uc->uc_mcontext.regs[i] == 16)
			uc->uc_mcontext.regs[i] = (long)bad;
#elif defined __arm__
	for (unsigned long *r = &uc->uc_mcontext.arm_r0; r <= &uc->uc_mcontext.arm_ip; r++)
		if (*r == 16)
			*r = (unsigned long)bad;
#elif defined __riscv
	for (int i = 1; i < 32; i++)
		if (uc->uc_mcontext.__gregs[i] == 16)
			uc->uc_mcontext.__gregs[i] = (long)bad;
#else
	for (int i = 0; i < 19; i++)
		if (uc->uc_mcontext.gregs[i] == 16)
			uc->uc_mcontext.gregs[i] = (long)bad;
#endif
}

static NOINLINE int fault(void)
{
	TRUTH;
	return *bad + 1;
}

static void on_alarm(int sig)
{
	TRUTH;
	(void)sig;
	check_more("?"); /* the signal may have interrupted a function before its macro TRUTH */
	ticks++;
}

static NOINLINE int work(int n)
{
	TRUTH;
	int r = n;

	for (int i = 0; i < 50; i++)
		r = r * 31 + i;
	return r;
}

static NOINLINE void busy(void)
{
	TRUTH;
	volatile int x = 0;

	while (ticks < 20)
		x = work(x);
}

int main(void)
{
	TRUTH;
	struct sigaction sa = {.sa_handler = on_usr1};
	struct itimerval it = {{0, 2000}, {0, 2000}};
	stack_t ss = {.ss_size = 1 << 16};

	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_handler = on_usr2;
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &sa, NULL);
	raise_usr1();
	ss.ss_sp = malloc(ss.ss_size);
	sigaltstack(&ss, NULL);
	raise_usr1();
	sa.sa_flags = SA_ONSTACK | SA_SIGINFO;
	sa.sa_sigaction = on_segv;
	sigaction(SIGSEGV, &sa, NULL);
	fault();
	sa.sa_flags = SA_RESTART;
	sa.sa_handler = on_alarm;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
	busy();
	check();
	return 0;
}
