/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack/debug_file.h"
#include "stack/elf_file.h"
#include "stack/symbols.h"
#include "util/mem.h"
#include "util/vec.h"

#define RANGES_MAX (4u << 20)

/* What a unit covers, for files without .debug_aranges, as clang and rustc make them. */
struct unit_range {
	uint64_t lo, hi;
	Dwarf_Off die;
};

/* A file without debugging information must be looked at once only. */
struct source {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	VEC(struct unit_range) ranges; /* sorted */
	bool ranges_read;
};

void source_lines_destroy(struct elf_file *f)
{
	struct source *s = f->source;

	if (!s)
		return;
	if (s->dwarf)
		dwarf_end(s->dwarf);
	if (s->elf)
		elf_end(s->elf);
	if (s->fd >= 0)
		close(s->fd);
	vec_deinit(&s->ranges);
	free(s);
	f->source = NULL;
}

static struct source *source_get(struct elf_file *f)
{
	struct source *s = f->source;

	if (s)
		return s;
	s = f->source = mem_zalloc(sizeof(*s));
	s->fd = -1;
	if (f->fd < 0)
		return s;
	if (elf_file_section(f, ".debug_info"))
		s->fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	else
		s->fd = debug_file_fd(f);
	/* Not dwarf_begin(), which maps the file: a tracee may shrink it under us. */
	if (s->fd >= 0 && elf_version(EV_CURRENT) != EV_NONE)
		s->elf = elf_begin(s->fd, ELF_C_READ, NULL);
	if (s->elf)
		s->dwarf = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
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
	for (; !dwarf_nextcu(s->dwarf, off, &next, &header, NULL, NULL, NULL); off = next) {
		Dwarf_Addr base, lo, hi;
		ptrdiff_t at = 0;
		Dwarf_Die die;

		if (!dwarf_offdie(s->dwarf, off + header, &die))
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
	Dwarf_Die *cu = dwarf_addrdie(s->dwarf, addr, mem);
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
	return dwarf_offdie(s->dwarf, s->ranges.v[lo - 1].die, mem);
}

static const char *copy(struct elf_file *f, const char *s)
{
	return s ? arena_strdup(&f->lines.strings, s) : NULL;
}

static const char *function_name(struct elf_file *f, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;
	char *nice;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (!name)
		return copy(f, dwarf_diename(die));
	nice = symbol_demangle(name);
	name = copy(f, nice ? nice : name);
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

void source_lines_find(struct elf_file *f, uint64_t addr, struct line *l)
{
	struct source *s = source_get(f);
	VEC(struct inlined) inl = {0};
	Dwarf_Die cu_mem, *cu, *lexical = NULL, *scopes = NULL;
	Dwarf_Line *line;
	struct inlined *kept;
	int n, no = 0;

	if (!s->dwarf)
		return;
	cu = unit_at(s, addr, &cu_mem);
	if (!cu)
		return;
	line = dwarf_getsrc_die(cu, addr);
	if (line) {
		l->file = copy(f, dwarf_linesrc(line, NULL, NULL));
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
		*vec_push(&inl) = (struct inlined){function_name(f, &scopes[i]), l->file, l->line};
		l->file = copy(f, call_file(cu, &scopes[i]));
		l->line = call_line(&scopes[i]);
	}
	free(scopes);
	if (inl.n) {
		kept = arena_alloc(&f->lines.strings, inl.n * sizeof(*kept));
		memcpy(kept, inl.v, inl.n * sizeof(*kept));
		l->inlined = kept;
		l->ninlined = inl.n;
	}
	vec_deinit(&inl);
}
