/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The syscalls with variants: a line a file. */
#include "linux/variants/arch_prctl.def"
#include "linux/variants/fcntl.def"
#include "linux/variants/fsconfig.def"
#include "linux/variants/futex.def"
#include "linux/variants/io_uring_register.def"
#include "linux/variants/ioctl.def"
#include "linux/variants/ipc.def"
#include "linux/variants/keyctl.def"
#include "linux/variants/prctl.def"
#include "linux/variants/quotactl.def"
#include "linux/variants/seccomp.def"
#include "linux/variants/sockopt.def"
