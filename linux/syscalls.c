/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of linux/syscalls/ and linux/variants/ as tables, and how they are found. */
#include <stdlib.h>
#include <string.h>

#include "linux/families.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "util/mem.h"

#define VARIANTS_BEGIN(v) extern const struct variants variants_##v;
#define VARIANT(...)
#define VARIANT_NR(...)
#define VARIANTS_END(...)
#include "linux/variants_all.h"
#undef VARIANTS_BEGIN
#undef VARIANT
#undef VARIANT_NR
#undef VARIANTS_END

#define VARIANTS_BEGIN(v) static const struct variant variant_rows_##v[] = {
#define VARIANT(v, r, ...)                                                                         \
	{.value_name = #v, .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANT_NR(v, nr, r, ...)                                                                  \
	{.value_name = #v,                                                                         \
	 .value = (nr),                                                                            \
	 .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANTS_END(v, r, ...)                                                                    \
	}                                                                                          \
	;                                                                                          \
	static struct variant_index variant_index_##v, variant_index_i386_##v attr_unused;         \
	const struct variants variants_##v = {                                                     \
		.reg = (r),                                                                        \
		.names = __VA_ARGS__,                                                              \
		.rows = variant_rows_##v,                                                          \
		.n = ARRAY_SIZE(variant_rows_##v),                                                 \
		.index = &variant_index_##v,                                                       \
		.index_i386 = &variant_index_i386_##v,                                             \
	};
#include "linux/variants_all.h"

#define SYSCALL(n, r, f, ...)                                                                      \
	[ROW_##n] = {.name = #n, .ret = r, .flags = (f), SYSCALL_ARGS_(__VA_ARGS__)},
#define SYSCALLV(n, r, f, v, ...)                                                                  \
	[ROW_##n] = {.name = #n,                                                                   \
		     .ret = r,                                                                     \
		     .flags = (f),                                                                 \
		     .variants = &variants_##v,                                                    \
		     SYSCALL_ARGS_(__VA_ARGS__)},
/* A call made by way of call p, and shown under its own name. */
#define SUBCALL(p, n, r, f, ...)                                                                   \
	[ROW_##p##_##n] = {.name = #n, .ret = r, .flags = (f), SYSCALL_ARGS_(__VA_ARGS__)},
#define SUBCALLV(p, n, r, f, v, ...)                                                               \
	[ROW_##p##_##n] = {.name = #n,                                                             \
			   .ret = r,                                                               \
			   .flags = (f),                                                           \
			   .variants = &variants_##v,                                              \
			   SYSCALL_ARGS_(__VA_ARGS__)},
const struct syscall_desc syscall_descs[] = {
#include "linux/syscalls_all.h"
};
#undef SYSCALL
#undef SYSCALLV
#undef SUBCALL
#undef SUBCALLV

const unsigned syscall_desc_count = ROW_COUNT;

const struct hatch_reads *const hatch_families[] = {process_reads, NULL};

/* ---- variants ---- */

static int variant_cmp(const void *a, const void *b, void *ctx attr_unused)
{
	const struct variant_pair {
		uint64_t value;
		const struct variant *variant;
	} *pa = a, *pb = b;

	return pa->value < pb->value ? -1 : pa->value > pb->value;
}

/*
 * Moves a row of x86_64's number to the one that its name has in 32 bits; false: its argument is
 * not looked at there.
 */
static bool value_i386(const struct variants *v, const struct variant *row, uint64_t *value)
{
	const struct xlat_entry *native = xlat_find(v->names_64, row->value_name);
	const struct xlat_entry *e = xlat_find(v->names_i386, row->value_name);

	/* As strace 7.2 has it: of these, whose arguments are longs, only two. */
	if (!strncmp(row->value_name, "HDIO_", 5) && strcmp(row->value_name, "HDIO_GETGEO") &&
	    strcmp(row->value_name, "HDIO_DRIVE_CMD"))
		return false;
	if (e && native && native->val == row->value)
		*value = e->val;
	return true;
}

static void variants_index(const struct variants *v, struct variant_index *index)
{
	struct pair {
		uint64_t value;
		const struct variant *variant;
	} *pairs = mem_alloc(v->n * sizeof(*pairs));
	unsigned n = 0;

	for (unsigned i = 0; i < v->n; i++) {
		const struct variant *row = &v->rows[i];
		const struct xlat_entry *e;

		pairs[n].value = row->value;
		pairs[n].variant = row;
		if (v->names) {
			e = xlat_find(v->names, row->value_name);
			if (!e)
				continue; /* tests/unit/test_tables.c finds misspelt rows */
			pairs[n].value = e->val;
		}
		if (index == v->index_i386 && !value_i386(v, row, &pairs[n].value))
			continue;
		n++;
	}
	qsort_r(pairs, n, sizeof(*pairs), variant_cmp, NULL);
	index->sorted = mem_alloc(n * sizeof(index->sorted[0]));
	index->values = mem_alloc(n * sizeof(index->values[0]));
	for (unsigned i = 0; i < n; i++) {
		index->sorted[i] = pairs[i].variant;
		index->values[i] = pairs[i].value;
	}
	index->n = n;
	free(pairs);
}

static const struct variant *variants_find(const struct variants *v, const struct abi *abi,
					   uint64_t value)
{
	struct variant_index *index = v->names_i386 && abi->compat ? v->index_i386 : v->index;
	size_t lo = 0, hi;

	if (!index->sorted)
		variants_index(v, index);
	for (hi = index->n; lo < hi;) {
		size_t mid = (lo + hi) / 2;

		if (index->values[mid] < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < index->n && index->values[lo] == value ? index->sorted[lo] : NULL;
}

const struct syscall_desc *syscall_desc_select(const struct syscall_desc *desc,
					       const struct abi *abi, const uint64_t *args)
{
	const struct variants *v = desc->variants;
	const struct variant *found = NULL;

	if (v)
		found = variants_find(v, abi, args[v->reg] & (v->mask ? v->mask : 0xffffffff));
	return found ? &found->desc : desc;
}

/* ---- classes ---- */

static bool is_fd(const struct type *t)
{
	return t->ops == &type_fd;
}

static bool is_path(const struct type *t)
{
	return t->ops == &type_string && t->flags & TYPE_F_PATH;
}

enum watch syscall_arg_watch(const struct arg_desc *a, bool in_variant)
{
	if (a->watch != WATCH_BY_TYPE)
		return a->watch;
	if (in_variant)
		return WATCH_NONE;
	if (is_fd(&a->type))
		return WATCH_FD;
	return is_path(&a->type) ? WATCH_PATH : WATCH_NONE;
}

uint32_t syscall_desc_classes(const struct syscall_desc *desc)
{
	uint32_t classes = desc->flags;

	for (unsigned i = 0; i < desc->nargs; i++) {
		const struct arg_desc *a = &desc->args[i];

		if (is_path(&a->type))
			classes |= CLASS_FILE;
		if (is_fd(&a->type))
			classes |= CLASS_DESC;
	}
	if (desc->flags & CLASS_NOT_FILE)
		classes &= ~CLASS_FILE;
	if (desc->flags & CLASS_NOT_DESC)
		classes &= ~CLASS_DESC;
	return classes;
}

int syscall_desc_find(const char *name)
{
	for (unsigned i = 0; i < syscall_desc_count; i++)
		if (!strcmp(syscall_descs[i].name, name))
			return i;
	return -1;
}
