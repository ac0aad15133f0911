/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/arch/arch.h"

#include <string.h>

#include "config.h"

static const struct arch *const archs[] = {&arch_x86_64, &arch_aarch64, &arch_riscv64};

const struct arch *const arch_native = &ARCH_NATIVE;

const struct arch_mode *arch_mode_of_regs(const struct arch *arch, size_t size)
{
	for (unsigned i = 0; i < arch->nmodes; i++)
		if (arch->modes[i].regs_size == size)
			return &arch->modes[i];
	return NULL;
}

bool arch_regs_of_kernel(struct arch_regs *regs, const void *kernel, size_t n)
{
	if (!arch_native->regs_of_kernel)
		return false;
	memset(regs->bytes, 0, sizeof(regs->bytes));
	regs->mode = arch_native->regs_of_kernel(kernel, n, regs->bytes);
	return regs->mode;
}

const struct arch_call *arch_kernel_call(uint32_t audit)
{
	for (unsigned i = 0; i < arch_native->nkernel_calls; i++)
		if (arch_native->kernel_calls[i].audit == audit)
			return &arch_native->kernel_calls[i];
	return NULL;
}

const struct arch_mode *arch_mode_of_elf(unsigned machine)
{
	for (size_t a = 0; a < ARRAY_SIZE(archs); a++)
		for (unsigned i = 0; i < archs[a]->nmodes; i++)
			if (archs[a]->modes[i].elf_machine == machine)
				return &archs[a]->modes[i];
	return NULL;
}

const struct arch_mode *arch_mode_of_call(uint32_t audit)
{
	const struct arch_mode *found = NULL;

	for (size_t a = 0; a < ARRAY_SIZE(archs); a++)
		for (unsigned i = 0; i < archs[a]->nmodes; i++) {
			if (!arch_call_find(&archs[a]->modes[i], audit))
				continue;
			if (found)
				return NULL;
			found = &archs[a]->modes[i];
		}
	return found;
}

void arch_columns(const struct arch_regs *regs, uint64_t *columns)
{
	const struct arch_mode *mode = regs->mode;

	for (unsigned i = 0; i < mode->columns; i++)
		columns[i] = arch_word(regs, mode->column_at[i]);
}

const struct arch_call *arch_call_find(const struct arch_mode *mode, uint32_t audit)
{
	for (unsigned i = 0; i < mode->ncalls; i++)
		if (mode->calls[i].audit == audit)
			return &mode->calls[i];
	return NULL;
}

uint64_t arch_word(const struct arch_regs *regs, unsigned at)
{
	uint64_t wide;
	uint32_t narrow;

	if (regs->mode->word == sizeof(wide)) {
		memcpy(&wide, regs->bytes + at, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, regs->bytes + at, sizeof(narrow));
	return narrow;
}

void arch_set_thread_pointer(struct arch_regs *regs, uint64_t value)
{
	if (regs->mode->thread_pointer_at)
		memcpy(regs->bytes + regs->mode->thread_pointer_at, &value, regs->mode->word);
}

bool arch_in_call(const struct arch_regs *regs)
{
	uint64_t none = regs->mode->word == 8 ? UINT64_MAX : UINT32_MAX;

	return regs->mode->shows_calls && arch_word(regs, regs->mode->calls[0].nr) != none;
}
