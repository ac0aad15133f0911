/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and writes a stopped tracee's registers and single words of its memory, and finds the id of
 * its process.
 */
#include <string.h>
#include <elf.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "capture/proc/thread_state.h"
#include "capture/ptrace/tracee_set.h"
#include "capture/proc/procfs.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"

pid_t tracee_tgid(const struct tcb *tcb)
{
	return procfs_tgid(tcb->capture->procfs, procfs_pid(tcb->capture->procfs, tcb->tid));
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

int tracee_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	struct iovec v = {regs->bytes, sizeof(regs->bytes)};

	if (ptrace(PTRACE_GETREGSET, tcb->tid, NT_PRSTATUS, &v))
		return -errno;
	/* For a thread in 32-bit mode, the kernel returns fewer bytes. */
	regs->mode = arch_mode_of_regs(arch_native, v.iov_len);
	return regs->mode ? 0 : -EINVAL;
}

/*
 * Returns true if syscalls with this audit value (AUDIT_ARCH_*) have 64-bit arguments and results.
 * Returns false for a 32-bit ABI, even if a 64-bit program uses it.
 */
static bool is_64(uint32_t audit)
{
	return audit & __AUDIT_ARCH_64BIT;
}

/*
 * -INTERRUPTED is the result of a call that will be restarted. The value is ERESTARTSYS of
 * include/linux/errno.h.
 */
#define INTERRUPTED 512

/*
 * Returns true if the thread slept in the call `before` and was only woken because tracer attached.
 * before->ip is the address after the syscall instruction. The current pc is either the same
 * address (the call has returned EINTR) or the address of the instruction, which is at most 4 bytes
 * lower (the call will be repeated). The function returns true in both cases.
 */
static bool was_only_woken(const struct tcb *tcb, const struct syscall_regs *before)
{
	return before && before->nr == tcb->regs.nr && before->ip - tcb->regs.ip <= 4;
}

bool tracee_regs_of_interrupted(struct tcb *tcb, const struct syscall_regs *before)
{
	const bool wide = is_64(tcb->regs.audit);
	const struct arch_call *call;
	struct arch_regs r;
	uint64_t nr, ret;

	if (tracee_get_regs(tcb, &r))
		return false;
	call = arch_call_find(r.mode, tcb->regs.audit);
	if (!call)
		return false;
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		uint64_t arg = arch_word(&r, call->args[i]);

		tcb->regs.args[i] = wide ? arg : (uint32_t)arg;
	}
	nr = arch_word(&r, call->nr);
	ret = arch_word(&r, call->ret);
	tcb->regs.nr = wide ? nr : (uint32_t)nr;
	tcb->regs.ret = wide ? (int64_t)ret : (int32_t)ret;
	if (!r.mode->shows_calls) {
		if (!was_only_woken(tcb, before))
			return false;
		/*
		 * The register of the first argument may also be the register of the result, so
		 * take the argument from `before`.
		 */
		if (before->ip == tcb->regs.ip)
			tcb->regs.args[0] = before->args[0];
		else
			tcb->regs.ret = -INTERRUPTED;
		return true;
	}
	return wide ? (int64_t)nr >= 0 : (int32_t)nr >= 0;
}

bool tracee_regs_of_exit(const struct tcb *tcb)
{
	const struct abi *abi = abi_find(tcb->regs.audit, tcb->regs.nr);

	return abi && abi_ends_thread(abi, tcb->regs.nr);
}

void tracee_store_thread_state(struct tcb *tcb, const struct thread_state *seen)
{
	tcb->state = seen->state;
	tcb->asleep = seen->asleep;
	if (*seen->comm)
		memcpy(tcb->comm, seen->comm, sizeof(tcb->comm));
}

bool tracee_inspect(struct tcb *tcb)
{
	struct thread_states *g = tracee_of(tcb)->set->thread_states;
	struct thread_state seen = thread_state_read(g, tcb->tgid, tcb->tid);

	tracee_store_thread_state(tcb, &seen);
	if (!thread_state_call(tcb->capture->procfs, tcb->tid, &tcb->regs))
		return false;
	tcb->regs.audit = abi_guess_audit(tcb->regs.nr, tcb->regs.sp);
	return true;
}

/*
 * Returns the locations of the number, the arguments and the result of the syscall in tcb->regs, as
 * offsets in bytes, or NULL if they are unknown. If registers are changed with PTRACE_POKEUSER, the
 * offsets are for the widest mode, otherwise for the thread's own register set.
 */
static const struct arch_call *call_of(const struct tcb *tcb)
{
	const struct arch_mode *mode = arch_native->pokes_registers
					       ? arch_native->modes
					       : arch_mode_of_call(tcb->regs.audit);

	return mode ? arch_call_find(mode, tcb->regs.audit) : NULL;
}

static int change_reg(const struct tcb *tcb, unsigned long offset, uint64_t value)
{
	struct arch_regs regs;
	struct iovec v = {regs.bytes, 0};
	int err = tracee_get_regs(tcb, &regs);

	if (err)
		return err;
	memcpy(regs.bytes + offset, &value, regs.mode->word);
	v.iov_len = regs.mode->regs_size;
	return ptrace(PTRACE_SETREGSET, tcb->tid, NT_PRSTATUS, &v) ? -errno : 0;
}

static int poke_reg(const struct tcb *tcb, unsigned long offset, uint64_t value)
{
	if (!arch_native->pokes_registers)
		return change_reg(tcb, offset, value);
	return ptrace(PTRACE_POKEUSER, tcb->tid, offset, value) ? -errno : 0;
}

/*
 * Changes the first argument of the call that the thread is about to make. This needs
 * PTRACE_SET_SYSCALL_INFO (Linux 6.16).
 */
static int change_first_arg(const struct tcb *tcb, uint64_t value)
{
	const int set_syscall_info = 0x4212; /* PTRACE_SET_SYSCALL_INFO from <linux/ptrace.h> */
	struct __ptrace_syscall_info info = {0};

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tcb->tid, sizeof(info), &info) <= 0)
		return -errno;
	info.entry.args[0] = value;
	return ptrace(set_syscall_info, tcb->tid, sizeof(info), &info) ? -errno : 0;
}

int tracee_set_nr(struct tcb *tcb, uint64_t nr)
{
	const struct arch_call *call = call_of(tcb);

	if (call && arch_native->nr_set) {
		int number = (int)nr;
		struct iovec v = {&number, sizeof(number)};

		return ptrace(PTRACE_SETREGSET, tcb->tid, arch_native->nr_set, &v) ? -errno : 0;
	}
	return call ? poke_reg(tcb, call->nr, nr) : -EINVAL;
}

int tracee_set_ret(struct tcb *tcb, int64_t ret)
{
	const struct arch_call *call = call_of(tcb);
	int err = call ? poke_reg(tcb, call->ret, (uint64_t)ret) : -EINVAL;

	if (!err) {
		tcb->regs.ret = ret;
		tcb->regs.is_error = ret < 0 && ret >= -4095;
	}
	return err;
}

int tracee_poke_arg(struct tcb *tcb, unsigned arg, uint64_t value)
{
	const struct arch_call *call = call_of(tcb);
	int err = -EINVAL;

	if (call && !arg && arch_native->first_arg_by_info)
		err = change_first_arg(tcb, value);
	else if (call)
		err = poke_reg(tcb, call->args[arg], value);
	if (!err)
		tcb->regs.args[arg] = value;
	return err;
}
