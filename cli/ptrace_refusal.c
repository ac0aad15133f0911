/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/ptrace_refusal.h"

#include <linux/capability.h>
#include <unistd.h>

#include "capture/proc/tasks.h"
#include "util/msg.h"

/* Values of the sysctl kernel.yama.ptrace_scope. */
enum { SCOPE_DESCENDANTS = 1, SCOPE_PRIVILEGED, SCOPE_NOBODY };

static bool owned_by_another(const struct procfs *procfs, pid_t pid)
{
	uid_t owner;

	return geteuid() && proc_owner(procfs, pid, &owner) && owner != geteuid();
}

/* Explains why a tracer without CAP_SYS_PTRACE cannot trace the process. */
static void explain_unprivileged(const struct procfs *procfs, pid_t pid, int scope)
{
	if (pid && owned_by_another(procfs, pid))
		msg("process %d may be owned by a different user: run tracer as root (with "
		    "CAP_SYS_PTRACE)",
		    pid);
	else if (scope == SCOPE_PRIVILEGED)
		msg("the sysctl kernel.yama.ptrace_scope is 2: set it to 0, or run tracer as root "
		    "(with CAP_SYS_PTRACE)");
	else if (pid && scope == SCOPE_DESCENDANTS)
		msg("the sysctl kernel.yama.ptrace_scope is 1, so only descendants can be traced: "
		    "set it to 0, or run tracer as root (with CAP_SYS_PTRACE)");
	else if (pid)
		msg("process %d may have more privileges than tracer: run tracer as root (with "
		    "CAP_SYS_PTRACE)",
		    pid);
}

/* PF_KTHREAD, a bit of the field `flags` in proc_pid_stat(5). */
#define KERNEL_THREAD 0x200000

static bool is_kernel_thread(const struct procfs *procfs, pid_t pid)
{
	const int flags = proc_stat(procfs, pid, 9);

	return flags > 0 && flags & KERNEL_THREAD;
}

void ptrace_refusal_explain(const struct procfs *procfs, pid_t pid)
{
	const pid_t tracer = pid ? proc_tracer(procfs, pid) : 0;
	const int scope = proc_ptrace_scope();

	if (tracer)
		msg("Process %d is already being traced by pid %d", pid, tracer);
	else if (pid && is_kernel_thread(procfs, pid))
		msg("process %d is a kernel thread, which makes no system calls", pid);
	else if (scope >= SCOPE_NOBODY)
		msg("the sysctl kernel.yama.ptrace_scope is %d, which forbids ptrace until the "
		    "next boot: boot with a lower value, or use --engine=bpf",
		    scope);
	else if (!proc_has_capability(CAP_SYS_PTRACE))
		explain_unprivileged(procfs, pid, scope);
}
