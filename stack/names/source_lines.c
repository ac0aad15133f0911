/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/names/source_lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack/files/debug_file.h"
#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/names/lines.h"
#include "util/mem.h"
#include "util/vec.h"

#define LINK_MAX     (PATH_MAX + BUILD_ID_MAX)
#define BUILD_ID_MAX 64
#define INLINED_MAX  4096

/*
 * Attached to a file at the first look-up. `none` is set if the file has no line information, so
 * that it is not searched again.
 */
struct source {
	bool none;
};

static bool has_dwarf(struct elf_file *f)
{
	return elf_file_section(f, ".debug_info") || elf_file_section(f, ".zdebug_info");
}

/*
 * d is the file that contains f's debugging information. Opens the file to which dwz(1) has moved
 * data of d, and stores the descriptor in *fd. Sets *fd to -1 if d does not refer to such a file.
 * Returns false if the reference is invalid or if the file is not found.
 */
static bool open_common(struct elf_file *f, struct elf_file *d, int *fd)
{
	const struct elf_section *s = elf_file_section(d, ".gnu_debugaltlink");
	char hex[2 * BUILD_ID_MAX + 1], dir[PATH_MAX], link[LINK_MAX], *path;
	const uint8_t *id;
	size_t n, name;
	ssize_t len;

	*fd = -1;
	if (!s)
		return true;
	/* The section contains a path, its terminating NUL, and a build id. */
	if (s->size > sizeof(link) || !elf_file_read(d, s->offset, link, s->size))
		return false;
	name = strnlen(link, s->size);
	if (name + 1 >= s->size || s->size - name - 1 > BUILD_ID_MAX)
		return false;
	n = s->size - name - 1;
	id = (const uint8_t *)link + name + 1;
	for (size_t i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02x", id[i]);
	/* The path may be relative to the folder of d. */
	len = *link == '/' || !f->source
		      ? 0
		      : f->source->ops->path_of(f->source, d->fd, dir, sizeof(dir));
	while (len > 0 && dir[len - 1] != '/')
		len--;
	path = mem_printf("%.*s%s", len > 0 ? (int)len : 0, dir, link);
	*fd = debug_file_common_fd(f, path, hex);
	free(path);
	return *fd >= 0;
}

/* Passes the debugging information of f to the namer. Sets s->none if there is none. */
static enum namer_status open_source(struct elf_file *f, struct source *s)
{
	struct elf_file *d = has_dwarf(f) ? f : debug_file_open(f);
	enum namer_status status = NAMER_NONE;
	int common;

	if (d && d->fd >= 0 && (d == f || has_dwarf(d)) && open_common(f, d, &common)) {
		status = namer_open(f->namer, &f->naming, d->fd, common, d->size);
		if (common >= 0)
			close(common);
	}
	if (d != f)
		elf_file_close(d);
	s->none = status == NAMER_NONE;
	return status;
}

static const char *copy(struct arena *strings, const char *s, size_t n)
{
	return s ? arena_strndup(strings, s, n) : NULL;
}

static void store_locations(struct namer *n, struct line *l, struct arena *strings)
{
	VEC(struct inlined) inl = {0};
	struct namer_location p, next;
	struct inlined *kept;
	bool more;

	if (!namer_next_location(n, &p))
		return;
	while ((more = namer_next_location(n, &next)) && inl.n < INLINED_MAX) {
		*vec_push(&inl) = (struct inlined){copy(strings, p.symbol, p.symbol_len),
						   copy(strings, p.file, p.file_len), p.line};
		p = next;
	}
	l->file = copy(strings, p.file, p.file_len);
	l->line = p.line;
	if (inl.n) {
		kept = arena_alloc(strings, inl.n * sizeof(*kept));
		memcpy(kept, inl.v, inl.n * sizeof(*kept));
		l->inlined = kept;
		l->ninlined = inl.n;
	}
	vec_deinit(&inl);
}

enum namer_status source_lines_find(struct elf_file *f, uint64_t addr, struct line *l,
				    struct arena *strings)
{
	struct source *s = elf_file_make_part(f, ELF_SOURCE, sizeof(*s), free);
	enum namer_status status;

	if (s->none || f->fd < 0)
		return NAMER_NONE;
	if (!namer_has(f->namer, &f->naming)) {
		status = open_source(f, s);
		if (status != NAMER_OK)
			return status;
	}
	status = namer_lines(f->namer, &f->naming, addr);
	if (status == NAMER_OK)
		store_locations(f->namer, l, strings);
	return status;
}
