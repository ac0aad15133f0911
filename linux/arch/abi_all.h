/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All ABIs, one folder per line. */
#include "linux/arch/x86_64/abi.def"
#include "linux/arch/i386/abi.def"
#include "linux/arch/x32/abi.def"
#include "linux/arch/aarch64/abi.def"
#include "linux/arch/riscv64/abi.def"
#include "linux/arch/arm/abi.def"
