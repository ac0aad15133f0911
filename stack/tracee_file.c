/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/tracee_file.h"
#include "util/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat2(2), Linux 5.6; <linux/openat2.h> may be older than the kernel. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#define RESOLVE_IN_THE_ROOT 0x10 /* RESOLVE_IN_ROOT */

struct open_how_2 {
	uint64_t flags, mode, resolve;
};

static bool acceptable(int fd, pid_t pid, bool owned)
{
	struct stat st, proc;
	char path[32];

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if (!owned || !st.st_uid)
		return true;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !stat(path, &proc) && proc.st_uid == st.st_uid;
}

int tracee_file_open(pid_t pid, const char *path, bool owned)
{
	struct open_how_2 how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
				 .resolve = RESOLVE_IN_THE_ROOT};
	char root[32];
	int dir, fd;

	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0 && errno == ENOSYS && *path == '/')
		fd = openat(dir, path + 1, how.flags | O_NOFOLLOW);
	close(dir);
	if (fd >= 0 && !acceptable(fd, pid, owned)) {
		close(fd);
		return -1;
	}
	return fd;
}

pid_t tracee_inner_pid(pid_t pid)
{
	char text[1024], *p = text, *end;
	pid_t inner = pid;

	if (!proc_field(text, sizeof(text), "NStgid", "/proc/%d/status", (int)pid))
		return pid;
	/* One number for each namespace, the innermost last. */
	for (;; p = end) {
		long v = strtol(p, &end, 10);

		if (end == p)
			break;
		inner = v;
	}
	return inner;
}
