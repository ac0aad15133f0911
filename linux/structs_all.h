/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The families of structs: a line a file. */
#include "linux/structs/event.def"
#include "linux/structs/file.def"
#include "linux/structs/ioctl.def"
#include "linux/structs/ipc.def"
#include "linux/structs/mm.def"
#include "linux/structs/net.def"
#include "linux/structs/process.def"
#include "linux/structs/quota.def"
#include "linux/structs/siginfo.def"
#include "linux/structs/signal.def"
#include "linux/structs/system.def"
#include "linux/structs/time.def"
