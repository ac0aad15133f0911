/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/files/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "event/find.h"
#include "event/paths.h"
#include "linux/syscall_rows.h"
#include "util/mem.h"

/* Maximum number of files in the list. */
#define FILES_MAX (1u << 18)

/*
 * The flags of open(2) that are relevant here. They are identified by name, because their numbers
 * depend on the machine.
 */
enum open_flag {
	OPEN_CREATES = 1 << 0,
	OPEN_NEW = 1 << 1,
	OPEN_TRUNCATES = 1 << 2,
	/* The descriptor refers to a directory, to a file without a name, or only to a path. */
	OPEN_NO_FILE = 1 << 3
};

static void note_open_flag(void *ctx, const struct xlat_entry *e)
{
	static const struct {
		const char *name;
		enum open_flag flag;
	} flags[] = {
		{"O_CREAT", OPEN_CREATES},   {"O_EXCL", OPEN_NEW},
		{"O_TRUNC", OPEN_TRUNCATES}, {"O_DIRECTORY", OPEN_NO_FILE},
		{"O_PATH", OPEN_NO_FILE},    {"O_TMPFILE", OPEN_NO_FILE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (!strcmp(e->name, flags[i].name))
			*(unsigned *)ctx |= flags[i].flag;
}

static unsigned open_flags(const struct value *v)
{
	unsigned flags = 0;

	if (v->kind == VALUE_FLAGS)
		value_flags_split(v->table, v->num, note_open_flag, &flags);
	else if (v->kind == VALUE_OR)
		value_for_each(v, child) flags |= open_flags(child);
	return flags;
}

/* The call whose files are being added. */
struct use {
	struct files *files;
	struct unwinder *unwinder;
	const struct syscall_event *event;
};

bool file_is_device(const char *path)
{
	static const char *const folders[] = {"/dev", "/proc", "/sys"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		const size_t len = strlen(folders[i]);

		if (!strncmp(path, folders[i], len) && (path[len] == '/' || !path[len]))
			return true;
	}
	return false;
}

static uint64_t hash_of(pid_t pid, const char *path, size_t len)
{
	return table_hash(path, len) + (uint64_t)pid;
}

struct file *files_find(const struct files *f, pid_t pid, const char *path, size_t len)
{
	const struct table_slot *slot = NULL;
	struct file *file;

	while ((slot = table_find(&f->by_path, hash_of(pid, path, len), slot))) {
		file = &f->v.v[slot->value - 1];
		if (file->pid == pid && !strncmp(file->path, path, len) && !file->path[len])
			return file;
	}
	return NULL;
}

/* Returns the index of a file, which is added if it is new. Returns -1 if the list is full. */
static ssize_t find(const struct use *u, const char *path, size_t len)
{
	struct files *f = u->files;
	const struct event *e = &u->event->base;
	const pid_t pid = f->by_process ? e->tgid : 0;
	struct file *file = files_find(f, pid, path, len);

	if (file)
		return file - f->v.v;
	if (f->v.n >= FILES_MAX) {
		f->unlisted++;
		return -1;
	}
	file = vec_push(&f->v);
	*file = (struct file){.pid = pid,
			      .path = mem_strndup(path, len),
			      .first = places_add(f->places, u->unwinder, u->event)};
	memcpy(file->comm, e->comm, sizeof(file->comm));
	table_add(&f->by_path, hash_of(pid, path, len), f->v.n);
	return (ssize_t)f->v.n - 1;
}

/*
 * Adds uses of the path, which has len bytes. Returns the file, or NULL if the path is empty or
 * contains a NUL, or if the list is full.
 */
static struct file *use_path(const struct use *u, const char *path, size_t len, unsigned uses)
{
	struct file *file;
	ssize_t i;

	if (!len || memchr(path, 0, len))
		return NULL;
	i = find(u, path, len);
	if (i < 0)
		return NULL;
	file = &u->files->v.v[i];
	file->uses |= uses;
	if (uses & (FILE_DELETED | FILE_RENAMED))
		file->gone = true;
	else if (uses & ~(unsigned)FILE_MISSING)
		file->gone = false;
	return file;
}

/*
 * Adds uses of a descriptor's file. Returns the file, or NULL if `fd` has no path in the file
 * system (as with pipes and sockets), if the file is deleted, or if the list is full. Does not
 * change `gone`, because transferring data does not make a deleted file exist again.
 */
static struct file *use_fd(const struct use *u, const struct value *fd, unsigned uses)
{
	struct descriptor_facts facts = {0};
	struct file *file;
	bool gone;

	if (!fd || fd->kind != VALUE_FD || fd->flags & VALUE_F_DELETED)
		return NULL;
	value_descriptor_facts(fd, &facts);
	if (!facts.path || !facts.path_len || facts.path[0] != '/')
		return NULL;
	file = use_path(u, facts.path, facts.path_len, 0);
	if (!file)
		return NULL;
	gone = file->gone;
	file->uses |= uses;
	file->gone = gone;
	return file;
}

/* The paths among the arguments of a call. */
struct paths {
	char *path[2];
	unsigned n;
};

static bool keep_path(void *ctx, const char *path, size_t len)
{
	struct paths *p = ctx;

	p->path[p->n++] = mem_strndup(path, len);
	return p->n == ARRAY_SIZE(p->path);
}

static bool has_path(const struct event *e)
{
	for (unsigned i = 0; i < e->nargs; i++) {
		const struct value *v = event_argument_at(e, i, true);

		if (v && v->kind == VALUE_STRING && v->flags & VALUE_F_PATH && v->len)
			return true;
	}
	return false;
}

static void use_string(const struct use *u, const char *path, unsigned uses)
{
	if (path)
		use_path(u, path, strlen(path), uses);
}

static void on_open(const struct use *u, const char *path)
{
	const struct event *e = &u->event->base;
	const struct value *how, *opened = e->ret_value;
	unsigned flags = OPEN_CREATES | OPEN_TRUNCATES, mode = O_WRONLY, uses = 0;
	struct descriptor_facts facts = {0};
	struct file *file;
	size_t len = path ? strlen(path) : 0;

	if (u->event->row != ROW_creat) {
		if (event_argument(e, "how", true, &how) == FOUND) {
			if (value_find_member(&how, "flags", true) != FOUND)
				return;
		} else if (event_argument(e, "flags", true, &how) != FOUND) {
			return;
		}
		flags = open_flags(how);
		mode = how->num & O_ACCMODE;
	}
	if (flags & OPEN_NO_FILE)
		return;
	/* Prefer the path of the descriptor, because it contains no symbolic links. */
	if (opened && opened->kind == VALUE_FD)
		value_descriptor_facts(opened, &facts);
	if (facts.path && facts.path_len && facts.path[0] == '/') {
		path = facts.path;
		len = facts.path_len;
	}
	file = path ? use_path(u, path, len, 0) : NULL;
	if (!file)
		return;
	if (mode == O_RDONLY)
		uses |= FILE_READ;
	if (mode == O_WRONLY || flags & OPEN_TRUNCATES)
		uses |= FILE_WRITTEN;
	/*
	 * Without O_EXCL, the call created the file only if the file was missing or deleted before.
	 */
	if (flags & OPEN_CREATES &&
	    (flags & OPEN_NEW || file->uses == FILE_MISSING || (file->uses & FILE_DELETED)))
		uses |= FILE_CREATED;
	file->uses |= uses;
	file->gone = false;
}

static void on_rename(const struct use *u, const struct paths *p)
{
	struct file *from, *to;
	uint64_t written = 0;
	unsigned uses = 0;

	if (p->n < 2)
		return;
	from = use_path(u, p->path[0], strlen(p->path[0]), FILE_RENAMED);
	if (from) {
		free(from->renamed_to);
		from->renamed_to = mem_strdup(p->path[1]);
		uses = from->uses & FILE_WRITTEN;
		written = from->written;
	}
	to = use_path(u, p->path[1], strlen(p->path[1]), FILE_CREATED | uses);
	if (!to)
		return;
	to->written += written;
	free(to->renamed_from);
	to->renamed_from = mem_strdup(p->path[0]);
}

/* Counts the bytes that a call has read from or written to the file of a descriptor. */
static void moved(const struct use *u, const struct value *fd, bool writes)
{
	const uint64_t bytes = u->event->base.ret > 0 ? (uint64_t)u->event->base.ret : 0;
	struct file *file = use_fd(u, fd, bytes ? writes ? FILE_WRITTEN : FILE_READ : 0);

	if (file && writes)
		file->written += bytes;
	else if (file)
		file->read += bytes;
}

static const struct value *descriptor(const struct event *e, unsigned number)
{
	for (unsigned i = 0; i < e->nargs; i++) {
		const struct value *v = event_argument_at(e, i, true);

		if (v && v->kind == VALUE_FD && !number--)
			return v;
	}
	return NULL;
}

static void on_mmap(const struct use *u)
{
	const uint64_t *a = u->event->raw_args;
	const bool shared = (a[3] & MAP_TYPE) != MAP_PRIVATE;

	use_fd(u, descriptor(&u->event->base, 0),
	       a[2] & PROT_WRITE && shared ? FILE_READ | FILE_WRITTEN : FILE_READ);
}

/*
 * Handles a call that reads, writes, maps or resizes the file of a descriptor. Returns false for
 * all other calls.
 */
static bool on_descriptors(const struct use *u)
{
	const struct event *e = &u->event->base;

	switch (u->event->row) {
	case ROW_read:
	case ROW_pread64:
	case ROW_readv:
	case ROW_preadv:
	case ROW_preadv2:
		moved(u, descriptor(e, 0), false);
		return true;
	case ROW_write:
	case ROW_pwrite64:
	case ROW_writev:
	case ROW_pwritev:
	case ROW_pwritev2:
		moved(u, descriptor(e, 0), true);
		return true;
	case ROW_copy_file_range:
	case ROW_splice:
		moved(u, descriptor(e, 0), false);
		moved(u, descriptor(e, 1), true);
		return true;
	case ROW_sendfile:
	case ROW_sendfile64:
		moved(u, descriptor(e, 1), false);
		moved(u, descriptor(e, 0), true);
		return true;
	case ROW_ftruncate:
	case ROW_ftruncate64:
	case ROW_fallocate:
		use_fd(u, descriptor(e, 0), FILE_WRITTEN);
		return true;
	case ROW_mmap:
	case ROW_mmap2:
		on_mmap(u);
		return true;
	default:
		return false;
	}
}

static void on_paths(const struct use *u, const struct paths *p)
{
	const char *last = p->n ? p->path[p->n - 1] : NULL;

	switch (u->event->row) {
	case ROW_open:
	case ROW_openat:
	case ROW_openat2:
	case ROW_creat:
		on_open(u, p->path[0]);
		break;
	case ROW_rename:
	case ROW_renameat:
	case ROW_renameat2:
		on_rename(u, p);
		break;
	case ROW_unlink:
	case ROW_unlinkat:
	case ROW_rmdir:
		use_string(u, p->path[0], FILE_DELETED);
		break;
	case ROW_mkdir:
	case ROW_mkdirat:
	case ROW_mknod:
	case ROW_mknodat:
	case ROW_link:
	case ROW_linkat:
	case ROW_symlink:
	case ROW_symlinkat:
		use_string(u, last, FILE_CREATED);
		break;
	case ROW_truncate:
	case ROW_truncate64:
		use_string(u, p->path[0], FILE_WRITTEN);
		break;
	case ROW_execve:
	case ROW_execveat:
		use_string(u, p->path[0], FILE_READ);
		break;
	default:
		break;
	}
}

void files_add(struct files *f, struct unwinder *unwinder, const struct syscall_event *e)
{
	const struct use u = {f, unwinder, e};
	struct paths p = {0};

	if (e->base.ret_kind == RET_VALUE && on_descriptors(&u))
		return;
	if (!has_path(&e->base))
		return;
	event_paths(e, true, keep_path, &p);
	if (e->base.ret_kind == RET_VALUE)
		on_paths(&u, &p);
	else if (e->base.ret_kind == RET_ERROR && e->base.ret == ENOENT)
		use_string(&u, p.path[0], FILE_MISSING);
	for (unsigned i = 0; i < p.n; i++)
		free(p.path[i]);
}

void files_deinit(struct files *f)
{
	vec_for_each (&f->v, file) {
		free(file->path);
		free(file->renamed_to);
		free(file->renamed_from);
	}
	vec_deinit(&f->v);
	table_deinit(&f->by_path);
}
