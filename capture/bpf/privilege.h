/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why the kernel does not let us, in one line that says what to do. */
#ifndef TRACER_CAPTURE_BPF_PRIVILEGE_H
#define TRACER_CAPTURE_BPF_PRIVILEGE_H

#include "defs.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/* Whether what is needed seems to be there; else prints why not. */
bool privilege_check(void);
/* Prints why a thing could not be made: error is an errno, what is the thing. */
void privilege_explain(int error, const char *what);

#endif
