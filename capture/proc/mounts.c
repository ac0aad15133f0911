/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

/*
 * The offset in bytes of stx_mnt_id in struct statx from <linux/stat.h>. musl 1.2.5 does not
 * declare this member.
 */
#define STX_MNT_ID_AT 0x90

#ifndef STATX_TYPE /* musl before 1.2.5 does not define this constant */
#include <linux/stat.h>
#include <sys/syscall.h>

static int statx(int dir, const char *path, int flags, unsigned mask, struct statx *s)
{
	return syscall(SYS_statx, dir, path, flags, mask, s);
}
#endif
#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000U
#endif

/*
 * TABLES is the maximum number of mount namespaces that are cached. The mounts of init are cached
 * for INIT_NSEC nanoseconds.
 */
#define TABLES	  4
#define INIT_NSEC 1000000000ull

/*
 * The provider of a file system's contents: the kernel alone, others (such as a server on the
 * network), or a process (FUSE).
 */
enum provider { KERNEL, OTHERS, PROCESS };

/*
 * The ids of a mount and of its file system's device, from statx(2). `mount` is 0 if the kernel
 * does not report it.
 */
struct place {
	uint64_t mount, device;
};

/* A mount and the provider of its file system. */
struct known {
	struct place at;
	enum provider provider;
};

typedef VEC(struct known) known_vec;

/* The mounts of one mount namespace. */
struct table {
	char name[32];	  /* the name of the namespace, which is the target of the link
			     /proc/PID/ns/mnt */
	int mountinfo;	  /* descriptor of an open mountinfo, for which poll(2) reports changes; -1
			     if the table is unused */
	bool has_process; /* true if a process provides at least one of the file systems, or if the
			     mounts cannot be read */
	known_vec known;
};

struct mounts {
	const struct procfs *procfs;
	struct table tables[TABLES];
	unsigned next; /* counter that selects the table to replace next */
	known_vec init;
	struct timespec init_until;
	bool knows_shm;
	struct place shm; /* the mount that contains the files of memfd_create(2), shmget(2) and
			     shared memory */
};

static bool is_fuse(const char *type)
{
	return !strcmp(type, "fuse") || !strncmp(type, "fuse.", 5) || !strcmp(type, "fuseblk");
}

/*
 * Returns the provider of the pages of a file system of this type. /proc/filesystems lists the
 * types, see filesystems(5). The pages of an overlay come from other file systems, which this
 * function does not know. An overlay therefore has the provider KERNEL only if a trusted user
 * mounted it.
 */
static enum provider provider_of_type(const char *type, bool trusted)
{
	static const char *const types[] = {"bcachefs", "btrfs",  "cramfs",   "erofs", "exfat",
					    "ext2",	"ext3",	  "ext4",     "f2fs",  "iso9660",
					    "jfs",	"nilfs2", "ntfs3",    "ramfs", "reiserfs",
					    "rootfs",	"romfs",  "squashfs", "tmpfs", "udf",
					    "vfat",	"xfs",	  "zfs",      "proc",  "sysfs"};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i]))
			return KERNEL;
	if (!strcmp(type, "overlay"))
		return trusted ? KERNEL : PROCESS;
	return is_fuse(type) ? PROCESS : OTHERS;
}

/* Parses a number in the given base at *text, and advances *text to the end of the number. */
static uint64_t parse_number(char **text, int base)
{
	return strtoull(*text, text, base);
}

/*
 * Parses a device number MAJOR:MINOR at *text, and advances *text to its end. Both parts are in the
 * given base.
 */
static uint64_t parse_device(char **text, int base)
{
	unsigned major = (unsigned)parse_number(text, base);

	*text += **text == ':';
	return makedev(major, (unsigned)parse_number(text, base));
}

/*
 * Finds a mount by its mount id or, if no mount has this id, by its device number. Returns NULL if
 * there is none. The id is more reliable, because the device number of a file can differ from that
 * of its file system.
 */
static const struct known *find(const known_vec *known, struct place at)
{
	const struct known *by_device = NULL;

	vec_for_each (known, k) {
		if (at.mount && k->at.mount == at.mount)
			return k;
		if (k->at.device == at.device)
			by_device = k;
	}
	return by_device;
}

/*
 * Parses a line of mountinfo, see proc_pid_mountinfo(5). Returns false if it does not describe a
 * mount. An overlay is trusted if its device is in `trusted`. If `trusted` is NULL, all overlays
 * are trusted. Example of a line:
 *
 *     36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 */
static bool parse_mount(char *line, const known_vec *trusted, struct known *known)
{
	char *type = strstr(line, " - ");

	if (!type)
		return false;
	type += 3;
	type[strcspn(type, " ")] = '\0';
	known->at.mount = parse_number(&line, 10);
	parse_number(&line, 10);
	known->at.device = parse_device(&line, 10);
	known->provider = provider_of_type(
		type, !trusted || find(trusted, (struct place){.device = known->at.device}));
	return true;
}

/* Parses the text of a mountinfo file and appends its mounts to *out. */
static void parse_mounts(char *text, const known_vec *trusted, known_vec *out)
{
	struct known known;
	char *line;

	while (text && (line = strsep(&text, "\n")))
		if (parse_mount(line, trusted, &known))
			*vec_push(out) = known;
}

/*
 * Returns the mounts of init. These mounts are trusted, because only privileged users can create
 * them.
 */
static const known_vec *init_mounts(struct mounts *m)
{
	char *text;

	if (timespec_before(clock_after(0), m->init_until))
		return &m->init;
	m->init_until = clock_after(INIT_NSEC);
	m->init.n = 0;
	text = proc_text("/proc/1/mountinfo");
	parse_mounts(text, NULL, &m->init);
	free(text);
	return &m->init;
}

/*
 * Formats the path of a file in /proc/PID, where PID is the process of thread tid or, if tid is 0,
 * tracer.
 */
static void process_path(const struct mounts *m, pid_t tid, const char *file, char *buf,
			 size_t size)
{
	if (tid)
		snprintf(buf, size, "/proc/%d/%s", procfs_pid(m->procfs, tid), file);
	else
		snprintf(buf, size, "/proc/self/%s", file);
}

static void forget(struct table *t)
{
	if (t->mountinfo >= 0)
		close(t->mountinfo);
	t->mountinfo = -1;
	t->known.n = 0;
}

static void read_table(struct mounts *m, struct table *t, pid_t tid)
{
	char path[48], *text;

	forget(t);
	t->has_process = true;
	process_path(m, tid, "mountinfo", path, sizeof(path));
	t->mountinfo = open(path, O_RDONLY | O_CLOEXEC);
	if (t->mountinfo < 0)
		return;
	text = proc_text_of(t->mountinfo);
	parse_mounts(text, init_mounts(m), &t->known);
	free(text);
	t->has_process = false;
	vec_for_each (&t->known, known)
		t->has_process |= known->provider == PROCESS;
}

static bool has_changed(const struct table *t)
{
	struct pollfd p = {.fd = t->mountinfo, .events = POLLPRI};

	return poll(&p, 1, 0) != 0;
}

/*
 * Returns the table for the mount namespace of a process. Reads the table if it is not cached or
 * has changed.
 */
static struct table *table_of(struct mounts *m, pid_t tid)
{
	char path[48], name[sizeof(m->tables[0].name)] = "";
	struct table *t = NULL;
	ssize_t n;

	process_path(m, tid, "ns/mnt", path, sizeof(path));
	n = readlink(path, name, sizeof(name) - 1);
	for (size_t i = 0; n > 0 && i < TABLES; i++)
		if (m->tables[i].mountinfo >= 0 && !strcmp(m->tables[i].name, name))
			t = &m->tables[i];
	if (t && !has_changed(t))
		return t;
	if (!t)
		t = &m->tables[m->next++ % TABLES];
	memcpy(t->name, name, sizeof(name));
	read_table(m, t, tid);
	return t;
}

/*
 * Gets the data about a file that the kernel can return without access to the file system. Returns
 * false on failure.
 */
static bool get_statx(int dir, const char *path, int flags, struct statx *s)
{
	return !statx(dir, path, flags | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT,
		      STATX_TYPE | STATX_INO | STATX_UID | STATX_MNT_ID, s);
}

static struct place place_of(const struct statx *s)
{
	uint64_t id = 0;

	if (s->stx_mask & STATX_MNT_ID)
		memcpy(&id, (const char *)s + STX_MNT_ID_AT, sizeof(id));
	return (struct place){id, makedev(s->stx_dev_major, s->stx_dev_minor)};
}

/*
 * Returns true if `at` is the mount of the files without names (memfd_create(2)). That mount does
 * not appear in any mountinfo.
 */
static bool is_shm(struct mounts *m, struct place at)
{
	struct statx s;
	int fd;

	if (!m->knows_shm) {
		m->knows_shm = true;
		fd = memfd_create("tracer", MFD_CLOEXEC);
		if (fd >= 0 && get_statx(fd, "", AT_EMPTY_PATH, &s))
			m->shm = place_of(&s);
		if (fd >= 0)
			close(fd);
	}
	return at.device == m->shm.device;
}

/*
 * Returns the provider of the mount `at`. t is the table of thread tid's mount namespace.
 *
 * A process's mountinfo lists only the mounts below its root directory. After chroot(2) into a
 * directory of a mount, that mount is missing from mountinfo. The list of init is therefore
 * searched, too. If the mount is still not found, the table is read again, because it may have been
 * read for a process that sees fewer mounts. A mount that is in no list may have been detached
 * (MNT_DETACH in umount2(2)) although it is still in use. If the device of such a mount has no
 * major number, a process may provide the mount.
 */
static enum provider provider_in(struct mounts *m, struct table *t, pid_t tid, struct place at)
{
	const struct known *known = find(&t->known, at);
	enum provider provider;

	if (!known)
		known = find(init_mounts(m), at);
	if (known)
		return known->provider;
	if (is_shm(m, at))
		return KERNEL;
	read_table(m, t, tid);
	known = find(&t->known, at);
	if (known)
		return known->provider;
	provider = major(at.device) ? OTHERS : PROCESS;
	*vec_push(&t->known) = (struct known){at, provider};
	return provider;
}

static enum provider provider_of(struct mounts *m, pid_t tid, struct place at)
{
	return provider_in(m, table_of(m, tid), tid, at);
}

bool mounts_fd_may_wait(struct mounts *m, pid_t tid, int fd)
{
	struct statx s;
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", procfs_pid(m->procfs, tid), fd);
	if (!get_statx(AT_FDCWD, path, 0, &s))
		/* If the thread does not have this descriptor, no access can block. */
		return errno != ENOENT;
	/* Files internal to the kernel, such as those of perf_event_open(2), have no type. */
	if (!(s.stx_mode & S_IFMT))
		return false;
	return !S_ISREG(s.stx_mode) || provider_of(m, tid, place_of(&s)) != KERNEL;
}

bool mounts_stat(int fd, struct file_stat *l)
{
	struct statx s;

	if (!get_statx(fd, "", AT_EMPTY_PATH, &s))
		return false;
	*l = (struct file_stat){
		.mode = s.stx_mode,
		.uid = s.stx_uid,
		.ino = s.stx_ino,
		.mount = place_of(&s).mount,
		.dev = place_of(&s).device,
		.rdev = makedev(s.stx_rdev_major, s.stx_rdev_minor),
	};
	return true;
}

bool mounts_by_process(struct mounts *m, pid_t tid, const struct file_stat *l)
{
	return provider_of(m, tid, (struct place){l->mount, l->dev}) == PROCESS;
}

bool mounts_have_process(struct mounts *m, pid_t tid)
{
	return table_of(m, tid)->has_process;
}

/*
 * Parses a line of maps or smaps (proc_pid_maps(5), proc_pid_smaps(5)). Returns true if the line
 * describes memory to which accesses may block. Examples of lines:
 *
 *     00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon
 *     VmFlags: rd wr mr mw me um
 *
 * The flags um and ui mean that the memory is registered with a userfaultfd.
 */
static bool line_may_wait(struct mounts *m, struct table *t, pid_t tid, char *line)
{
	uint64_t device;
	char *p = line;

	if (!strncmp(line, "VmFlags:", 8))
		return strstr(line, " um") || strstr(line, " ui");
	/* All other lines of smaps begin with a capital letter, and an address never does. */
	if (*line >= 'A' && *line <= 'Z')
		return false;
	/* Skip the addresses, the permissions and the offset of the mapping. */
	for (int i = 0; i < 3 && p; i++) {
		p = strchr(p, ' ');
		if (p)
			p++;
	}
	if (!p)
		return false;
	device = parse_device(&p, 16);
	if (*p != ' ' || !parse_number(&p, 10))
		return false;
	p += strspn(p, " ");
	if (!strncmp(p, "anon_inode:", 11))
		return false;
	return provider_in(m, t, tid, (struct place){.device = device}) != KERNEL;
}

static bool file_may_wait(struct mounts *m, pid_t tid, const char *file)
{
	char *text = proc_text("/proc/%d/%s", procfs_pid(m->procfs, tid), file);
	char *rest = text, *line;
	struct table *t = text ? table_of(m, tid) : NULL;
	bool may_wait = !text && errno != ENOENT;

	while (rest && !may_wait && (line = strsep(&rest, "\n")))
		may_wait = line_may_wait(m, t, tid, line);
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
	for (size_t i = 0; i < TABLES; i++)
		m->tables[i].mountinfo = -1;
	return m;
}

void mounts_destroy(struct mounts *m)
{
	for (size_t i = 0; i < TABLES; i++) {
		forget(&m->tables[i]);
		vec_deinit(&m->tables[i].known);
	}
	vec_deinit(&m->init);
	free(m);
}
