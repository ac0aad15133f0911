/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/names.h"

#include <string.h>

#include "select/syscall_set.h"

/* Constants that their decoders write directly, so no table contains them. See openat(2). */
static const struct xlat_entry other_entries[] = {{(uint64_t)-100, "AT_FDCWD"}};
static const struct xlat others = {
	.name = "others", .n = ARRAY_SIZE(other_entries), .entries = other_entries};

/*
 * Returns table `i` of the n tables or, if n is 0, of all tables. Returns NULL after the last
 * table.
 */
static const struct xlat *table_at(const struct xlat *const *tables, size_t n, size_t i)
{
	if (n)
		return i < n ? tables[i] : NULL;
	return i ? xlat_table_at(i - 1) : &others;
}

bool names_constant(struct arena *a, const char *name, const struct xlat *const *tables, size_t n,
		    struct constant *c)
{
	VEC(struct constant_value) values = {0};
	const struct xlat *table;
	struct constant_value *copy;

	for (size_t i = 0; (table = table_at(tables, n, i)); i++) {
		const struct xlat_entry *e = xlat_find(table, name);

		if (e)
			*vec_push(&values) = (struct constant_value){table, e->val};
	}
	if (!values.n)
		return false;
	copy = arena_alloc(a, values.n * sizeof(*copy));
	memcpy(copy, values.v, values.n * sizeof(*copy));
	*c = (struct constant){.name = name, .num = copy[0].num, .n = values.n, .values = copy};
	vec_deinit(&values);
	return true;
}

bool names_constant_differs(const struct constant *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (c->values[i].num != c->num)
			return true;
	return false;
}

void names_suggest_constant(struct suggestion *s, const struct xlat *const *tables, size_t n)
{
	const struct xlat *table;

	for (size_t i = 0; (table = table_at(tables, n, i)); i++)
		for (uint32_t j = 0; j < table->n; j++)
			suggestion_consider(s, table->entries[j].name);
}

static const struct struct_desc *const structs[] = {
#define STRUCT_NAME(s) &struct_##s,
#include "linux/struct_names.h"
};

static const char *const made_members[] = {
#define MADE_MEMBER(name) #name,
#include "query/members.def"
#undef MADE_MEMBER
};

/*
 * Calls visit() for the name of each member, until visit() returns true. Returns true in this case.
 */
static bool each_member(bool (*visit)(void *ctx, const char *name), void *ctx)
{
	for (size_t i = 0; i < ARRAY_SIZE(structs); i++)
		for (unsigned j = 0; j < structs[i]->nfields; j++)
			if (visit(ctx, structs[i]->fields[j].name))
				return true;
	for (size_t i = 0; i < ARRAY_SIZE(made_members); i++)
		if (visit(ctx, made_members[i]))
			return true;
	return false;
}

static bool is_same(void *ctx, const char *name)
{
	return name && !strcmp(ctx, name);
}

static bool suggest(void *ctx, const char *name)
{
	if (name)
		suggestion_consider(ctx, name);
	return false;
}

bool names_is_member(const char *name)
{
	return each_member(is_same, (void *)name);
}

void names_suggest_member(struct suggestion *s)
{
	each_member(suggest, s);
}

bool names_is_syscall(const char *name)
{
	return syscall_desc_find(name) >= 0;
}

void names_suggest_syscall(struct suggestion *s)
{
	for (unsigned i = 0; i < syscall_desc_count; i++)
		suggestion_consider(s, syscall_descs[i].name);
}

uint32_t names_class(const char *name)
{
	const char *known;
	uint32_t bits;

	name += *name == '%';
	for (unsigned i = 0; (known = syscall_class_name(i, &bits)); i++)
		if (!strcmp(known, name))
			return bits;
	return 0;
}

void names_suggest_class(struct suggestion *s)
{
	const char *known;
	uint32_t bits;

	for (unsigned i = 0; (known = syscall_class_name(i, &bits)); i++)
		suggestion_consider(s, known);
}

bool names_is_abi(const char *name)
{
	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (!strcmp(abis[i].name, name))
			return true;
	return false;
}

void names_suggest_abi(struct suggestion *s)
{
	for (unsigned i = 0; i < ABI_COUNT; i++)
		suggestion_consider(s, abis[i].name);
}
