/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "capture/bpf/threads.h"
#include "stack/files/map_table.h"

static struct stream_files *files_of(struct file_source *s)
{
	return (struct stream_files *)s;
}

/* Returns fd if it refers to the mapped file. Otherwise closes fd and returns -1. */
static int check_inode(int fd, const struct mapping *m)
{
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && st.st_ino == m->inode))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

static int open_mapped(struct file_source *source, pid_t tid, const struct mapping *m)
{
	struct stream_files *f = files_of(source);
	const struct thread *other = f->threads->oldest;
	/* By now, tid may be the id of another process, so the inode must be checked. */
	int fd = check_inode(f->live->ops->open_mapped(f->live, tid, m), m);

	if (fd >= 0 || errno == EMFILE || errno == ENFILE || !m->name || *m->name != '/')
		return fd;
	/*
	 * Try another traced process, which may have the same root directory. After that, try
	 * tracer's own root.
	 */
	if (other && other->tcb.tid != tid)
		fd = check_inode(f->live->ops->open_path(f->live, other->tcb.tid, m->name, false),
				 m);
	return fd >= 0 ? fd : check_inode(f->live->ops->open_path(f->live, 0, m->name, false), m);
}

static int open_path(struct file_source *source, pid_t pid, const char *path, bool owned)
{
	struct stream_files *f = files_of(source);

	return f->live->ops->open_path(f->live, pid, path, owned);
}

static ssize_t path_of(struct file_source *source, int fd, char *buf, size_t size)
{
	struct stream_files *f = files_of(source);

	return f->live->ops->path_of(f->live, fd, buf, size);
}

static pid_t inner_pid(struct file_source *source, pid_t pid)
{
	struct stream_files *f = files_of(source);

	return f->live->ops->inner_pid(f->live, pid);
}

static const struct file_source_ops ops = {
	.open_mapped = open_mapped,
	.open_path = open_path,
	.path_of = path_of,
	.inner_pid = inner_pid,
};

void stream_files_init(struct stream_files *f, struct file_source *live,
		       const struct threads *threads)
{
	*f = (struct stream_files){
		.source = {.ops = &ops, .late = true}, .live = live, .threads = threads};
}
