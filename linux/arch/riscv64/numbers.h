/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Made by linux/update-numbers from unistd_64.h: do not edit. */
NR(259, riscv_flush_icache)
