/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the paths that we see begin, as the kernel has it. */
#ifndef TRACER_CAPTURE_BPF_FD_ROOT_H
#define TRACER_CAPTURE_BPF_FD_ROOT_H

#include "capture/bpf/maker.h"

/* Asks the kernel for the root directory of the calling process. Returns 0 or -errno. */
int fd_root_find(const struct fd_offsets *o, struct fd_root *root);

#endif
