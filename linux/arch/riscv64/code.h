/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Analyses riscv64 instructions for walks over code without CFI. */
#ifndef TRACER_LINUX_ARCH_RISCV64_CODE_H
#define TRACER_LINUX_ARCH_RISCV64_CODE_H

#include "linux/arch/code.h"

extern const struct arch_code code_riscv64;

#endif
