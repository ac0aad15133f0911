/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/cgroup.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/proc/procfs.h"
#include "util/mem.h"

#define DEPTH_MAX 32

/*
 * Returns `path` if it is the directory of a control group. Otherwise frees `path` and returns
 * NULL.
 */
static char *checked_group(char *path)
{
	attr_cleanup(mem_free_ptr) char *list = mem_printf("%s/cgroup.procs", path);

	if (!access(list, R_OK))
		return path;
	free(path);
	return NULL;
}

/*
 * Returns the mount point of control groups version 2, or NULL if they are not mounted. The caller
 * frees the result.
 */
static char *mount_point(void)
{
	FILE *f = fopen("/proc/self/mounts", "re");
	char line[4096], at[4096], type[64];
	char *found = NULL;

	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %4095s %63s", at, type) == 2 && !strcmp(type, "cgroup2"))
			found = mem_strdup(at);
	if (f)
		fclose(f);
	if (!found)
		errno = ENOENT;
	return found;
}

/*
 * Converts the path of a group relative to the mount point to an absolute path, which the caller
 * frees. Returns NULL on failure.
 */
static char *below_mount(const char *name)
{
	attr_cleanup(mem_free_ptr) char *mount = mount_point();

	return mount ? checked_group(mem_printf("%s/%s", mount, name)) : NULL;
}

char *cgroup_find(const char *name)
{
	char *path = *name == '/' ? checked_group(mem_strdup(name)) : NULL;

	return path ? path : below_mount(name);
}

char *cgroup_of(const struct procfs *procfs, pid_t pid)
{
	attr_cleanup(mem_free_ptr) char *list =
		mem_printf("/proc/%d/cgroup", (int)procfs_pid(procfs, pid));
	FILE *f = fopen(list, "re");
	char line[4096];
	char *found = NULL;

	if (f)
		errno = ENOENT; /* if there is no line of control groups version 2 */
	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::", 3))
			found = below_mount(line + 3);
	}
	if (f)
		fclose(f);
	return found;
}

static void list_processes(const char *path, pid_vec *out)
{
	attr_cleanup(mem_free_ptr) char *name = mem_printf("%s/cgroup.procs", path);
	FILE *f = fopen(name, "re");
	int pid;

	while (f && fscanf(f, "%d", &pid) == 1)
		if (pid > 0)
			*vec_push(out) = pid;
	if (f)
		fclose(f);
}

static void list_below(const char *path, unsigned depth, pid_vec *out)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	list_processes(path, out);
	while (dir && depth < DEPTH_MAX && (e = readdir(dir))) {
		attr_cleanup(mem_free_ptr) char *below = NULL;

		if (e->d_type != DT_DIR || !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		below = mem_printf("%s/%s", path, e->d_name);
		list_below(below, depth + 1, out);
	}
	if (dir)
		closedir(dir);
}

void cgroup_processes(const char *path, pid_vec *out)
{
	list_below(path, 0, out);
}
