/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/privilege.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/proc/tasks.h"
#include "linux/arch/arch.h"
#include "util/msg.h"

/* These definitions are in newer headers only. */
#define PERFMON 38
#define BPF	39

/* The oldest kernel version on which the engine is tested. */
#define VERSION_MAJOR 6
#define VERSION_MINOR 1

static bool too_old(char release[65])
{
	unsigned major = 0, minor = 0;
	struct utsname u;

	uname(&u);
	snprintf(release, sizeof(u.release), "%s", u.release);
	/* If the version string has an unusual form, assume that the version is new enough. */
	if (sscanf(u.release, "%u.%u", &major, &minor) != 2)
		return false;
	return major < VERSION_MAJOR || (major == VERSION_MAJOR && minor < VERSION_MINOR);
}

/* Returns the names of the missing capabilities as one text, or NULL if none is missing. */
static const char *missing_capability(void)
{
	if (proc_has_capability(CAP_SYS_ADMIN))
		return NULL;
	if (!proc_has_capability(BPF))
		return proc_has_capability(PERFMON) ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
	return proc_has_capability(PERFMON) ? NULL : "CAP_PERFMON";
}

static bool locked_down(void)
{
	char text[128] = "";
	int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 && strstr(text, "[confidentiality]");
}

bool privilege_check(void)
{
	const char *missing = missing_capability();
	char release[65];

	if (!arch_native->regs_of_kernel)
		msg("--engine=bpf does not support %s yet: use --engine=ptrace", arch_native->name);
	else if (too_old(release))
		msg("--engine=bpf needs Linux %d.%d, this is %s: use --engine=ptrace",
		    VERSION_MAJOR, VERSION_MINOR, release);
	else if (proc_in_user_namespace())
		msg("--engine=bpf cannot run inside a user namespace: "
		    "run tracer outside, or use --engine=ptrace");
	else if (missing)
		msg("--engine=bpf needs %s: run tracer as root, or use --engine=ptrace", missing);
	else if (locked_down())
		msg("--engine=bpf is forbidden by the kernel's lockdown mode: use the boot option "
		    "lockdown=integrity, or use --engine=ptrace");
	/*
	 * The kernel has bpf_loop() only if it compiles BPF programs instead of interpreting them.
	 * On some machines, it does not compile them by default.
	 */
	else if (proc_interprets_bpf())
		msg("--engine=bpf needs compiled BPF programs: set the sysctl "
		    "net.core.bpf_jit_enable to 1, or use --engine=ptrace");
	else if (access(KERNEL_BTF, R_OK))
		msg("--engine=bpf needs %s (a kernel with CONFIG_DEBUG_INFO_BTF): "
		    "use --engine=ptrace",
		    KERNEL_BTF);
	else
		return true;
	return false;
}

void privilege_explain(int error, const char *what)
{
	errno = error;
	if (error == EPERM)
		msg("--engine=bpf: the kernel does not permit it (perhaps a rule of the container "
		    "or of a security module, or the boot option lockdown=confidentiality): use "
		    "--engine=ptrace");
	else if (error == ENOMEM)
		msg("--engine=bpf: no memory for a %s: see --buffer-size", what);
	else
		msg_errno("--engine=bpf: the kernel refuses a %s", what);
}

void privilege_explain_perf(int error, const char *needed_by)
{
	errno = error;
	if (error == EACCES || error == EPERM)
		msg("--engine=bpf: perf_event_open(2), which %s, is not permitted: set the sysctl "
		    "kernel.perf_event_paranoid to 2 or less, run tracer as root (with "
		    "CAP_SYS_ADMIN), or use --engine=ptrace",
		    needed_by);
	else if (error == ENOMEM)
		msg("--engine=bpf: perf_event_open(2), which %s, cannot lock more memory: raise "
		    "the sysctl kernel.perf_event_mlock_kb, run tracer as root, or use "
		    "--engine=ptrace",
		    needed_by);
	else
		msg_errno("--engine=bpf: perf_event_open(2), which %s, failed", needed_by);
}
