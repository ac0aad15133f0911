/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prints messages that explain in one line why the kernel refuses BPF and what the user can do. */
#ifndef TRACER_CAPTURE_BPF_PRIVILEGE_H
#define TRACER_CAPTURE_BPF_PRIVILEGE_H

#include "defs.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/*
 * Returns true if the kernel seems to permit BPF. Otherwise prints a message with the reason and
 * returns false.
 */
bool privilege_check(void);
/* Prints why the kernel refused to create `what`. `error` is an errno value. */
void privilege_explain(int error, const char *what);
/*
 * Does the same as privilege_explain() for perf_event_open(2). `needed_by` completes the clause
 * "perf_event_open(2), which …" in the message.
 */
void privilege_explain_perf(int error, const char *needed_by);

#endif
