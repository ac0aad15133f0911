/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/elf_names.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "stack/files/elf_file.h"
#include "util/mem.h"

#define CHAIN_MAX   10000 /* maximum number of symbols to examine in a hash bucket */
#define NAME_LENGTH 200

static uint32_t gnu_hash(const char *s)
{
	uint32_t h = 5381;

	for (; *s; s++)
		h = h * 33 + (unsigned char)*s;
	return h;
}

/* The location of .gnu.hash and of the tables that .gnu.hash refers to. */
struct dynamic {
	struct elf_file *f;
	uint64_t bloom, buckets, chains; /* file offsets of the three parts of .gnu.hash */
	uint32_t nbuckets, first, bloom_size, shift;
	const struct elf_section *syms, *strings;
};

static bool dynamic_init(struct dynamic *d, struct elf_file *f)
{
	const struct elf_section *hash = elf_file_section(f, ".gnu.hash");
	uint32_t head[4];

	d->f = f;
	if (!hash || hash->link >= f->nsections ||
	    !elf_file_read(f, hash->offset, head, sizeof(head)))
		return false;
	d->nbuckets = head[0];
	d->first = head[1];
	d->bloom_size = head[2];
	d->shift = head[3] & 31;
	d->syms = &f->sections[hash->link];
	if (!d->nbuckets || !d->bloom_size || d->syms->link >= f->nsections)
		return false;
	d->strings = &f->sections[d->syms->link];
	d->bloom = hash->offset + sizeof(head);
	d->buckets = d->bloom + d->bloom_size * (uint64_t)8;
	d->chains = d->buckets + d->nbuckets * (uint64_t)4;
	return true;
}

static bool name_is(struct elf_file *f, const struct elf_section *strings, uint32_t at,
		    const char *name)
{
	char buf[NAME_LENGTH];
	size_t n = strlen(name) + 1;

	return n <= sizeof(buf) && at < strings->size && strings->size - at >= n &&
	       elf_file_read(f, strings->offset + at, buf, n) && !memcmp(buf, name, n);
}

static bool find_dynamic(const struct dynamic *d, struct elf_name *w)
{
	const uint32_t h = gnu_hash(w->name);
	uint64_t word, mask = 1ull << (h & 63) | 1ull << (h >> d->shift & 63);
	uint32_t i, value;

	if (!elf_file_read(d->f, d->bloom + h / 64 % d->bloom_size * (uint64_t)8, &word, 8) ||
	    (word & mask) != mask ||
	    !elf_file_read(d->f, d->buckets + h % d->nbuckets * (uint64_t)4, &i, 4) || i < d->first)
		return false;
	for (unsigned n = 0; n < CHAIN_MAX; n++, i++) {
		Elf64_Sym sym;

		if (!elf_file_read(d->f, d->chains + (i - d->first) * (uint64_t)4, &value, 4))
			return false;
		if ((value | 1) == (h | 1) &&
		    elf_file_read(d->f, d->syms->offset + i * (uint64_t)sizeof(sym), &sym,
				  sizeof(sym)) &&
		    sym.st_shndx != SHN_UNDEF && name_is(d->f, d->strings, sym.st_name, w->name)) {
			w->found = true;
			w->addr = sym.st_value;
			w->size = sym.st_size;
			return true;
		}
		if (value & 1)
			return false;
	}
	return false;
}

size_t elf_names_dynamic(struct elf_file *f, struct elf_name *names, size_t n)
{
	struct dynamic d;
	size_t found = 0;

	if (!f->is64 || !dynamic_init(&d, f))
		return 0;
	for (size_t i = 0; i < n; i++)
		found += !names[i].found && find_dynamic(&d, &names[i]);
	return found;
}

size_t elf_names_static(struct elf_file *f, struct elf_name *names, size_t n)
{
	const struct elf_section *sec = elf_file_section(f, ".symtab"), *strings;
	size_t size, nstrings, found = 0;
	uint8_t *data, *text;

	if (!f->is64 || !sec || sec->link >= f->nsections)
		return 0;
	strings = &f->sections[sec->link];
	data = elf_file_section_data(f, sec, &size);
	text = elf_file_section_data(f, strings, &nstrings);
	for (size_t i = 0; data && text && i < size / sizeof(Elf64_Sym); i++) {
		const Elf64_Sym *sym = (const Elf64_Sym *)data + i;

		if (sym->st_shndx == SHN_UNDEF || !sym->st_name || sym->st_name >= nstrings)
			continue;
		for (size_t k = 0; k < n; k++) {
			const size_t len = strlen(names[k].name) + 1;

			if (names[k].found || nstrings - sym->st_name < len ||
			    memcmp(text + sym->st_name, names[k].name, len) != 0)
				continue;
			names[k].found = true;
			names[k].addr = sym->st_value;
			names[k].size = sym->st_size;
			found++;
		}
	}
	free(data);
	free(text);
	return found;
}
