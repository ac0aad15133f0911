/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/namer/dwarf_lines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stack/namer/demangle.h"
#include "stack/namer/libraries.h"
#include "stack/namer/wire.h"
#include "util/bisect.h"
#include "util/mem.h"
#include "util/strbuf.h"
#include "util/vec.h"

#define RANGES_MAX (4u << 20)
/* Maximum length of a string in bytes. It is small, so that a single string cannot fill a reply. */
#define STRING_MAX 4096

/*
 * The address range of a compilation unit. Used for files without .debug_aranges; clang and rustc
 * create such files.
 */
struct unit_range {
	uint64_t lo, hi;
	Dwarf_Off die;
};

struct dwarf_file {
	int fd;
	Elf *elf;
	Dwarf *dwarf; /* NULL if there is no DWARF data, or if it could crash libdw */
};

struct dwarf_source {
	const struct libelf *elf; /* NULL if libelf or libdw is missing */
	const struct libdw *dw;
	struct dwarf_file file, common;
	VEC(struct unit_range) ranges; /* sorted by address */
	bool ranges_read;
};

static void dwarf_file_close(const struct dwarf_source *s, struct dwarf_file *d)
{
	if (d->dwarf)
		s->dw->dwarf_end(d->dwarf);
	if (d->elf)
		s->elf->elf_end(d->elf);
	if (d->fd >= 0)
		close(d->fd);
	*d = (struct dwarf_file){.fd = -1};
}

/*
 * Returns true if all sections of DWARF strings end with a NUL. Otherwise libdw could read beyond
 * the end of a section, because it reads strings up to a NUL.
 */
static bool strings_end(const struct libelf *elf, Elf *e)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf->elf_getshdrstrndx(e, &names))
		return false;
	while ((scn = elf->elf_nextscn(e, scn))) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr h;

		if (!elf->gelf_getshdr(scn, &h))
			return false;
		name = elf->elf_strptr(e, names, h.sh_name);
		if (!name || h.sh_type == SHT_NOBITS ||
		    (strcmp(name, ".debug_str") && strcmp(name, ".debug_line_str")))
			continue;
		data = elf->elf_rawdata(scn, NULL);
		if (data && data->d_size && ((const char *)data->d_buf)[data->d_size - 1])
			return false;
	}
	return true;
}

static void dwarf_file_open(const struct dwarf_source *s, struct dwarf_file *d, int fd)
{
	const struct libelf *elf = s->elf;

	d->fd = fd;
	/*
	 * Do not use dwarf_begin(): it maps the file. A tracee could then kill the namer by
	 * truncating the file.
	 */
	if (fd >= 0 && elf && elf->elf_version(EV_CURRENT) != EV_NONE)
		d->elf = elf->elf_begin(fd, ELF_C_READ, NULL);
	if (d->elf)
		d->dwarf = s->dw->dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (d->dwarf && !strings_end(elf, d->elf)) {
		s->dw->dwarf_end(d->dwarf);
		d->dwarf = NULL;
	}
}

void dwarf_source_close(struct dwarf_source *s)
{
	if (!s)
		return;
	dwarf_file_close(s, &s->file);
	dwarf_file_close(s, &s->common);
	vec_deinit(&s->ranges);
	free(s);
}

struct dwarf_source *dwarf_source_open(const struct namer_libraries *libs, int fd, int common)
{
	struct dwarf_source *s = mem_zalloc(sizeof(*s));

	s->elf = libs->has_dw ? &libs->elf : NULL;
	s->dw = &libs->dw;
	dwarf_file_open(s, &s->file, fd);
	dwarf_file_open(s, &s->common, common);
	/*
	 * Without this call, libdw would search for the common file itself and open any file that
	 * it finds.
	 */
	if (s->file.dwarf && common >= 0)
		s->dw->dwarf_setalt(s->file.dwarf, s->common.dwarf);
	if (s->file.dwarf && (common < 0 || s->common.dwarf))
		return s;
	dwarf_source_close(s);
	return NULL;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void read_ranges(struct dwarf_source *s)
{
	const struct libdw *dw = s->dw;
	Dwarf_Off off = 0, next;
	size_t header;

	s->ranges_read = true;
	for (; !dw->dwarf_nextcu(s->file.dwarf, off, &next, &header, NULL, NULL, NULL);
	     off = next) {
		Dwarf_Addr base, lo, hi;
		ptrdiff_t at = 0;
		Dwarf_Die die;

		if (!dw->dwarf_offdie(s->file.dwarf, off + header, &die))
			continue;
		while ((at = dw->dwarf_ranges(&die, at, &base, &lo, &hi)) > 0)
			if (lo && lo < hi && s->ranges.n < RANGES_MAX)
				*vec_push(&s->ranges) = (struct unit_range){lo, hi, off + header};
	}
	if (s->ranges.n)
		qsort(s->ranges.v, s->ranges.n, sizeof(s->ranges.v[0]), compare_ranges);
}

static Dwarf_Die *unit_at(struct dwarf_source *s, uint64_t addr, Dwarf_Die *mem)
{
	Dwarf_Die *cu = s->dw->dwarf_addrdie(s->file.dwarf, addr, mem);
	size_t n;

	if (cu)
		return cu;
	if (!s->ranges_read)
		read_ranges(s);
	n = bisect(s->ranges.n, i, s->ranges.v[i].lo <= addr);
	if (!n || addr >= s->ranges.v[n - 1].hi)
		return NULL;
	return s->dw->dwarf_offdie(s->file.dwarf, s->ranges.v[n - 1].die, mem);
}

/*
 * Sets *known to the demangled name of the inlined function `die`, or to NULL. If the name is in
 * allocated memory, returns this memory, which the caller frees. Otherwise returns NULL.
 */
static char *function_name(const struct libdw *dw, Dwarf_Die *die, const char **known)
{
	Dwarf_Attribute attr;
	const char *name = NULL;
	char *nice;

	if (dw->dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dw->dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dw->dwarf_formstring(&attr);
	if (!name) {
		*known = dw->dwarf_diename(die);
		return NULL;
	}
	nice = symbol_demangle(name);
	*known = nice ? nice : name;
	return nice;
}

static const char *call_file(const struct libdw *dw, Dwarf_Die *cu, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word index;
	size_t n;

	if (!dw->dwarf_attr(die, DW_AT_call_file, &attr) || dw->dwarf_formudata(&attr, &index) ||
	    dw->dwarf_getsrcfiles(cu, &files, &n) || index >= n)
		return NULL;
	return dw->dwarf_filesrc(files, index, NULL, NULL);
}

static unsigned call_line(const struct libdw *dw, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return dw->dwarf_attr(die, DW_AT_call_line, &attr) && !dw->dwarf_formudata(&attr, &v) ? v
											      : 0;
}

static uint32_t length(const char *s)
{
	return s ? strnlen(s, STRING_MAX) : NAMER_NO_STRING;
}

static void put_location(struct strbuf *out, const char *symbol, const char *file, unsigned line)
{
	struct namer_wire_location p = {line, length(symbol), length(file)};

	strbuf_add(out, (const char *)&p, sizeof(p));
	strbuf_add(out, symbol, symbol ? p.symbol_len : 0);
	strbuf_add(out, file, file ? p.file_len : 0);
}

bool dwarf_source_find(struct dwarf_source *s, uint64_t addr, struct strbuf *out)
{
	const size_t room =
		NAMER_REPLY_MAX - 2 * (sizeof(struct namer_wire_location) + 2 * STRING_MAX);
	const struct libdw *dw = s->dw;
	Dwarf_Die cu_mem, *cu, *lexical = NULL, *scopes = NULL;
	const char *file = NULL, *symbol;
	int n = 0, no = 0;
	Dwarf_Line *at;
	unsigned line;
	char *nice;

	cu = unit_at(s, addr, &cu_mem);
	if (!cu)
		return false;
	at = dw->dwarf_getsrc_die(cu, addr);
	if (at) {
		file = dw->dwarf_linesrc(at, NULL, NULL);
		dw->dwarf_lineno(at, &no);
	}
	line = no;
	/*
	 * dwarf_getscopes() finds the innermost scope of the pc, but then continues with the scopes
	 * of the abstract instance. dwarf_getscopes_die() finds the scopes that enclose the inlined
	 * code instead.
	 */
	if (dw->dwarf_getscopes(cu, addr, &lexical) >= 1) {
		n = dw->dwarf_getscopes_die(&lexical[0], &scopes);
		free(lexical);
	}
	for (int i = 0; i < n && out->len < room; i++) {
		int tag = dw->dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		/*
		 * The current location is in this inlined function. The next location is the place
		 * in the enclosing function where the code was inlined.
		 */
		nice = function_name(dw, &scopes[i], &symbol);
		put_location(out, symbol, file, line);
		free(nice);
		file = call_file(dw, cu, &scopes[i]);
		line = call_line(dw, &scopes[i]);
	}
	free(scopes);
	put_location(out, NULL, file, line);
	return true;
}
