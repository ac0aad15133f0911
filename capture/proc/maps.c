/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "stack/files/map_table.h"
#include "util/mem.h"

#define KCMP_VM_TYPE 1 /* KCMP_VM from <linux/kcmp.h> */
/*
 * The maximum number of descriptors that are kept open for queries, one for each address space. For
 * other address spaces, a descriptor is opened for each query.
 */
#define KEPT_MAX      128
#define NAME_MAX_SIZE 4352

/*
 * The argument of PROCMAP_QUERY from <linux/fs.h>, which may be missing in the headers of the build
 * machine.
 */
struct maps_query {
	uint64_t size, flags, addr;
	uint64_t start, end, vma_flags, page_size, offset;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	uint32_t name_size, build_id_size;
	uint64_t name, build_id;
};
static_assert_size(struct maps_query, 104);
#define MAPS_QUERY	      _IOWR('f', 17, struct maps_query)
#define MAPS_QUERY_EXECUTABLE 0x04

struct proc_maps {
	struct map_source source;
	const struct procfs *procfs;
	unsigned kept; /* number of descriptors that are kept open for address spaces */
};

static struct proc_maps *proc_maps_of(struct map_source *s)
{
	return (struct proc_maps *)s;
}

static int open_maps(const struct proc_maps *p, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)procfs_pid(p->procfs, tid));
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * Returns a descriptor for queries, -ESRCH if the thread is gone, or another -errno. *keep is 0, or
 * a descriptor that is kept open plus one. If *keep is 0, opens a descriptor, and sets *keep if
 * this descriptor is kept open. If *keep is still 0 after that, the caller must close the
 * descriptor.
 */
static int query_fd(struct proc_maps *p, pid_t tid, intptr_t *keep)
{
	int fd;

	if (*keep)
		return *keep - 1;
	fd = open_maps(p, tid);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno; /* the thread has no folder in /proc */
	if (p->kept < KEPT_MAX) {
		*keep = fd + 1;
		p->kept++;
	}
	return fd;
}

static int proc_find(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		     struct mapping *m)
{
	struct maps_query q = {.size = sizeof(q), .flags = MAPS_QUERY_EXECUTABLE, .addr = addr};
	char name[NAME_MAX_SIZE];
	int fd = query_fd(proc_maps_of(s), tid, keep), err = 0;

	if (fd < 0)
		return fd;
	if (names) {
		q.name = (uintptr_t)name;
		q.name_size = sizeof(name);
		*name = 0;
	}
	if (ioctl(fd, MAPS_QUERY, &q) < 0) {
		err = -errno;
		if (names && (err == -E2BIG || err == -ENAMETOOLONG)) {
			q.name = q.name_size = 0;
			err = ioctl(fd, MAPS_QUERY, &q) < 0 ? -errno : 0;
		}
		if (err == -EINVAL)
			err = -ENOTTY; /* the kernel knows the request, but with a different
					  argument */
	}
	if (!*keep)
		close(fd);
	if (err)
		return err;
	*m = (struct mapping){.start = q.start,
			      .end = q.end,
			      .offset = q.offset,
			      .inode = q.inode,
			      .dev_major = q.dev_major,
			      .dev_minor = q.dev_minor,
			      .executable = true,
			      .name = names && *name ? mem_strdup(name) : NULL};
	return 0;
}

static struct map_table *proc_list(struct map_source *s, pid_t tid)
{
	char *text = proc_text("/proc/%d/maps", (int)procfs_pid(proc_maps_of(s)->procfs, tid));
	struct map_table *t;

	if (!text)
		return map_table_new(0);
	t = map_table_parse(text, strlen(text));
	free(text);
	return t;
}

/*
 * Returns true if the bit READ_IMPLIES_EXEC (personality(2)) is set in the thread's file
 * "personality". It is set for programs without PT_GNU_STACK and for programs started by setarch
 * -X.
 */
static bool proc_reads_execute(struct map_source *s, pid_t tid)
{
	char text[16];

	return proc_read(text, sizeof(text), "/proc/%d/personality",
			 (int)procfs_pid(proc_maps_of(s)->procfs, tid)) > 0 &&
	       strtoul(text, NULL, 16) & READ_IMPLIES_EXEC;
}

static bool proc_same(struct map_source *s attr_unused, pid_t a, pid_t b)
{
	return syscall(SYS_kcmp, a, b, KCMP_VM_TYPE, 0, 0) == 0;
}

static void proc_forget(struct map_source *s, intptr_t keep)
{
	close(keep - 1);
	proc_maps_of(s)->kept--;
}

static const struct map_source_ops ops = {
	.find = proc_find,
	.list = proc_list,
	.reads_execute = proc_reads_execute,
	.same = proc_same,
	.forget = proc_forget,
};

struct map_source *proc_maps_create(const struct procfs *procfs)
{
	struct proc_maps *p = mem_zalloc(sizeof(*p));

	p->procfs = procfs;
	p->source.ops = &ops;
	return &p->source;
}

void proc_maps_destroy(struct map_source *s)
{
	free(s);
}
