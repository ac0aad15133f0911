/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Builds tables from the rows of linux/syscalls/ and linux/variants/. */
#include <string.h>

#include "linux/families.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"

#define VARIANTS_BEGIN(v, ...) extern const struct variants variants_##v;
#define VARIANT(...)
#define VARIANT_64(...)
#define VARIANT_X86(...)
#define VARIANT_ALSO(...)
#define VARIANT_GROWS(...)
#define VARIANT_WHOLE(...)
#define VARIANTS_END(...)
#include "linux/variants_all.h"
#undef VARIANTS_BEGIN
#undef VARIANT
#undef VARIANT_64
#undef VARIANT_X86
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
#define VARIANT_X86(v, r, ...)                                                                     \
	{.value_name = #v,                                                                         \
	 .only_x86 = true,                                                                         \
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
	const struct variants variants_##v = {                                                     \
		.name = #v,                                                                        \
		.key = &key_##v,                                                                   \
		.rows = variant_rows_##v,                                                          \
		.n = ARRAY_SIZE(variant_rows_##v),                                                 \
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
/* A call that is made through the call p, such as ipc(2), but is shown under its own name. */
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

const struct custom_reads *const custom_families[] = {
	aio_reads,   block_reads,   bpf_reads,	  btrfs_reads, console_reads, creds_reads,
	file_reads,  input_reads,   ioctl_reads,  iovec_reads, ipc_reads,     kernel_reads,
	mm_reads,    mmsg_reads,    mount_reads,  net_reads,   netdev_reads,  perf_reads,
	poll_reads,  process_reads, ptrace_reads, sched_reads, system_reads,  time_reads,
	uring_reads, video_reads,   NULL};

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
