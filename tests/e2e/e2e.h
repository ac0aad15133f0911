/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared code of the programs that the end-to-end tests trace. */
#ifndef TRACER_TESTS_E2E_H
#define TRACER_TESTS_E2E_H

#include <unistd.h>

/*
 * Makes a syscall that no kernel implements, so every output style shows it in the same way. The
 * test driver removes the log up to this syscall, because a program's startup syscalls depend on
 * libc.
 */
static inline void trace_from_here(void)
{
	syscall(0xbeef, 0L, 0L, 0L, 0L, 0L, 0L);
}

#endif
