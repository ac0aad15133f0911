/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/tasks.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"

/* Lists the threads of a process. All ids belong to the pid namespace of /proc. */
static bool list_tasks(pid_t pid, pid_vec *out)
{
	struct dirent *e;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (tasks && (e = readdir(tasks))) {
		pid_t listed = (pid_t)strtol(e->d_name, NULL, 10);

		if (listed > 0)
			*vec_push(out) = listed;
	}
	if (tasks)
		closedir(tasks);
	return tasks;
}

bool proc_threads(const struct procfs *procfs, pid_t pid, pid_vec *out)
{
	size_t known = out->n, kept = known;

	if (!list_tasks(procfs_pid(procfs, pid), out))
		return false;
	for (size_t i = known; i < out->n; i++) {
		pid_t tid = procfs_ours(procfs, out->v[i]);

		if (tid > 0)
			out->v[kept++] = tid;
	}
	out->n = kept;
	return true;
}

void proc_children(const struct procfs *procfs, pid_t pid, pid_vec *out)
{
	pid_t process = procfs_pid(procfs, pid);
	pid_vec tasks = {0};
	char path[64];

	list_tasks(process, &tasks);
	for (size_t i = 0; i < tasks.n; i++) {
		pid_t listed, child;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)process,
			 (int)tasks.v[i]);
		f = fopen(path, "re");
		while (f && fscanf(f, "%d", &listed) == 1) {
			child = procfs_ours(procfs, listed);
			if (child > 0)
				*vec_push(out) = child;
		}
		if (f)
			fclose(f);
	}
	vec_deinit(&tasks);
}

bool proc_owner(const struct procfs *procfs, pid_t pid, uid_t *owner)
{
	struct stat st;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)procfs_pid(procfs, pid));
	if (stat(path, &st))
		return false;
	*owner = st.st_uid;
	return true;
}

pid_t proc_tracer(const struct procfs *procfs, pid_t pid)
{
	char text[64];
	int tracer = 0;

	if (proc_field(text, sizeof(text), "TracerPid", "/proc/%d/status",
		       (int)procfs_pid(procfs, pid)))
		tracer = atoi(text);
	return tracer ? procfs_ours(procfs, tracer) : 0;
}

int proc_stat(const struct procfs *procfs, pid_t tid, int n)
{
	char text[1024], *at;
	int pid = procfs_pid(procfs, tid);

	if (proc_read(text, sizeof(text), "/proc/%d/task/%d/stat", pid, pid) <= 0)
		return -1;
	at = strrchr(text, ')'); /* end of field 2, the name */
	for (int i = 2; at && i < n; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		return -1;
	return n == 3 ? at[1] : atoi(at + 1);
}

int proc_runnable(void)
{
	char text[128];
	int runnable;

	if (proc_read(text, sizeof(text), "/proc/loadavg") <= 0 ||
	    sscanf(text, "%*s %*s %*s %d", &runnable) != 1)
		return -1;
	return runnable;
}

bool proc_has_capability(unsigned cap)
{
	char text[64];

	return !proc_field(text, sizeof(text), "CapEff", "/proc/self/status") ||
	       strtoull(text, NULL, 16) >> cap & 1;
}

int proc_ptrace_scope(void)
{
	char text[16];

	return proc_read(text, sizeof(text), "/proc/sys/kernel/yama/ptrace_scope") > 0 ? atoi(text)
										       : 0;
}

bool proc_interprets_bpf(void)
{
	char text[16];

	return proc_read(text, sizeof(text), "/proc/sys/net/core/bpf_jit_enable") > 0 &&
	       *text == '0';
}

bool proc_in_user_namespace(void)
{
	unsigned inside, outside, count;
	char text[128];

	/* The first user namespace maps all ids to themselves. */
	return proc_read(text, sizeof(text), "/proc/self/uid_map") > 0 &&
	       (sscanf(text, "%u %u %u", &inside, &outside, &count) != 3 || inside || outside ||
		count != UINT32_MAX);
}

void proc_exec_self(char **argv)
{
	execv("/proc/self/exe", argv);
}

void proc_fd_path(char *path, size_t size, int fd)
{
	snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fd);
}
