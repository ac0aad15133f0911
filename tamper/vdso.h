/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --vdso=off: hides the vDSO (vdso(7)) from a new program, so that its C library makes real
 * syscalls for clock_gettime(2), gettimeofday(2), time(2) and getcpu(2), which tracer then sees.
 */
#ifndef TRACER_TAMPER_VDSO_H
#define TRACER_TAMPER_VDSO_H

#include <stdbool.h>

struct tcb;

/*
 * tcb is stopped at a successful execve, before the first instruction of the new program. Changes
 * AT_SYSINFO_EHDR in the program's auxiliary vector (getauxval(3)) to AT_IGNORE. The vDSO stays
 * mapped, because the kernel may return from signal handlers through it. Returns whether the vector
 * was found and changed, or has no such entry. The engine needs CAPTURE_TAMPER and
 * CAPTURE_REGISTERS.
 */
bool vdso_hide(struct tcb *tcb);

#endif
