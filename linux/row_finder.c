/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/row_finder.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/table.h"

/* A cached search result: the row for one value of the selecting register. */
struct found {
	const struct variants *variants;
	const struct abi *abi;
	uint64_t value;
	const struct syscall_desc *desc; /* if NULL, the syscall's own row is used */
};

/*
 * The rows of a list of variants that match ioctl requests of any size (VARIANT_GROWS) in one ABI.
 */
struct growing {
	const struct variants *variants;
	const struct abi *abi;
	unsigned n;
	struct {
		const struct variant *row;
		uint64_t value;
	} rows[];
};

/*
 * Tables with at least this many names are searched by hash. Only a few tables are that large, such
 * as the tables of ioctl requests.
 */
#define NAMES_MANY 64
#define NAMES_MAX  16

struct row_finder {
	struct table found;   /* search results: struct found */
	struct table growing; /* lists with rows that match requests of any size: struct growing */
	/* memory for the values of both tables, and for copies of rows with the prefix arguments */
	struct arena arena;
	struct {
		const struct xlat *table;
		struct xlat_names *names;
	} names[NAMES_MAX]; /* the large tables that have been searched */
};

struct row_finder *row_finder_create(void)
{
	return mem_zalloc(sizeof(struct row_finder));
}

void row_finder_destroy(struct row_finder *f)
{
	if (!f)
		return;
	table_deinit(&f->found);
	table_deinit(&f->growing);
	arena_reset(&f->arena);
	for (size_t i = 0; i < NAMES_MAX; i++)
		xlat_names_free(f->names[i].names);
	free(f);
}

/* ---- names and numbers ---- */

/* Returns the entry with the given name in a table, or NULL. */
static const struct xlat_entry *find_name(struct row_finder *f, const struct xlat *x,
					  const char *name)
{
	size_t i = 0;

	while (i < NAMES_MAX && f->names[i].table && f->names[i].table != x)
		i++;
	if (x->n < NAMES_MANY || i == NAMES_MAX)
		return xlat_find(x, name);
	if (!f->names[i].table) {
		f->names[i].table = x;
		f->names[i].names = xlat_names_new(x);
	}
	return xlat_names_find(f->names[i].names, name);
}

static bool exists(const struct variant *row, const struct abi *abi)
{
	return !(row->only_64 && abi->compat) && !(row->only_x86 && !abi->x86_forms);
}

#define TABLES_MAX 6

/*
 * Stores in tables[] the tables that contain the numbers of an ABI. An entry hides entries with the
 * same name in later tables. NULL ends the list.
 */
static void tables_of_abi(const struct variants *v, const struct abi *abi,
			  const struct xlat *tables[TABLES_MAX])
{
	size_t n = 0;

	if (v->numbers == NUMBERS_IOCTL)
		while (abi->ioctls[n + 1]) {
			tables[n] = abi->ioctls[n];
			n++;
		}
	else if (v->numbers == NUMBERS_PTRACE && abi->own_ptrace)
		tables[n++] = abi->own_ptrace;
	tables[n] = v->key->names;
	tables[n + 1] = NULL;
}

/*
 * Returns the first entry with the given name in a list of tables, or NULL if there is none. The
 * list ends with NULL or `end`. For a request that does not exist in this ABI (XLAT_ABSENT),
 * returns the entry with the number in other ABIs.
 */
static const struct xlat_entry *find_in_tables(struct row_finder *f,
					       const struct xlat *const *tables,
					       const struct xlat *end, const char *name)
{
	for (; *tables && *tables != end; tables++) {
		const struct xlat_entry *e = find_name(f, *tables, name);

		if (e && e->val != XLAT_ABSENT)
			return e;
	}
	return NULL;
}

bool variant_value(struct row_finder *f, const struct variants *v, const struct variant *row,
		   const struct abi *abi, uint64_t *value)
{
	const struct xlat *tables[TABLES_MAX];
	const struct xlat_entry *e;

	if (!exists(row, abi))
		return false;
	tables_of_abi(v, abi, tables);
	e = find_in_tables(f, tables, NULL, row->value_name);
	if (e)
		*value = e->val << v->shift;
	return e; /* misspelt names are found by tests/unit/test_sweep.c */
}

/* A search for the row that matches one value of the selecting register. */
struct search {
	struct row_finder *finder;
	const struct variants *variants;
	const struct abi *abi;
	uint64_t number; /* the value, shifted as in the tables of names */
	bool named;	 /* true if a table has a name for the number */
	unsigned row;	 /* index of the first matching row, or variants->n */
};

/*
 * Sets s->named if a table has a name for s->number, and s->row to the first row with such a name.
 */
static void search_names(struct search *s)
{
	const struct variant *rows = s->variants->rows;
	const struct xlat *tables[TABLES_MAX];

	tables_of_abi(s->variants, s->abi, tables);
	for (const struct xlat **x = tables; *x; x++) {
		for (const struct xlat_entry *e = NULL; (e = xlat_next_of(*x, s->number, e));) {
			if (find_in_tables(s->finder, tables, *x, e->name))
				continue;
			s->named = true;
			for (unsigned i = 0; i < s->row; i++)
				if (*rows[i].value_name == *e->name &&
				    !strcmp(rows[i].value_name, e->name) &&
				    exists(&rows[i], s->abi))
					s->row = i;
		}
	}
}

/* ---- rows for requests of any size ---- */

static uint64_t key_of(const struct variants *v, const struct abi *abi, uint64_t value)
{
	return table_hash_number((uintptr_t)v + abi->index) ^ table_hash_number(value);
}

static const struct growing *growing_rows(struct row_finder *f, const struct variants *v,
					  const struct abi *abi)
{
	uint64_t hash = key_of(v, abi, 0);
	struct table_slot *slot = NULL;
	struct growing *g;

	while ((slot = table_find(&f->growing, hash, slot))) {
		g = (struct growing *)(uintptr_t)slot->value;
		if (g->variants == v && g->abi == abi)
			return g;
	}
	g = arena_alloc(&f->arena, sizeof(*g) + v->n * sizeof(g->rows[0]));
	*g = (struct growing){.variants = v, .abi = abi};
	for (unsigned i = 0; i < v->n; i++)
		if (v->rows[i].grows_from &&
		    variant_value(f, v, &v->rows[i], abi, &g->rows[g->n].value))
			g->rows[g->n++].row = &v->rows[i];
	table_add(&f->growing, hash, (uintptr_t)g);
	return g;
}

/*
 * asm-generic/ioctl.h: the low 16 bits of a request are its number and type. The size follows.
 */
#define IOC_SIZE_SHIFT 16
#define IOC_SIZE_MASK  0x3fff

/*
 * Returns the first row whose number equals the request *value except for the size and the
 * direction, if the request has at least the row's minimum size. Sets *value to the row's number.
 * Returns NULL if there is no such row.
 */
static const struct variant *growing_row(const struct growing *g, uint64_t *value)
{
	for (unsigned i = 0; i < g->n; i++)
		if ((uint16_t)g->rows[i].value == (uint16_t)*value &&
		    (*value >> IOC_SIZE_SHIFT & IOC_SIZE_MASK) >= g->rows[i].row->grows_from) {
			*value = g->rows[i].value;
			return g->rows[i].row;
		}
	return NULL;
}

/* ---- cached results ---- */

static const struct found *find(const struct row_finder *f, const struct variants *v,
				const struct abi *abi, uint64_t value)
{
	uint64_t hash = key_of(v, abi, value);
	const struct table_slot *slot = NULL;

	while ((slot = table_find(&f->found, hash, slot))) {
		const struct found *found = (const struct found *)(uintptr_t)slot->value;

		if (found->variants == v && found->abi == abi && found->value == value)
			return found;
	}
	return NULL;
}

/*
 * Returns a row with all of its arguments: first the arguments that all rows of the list have in
 * common, then the row's own. Copies the row unless it has only its own arguments.
 */
static const struct syscall_desc *with_prefix(struct row_finder *f, const struct variants *v,
					      const struct variant *row)
{
	unsigned nprefix = row->whole ? 0 : v->key->nprefix, n = nprefix + row->desc.nargs;
	struct syscall_desc *desc;
	struct arg_desc *args;

	if (!nprefix)
		return &row->desc;
	desc = arena_alloc(&f->arena, sizeof(*desc) + n * sizeof(*args));
	args = (struct arg_desc *)(desc + 1);
	memcpy(args, v->key->prefix, nprefix * sizeof(*args));
	memcpy(args + nprefix, row->desc.args, row->desc.nargs * sizeof(*args));
	*desc = row->desc;
	desc->args = args;
	desc->nargs = n;
	return desc;
}

static const struct found *keep(struct row_finder *f, const struct variants *v,
				const struct abi *abi, uint64_t value, const struct variant *row)
{
	struct found *found = arena_alloc(&f->arena, sizeof(*found));

	*found = (struct found){.variants = v,
				.abi = abi,
				.value = value,
				.desc = row ? with_prefix(f, v, row) : NULL};
	table_add(&f->found, key_of(v, abi, value), (uintptr_t)found);
	return found;
}

/*
 * Searches for the row that a value selects, and caches the result. Returns NULL if there is no
 * such row and no table has a name for the value. Such values are not cached, because a tracee
 * could make the cache grow without limit.
 */
static const struct found *search(struct row_finder *f, const struct variants *v,
				  const struct abi *abi, uint64_t value)
{
	struct search s = {
		.finder = f, .variants = v, .abi = abi, .number = value >> v->shift, .row = v->n};
	const struct variant *row;
	const struct found *found;

	if (s.number << v->shift == value)
		search_names(&s);
	if (s.row < v->n)
		return keep(f, v, abi, value, &v->rows[s.row]);
	row = growing_row(growing_rows(f, v, abi), &value);
	if (row) {
		found = find(f, v, abi, value);
		return found ? found : keep(f, v, abi, value, row);
	}
	return s.named ? keep(f, v, abi, value, NULL) : NULL;
}

static attr_noinline const struct syscall_desc *select_variant(struct row_finder *f,
							       const struct syscall_desc *desc,
							       const struct abi *abi,
							       const uint64_t *args)
{
	const struct variants *v = desc->variants;
	const struct found *found;
	uint64_t value;

	value = args[v->key->reg] & (v->mask ? v->mask : 0xffffffff);
	found = find(f, v, abi, value);
	if (!found)
		found = search(f, v, abi, value);
	return found && found->desc ? found->desc : desc;
}

const struct syscall_desc *row_finder_select(struct row_finder *f, const struct syscall_desc *desc,
					     const struct abi *abi, const uint64_t *args)
{
	return likely(!desc->variants) ? desc : select_variant(f, desc, abi, args);
}
