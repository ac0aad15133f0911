/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/proc/proc.h"

/*
 * Maximum number of lines of /proc/locks to read. There can be very many, because any user can make
 * locks.
 */
#define LINES_MAX 20000

/* The identity of a file, as shown in /proc/locks. */
struct locked_file {
	unsigned major, minor; /* device number of the file's file system */
	uint64_t ino;
};

/*
 * Sets *file to the identity of the file that a descriptor refers to. Does not access the file,
 * because an access may block. Returns false on failure.
 */
static bool file_of(pid_t pid, int fd, struct locked_file *file)
{
	char ino[32], mount[32], start[40], *mounts;
	const char *line;
	bool found = false;

	/* The field "ino" has existed since Linux 5.14. */
	if (!proc_field(ino, sizeof(ino), "ino", "/proc/%d/fdinfo/%d", pid, fd) ||
	    !proc_field(mount, sizeof(mount), "mnt_id", "/proc/%d/fdinfo/%d", pid, fd))
		return false;
	file->ino = strtoull(ino, NULL, 10);
	mounts = proc_text("/proc/%d/mountinfo", pid);
	snprintf(start, sizeof(start), "%s ", mount);
	for (line = mounts; line && *line && !found; line += strcspn(line, "\n"), line += !!*line)
		found = !strncmp(line, start, strlen(start)) &&
			sscanf(line, "%*d %*d %u:%u", &file->major, &file->minor) == 2;
	free(mounts);
	return found;
}

/* A lock that a line of proc_locks(5) describes, or that a thread wants. */
struct lock {
	char kind[16], mode[16], last[24];
	int pid;
	struct locked_file file;
	int64_t start, end;
};

static int64_t end_of(const struct lock *l)
{
	return strcmp(l->last, "EOF") ? strtoll(l->last, NULL, 10) : INT64_MAX;
}

/*
 * Parses a line that describes a held lock. Returns false for the line of a waiting process, which
 * has "->" before the kind, and for a lock without a process, which has the pid -1.
 */
static bool parse(const char *line, struct lock *l)
{
	if (sscanf(line, "%*d: %15s %*s %15s %d %x:%x:%" SCNu64 " %" SCNd64 " %23s", l->kind,
		   l->mode, &l->pid, &l->file.major, &l->file.minor, &l->file.ino, &l->start,
		   l->last) != 8)
		return false;
	l->end = end_of(l);
	return l->pid > 0;
}

/*
 * Returns true if a held lock prevents the wanted lock. `kind` is the kind of the wanted lock.
 * Locks of flock(2) conflict only with other locks of flock(2), and locks of fcntl(2) only with
 * other locks of fcntl(2). Held locks of an open file description are ignored, because they do not
 * belong to a process.
 */
static bool conflicts(const struct lock *wanted, enum lock_kind kind, const struct lock *held)
{
	if (kind == LOCK_OF_FILE ? strcmp(held->kind, "FLOCK") != 0
				 : strcmp(held->kind, "POSIX") != 0)
		return false;
	if (kind == LOCK_OF_PROCESS && held->pid == wanted->pid)
		return false;
	return held->file.ino == wanted->file.ino && held->file.major == wanted->file.major &&
	       held->file.minor == wanted->file.minor && held->start <= wanted->end &&
	       wanted->start <= held->end &&
	       (!strcmp(held->mode, "WRITE") || !strcmp(wanted->mode, "WRITE"));
}

pid_t locks_holder(pid_t pid, const struct fact_question *q)
{
	struct lock wanted = {0}, held;
	char line[256], tgid[16];
	pid_t holder = 0;
	FILE *f;

	if (sscanf(q->key, "%15s %" SCNd64 " %23s", wanted.mode, &wanted.start, wanted.last) != 3 ||
	    !file_of(pid, (int)q->n, &wanted.file))
		return 0;
	wanted.end = end_of(&wanted);
	if (proc_field(tgid, sizeof(tgid), "Tgid", "/proc/%d/status", pid))
		wanted.pid = atoi(tgid);
	f = fopen("/proc/locks", "re");
	for (unsigned n = 0; f && !holder && n < LINES_MAX && fgets(line, sizeof(line), f); n++)
		if (parse(line, &held) && conflicts(&wanted, (enum lock_kind)q->of, &held))
			holder = held.pid;
	if (f)
		fclose(f);
	return holder;
}
