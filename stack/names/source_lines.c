/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/names/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack/files/debug_file.h"
#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/names/lines.h"
#include "stack/names/symbols.h"
#include "util/mem.h"
#include "util/vec.h"

#define RANGES_MAX (4u << 20)

/* What a unit covers, for files without .debug_aranges, as clang and rustc make them. */
struct unit_range {
	uint64_t lo, hi;
	Dwarf_Off die;
};

struct dwarf_file {
	int fd;
	Elf *elf;
	Dwarf *dwarf; /* NULL: it has none, or none that can be trusted */
};

/* A file without debugging information must be looked at once only. */
struct source {
	struct dwarf_file file, common;
	VEC(struct unit_range) ranges; /* sorted */
	bool ranges_read;
};

static void dwarf_file_close(struct dwarf_file *d)
{
	if (d->dwarf)
		dwarf_end(d->dwarf);
	if (d->elf)
		elf_end(d->elf);
	if (d->fd >= 0)
		close(d->fd);
	*d = (struct dwarf_file){.fd = -1};
}

/* libdw reads a string to its end, wherever that is. */
static bool strings_end(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h))
			return false;
		name = elf_strptr(elf, names, h.sh_name);
		if (!name || h.sh_type == SHT_NOBITS ||
		    (strcmp(name, ".debug_str") && strcmp(name, ".debug_line_str")))
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_size && ((const char *)data->d_buf)[data->d_size - 1])
			return false;
	}
	return true;
}

static void dwarf_file_open(struct dwarf_file *d, int fd)
{
	d->fd = fd;
	/* Not dwarf_begin(), which maps the file: a tracee may shrink it under us. */
	if (fd >= 0 && elf_version(EV_CURRENT) != EV_NONE)
		d->elf = elf_begin(fd, ELF_C_READ, NULL);
	if (d->elf)
		d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (d->dwarf && !strings_end(d->elf)) {
		dwarf_end(d->dwarf);
		d->dwarf = NULL;
	}
}

/* What dwz moved elsewhere. libdw would open whatever is there, pipes as well, so it must not. */
static bool common_open(struct elf_file *f, struct source *s)
{
	char hex[2 * 64 + 1], dir[PATH_MAX], *path;
	const char *name;
	const void *id;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(s->file.dwarf, &name, &id), len;

	if (n <= 0)
		return true;
	if (n > 64)
		return false;
	for (ssize_t i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02x", ((const uint8_t *)id)[i]);
	/* It may be relative to the file that names it. */
	len = *name == '/' || !f->source
		      ? 0
		      : f->source->ops->path_of(f->source, s->file.fd, dir, sizeof(dir) - 1);
	while (len > 0 && dir[len - 1] != '/')
		len--;
	path = mem_printf("%.*s%s", len > 0 ? (int)len : 0, dir, name);
	dwarf_file_open(&s->common, debug_file_common_fd(f, path, hex));
	free(path);
	if (!s->common.dwarf)
		return false;
	dwarf_setalt(s->file.dwarf, s->common.dwarf);
	return true;
}

static void source_destroy(void *data)
{
	struct source *s = data;

	dwarf_file_close(&s->file);
	dwarf_file_close(&s->common);
	vec_deinit(&s->ranges);
	free(s);
}

static struct source *source_get(struct elf_file *f)
{
	struct source *s = elf_file_part(f, ELF_SOURCE);

	if (s)
		return s;
	s = mem_zalloc(sizeof(*s));
	elf_file_set_part(f, ELF_SOURCE, s, source_destroy);
	s->file.fd = s->common.fd = -1;
	if (f->fd < 0)
		return s;
	dwarf_file_open(&s->file, elf_file_section(f, ".debug_info")
					  ? fcntl(f->fd, F_DUPFD_CLOEXEC, 0)
					  : debug_file_fd(f));
	if (s->file.dwarf && !common_open(f, s)) {
		dwarf_end(s->file.dwarf);
		s->file.dwarf = NULL;
	}
	return s;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void read_ranges(struct source *s)
{
	Dwarf_Off off = 0, next;
	size_t header;

	s->ranges_read = true;
	for (; !dwarf_nextcu(s->file.dwarf, off, &next, &header, NULL, NULL, NULL); off = next) {
		Dwarf_Addr base, lo, hi;
		ptrdiff_t at = 0;
		Dwarf_Die die;

		if (!dwarf_offdie(s->file.dwarf, off + header, &die))
			continue;
		while ((at = dwarf_ranges(&die, at, &base, &lo, &hi)) > 0)
			if (lo && lo < hi && s->ranges.n < RANGES_MAX)
				*vec_push(&s->ranges) = (struct unit_range){lo, hi, off + header};
	}
	if (s->ranges.n)
		qsort(s->ranges.v, s->ranges.n, sizeof(s->ranges.v[0]), compare_ranges);
}

static Dwarf_Die *unit_at(struct source *s, uint64_t addr, Dwarf_Die *mem)
{
	Dwarf_Die *cu = dwarf_addrdie(s->file.dwarf, addr, mem);
	size_t lo = 0, hi;

	if (cu)
		return cu;
	if (!s->ranges_read)
		read_ranges(s);
	for (hi = s->ranges.n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->ranges.v[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr >= s->ranges.v[lo - 1].hi)
		return NULL;
	return dwarf_offdie(s->file.dwarf, s->ranges.v[lo - 1].die, mem);
}

static const char *copy(struct arena *strings, const char *s)
{
	return s ? arena_strdup(strings, s) : NULL;
}

static const char *function_name(struct arena *strings, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;
	char *nice;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (!name)
		return copy(strings, dwarf_diename(die));
	nice = symbol_demangle(name);
	name = copy(strings, nice ? nice : name);
	free(nice);
	return name;
}

static const char *call_file(Dwarf_Die *cu, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word index;
	size_t n;

	if (!dwarf_attr(die, DW_AT_call_file, &attr) || dwarf_formudata(&attr, &index) ||
	    dwarf_getsrcfiles(cu, &files, &n) || index >= n)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

static unsigned call_line(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return dwarf_attr(die, DW_AT_call_line, &attr) && !dwarf_formudata(&attr, &v) ? v : 0;
}

void source_lines_find(struct elf_file *f, uint64_t addr, struct line *l, struct arena *strings)
{
	struct source *s = source_get(f);
	VEC(struct inlined) inl = {0};
	Dwarf_Die cu_mem, *cu, *lexical = NULL, *scopes = NULL;
	Dwarf_Line *line;
	struct inlined *kept;
	int n, no = 0;

	if (!s->file.dwarf)
		return;
	cu = unit_at(s, addr, &cu_mem);
	if (!cu)
		return;
	line = dwarf_getsrc_die(cu, addr);
	if (line) {
		l->file = copy(strings, dwarf_linesrc(line, NULL, NULL));
		dwarf_lineno(line, &no);
		l->line = no;
	}
	/* The first says where the pc is, but goes on into the source's scopes; the second nests as
	 * code does. */
	if (dwarf_getscopes(cu, addr, &lexical) < 1)
		return;
	n = dwarf_getscopes_die(&lexical[0], &scopes);
	free(lexical);
	for (int i = 0; i < n; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		/* The place within the inlined function is this one's; its call site the next
		 * one's. */
		*vec_push(&inl) =
			(struct inlined){function_name(strings, &scopes[i]), l->file, l->line};
		l->file = copy(strings, call_file(cu, &scopes[i]));
		l->line = call_line(&scopes[i]);
	}
	free(scopes);
	if (inl.n) {
		kept = arena_alloc(strings, inl.n * sizeof(*kept));
		memcpy(kept, inl.v, inl.n * sizeof(*kept));
		l->inlined = kept;
		l->ninlined = inl.n;
	}
	vec_deinit(&inl);
}
