/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/tracee_file.h"
#include "capture/proc/proc.h"

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

int regular_file_open(int fd)
{
	char path[32];
	struct stat st;
	int opened = -1;

	if (fd < 0)
		return -1;
	errno = ENXIO;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	close(fd);
	return opened;
}

static bool acceptable(int fd, pid_t pid)
{
	struct stat st, proc;
	char path[32];

	if (fstat(fd, &st) < 0)
		return false;
	if (!st.st_uid)
		return true;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !stat(path, &proc) && proc.st_uid == st.st_uid;
}

int tracee_file_open(pid_t pid, const char *path, bool owned)
{
	struct open_how_2 how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_THE_ROOT};
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
	fd = regular_file_open(fd);
	if (fd >= 0 && owned && !acceptable(fd, pid)) {
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
