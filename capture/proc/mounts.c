/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "capture/proc/proc.h"
#include "capture/proc/procfs.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/vec.h"

#ifndef STATX_TYPE /* musl before 1.2.5 */
#include <linux/stat.h>
#include <sys/syscall.h>

static int statx(int dir, const char *path, int flags, unsigned mask, struct statx *s)
{
	return syscall(SYS_statx, dir, path, flags, mask, s);
}
#endif

/* The numbers of mounts and devices are used again, so that they are known for a second only. */
#define KNOWN_NSEC 1000000000ull

/* A mount by its number, or by the device number of its file system. */
struct mount_id {
	bool is_device;
	uint64_t n;
};

/* Who provides the pages of a file system. */
enum provider { KERNEL, OTHERS, PROCESS };

/* What is known of a mount, or of a number that no mountinfo has. */
struct known {
	uint64_t mount, device;
	enum provider provider;
};

struct mounts {
	const struct procfs *procfs;
	struct timespec known_until;
	VEC(struct known) known;
	bool knows_shm;
	uint64_t shm_mount, shm_device; /* of memfd_create(2), shmget(2), shared memory */
};

/* Types of file systems whose pages the kernel gets by itself: /proc/filesystems, filesystems(5).
 */
static enum provider provider_of_type(const char *type)
{
	static const char *const types[] = {
		"bcachefs", "btrfs",  "cramfs",	 "erofs",    "exfat",  "ext2",	"ext3",
		"ext4",	    "f2fs",   "iso9660", "jfs",	     "nilfs2", "ntfs3", "ramfs",
		"reiserfs", "rootfs", "romfs",	 "squashfs", "tmpfs",  "udf",	"vfat",
		"xfs",	    "zfs",    "proc",	 "sysfs",    "overlay"};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i]))
			return KERNEL;
	return strncmp(type, "fuse", 4) ? OTHERS : PROCESS;
}

/* The number in the base at *text, behind which *text is then. */
static uint64_t take_number(char **text, int base)
{
	return strtoull(*text, text, base);
}

/* The device MAJOR:MINOR at *text, both in the base. */
static uint64_t take_device(char **text, int base)
{
	unsigned major = (unsigned)take_number(text, base);

	*text += **text == ':';
	return makedev(major, (unsigned)take_number(text, base));
}

/*
 * Takes a line of mountinfo, see proc_pid_mountinfo(5), apart:
 * "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"
 */
static bool read_mount(char *line, struct known *known)
{
	char *type = strstr(line, " - ");

	if (!type)
		return false;
	type += 3;
	type[strcspn(type, " ")] = '\0';
	known->provider = provider_of_type(type);
	known->mount = take_number(&line, 10);
	take_number(&line, 10);
	known->device = take_device(&line, 10);
	return true;
}

/* Adds what the mountinfo of a process, by its number in /proc, tells. */
static void read_mountinfo(struct mounts *m, pid_t process)
{
	char *text = proc_text("/proc/%d/mountinfo", process), *rest = text, *line;
	struct known known;

	while (rest && (line = strsep(&rest, "\n")))
		if (read_mount(line, &known))
			*vec_push(&m->known) = known;
	free(text);
}

static const struct known *find(const struct mounts *m, struct mount_id id)
{
	vec_for_each (&m->known, known)
		if (id.n == (id.is_device ? known->device : known->mount))
			return known;
	return NULL;
}

/* The mount of files that have no name, which no mountinfo has. */
static void know_shm(struct mounts *m)
{
	struct statx s;
	int fd;

	m->knows_shm = true;
	fd = memfd_create("tracer", MFD_CLOEXEC);
	if (fd < 0)
		return;
	if (!statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_MNT_ID, &s)) {
		m->shm_device = makedev(s.stx_dev_major, s.stx_dev_minor);
		if (s.stx_mask & STATX_MNT_ID)
			m->shm_mount = s.stx_mnt_id;
	}
	close(fd);
}

static bool is_shm(const struct mounts *m, struct mount_id id)
{
	return id.n && id.n == (id.is_device ? m->shm_device : m->shm_mount);
}

/*
 * A process is told of the mounts below its root. If that is a folder that it was put into by
 * chroot(2), the mount that this folder is of is not among them, but among those of init.
 */
static enum provider provider_of(struct mounts *m, pid_t tid, struct mount_id id)
{
	const struct known *known;

	if (is_shm(m, id))
		return KERNEL;
	if (timespec_before(m->known_until, clock_after(0))) {
		m->known_until = clock_after(KNOWN_NSEC);
		m->known.n = 0;
	}
	known = find(m, id);
	if (known)
		return known->provider;
	read_mountinfo(m, procfs_pid(m->procfs, tid));
	if (!find(m, id))
		read_mountinfo(m, 1);
	if (!find(m, id)) {
		if (!m->knows_shm)
			know_shm(m);
		*vec_push(&m->known) = (struct known){
			.mount = id.is_device ? 0 : id.n,
			.device = id.is_device ? id.n : 0,
			.provider = is_shm(m, id) ? KERNEL : OTHERS,
		};
	}
	return find(m, id)->provider;
}

bool mounts_fd_may_wait(struct mounts *m, pid_t tid, int fd)
{
	struct mount_id id;
	struct statx s;
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", procfs_pid(m->procfs, tid), fd);
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_MNT_ID,
		  &s))
		/* Without such a descriptor nothing can be mapped. */
		return errno != ENOENT;
	/* Files of the kernel's own, such as those of perf_event_open(2), have no type. */
	if (!(s.stx_mode & S_IFMT))
		return false;
	id.is_device = !(s.stx_mask & STATX_MNT_ID);
	id.n = id.is_device ? makedev(s.stx_dev_major, s.stx_dev_minor) : s.stx_mnt_id;
	return !S_ISREG(s.stx_mode) || provider_of(m, tid, id) != KERNEL;
}

/*
 * Whether a line of maps or smaps (proc_pid_maps(5), proc_pid_smaps(5)) tells of such memory:
 * "00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon"
 * "VmFlags: rd wr mr mw me um", where um and ui are those of a userfaultfd.
 */
static bool line_may_wait(struct mounts *m, pid_t tid, char *line)
{
	uint64_t device;
	char *p = line;

	if (!strncmp(line, "VmFlags:", 8))
		return strstr(line, " um") || strstr(line, " ui");
	/* Of a mapping: addresses, permissions and offset are passed over. */
	for (int i = 0; i < 3 && p; i++) {
		p = strchr(p, ' ');
		if (p)
			p++;
	}
	if (!p)
		return false;
	device = take_device(&p, 16);
	if (*p != ' ' || !take_number(&p, 10))
		return false;
	p += strspn(p, " ");
	if (!strncmp(p, "anon_inode:", 11))
		return false;
	return provider_of(m, tid, (struct mount_id){true, device}) != KERNEL;
}

bool mounts_device_is_process(struct mounts *m, pid_t tid, unsigned major, unsigned minor)
{
	return provider_of(m, tid, (struct mount_id){true, makedev(major, minor)}) == PROCESS;
}

static bool file_may_wait(struct mounts *m, pid_t tid, const char *file)
{
	char *text = proc_text("/proc/%d/%s", procfs_pid(m->procfs, tid), file);
	char *rest = text, *line;
	bool may_wait = !text && errno != ENOENT;

	while (rest && !may_wait && (line = strsep(&rest, "\n")))
		may_wait = line_may_wait(m, tid, line);
	free(text);
	return may_wait;
}

bool mounts_map_may_wait(struct mounts *m, pid_t tid)
{
	return file_may_wait(m, tid, "maps");
}

bool mounts_memory_may_wait(struct mounts *m, pid_t tid)
{
	return file_may_wait(m, tid, "smaps");
}

struct mounts *mounts_create(const struct procfs *procfs)
{
	struct mounts *m = mem_zalloc(sizeof(*m));

	m->procfs = procfs;
	return m;
}

void mounts_destroy(struct mounts *m)
{
	vec_deinit(&m->known);
	free(m);
}
