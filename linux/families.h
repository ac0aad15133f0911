/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The headers that declare the functions used in the tables of linux/, one family per line. */
#ifndef TRACER_LINUX_FAMILIES_H
#define TRACER_LINUX_FAMILIES_H

#include "decode/io/aio.h"
#include "decode/core/decode.h"
#include "decode/io/poll.h"
#include "decode/bpf/bpf.h"
#include "decode/process/creds.h"
#include "decode/device/device.h"
#include "decode/core/fd.h"
#include "decode/device/device_block.h"
#include "decode/device/device_btrfs.h"
#include "decode/file/file.h"
#include "decode/io/iovec.h"
#include "decode/ipc/ipc.h"
#include "decode/memory/mm.h"
#include "decode/file/mount.h"
#include "decode/device/ioctl.h"
#include "decode/ipc/futex.h"
#include "decode/process/prctl.h"
#include "decode/bpf/perf.h"
#include "decode/process/process.h"
#include "decode/process/ptrace.h"
#include "decode/process/sched.h"
#include "decode/net/net.h"
#include "decode/net/sockaddr_family.h"
#include "decode/netlink/netlink.h"
#include "decode/signal/signal.h"
#include "decode/process/system.h"
#include "decode/time/time.h"
#include "decode/device/tty.h"
#include "decode/io/uring.h"

#endif
