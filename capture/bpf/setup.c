/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/setup.h"

#include "capture/bpf/tables.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"

uint32_t setup_compat_audit(void)
{
	const uint32_t native = abi_native()->audit;

	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abis[i].arch == arch_native && abis[i].audit != native &&
		    arch_kernel_call(abis[i].audit))
			return abis[i].audit;
	return 0;
}

static void set_calls(struct setup_calls *to, uint32_t audit, uint16_t sp)
{
	const struct arch_call *call = arch_kernel_call(audit);

	to->nr = call->nr;
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++)
		to->args[i] = call->args[i];
	to->sp = sp;
	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abis[i].arch == arch_native && abis[i].audit == audit)
			to->abis[abis[i].nr_mask != 0] =
				(struct setup_abi){.used = 1,
						   .first = i * CALLS_OF_ABI,
						   .nr_mask = abis[i].nr_mask,
						   .own_calls = abis[i].own_calls};
}

static struct setup_word word_of(const struct arch_member *m)
{
	static const uint16_t places[] = {[ARCH_NOWHERE] = WORD_NOWHERE,
					  [ARCH_IN_REGS] = WORD_IN_REGS,
					  [ARCH_IN_TASK] = WORD_IN_TASK};

	return (struct setup_word){places[m->place], m->at};
}

/*
 * Returns the range of entries in the table of calls for the syscall numbers from `first` to `end`,
 * exclusive. The audit value (AUDIT_ARCH_*) identifies the ABI.
 */
static struct setup_range range_of(uint32_t audit, unsigned first, unsigned end)
{
	const unsigned abi = audit ? abi_find(audit, 0)->index : 0;

	return (struct setup_range){abi * CALLS_OF_ABI + first, end - first};
}

void setup_machine(struct setup *s)
{
	const struct arch_mode *mode = &arch_native->modes[0];
	const uint16_t sp = mode->column_at[mode->sp], narrow = arch_native->compat_call.sp;
	const uint32_t compat = setup_compat_audit();

	set_calls(&s->calls[0], abi_native()->audit, sp);
	s->calls[1].sp = sp;
	if (compat)
		set_calls(&s->calls[1], compat, narrow ? narrow : sp);
	s->compat = word_of(&arch_native->compat_call.member);
	s->compat_bit = arch_native->compat_call.bit;
	s->area = word_of(&arch_native->thread_area);
	s->pc = mode->column_at[mode->pc];
	s->regs_size = arch_native->kernel_regs;
	s->nr_is_32bit = arch_native->nr_is_32bit;
	s->aligned |= arch_native->aligned_programs;
	s->own_calls = (struct setup_range){ABI_OWN_CALLS, ABI_OWN_CALLS_END - ABI_OWN_CALLS};
	s->sockets = range_of(compat, ABI_SOCKETCALLS, ABI_IPC_CALLS);
	s->ipc = range_of(compat, ABI_IPC_CALLS, ABI_SUBCALLS_END);
	s->unlisted = CALLS - 1;
}
