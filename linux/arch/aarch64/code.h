/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The instructions of aarch64, as far as walks over code without CFI need them. */
#ifndef TRACER_LINUX_ARCH_AARCH64_CODE_H
#define TRACER_LINUX_ARCH_AARCH64_CODE_H

#include "linux/arch/code.h"

extern const struct arch_code code_aarch64;

#endif
