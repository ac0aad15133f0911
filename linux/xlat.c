/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/xlat.h"

#include <stdlib.h>
#include <string.h>

#include "util/bisect.h"
#include "util/mem.h"
#include "util/table.h"

#define XLAT_BEGIN(table) static const struct xlat_entry table##_entries[] = {
#define X(name, value)	  {value, #name},
/* XLAT_END ends the list of entries that XLAT_BEGIN started. */
#define XLAT_END(table, kind, unknown)                                                             \
	}                                                                                          \
	;                                                                                          \
	const struct xlat xlat_##table = {#table, unknown, XLAT_##kind,                            \
					  ARRAY_SIZE(table##_entries), table##_entries};
#include "linux/xlat_all.h"
#undef XLAT_BEGIN
#undef X
#undef XLAT_END

static const struct xlat *const tables[] = {
#define XLAT_BEGIN(table) &xlat_##table,
#define X(name, value)
#define XLAT_END(table, kind, unknown)
#include "linux/xlat_all.h"
#undef XLAT_BEGIN
#undef X
#undef XLAT_END
};

static const struct xlat_entry *find_exact(const struct xlat *x, uint64_t val)
{
	if (x->kind != XLAT_SORTED) {
		for (uint32_t i = 0; i < x->n; i++) {
			if (x->entries[i].val == val)
				return &x->entries[i];
		}
		return NULL;
	}

	const size_t at = bisect(x->n, i, x->entries[i].val < val);

	return at < x->n && x->entries[at].val == val ? &x->entries[at] : NULL;
}

const struct xlat_entry *xlat_entry_of(const struct xlat *x, uint64_t val)
{
	const struct xlat_entry *e = find_exact(x, val);

	if (e)
		return e;
	/*
	 * A negative int may be passed as 32 bits or sign-extended to 64 bits. The table may
	 * contain either form.
	 */
	if (val >> 31 == 1)
		return find_exact(x, val | 0xffffffff00000000);
	if (val >> 31 == 0x1ffffffff)
		return find_exact(x, (uint32_t)val);
	return NULL;
}

const struct xlat_entry *xlat_next_of(const struct xlat *x, uint64_t val,
				      const struct xlat_entry *after)
{
	const struct xlat_entry *end = x->entries + x->n;

	if (!after)
		return find_exact(x, val);
	for (after++; after < end; after++) {
		if (after->val == val)
			return after;
		if (x->kind == XLAT_SORTED)
			break;
	}
	return NULL;
}

const char *xlat_name(const struct xlat *x, uint64_t val)
{
	const struct xlat_entry *e = xlat_entry_of(x, val);

	return e ? e->name : NULL;
}

const char *xlat_name64(const struct xlat *x, uint64_t val)
{
	const struct xlat_entry *e = find_exact(x, val);

	return e ? e->name : NULL;
}

const struct xlat_entry *xlat_find(const struct xlat *x, const char *name)
{
	for (uint32_t i = 0; i < x->n; i++) {
		/*
		 * Compare the first letter here, because this avoids most calls of strcmp().
		 */
		if (*x->entries[i].name == *name && !strcmp(x->entries[i].name, name))
			return &x->entries[i];
	}
	return NULL;
}

struct xlat_names {
	const struct xlat *table;
	struct table rows; /* indexed by the hash of the name; values are 1 + index of the entry */
};

static uint64_t name_hash(const char *name)
{
	return table_hash(name, strlen(name));
}

struct xlat_names *xlat_names_new(const struct xlat *x)
{
	struct xlat_names *names = mem_zalloc(sizeof(*names));

	names->table = x;
	for (uint32_t i = 0; i < x->n; i++)
		table_add(&names->rows, name_hash(x->entries[i].name), 1 + i);
	return names;
}

void xlat_names_free(struct xlat_names *names)
{
	if (!names)
		return;
	table_deinit(&names->rows);
	free(names);
}

const struct xlat_entry *xlat_names_find(const struct xlat_names *names, const char *name)
{
	uint64_t hash = name_hash(name);
	struct table_slot *slot = NULL;

	while ((slot = table_find(&names->rows, hash, slot))) {
		const struct xlat_entry *e = &names->table->entries[slot->value - 1];

		if (!strcmp(e->name, name))
			return e;
	}
	return NULL;
}

const struct xlat *xlat_table_at(size_t i)
{
	return i < ARRAY_SIZE(tables) ? tables[i] : NULL;
}
