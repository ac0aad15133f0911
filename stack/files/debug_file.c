/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/debug_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack/files/budget.h"
#include "stack/files/debuginfod.h"
#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "util/mem.h"

#define DEBUG_ROOT   "/usr/lib/debug"
#define MINI_MAX     (64u << 20)
#define LINK_MAX     4096
#define CRC_FILE_MAX (2ull << 30)
#define CRC_PIECE    (4u << 20) /* number of bytes between checks of the time budget */

/* Fills in the table for CRC-32 as in zlib and gdb: reflected, polynomial 0xedb88320. */
static void crc32_table(uint32_t *table)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
		table[i] = c;
	}
}

static uint32_t crc32(const uint32_t *table, uint32_t crc, const uint8_t *p, size_t n)
{
	crc = ~crc;
	while (n--)
		crc = table[(crc ^ *p++) & 0xff] ^ crc >> 8;
	return ~crc;
}

static bool crc_matches(const struct elf_file *f, const struct budget *budget, uint32_t want)
{
	uint8_t *buf = mem_alloc(1 << 16);
	uint64_t at = 0;
	uint32_t crc = 0, table[256];
	ssize_t n;

	crc32_table(table);
	while (at < CRC_FILE_MAX && (n = pread(f->fd, buf, 1 << 16, at)) > 0) {
		crc = crc32(table, crc, buf, n);
		at += n;
		if (at % CRC_PIECE == 0 && budget_expired(budget)) {
			free(buf);
			return false;
		}
	}
	free(buf);
	return crc == want;
}

/*
 * Opens the file at `path` in the root directory of process `root`, or in our own root if `root` is
 * 0. Takes ownership of `path`. Returns NULL if there is no such file or if it does not match f:
 * the build id of the file must be `want`. If the file has no build id or if `want` is NULL, the
 * checksum of the file must be *crc instead. If `crc` is then NULL, too, returns NULL.
 */
static struct elf_file *try_path(struct elf_file *f, pid_t root, char *path, const char *want,
				 const uint32_t *crc)
{
	struct elf_file *d = elf_file_open_fd(file_source_open(f->source, root, path, false));
	const char *has;

	if (d) {
		has = elf_file_build_id(d);
		if (d->machine == f->machine && d->is64 == f->is64 &&
		    (want && has ? !strcmp(want, has) : crc && crc_matches(d, f->budget, *crc))) {
			d->path = path;
			return d;
		}
		elf_file_close(d);
	}
	free(path);
	return NULL;
}

static struct elf_file *by_build_id(struct elf_file *f, pid_t root, const char *id)
{
	if (!id || strlen(id) < 3)
		return NULL;
	return try_path(f, root, mem_printf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", id, id + 2), id,
			NULL);
}

static struct elf_file *by_link(struct elf_file *f, pid_t root)
{
	const struct elf_section *s = elf_file_section(f, ".gnu_debuglink");
	struct elf_file *d;
	const char *slash, *id = elf_file_build_id(f);
	uint8_t buf[LINK_MAX];
	size_t n, at;
	uint32_t crc;
	int dir;

	if (!s || !f->path || f->path[0] != '/' || s->size < 6 || s->size > sizeof(buf) ||
	    !elf_file_read(f, s->offset, buf, s->size))
		return NULL;
	n = strnlen((char *)buf, s->size);
	at = align_up(n + 1, 4);
	if (at + 4 > s->size || memchr(buf, '/', n))
		return NULL;
	memcpy(&crc, buf + at, 4);
	slash = strrchr(f->path, '/');
	dir = slash - f->path;
	d = try_path(f, root, mem_printf(DEBUG_ROOT "%.*s/%s", dir, f->path, buf), id, &crc);
	if (!d)
		d = try_path(f, root, mem_printf("%.*s/.debug/%s", dir, f->path, buf), id, &crc);
	if (!d)
		d = try_path(f, root, mem_printf("%.*s/%s", dir, f->path, buf), id, &crc);
	return d;
}

struct elf_file *debug_file_open(struct elf_file *f)
{
	const char *id = elf_file_build_id(f);
	struct elf_file *d = by_build_id(f, 0, id);

	if (!d)
		d = by_link(f, 0);
	/*
	 * The pid f->opened_by may now belong to another process with another root directory. This
	 * is harmless, because the files in that directory must have the right build id or
	 * checksum, too.
	 */
	if (!d && f->opened_by)
		d = by_build_id(f, f->opened_by, id);
	if (!d && f->opened_by)
		d = by_link(f, f->opened_by);
	if (!d && f->debuginfod && id && !elf_file_section(f, ".symtab"))
		d = elf_file_open_fd(debuginfod_open(f->debuginfod, id));
	if (d) {
		d->namer = f->namer;
		d->budget = f->budget;
	}
	return d;
}

int debug_file_common_fd(struct elf_file *f, const char *path, const char *id)
{
	struct elf_file *d = by_build_id(f, 0, id);
	int fd;

	if (!d && *path == '/')
		d = try_path(f, 0, mem_strdup(path), id, NULL);
	if (!d && f->opened_by)
		d = by_build_id(f, f->opened_by, id);
	if (!d && f->opened_by && *path == '/')
		d = try_path(f, f->opened_by, mem_strdup(path), id, NULL);
	fd = d ? fcntl(d->fd, F_DUPFD_CLOEXEC, 0) : -1;
	elf_file_close(d);
	return fd < 0 && f->debuginfod ? debuginfod_open(f->debuginfod, id) : fd;
}

struct elf_file *debug_file_open_mini(struct elf_file *f)
{
	const struct elf_section *s = elf_file_section(f, ".gnu_debugdata");
	struct elf_file *m;
	uint8_t *image;
	size_t size;

	if (!s || f->fd < 0 || s->type == SHT_NOBITS)
		return NULL;
	namer_unpack(f->namer, &f->naming, f->fd, NAMER_XZ, s->offset, s->size, MINI_MAX, &image,
		     &size);
	m = image ? elf_file_from_image(image, size) : NULL;
	if (!m)
		return NULL;
	m->budget = f->budget;
	if (elf_file_charge(m, size))
		return m;
	elf_file_close(m);
	return NULL;
}
