/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the escape hatches in the rows of linux/ are declared in: a line a family. */
#ifndef TRACER_DECODE_FAMILIES_H
#define TRACER_DECODE_FAMILIES_H

#include "decode/aio.h"
#include "decode/decode.h"
#include "decode/poll.h"
#include "decode/bpf.h"
#include "decode/creds.h"
#include "decode/device.h"
#include "decode/fd.h"
#include "decode/device_block.h"
#include "decode/device_btrfs.h"
#include "decode/file.h"
#include "decode/iovec.h"
#include "decode/ipc.h"
#include "decode/mm.h"
#include "decode/mount.h"
#include "decode/ioctl.h"
#include "decode/futex.h"
#include "decode/prctl.h"
#include "decode/perf.h"
#include "decode/process.h"
#include "decode/ptrace.h"
#include "decode/sched.h"
#include "decode/net.h"
#include "decode/netlink.h"
#include "decode/signal.h"
#include "decode/system.h"
#include "decode/time.h"
#include "decode/tty.h"
#include "decode/uring.h"

#endif
