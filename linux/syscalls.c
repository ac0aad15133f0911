/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of linux/syscalls/ and linux/variants/ as tables, and how they are found. */
#include <stdlib.h>
#include <string.h>

#include "linux/families.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "util/mem.h"

#define VARIANTS_BEGIN(v, ...) extern const struct variants variants_##v;
#define VARIANT(...)
#define VARIANT_64(...)
#define VARIANT_ALSO(...)
#define VARIANT_GROWS(...)
#define VARIANT_WHOLE(...)
#define VARIANTS_END(...)
#include "linux/variants_all.h"
#undef VARIANTS_BEGIN
#undef VARIANT
#undef VARIANT_64
#undef VARIANT_ALSO
#undef VARIANT_GROWS
#undef VARIANT_WHOLE
#undef VARIANTS_END

/* clang-format off */
#define VARIANTS_BEGIN(v, r, x, ...)                                                               \
	static const struct arg_desc prefix_##v[] = {__VA_ARGS__};                                 \
	static const struct variants_key key_##v = {                                               \
		.reg = (r), .names = (x), .prefix = prefix_##v, .nprefix = ARRAY_SIZE(prefix_##v)  \
	};                                                                                         \
	static const struct variant variant_rows_##v[] = {
#define VARIANT(v, r, ...)                                                                         \
	{.value_name = #v, .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANT_64(v, r, ...)                                                                      \
	{.value_name = #v,                                                                         \
	 .only_64 = true,                                                                          \
	 .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANT_ALSO(v, other, r, ...)                                                             \
	{.value_name = #v,                                                                         \
	 .also = #other,                                                                           \
	 .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANT_GROWS(size, v, r, ...)                                                             \
	{.value_name = #v,                                                                         \
	 .grows_from = (size),                                                                     \
	 .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANT_WHOLE(v, r, ...)                                                                   \
	{.value_name = #v,                                                                         \
	 .whole = true,                                                                            \
	 .desc = {.name = #v, .ret = r, SYSCALL_ARGS_(__VA_ARGS__)}},
#define VARIANTS_END(v, ...)                                                                       \
	};                                                                                         \
	static struct variant_index variant_index_##v[ABI_COUNT];                                  \
	const struct variants variants_##v = {                                                     \
		.name = #v,                                                                        \
		.key = &key_##v,                                                                   \
		.rows = variant_rows_##v,                                                          \
		.n = ARRAY_SIZE(variant_rows_##v),                                                 \
		.index = variant_index_##v,                                                        \
		__VA_ARGS__                                                                        \
	};
/* clang-format on */
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

const struct hatch_reads *const hatch_families[] = {
	aio_reads,     block_reads,  bpf_reads,	  btrfs_reads,	console_reads, creds_reads,
	file_reads,    input_reads,  ioctl_reads, iovec_reads,	ipc_reads,     kernel_reads,
	mm_reads,      mount_reads,  net_reads,	  netdev_reads, perf_reads,    poll_reads,
	process_reads, ptrace_reads, sched_reads, system_reads, time_reads,    uring_reads,
	video_reads,   NULL};

/* ---- variants ---- */

struct pair {
	uint64_t value;
	const struct variant *row;
};

static int pair_cmp(const void *a, const void *b)
{
	const struct pair *pa = a, *pb = b;

	return pa->value < pb->value ? -1 : pa->value > pb->value;
}

/* Where the names of a list are looked up: the first of these tables that has one. */
struct name_tables {
	struct xlat_names *of_abi; /* NULL: numbers are the same in every ABI */
	struct xlat_names *of_all;
};

static struct name_tables name_tables_new(const struct variants *v, const struct abi *abi)
{
	const struct xlat *own = v->ioctls ? abi->ioctls : NULL;

	return (struct name_tables){
		.of_abi = own && own != v->key->names ? xlat_names_new(own) : NULL,
		.of_all = xlat_names_new(v->key->names),
	};
}

static void name_tables_free(struct name_tables *tables)
{
	xlat_names_free(tables->of_abi);
	xlat_names_free(tables->of_all);
}

/* The number that a row stands for in an ABI; false: it does not exist there. */
static bool variant_value(const struct variants *v, const struct variant *row,
			  const struct abi *abi, const struct name_tables *tables, uint64_t *value)
{
	const struct xlat_entry *e = NULL;

	if (row->only_64 && abi->compat)
		return false;
	if (tables->of_abi)
		e = xlat_names_find(tables->of_abi, row->value_name);
	if (!e)
		e = xlat_names_find(tables->of_all, row->value_name);
	if (e)
		*value = e->val << v->shift;
	return e; /* tests/unit/test_sweep.c finds misspelt rows */
}

static void index_make(const struct variants *v, const struct abi *abi, struct variant_index *index)
{
	struct pair *pairs = mem_alloc(v->n * sizeof(*pairs));
	struct name_tables tables = name_tables_new(v, abi);
	unsigned n = 0;

	for (unsigned i = 0; i < v->n; i++) {
		pairs[n].row = &v->rows[i];
		if (variant_value(v, &v->rows[i], abi, &tables, &pairs[n].value))
			n++;
	}
	name_tables_free(&tables);
	qsort(pairs, n, sizeof(*pairs), pair_cmp);
	index->sorted = mem_alloc(n * sizeof(index->sorted[0]));
	index->values = mem_alloc(n * sizeof(index->values[0]));
	index->descs = mem_zalloc(n * sizeof(index->descs[0]));
	for (unsigned i = 0; i < n; i++) {
		index->sorted[i] = pairs[i].row;
		index->values[i] = pairs[i].value;
	}
	index->n = n;
	index->growing = mem_alloc(n * sizeof(index->growing[0]));
	for (unsigned i = 0; i < n; i++)
		if (pairs[i].row->grows_from)
			index->growing[index->ngrowing++] = i;
	free(pairs);
}

const struct variant_index *syscall_variants(const struct variants *v, const struct abi *abi)
{
	struct variant_index *index = &v->index[v->ioctls ? abi->index : 0];

	if (!index->sorted)
		index_make(v, abi, index);
	return index;
}

/* A row with the arguments that it shares with the others of its list before its own. */
static const struct syscall_desc *desc_with_prefix(const struct variants *v,
						   const struct variant *row)
{
	unsigned nprefix = row->whole ? 0 : v->key->nprefix, n = nprefix + row->desc.nargs;
	struct syscall_desc *desc;
	struct arg_desc *args;

	if (!nprefix)
		return &row->desc;
	desc = mem_alloc(sizeof(*desc) + n * sizeof(*args));
	args = (struct arg_desc *)(desc + 1);
	memcpy(args, v->key->prefix, nprefix * sizeof(*args));
	memcpy(args + nprefix, row->desc.args, row->desc.nargs * sizeof(*args));
	*desc = row->desc;
	desc->args = args;
	desc->nargs = n;
	return desc;
}

/* asm-generic/ioctl.h: number and type of a request are its lower half, above it is the size. */
#define IOC_SIZE_SHIFT 16
#define IOC_SIZE_MASK  0x3fff

/* A request in another size than its row's: where that is, or index->n. */
static size_t growing_row(const struct variant_index *index, uint64_t value)
{
	for (unsigned i = 0; i < index->ngrowing; i++) {
		unsigned row = index->growing[i];

		if ((uint16_t)index->values[row] == (uint16_t)value &&
		    (value >> IOC_SIZE_SHIFT & IOC_SIZE_MASK) >= index->sorted[row]->grows_from)
			return row;
	}
	return index->n;
}

const struct syscall_desc *syscall_desc_select(const struct syscall_desc *desc,
					       const struct abi *abi, const uint64_t *args)
{
	const struct variants *v = desc->variants;
	const struct variant_index *index;
	size_t lo = 0, hi;
	uint64_t value;

	if (!v)
		return desc;
	index = syscall_variants(v, abi);
	value = args[v->key->reg] & (v->mask ? v->mask : 0xffffffff);
	for (hi = index->n; lo < hi;) {
		size_t mid = (lo + hi) / 2;

		if (index->values[mid] < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == index->n || index->values[lo] != value)
		lo = growing_row(index, value);
	if (lo == index->n)
		return desc;
	if (!index->descs[lo])
		index->descs[lo] = desc_with_prefix(v, index->sorted[lo]);
	return index->descs[lo];
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
