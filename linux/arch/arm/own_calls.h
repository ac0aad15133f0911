/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The syscalls that only Arm has: __ARM_NR_* of Arm's asm/unistd.h. Their real numbers are
 * own_calls + 1, own_calls + 2 and so on.
 */
NR(ABI_OWN_CALLS + 1, breakpoint)
NR(ABI_OWN_CALLS + 2, cacheflush)
NR(ABI_OWN_CALLS + 3, usr26)
NR(ABI_OWN_CALLS + 4, usr32)
NR(ABI_OWN_CALLS + 5, set_tls)
NR(ABI_OWN_CALLS + 6, get_tls)
