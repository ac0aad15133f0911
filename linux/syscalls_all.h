/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All families of syscalls, one file per line. */
#include "linux/syscalls/creds.def"
#include "linux/syscalls/event.def"
#include "linux/syscalls/file.def"
#include "linux/syscalls/ipc.def"
#include "linux/syscalls/mm.def"
#include "linux/syscalls/net.def"
#include "linux/syscalls/process.def"
#include "linux/syscalls/signal.def"
#include "linux/syscalls/system.def"
#include "linux/syscalls/time.def"
#include "linux/syscalls/uring.def"
