/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* openat2(2), Linux 5.6; <linux/openat2.h> may be older than the kernel. */
#ifndef TRACER_CAPTURE_PROC_OPENAT2_H
#define TRACER_CAPTURE_PROC_OPENAT2_H

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "defs.h"

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/* RESOLVE_… of <linux/openat2.h> */
#define RESOLVE_1_NO_XDEV     0x01
#define RESOLVE_1_NO_SYMLINKS 0x04
#define RESOLVE_1_IN_ROOT     0x10
#define RESOLVE_1_CACHED      0x20 /* Linux 5.12 */

/* Returns a descriptor, or -1 with errno. resolve is a set of the above. */
static inline int open_resolved(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = {.flags = flags, .resolve = resolve};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/*
 * Opens an absolute path part by part with the folder dir as the root. No part may be a symbolic
 * link or "..", which could lead out of dir.
 */
int open_by_parts(int dir, const char *path, uint64_t flags);

/*
 * Opens an absolute path with the folder dir as the root, or ours if that is AT_FDCWD. Where the
 * kernel is too old for that, as open_by_parts().
 */
static inline int open_in_root(int dir, const char *path, uint64_t flags)
{
	int fd;

	if (dir == AT_FDCWD)
		return open(path, (int)flags);
	fd = open_resolved(dir, path, flags, RESOLVE_1_IN_ROOT);
	if (fd < 0 && errno == ENOSYS)
		fd = open_by_parts(dir, path, flags);
	return fd;
}

#endif
