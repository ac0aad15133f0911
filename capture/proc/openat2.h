/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wrappers of openat2(2), Linux 5.6. They return a descriptor, or -1 with errno set. The constants
 * are defined here because <linux/openat2.h> may be older than the kernel.
 */
#ifndef TRACER_CAPTURE_PROC_OPENAT2_H
#define TRACER_CAPTURE_PROC_OPENAT2_H

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "defs.h"

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/* RESOLVE_… from <linux/openat2.h> */
#define RESOLVE_1_NO_XDEV     0x01
#define RESOLVE_1_NO_SYMLINKS 0x04
#define RESOLVE_1_IN_ROOT     0x10
#define RESOLVE_1_CACHED      0x20 /* since Linux 5.12 */

/* Opens a path relative to the directory dir. `resolve` is a set of RESOLVE_1_… flags. */
static inline int open_resolved(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = {.flags = flags, .resolve = resolve};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/*
 * Opens an absolute path component by component, with the directory dir as the root. Fails if a
 * component is "..", or if a component before the last one is a symbolic link, because such a
 * component could lead out of dir. If the last component is a symbolic link, opens the link itself
 * with O_PATH; otherwise fails.
 */
int open_by_parts(int dir, const char *path, uint64_t flags);

/*
 * Opens an absolute path with the directory dir as the root. If dir is AT_FDCWD, uses our own root.
 * If the kernel is too old for openat2(2), uses open_by_parts().
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
