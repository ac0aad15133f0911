/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Analyses code of x86_64's 64-bit mode. */
#ifndef TRACER_LINUX_ARCH_X86_64_CODE_H
#define TRACER_LINUX_ARCH_X86_64_CODE_H

#include "linux/arch/code.h"

extern const struct arch_code code_x86_64;

#endif
