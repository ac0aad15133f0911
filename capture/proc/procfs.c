/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/proc/proc.h"
#include "util/mem.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
/*
 * PIDFD_THREAD from <linux/pidfd.h>, Linux 6.9: pidfd_open(2) accepts any thread, not only the
 * leader of a process.
 */
#define OF_THREAD O_EXCL

#define DEPTH_MAX 33 /* pid_namespaces(7): the first level and 32 nested levels */
#define LINK_MAX  64

struct procfs {
	/*
	 * number of levels from the pid namespace of /proc down to ours; 0 if both are the same
	 * namespace
	 */
	unsigned level;
};

/*
 * Reads the ids of a task, or of its process, group or session, depending on `kind`. There is one
 * id for each pid namespace, starting with the namespace of /proc. Returns the number of ids; 0 if
 * the task is gone.
 */
static unsigned ids_of(const char *task, enum pid_kind kind, pid_t ids[DEPTH_MAX])
{
	static const char *const fields[] = {[PID_THREAD] = "NSpid",
					     [PID_PROCESS] = "NStgid",
					     [PID_GROUP] = "NSpgid",
					     [PID_SESSION] = "NSsid"};
	char text[1024], *p = text, *end;
	unsigned n = 0;

	if (!proc_field(text, sizeof(text), fields[kind], "/proc/%s/status", task))
		return 0;
	for (; n < DEPTH_MAX; p = end) {
		long id = strtol(p, &end, 10);

		if (end == p)
			break;
		ids[n++] = (pid_t)id;
	}
	return n;
}

struct procfs *procfs_open(void)
{
	struct procfs *p = mem_zalloc(sizeof(*p));
	pid_t ids[DEPTH_MAX];
	unsigned n = ids_of("self", PID_PROCESS, ids);

	if (n > 1)
		p->level = n - 1;
	return p;
}

void procfs_close(struct procfs *p)
{
	free(p);
}

static pid_t id_at(const struct procfs *p, pid_t pid, enum pid_kind kind)
{
	pid_t ids[DEPTH_MAX];
	char task[16];

	snprintf(task, sizeof(task), "%d", (int)pid);
	return ids_of(task, kind, ids) > p->level ? ids[p->level] : 0;
}

pid_t procfs_ours(const struct procfs *p, pid_t pid)
{
	return likely(!p || !p->level) ? pid : id_at(p, pid, PID_THREAD);
}

pid_t procfs_tgid(const struct procfs *p, pid_t pid)
{
	static const struct procfs same;

	return id_at(p ? p : &same, pid, PID_PROCESS);
}

static bool namespace_of(const char *task, char link[LINK_MAX])
{
	char path[128];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/ns/pid", task);
	n = readlink(path, link, LINK_MAX - 1);
	if (n <= 0)
		return false;
	link[n] = '\0';
	return true;
}

/*
 * A search for the thread, process, group or session that has the id `pid` in the pid namespace
 * `link`. This namespace is `level` levels below the namespace of /proc.
 */
struct search {
	char link[LINK_MAX];
	unsigned level;
	enum pid_kind kind;
	pid_t pid;
	unsigned wanted; /* level of the pid namespace in which the result is an id */
};

/*
 * Checks whether the search has found its object: `task` itself, or its process, group or session,
 * depending on s->kind. If so, sets *answer to the object's id at the wanted level and returns
 * true.
 */
static bool matches(const struct search *s, const char *task, pid_t *answer)
{
	pid_t ids[DEPTH_MAX];
	unsigned n = ids_of(task, s->kind, ids);
	char link[LINK_MAX];

	if (n <= s->level || n <= s->wanted || ids[s->level] != s->pid)
		return false;
	/*
	 * If the task's own namespace is at this level, compare it with s->link. If the task is in
	 * a deeper namespace, it has an id at this level, too.
	 */
	if (n == s->level + 1 && (!namespace_of(task, link) || strcmp(link, s->link)))
		return false;
	*answer = ids[s->wanted];
	return true;
}

static bool is_pid(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name) && strlen(name) < 16;
}

static pid_t search_tasks(const struct search *s, const char *process)
{
	char dir[64], task[64];
	struct dirent *e;
	pid_t answer = 0;
	DIR *tasks;

	snprintf(dir, sizeof(dir), "/proc/%.16s/task", process);
	tasks = opendir(dir);
	while (tasks && !answer && (e = readdir(tasks))) {
		if (!is_pid(e->d_name))
			continue;
		snprintf(task, sizeof(task), "%.16s/task/%.16s", process, e->d_name);
		matches(s, task, &answer);
	}
	if (tasks)
		closedir(tasks);
	return answer;
}

static pid_t search_all(const struct search *s)
{
	struct dirent *e;
	pid_t answer = 0;
	DIR *proc = opendir("/proc");

	while (proc && !answer && (e = readdir(proc))) {
		if (!is_pid(e->d_name))
			continue;
		if (s->kind == PID_THREAD)
			answer = search_tasks(s, e->d_name);
		else
			matches(s, e->d_name, &answer);
	}
	if (proc)
		closedir(proc);
	return answer;
}

/*
 * Closes a pidfd and returns the pid of its process, or 0 if the process is gone. The result was
 * read in /proc, so it is an id in the pid namespace of /proc.
 */
static pid_t pid_by_pidfd(int fd)
{
	char text[32];
	int pid = 0;

	if (proc_field(text, sizeof(text), "Pid", "/proc/self/fdinfo/%d", fd))
		pid = atoi(text);
	close(fd);
	return pid > 0 ? pid : 0;
}

pid_t procfs_pid(const struct procfs *p, pid_t tid)
{
	struct search s = {.pid = tid, .kind = PID_THREAD};
	int fd;

	if (likely(!p || !p->level))
		return tid;
	fd = (int)syscall(SYS_pidfd_open, tid, OF_THREAD);
	if (fd < 0 && errno == EINVAL)
		fd = (int)syscall(SYS_pidfd_open, tid, 0);
	if (fd >= 0)
		return pid_by_pidfd(fd);
	if (errno == ESRCH)
		return 0;
	s.level = p->level;
	return namespace_of("self", s.link) ? search_all(&s) : 0;
}

pid_t procfs_translate(const struct procfs *p, pid_t tracee, enum pid_kind kind, pid_t pid)
{
	const unsigned level = p ? p->level : 0;
	struct search s = {.kind = kind, .pid = pid, .wanted = level};
	char self[LINK_MAX], task[16];
	pid_t ids[DEPTH_MAX], answer;
	unsigned n;

	snprintf(task, sizeof(task), "%d", (int)tracee);
	if (!namespace_of(task, s.link) || !namespace_of("self", self) || !strcmp(s.link, self))
		return pid;
	n = ids_of(task, PID_THREAD, ids);
	if (n < level + 2)
		return pid;
	s.level = n - 1;
	return matches(&s, task, &answer) ? answer : search_all(&s);
}
