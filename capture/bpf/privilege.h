/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explains in one line why the kernel refuses and what the user can do. */
#ifndef TRACER_CAPTURE_BPF_PRIVILEGE_H
#define TRACER_CAPTURE_BPF_PRIVILEGE_H

#include "defs.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/* Whether the requirements seem to be met; if not, prints why. */
bool privilege_check(void);
/* Prints why `what` could not be created; error is an errno. */
void privilege_explain(int error, const char *what);
/* The same for perf_event_open(2). `needed_by` completes "perf_event_open(2), which ...". */
void privilege_explain_perf(int error, const char *needed_by);

#endif
