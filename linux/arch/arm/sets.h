/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each function applies the instruction at s->path.pc (path.h), which belongs to one of the two
 * instruction sets, and advances the pc.
 */
#ifndef TRACER_LINUX_ARCH_ARM_SETS_H
#define TRACER_LINUX_ARCH_ARM_SETS_H

#include "linux/arch/arm/path.h"

enum arm_outcome arm_step_a32(struct arm_search *s);
enum arm_outcome arm_step_t32(struct arm_search *s);

#endif
