/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the programs that the end-to-end tests trace. */
#ifndef TRACER_TESTS_E2E_H
#define TRACER_TESTS_E2E_H

#include <unistd.h>

/*
 * Makes a call that no kernel has, so every output style shows it in the same way. The test driver
 * drops the log up to it, because the startup of a program depends on libc.
 */
static inline void trace_from_here(void)
{
	syscall(0xbeef, 0L, 0L, 0L, 0L, 0L, 0L);
}

#endif
