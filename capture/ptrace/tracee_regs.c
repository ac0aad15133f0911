/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a stopped tracee holds: registers, single words of memory, its process. */
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "capture/ptrace/tracee.h"
#include "capture/ptrace/tracee_set.h"
#include "capture/proc/proc.h"

pid_t tcb_tgid(struct tcb *tcb)
{
	if (!tcb->tgid) {
		char text[64];
		long tgid = proc_field(text, sizeof(text), "Tgid", "/proc/%d/status", tcb->tid)
				    ? strtol(text, NULL, 10)
				    : 0;

		/* Gone: a guess must do, and is not kept. */
		if (tgid <= 0)
			return tcb->tid;
		tcb->tgid = (pid_t)tgid;
	}
	return tcb->tgid;
}

int tracee_peek(const struct tcb *tcb, uint64_t addr, unsigned long *word)
{
	errno = 0;
	*word = (unsigned long)ptrace(PTRACE_PEEKDATA, tcb->tid, addr, 0L);
	return -errno;
}

int tracee_poke(const struct tcb *tcb, uint64_t addr, unsigned long word)
{
	return ptrace(PTRACE_POKEDATA, tcb->tid, addr, word) ? -errno : 0;
}

int tracee_get_regs(const struct tcb *tcb, struct user_regs_struct *regs)
{
	return ptrace(PTRACE_GETREGS, tcb->tid, 0L, regs) ? -errno : 0;
}

int tracee_set_regs(const struct tcb *tcb, const struct user_regs_struct *regs)
{
	return ptrace(PTRACE_SETREGS, tcb->tid, 0L, regs) ? -errno : 0;
}

#ifdef __x86_64__
#define REG_OFFSET(r) offsetof(struct user, regs.r)

static const unsigned short arg_offsets[2][SYSCALL_ARGS_MAX] = {
	{REG_OFFSET(rdi), REG_OFFSET(rsi), REG_OFFSET(rdx), REG_OFFSET(r10), REG_OFFSET(r8),
	 REG_OFFSET(r9)},
	{REG_OFFSET(rbx), REG_OFFSET(rcx), REG_OFFSET(rdx), REG_OFFSET(rsi), REG_OFFSET(rdi),
	 REG_OFFSET(rbp)}};

#define ARCH_IS_64(arch) ((arch)&0x80000000u)

bool tracee_regs_of_interrupted(struct tcb *tcb)
{
	struct user_regs_struct r;
	bool is_64 = ARCH_IS_64(tcb->regs.arch);

	if (tracee_get_regs(tcb, &r))
		return false;
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		memcpy(&tcb->regs.args[i], (char *)&r + arg_offsets[!is_64][i], 8);
		if (!is_64)
			tcb->regs.args[i] = (uint32_t)tcb->regs.args[i];
	}
	tcb->regs.nr = is_64 ? r.orig_rax : (uint32_t)r.orig_rax;
	tcb->regs.ret = is_64 ? (int64_t)r.rax : (int32_t)r.rax;
	return is_64 ? (int64_t)r.orig_rax >= 0 : (int32_t)r.orig_rax >= 0;
}

bool tracee_regs_of_exit(const struct tcb *tcb)
{
	uint64_t nr = tcb->regs.nr & ~(uint64_t)__X32_SYSCALL_BIT;

	if (ARCH_IS_64(tcb->regs.arch))
		return nr == SYS_exit || nr == SYS_exit_group;
	return nr == 1 || nr == 252; /* i386's */
}
#else
bool tracee_regs_of_interrupted(struct tcb *tcb attr_unused)
{
	return false;
}

bool tracee_regs_of_exit(const struct tcb *tcb)
{
	return tcb->regs.nr == SYS_exit || tcb->regs.nr == SYS_exit_group;
}
#endif

#ifdef __x86_64__
static int poke_reg(const struct tcb *tcb, unsigned long offset, uint64_t value)
{
	return ptrace(PTRACE_POKEUSER, tcb->tid, offset, value) ? -errno : 0;
}

int tracee_set_nr(struct tcb *tcb, uint64_t nr)
{
	return poke_reg(tcb, REG_OFFSET(orig_rax), nr);
}

int tracee_set_ret(struct tcb *tcb, int64_t ret)
{
	int err = poke_reg(tcb, REG_OFFSET(rax), (uint64_t)ret);

	if (!err) {
		tcb->regs.ret = ret;
		tcb->regs.is_error = ret < 0 && ret >= -4095;
	}
	return err;
}

int tracee_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value)
{
	int err = poke_reg(tcb, arg_offsets[!ARCH_IS_64(tcb->regs.arch)][arg], value);

	if (!err)
		tcb->regs.args[arg] = value;
	return err;
}
#endif
