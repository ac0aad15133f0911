/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One function for each of the two instruction sets of 32-bit Arm. The functions apply the effects
 * of the instruction at s->path.pc to s->path (path.h), and advance the pc.
 */
#ifndef TRACER_LINUX_ARCH_ARM_SETS_H
#define TRACER_LINUX_ARCH_ARM_SETS_H

#include "linux/arch/arm/path.h"

enum arm_outcome arm_step_a32(struct arm_search *s);
enum arm_outcome arm_step_t32(struct arm_search *s);

#endif
