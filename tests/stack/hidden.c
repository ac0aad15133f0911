/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program whose file cannot be opened by its name, because the file is deleted, replaced, in
 * memory only, or inaccessible after chroot(2).
 */
#include "truth.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static NOINLINE void middle(void)
{
	TRUTH;
	leaf();
}

static int copy(const char *from, int to)
{
	int fd = open(from, O_RDONLY);
	struct stat st;

	if (fd < 0 || to < 0 || fstat(fd, &st))
		return -1;
	sendfile(to, fd, NULL, st.st_size);
	return to;
}

int main(int argc, char **argv)
{
	TRUTH;
	const char *how = argc > 1 ? argv[1] : "";
	char *again[] = {"hidden", NULL};
	char path[4096];

	check();
	if (!strcmp(how, "deleted")) {
		unlink(argv[2]);
	} else if (!strcmp(how, "replaced")) {
		int fd;

		unlink(argv[2]);
		fd = open(argv[2], O_WRONLY | O_CREAT, 0755);
		copy("/bin/true", fd);
	} else if (!strcmp(how, "memfd")) {
		fexecve(copy("/proc/self/exe", memfd_create("in memory", MFD_CLOEXEC)), again,
			environ);
		return 77;
	} else if (!strcmp(how, "chroot")) {
		/* tracer's own root directory contains another file with this name. */
		mkdir(argv[2], 0755);
		if (chdir(argv[2]) ||
		    close(copy("/proc/self/exe", open("hidden", O_WRONLY | O_CREAT, 0755))) ||
		    chroot("."))
			return 77;
		mkdir("/tmp", 01777);
		execve("/hidden", again, environ);
		return 77;
	} else if (!strcmp(how, "namespace")) {
		if (unshare(CLONE_NEWNS | CLONE_NEWPID) ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("none", argv[2], "tmpfs", 0, NULL))
			return 77;
		if (fork()) {
			wait(NULL);
			return 0;
		}
		snprintf(path, sizeof(path), "%s/h", argv[2]);
		close(copy("/proc/self/exe", open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755)));
		execve(path, again, environ);
		return 77;
	}
	middle();
	return 0;
}
