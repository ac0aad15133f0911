/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/names/symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "stack/walk/cfi.h"
#include "stack/walk/ehabi.h"
#include "stack/files/budget.h"
#include "stack/files/debug_file.h"
#include "stack/files/elf_file.h"
#include "util/bisect.h"
#include "util/mem.h"

#define TABLES_MAX  4
#define SYMBOLS_MAX (64u << 20)
#define NAME_CHUNK  128

struct symbol {
	uint64_t addr;
	uint64_t reach; /* the highest end address of this symbol and of all symbols before it */
	uint32_t size;
	uint32_t name : 30, table : 2;
};

struct symbols {
	struct symbol *v; /* sorted by address; symbols with equal addresses are in table order */
	size_t n;
	struct {
		struct elf_file *file;
		uint64_t offset, size; /* file offset and size of the string table */
	} strings[TABLES_MAX];
	unsigned ntables;
	struct elf_file *debug, *mini; /* separate debug file, and file in .gnu_debugdata; owned */
};

static void symbols_destroy(void *data)
{
	struct symbols *s = data;

	elf_file_close(s->debug);
	elf_file_close(s->mini);
	free(s->v);
	free(s);
}

static bool is_code(unsigned type, uint16_t shndx, uint64_t size)
{
	if (shndx == SHN_UNDEF || shndx == SHN_ABS)
		return false;
	/* A symbol without a type but with a size is probably a function in assembly code. */
	return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && size);
}

static void add_table(struct symbols *s, struct elf_file *f, const struct elf_section *sec)
{
	size_t entsize = f->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), size, n;
	uint8_t *data;

	if (sec->link >= f->nsections || s->ntables == TABLES_MAX)
		return;
	data = elf_file_section_data(f, sec, &size);
	if (!data)
		return;
	n = size_min(size / entsize, SYMBOLS_MAX);
	/* Check the budget for two copies of the symbols, because sorting needs both. */
	if (!budget_has_room(f->budget, 2 * (s->n + n) * sizeof(*s->v))) {
		free(data);
		return;
	}
	s->v = mem_realloc(s->v, (s->n + n) * sizeof(*s->v));
	for (size_t i = 0; i < n; i++) {
		uint64_t value, symsize;
		unsigned type, shndx;
		uint32_t name;

		if (f->is64) {
			const Elf64_Sym *e = (const void *)(data + i * entsize);

			value = e->st_value;
			symsize = e->st_size;
			type = ELF64_ST_TYPE(e->st_info);
			shndx = e->st_shndx;
			name = e->st_name;
		} else {
			const Elf32_Sym *e = (const void *)(data + i * entsize);

			value = e->st_value;
			symsize = e->st_size;
			type = ELF32_ST_TYPE(e->st_info);
			shndx = e->st_shndx;
			name = e->st_name;
		}
		if (!name || name >> 30 || !is_code(type, shndx, symsize))
			continue;
		s->v[s->n++] = (struct symbol){
			.addr = value & ~f->not_address,
			.size = symsize > UINT32_MAX ? UINT32_MAX : symsize,
			.name = name,
			.table = s->ntables,
		};
	}
	free(data);
	s->strings[s->ntables].file = f;
	s->strings[s->ntables].offset = f->sections[sec->link].offset;
	s->strings[s->ntables].size = f->sections[sec->link].size;
	s->ntables++;
}

static void add_tables(struct symbols *s, struct elf_file *f, uint32_t type)
{
	elf_file_read_sections(f);
	for (size_t i = 0; i < f->nsections; i++)
		if (f->sections[i].type == type) {
			if (!budget_expired(f->budget))
				add_table(s, f, &f->sections[i]);
			return;
		}
}

/*
 * Sorts the symbols with a stable radix sort. It takes linear time, which matters for large
 * programs: node has a hundred thousand symbols.
 */
static void sort(struct symbols *s)
{
	struct symbol *from = s->v, *to = mem_alloc(s->n * sizeof(*to)), *t;
	uint64_t all = 0, any = UINT64_MAX;

	for (size_t i = 0; i < s->n; i++) {
		all |= from[i].addr;
		any &= from[i].addr;
	}
	for (unsigned shift = 0; shift < 64; shift += 11) {
		size_t count[2049] = {0};

		if (!((all ^ any) >> shift & 2047))
			continue;
		for (size_t i = 0; i < s->n; i++)
			count[(from[i].addr >> shift & 2047) + 1]++;
		for (unsigned d = 0; d < 2048; d++)
			count[d + 1] += count[d];
		for (size_t i = 0; i < s->n; i++)
			to[count[from[i].addr >> shift & 2047]++] = from[i];
		t = from;
		from = to;
		to = t;
	}
	s->v = from;
	free(to);
}

static struct symbols *symbols_read(struct elf_file *f)
{
	struct symbols *s = mem_zalloc(sizeof(*s));
	uint64_t reach = 0;

	s->debug = debug_file_open(f);
	if (s->debug)
		add_tables(s, s->debug, SHT_SYMTAB);
	add_tables(s, f, SHT_DYNSYM);
	add_tables(s, f, SHT_SYMTAB);
	s->mini = debug_file_open_mini(f);
	if (s->mini)
		add_tables(s, s->mini, SHT_SYMTAB);
	if (!elf_file_charge(f, s->n * sizeof(*s->v)))
		s->n = 0;
	sort(s);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t end = s->v[i].addr + s->v[i].size;

		reach = end > reach ? end : reach;
		s->v[i].reach = reach;
	}
	return s;
}

static bool read_name(const struct symbols *s, const struct symbol *sym, struct strbuf *name)
{
	struct elf_file *f = s->strings[sym->table].file;
	uint64_t at = sym->name, size = s->strings[sym->table].size;

	name->len = 0;
	while (at < size && name->len < NAMER_NAME_MAX) {
		size_t n = size_min(NAME_CHUNK, size - at);
		const char *end;

		if (name->cap - name->len < n)
			strbuf_reserve(name, n);
		if (!elf_file_read(f, s->strings[sym->table].offset + at, name->data + name->len,
				   n))
			return false;
		end = memchr(name->data + name->len, 0, n);
		if (end) {
			name->len = end - name->data;
			return name->len > 0;
		}
		name->len += n;
		at += n;
	}
	return name->len > 0;
}

static bool covers(const struct symbol *s, uint64_t addr)
{
	return addr - s->addr < s->size;
}

static const struct symbol *find(const struct symbols *s, struct elf_file *f, uint64_t addr)
{
	const size_t n = bisect(s->n, at, s->v[at].addr <= addr);
	uint64_t fde_lo, fde_hi;
	size_t i;

	for (i = n; i-- > 0 && s->v[i].reach > addr;) {
		const struct symbol *best = &s->v[i];

		if (!covers(best, addr))
			continue;
		for (; i-- > 0 && s->v[i].addr == best->addr;)
			if (covers(&s->v[i], addr))
				best = &s->v[i];
		return best;
	}
	if (!n || s->v[n - 1].size)
		return NULL;
	for (i = n - 1; i > 0 && s->v[i - 1].addr == s->v[n - 1].addr;)
		i--;
	if (cfi_function(f, addr, &fde_lo, &fde_hi) ? fde_lo != s->v[i].addr
						    : !ehabi_begins(f, s->v[i].addr))
		return NULL;
	return &s->v[i];
}

int symbols_find(struct elf_file *f, uint64_t addr, struct strbuf *name, uint64_t *start)
{
	struct symbols *s = elf_file_part(f, ELF_SYMBOLS);
	const struct symbol *sym;

	if (!s) {
		if (!budget_begin(f->budget))
			return -EAGAIN;
		s = symbols_read(f);
		elf_file_set_part(f, ELF_SYMBOLS, s, symbols_destroy);
		budget_end(f->budget);
	}
	sym = find(s, f, addr);
	if (!sym || !read_name(s, sym, name))
		return -ENOENT;
	*start = sym->addr;
	return 0;
}

bool symbols_are_missing(struct elf_file *f)
{
	const struct symbols *s = elf_file_part(f, ELF_SYMBOLS);

	return s && !s->debug && !s->mini && !f->image && !elf_file_section(f, ".symtab");
}
