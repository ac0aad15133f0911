/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ioctl requests of special descriptors, such as pidfds, seccomp listeners and perf events. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/device/device.h"
#include "decode/process/process.h"

/*
 * At entry, shows only the first member of the struct at addr, which is the caller's request. The
 * other members, which the kernel stores, are added at exit. name and type describe the first
 * member. If it cannot be read, returns its address.
 */
static struct value *asked(struct decoder *d, uint64_t addr, const char *name,
			   const struct type *type)
{
	struct value *v, *first;

	first = decode_at(d, type, addr);
	if (first->kind == VALUE_ADDR)
		return first;
	v = value_struct(d->arena);
	value_add_named(v, name, first);
	v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *pidfd_exit_code(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_array(d->arena);

	value_add(v, decode_wait_status(d, t, n));
	return v;
}

struct value *pidfd_info_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type mask = FLAGS64(pidfd_info_masks);

	return asked(d, n, "mask", &mask);
}

/*
 * Adds the members of a struct pidfd_info (linux/pidfd.h) that the kernel has stored. The size of
 * the struct depends on the version of the caller's headers, and is part of the request number.
 */
struct value *pidfd_info_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type info = STRUCT(pidfd_info);
	size_t size = size_min(decode_arg_raw(d, 1) >> 16 & 0x3fff, decode_size(d->abi, &info));
	struct value *v = NULL;
	uint8_t *bytes;

	bytes = d->failed ? NULL : decode_read_new(d, n, size, NULL);
	if (bytes) {
		d->only_out = true;
		v = decode_bytes(d, &info, n, bytes, size);
		d->only_out = false;
	}
	return value_extended(d->arena, d->before, v);
}

/* The kernel requires all bytes of the struct to be zero. If they are not, shows it at entry. */
struct value *seccomp_notification(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type notif = STRUCT(seccomp_notif);
	size_t size = decode_size(d->abi, &notif);
	struct value *v;
	uint8_t *bytes;

	bytes = n && !(d->mode & DECODE_NO_DEREF) ? decode_read_new(d, n, size, NULL) : NULL;
	if (!bytes)
		return value_addr(d->arena, n);
	for (size_t i = 0; i < size; i++) {
		if (!bytes[i])
			continue;
		v = value_changing(d->arena, decode_bytes(d, &notif, n, bytes, size));
		value_add(v, value_pending(d->arena));
		return v;
	}
	return NULL;
}

struct value *device_question(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = decode_at(d, t->other, n);

	return v->kind == VALUE_STRUCT ? value_changing(d->arena, v) : v;
}

struct value *device_answer(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = d->failed ? value_addr(d->arena, n) : decode_at(d, t->other, n);

	return d->before ? value_change(d->arena, (struct value *)d->before, v) : v;
}

struct value *ret_fd_if_struct(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct value *argp = d->ev->base.args[2].in;

	return argp && (argp->kind == VALUE_STRUCT || argp->kind == VALUE_CHANGE)
		       ? decode_fd(d, n)
		       : value_int(d->arena, (int)n);
}

static void flag_found(void *ctx, const struct xlat_entry *e attr_unused)
{
	*(bool *)ctx = true;
}

struct value *new_fd_flags(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_flags(d->arena, &xlat_open_flags, n);
	bool found = !n;

	value_flags_split(&xlat_open_flags, n, flag_found, &found);
	if (!found) {
		v->comment = "O_???";
		v->text |= TEXT_COMMENT_READS;
	}
	return v;
}

/* ---- trusted execution environments (linux/tee.h) ---- */

#define TEE_ATTR_META 0x100 /* TEE_IOCTL_PARAM_ATTR_META */

struct value *tee_attr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t attr = n;
	struct value *v =
		value_enum(d->arena, &xlat_tee_param_attrs, attr & ~(uint32_t)TEE_ATTR_META);
	struct value *both;

	if (!(attr & TEE_ATTR_META))
		return v;
	both = value_or(d->arena, n);
	both->text |= TEXT_EACH;
	value_add(both, v);
	v = value_add(both, value_word(d->arena, "TEE_IOCTL_PARAM_ATTR_META", TEE_ATTR_META));
	v->text |= TEXT_ALWAYS | TEXT_PLAIN;
	return both;
}

struct value *tee_params(struct decoder *d, const struct type *t attr_unused,
			 uint64_t n attr_unused)
{
	const struct type params = ARRAY(STRUCT(tee_param), FIELD(num_params));

	if (!decode_field(d, "num_params"))
		return value_addr(d->arena, 0);
	return decode_at(d, &params, d->scope->addr + struct_size(d->abi, d->scope->desc));
}

/* Returns true if the size of the buffer is exactly that of the struct with its parameters. */
static bool tee_is_whole(struct decoder *d, const struct struct_desc *desc, uint64_t addr)
{
	size_t size = struct_size(d->abi, desc), param = struct_size(d->abi, &struct_tee_param);
	uint64_t given = decode_field(d, "buf_len");
	uint32_t count;

	/* In all structs of TEE requests, the last member is the number of parameters. */
	return given >= size && given - size <= DECODE_BYTES_MAX &&
	       decode_read(d, addr + size - sizeof(count), &count, sizeof(count)) == 0 &&
	       given - size == (uint64_t)count * param;
}

struct value *tee_argument_entry(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct type argument = {.ops = &type_struct, .desc = t->shape};

	return tee_is_whole(d, t->shape, n) ? decode_at(d, &argument, n) : value_addr(d->arena, n);
}

struct value *tee_argument_exit(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct type argument = {.ops = &type_struct, .desc = t->shape};
	const struct value *before = d->before ? value_member(d->before, "buf_ptr") : NULL;

	return before && before->kind == VALUE_STRUCT ? decode_at(d, &argument, n) : NULL;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads kernel_reads[] = {
	CUSTOM(seccomp_notification, STRUCT(seccomp_notif)),
	CUSTOM(pidfd_info_entry, HEX64),
	CUSTOM_OPS(pidfd_info_exit, REQUEST_SIZE(PLAN_OWN_ARG, PLAN_WHOLE)),
	CUSTOM(device_question, STRUCT(rtc_param_get)),
	CUSTOM(device_answer, STRUCT(rtc_param_get)),
	CUSTOM(device_answer, STRUCT(seccomp_notif)),
	CUSTOM(tee_argument_entry, BYTES(N(4096))),
	CUSTOM(tee_argument_exit, BYTES(N(4096))),
	{0}};
