// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * For secontext.sh. With -DLIBRARY, this is a replacement for libselinux. The type in a file's
 * context is the last part of the file's path. The type in the context of a process, and of its
 * files in /proc, is the name of the process. Otherwise, this is a program that uses files in its
 * working directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY

union callback {
	void *function;
};

int is_selinux_enabled(void)
{
	return !getenv("SELINUX_DISABLED");
}

void freecon(char *context)
{
	free(context);
}

static int make(char **context, const char *start, const char *type)
{
	return asprintf(context, "%s:%.*s:s0", start, (int)strcspn(type, " \n"), type);
}

/* Makes a context from the name of a process. Returns -1 if there is no such process. */
static int make_of_process(char **context, const char *start, int pid)
{
	char path[64], name[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (!fgets(name, sizeof(name), f))
		name[0] = '\0';
	fclose(f);
	return make(context, start, name);
}

int getfilecon_raw(const char *path, char **context)
{
	char file[4096], *slash;
	ssize_t n = readlink(path, file, sizeof(file) - 1);
	int pid;

	errno = ENODATA;
	if (n <= 0)
		return -1;
	file[n] = '\0';
	if (sscanf(file, "/proc/%d/", &pid) == 1)
		return make_of_process(context, "system_u:object_r", pid);
	slash = strrchr(file, '/');
	return make(context, "system_u:object_r", slash ? slash + 1 : file);
}

int getpidcon_raw(pid_t pid, char **context)
{
	return make_of_process(context, "unconfined_u:unconfined_r", pid) < 0 ? -1 : 0;
}

void *selabel_open(unsigned backend, const void *options, unsigned n)
{
	return backend || options || n ? NULL : &errno;
}

void selabel_close(void *database)
{
	(void)database;
}

int selabel_lookup_raw(void *database, char **context, const char *path, int mode)
{
	const char *name = strrchr(path, '/') + 1;

	(void)database;
	errno = ENOENT;
	if ((mode & 0170000) == 0100000)
		return make(context, "system_u:object_r", strcmp(name, "wrong") ? name : "right") <
		       0;
	return -1;
}

void selinux_set_callback(int type, union callback callback)
{
	(void)type;
	(void)callback;
}

#else

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static long at(int dir, const char *path)
{
	return syscall(SYS_openat, dir, path, O_RDONLY | O_NONBLOCK);
}

int main(void)
{
	long dir = at(AT_FDCWD, "d"), fd = at(dir, "inner");

	at(dir, "../link");
	at(AT_FDCWD, "pipe");
	at(AT_FDCWD, "wrong");
	at(AT_FDCWD, "missing");
	at(AT_FDCWD, "/proc/self/status");
	prctl(PR_SET_NAME, "second");
	raise(SIGURG);
	syscall(SYS_unlinkat, dir, "inner", 0);
	syscall(SYS_fsync, fd);
	syscall(SYS_fchdir, dir);
	at(AT_FDCWD, "../wrong");
	return 3;
}

#endif
