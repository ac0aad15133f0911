/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --vdso=off: hides the vDSO (vdso(7)) from a new program. The program's C library then makes real
 * syscalls for clock_gettime(2), gettimeofday(2), time(2) and getcpu(2), and tracer can see these
 * calls.
 */
#ifndef TRACER_TAMPER_VDSO_H
#define TRACER_TAMPER_VDSO_H

#include <stdbool.h>

struct tcb;

/*
 * Changes AT_SYSINFO_EHDR in a program's auxiliary vector (getauxval(3)) to AT_IGNORE. tcb must be
 * stopped at a successful execve, before the first instruction of the new program. The vDSO stays
 * mapped, because the kernel may use it to return from signal handlers. Returns true if the entry
 * was changed or if there is none. Returns false if the vector was not found or is not writable.
 * The engine needs CAPTURE_TAMPER and CAPTURE_REGISTERS.
 */
bool vdso_hide(struct tcb *tcb);

#endif
