/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/image.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/bpf/compat_vdso.h"
#include "capture/bpf/spaces.h"
#include "capture/chunks.h"
#include "stack/files/file_source.h"
#include "stack/files/map_source.h"
#include "util/mem.h"

#define BATCH 64

static ssize_t read_process(struct image *i, uint64_t addr, void *buf, size_t n)
{
	const pid_t tgid = spaces_tgid(i->spaces, i->tid);
	ssize_t got = code_cache_read(&i->live_code, i->tid, tgid, addr, buf, n);

	return got > 0 ? got : -ENODATA;
}

static bool is_open(const struct image *i, const struct mapping *m)
{
	return i->fd >= 0 && i->inode == m->inode && i->dev_major == m->dev_major &&
	       i->dev_minor == m->dev_minor;
}

static ssize_t read_file(struct image *i, const struct mapping *m, uint64_t addr, void *buf,
			 size_t n)
{
	ssize_t got;

	if (!is_open(i, m)) {
		if (i->fd >= 0)
			close(i->fd);
		i->fd = i->files->ops->open_mapped(i->files, i->tid, m);
		i->inode = m->inode;
		i->dev_major = m->dev_major;
		i->dev_minor = m->dev_minor;
	}
	if (i->fd < 0)
		return read_process(i, addr, buf, n);
	got = pread(i->fd, buf, n, (off_t)(addr - m->start + m->offset));
	return got > 0 ? got : -ENODATA;
}

/* Reads memory from the vdso of a 32-bit process. */
static ssize_t read_compat(struct image *i, const struct mapping *m, uint64_t addr, void *buf,
			   size_t n)
{
	if (!i->compat_read)
		i->compat = compat_vdso_read(i->vdso, &i->compat_size);
	i->compat_read = true;
	if (!i->compat || i->compat_size != m->end - m->start)
		return read_process(i, addr, buf, n);
	memcpy(buf, i->compat + (addr - m->start), n);
	return (ssize_t)n;
}

static ssize_t read_vdso(struct image *i, const struct mapping *m, uint64_t addr, void *buf,
			 size_t n)
{
	if (m->end - m->start != i->vdso.hi - i->vdso.lo || m->start <= UINT32_MAX)
		return read_compat(i, m, addr, buf, n);
	memcpy(buf, (const void *)(uintptr_t)(i->vdso.lo + (addr - m->start)), n);
	return (ssize_t)n;
}

static ssize_t read_code(struct image *i, uint64_t addr, void *buf, size_t n)
{
	const struct mapping *m = spaces_find(i->spaces, i->tid, addr);

	if (!m)
		return -ENODATA;
	n = size_min(n, m->end - addr);
	if (m->inode)
		return read_file(i, m, addr, buf, n);
	if (m->name && !strcmp(m->name, "[vdso]"))
		return read_vdso(i, m, addr, buf, n);
	return read_process(i, addr, buf, n);
}

static struct image *image_of(struct memory *memory)
{
	return container_of(memory, struct image, memory);
}

/* Reads memory from the record or from mapped code. */
static ssize_t read_known(struct image *i, uint64_t addr, void *buf, size_t n)
{
	ssize_t got = memory_read_some(&i->known->memory, addr, buf, n);

	return got == -ENODATA ? read_code(i, addr, buf, n) : got;
}

static ssize_t read_some(struct memory *memory, uint64_t addr, void *buf, size_t n)
{
	struct image *i = image_of(memory);
	struct memory_op op = {addr, buf, n, read_known(i, addr, buf, n)};

	if (op.got == -ENODATA)
		sleeper_read(&i->sleeper, &op, 1);
	return op.got;
}

static void read_batch(struct memory *memory, struct memory_op *ops, size_t count)
{
	struct image *i = image_of(memory);
	struct memory_op live[BATCH];

	for (size_t first = 0, n; first < count; first += n) {
		size_t nlive = 0, k = 0;

		n = size_min(count - first, BATCH);
		for (size_t j = first; j < first + n; j++) {
			ops[j].got = read_known(i, ops[j].addr, ops[j].buf, ops[j].n);
			if (ops[j].got == -ENODATA)
				live[nlive++] = ops[j];
		}
		sleeper_read(&i->sleeper, live, nlive);
		for (size_t j = first; j < first + n; j++)
			if (ops[j].got == -ENODATA)
				ops[j].got = live[k++].got;
	}
}

static void live_begin(struct memory *memory)
{
	sleeper_begin(&image_of(memory)->sleeper);
}

static bool live_end(struct memory *memory)
{
	return sleeper_end(&image_of(memory)->sleeper);
}

static const struct memory_ops ops = {.read_some = read_some,
				      .read_batch = read_batch,
				      .live_begin = live_begin,
				      .live_end = live_end};

/* Returns the address range of our own vdso. */
static struct map_range own_vdso(struct map_source *live)
{
	struct map_table *t = live->ops->list(live, getpid());
	struct map_range found = {0};

	for (size_t i = 0; i < t->n; i++)
		if (t->v[i]->name && !strcmp(t->v[i]->name, "[vdso]"))
			found = (struct map_range){t->v[i]->start, t->v[i]->end};
	map_table_put(t);
	return found;
}

void image_init(struct image *i, struct chunks *known, struct spaces *spaces,
		struct file_source *files, struct map_source *live, struct late_reader *late)
{
	*i = (struct image){.memory.ops = &ops,
			    .known = known,
			    .spaces = spaces,
			    .files = files,
			    .fd = -1,
			    .vdso = own_vdso(live)};
	code_cache_init(&i->live_code, late);
}

void image_deinit(struct image *i)
{
	if (i->fd >= 0)
		close(i->fd);
	free(i->compat);
	code_cache_deinit(&i->live_code);
}
