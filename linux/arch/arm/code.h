/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Analyses 32-bit Arm code (see linux/arch/code.h): A32, or T32 if bit 0 of an address is set.
 */
#ifndef TRACER_LINUX_ARCH_ARM_CODE_H
#define TRACER_LINUX_ARCH_ARM_CODE_H

#include "linux/arch/code.h"

extern const struct arch_code code_arm;

#endif
