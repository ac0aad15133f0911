/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Access to tracer's own registers in a signal handler: the functions read and change the registers
 * of the interrupted code.
 */
#ifndef TRACER_LINUX_ARCH_OWN_SIGNAL_H
#define TRACER_LINUX_ARCH_OWN_SIGNAL_H

#include <ucontext.h>

#include "defs.h"

/* Returns argument i of the syscall that caused a SIGSYS (seccomp(2), SECCOMP_RET_TRAP). */
static inline uint64_t own_syscall_arg(const ucontext_t *u, unsigned i)
{
#if defined(__x86_64__)
	static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};

	return (uint64_t)u->uc_mcontext.gregs[registers[i]];
#elif defined(__aarch64__)
	return u->uc_mcontext.regs[i];
#else
	return u->uc_mcontext.__gregs[REG_A0 + i];
#endif
}

/* Sets the result that this syscall has after the signal handler returns. */
static inline void own_syscall_return(ucontext_t *u, int64_t result)
{
#if defined(__x86_64__)
	u->uc_mcontext.gregs[REG_RAX] = result;
#elif defined(__aarch64__)
	u->uc_mcontext.regs[0] = (uint64_t)result;
#else
	u->uc_mcontext.__gregs[REG_A0] = (unsigned long)result;
#endif
}

#endif
