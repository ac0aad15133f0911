/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/device/device_btrfs.h"

#include <string.h>

struct value *btrfs_subvol_flags(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type flags = FLAGS64(btrfs_snap_flags_v2);

	return decode_at(d, &flags, n);
}

struct value *btrfs_compat(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_hex(d->arena, n);

	if (n)
		v->comment = "BTRFS_FEATURE_COMPAT_???";
	v->text |= TEXT_COMMENT_READS;
	return v;
}

struct value *btrfs_supported_features(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	static const char *const notes[] = {"supported", "safe to set", "safe to clear"};
	const struct type sets = ARRAY_TUPLE(STRUCT(btrfs_feature_flags), 3);
	struct value *v = decode_number(d, &sets, n);
	size_t i = 0;

	if (v->kind == VALUE_ARRAY)
		for (struct value *m = v->child; m && i < ARRAY_SIZE(notes); m = m->next)
			m->comment = notes[i++];
	return v;
}

/* ---- balance and replace operations ---- */

static const struct type balance = STRUCT(btrfs_balance);

struct value *btrfs_balance_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_changing(d->arena, decode_at(d, &balance, n));
}

struct value *btrfs_balance_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (d->failed)
		return NULL;
	v = value_change(d->arena, (struct value *)d->before, decode_at(d, &balance, n));
	v->text |= TEXT_TWICE;
	return v;
}

struct value *btrfs_per_mille(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);

	if (n <= 1000)
		v->comment = arena_printf(d->arena, "%u.%u%%", (unsigned)n / 10, (unsigned)n % 10);
	return v;
}

/* ---- space information, paths and inodes ---- */

struct value *btrfs_space_flags(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct xlat *noted = arena_alloc(d->arena, sizeof(*noted));

	/*
	 * The names in the table are right, but strace 7.2 shows a different comment for unknown
	 * bits.
	 */
	*noted = xlat_btrfs_space_info_flags;
	noted->unknown = "BTRFS_SPACE_INFO_???";
	return value_flags(d->arena, noted, n);
}

#define PATHS_MAX	 (1u << 20)
#define CONTAINER_VAL_AT 16 /* offset of val in struct btrfs_data_container */

struct value *btrfs_path(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	/* Many entries can refer to the same long path, so limit the total length of the paths. */
	if (d->left > PATHS_MAX)
		return value_new(d->arena, VALUE_MORE, 0);
	v = decode_path(d, d->scope->addr + CONTAINER_VAL_AT + n);
	if (v->kind == VALUE_STRING)
		d->left += v->len;
	return v;
}

struct value *btrfs_inode_list(struct decoder *d, const struct type *t attr_unused,
			       uint64_t n attr_unused)
{
	struct type inodes = ARRAY(STRUCT(btrfs_inode), N(0));

	inodes.len.n = decode_field(d, "elem_cnt") / 3;
	return decode_at(d, &inodes, d->scope->addr + CONTAINER_VAL_AT);
}

bool btrfs_treeid_was_zero(const struct decoder *d)
{
	const struct value *treeid = d->before ? value_member(d->before, "treeid") : NULL;

	return treeid && !treeid->num;
}

/* ---- searching ---- */

/* offset in struct btrfs_ioctl_search_key, which is the first member of the request's struct */
#define KEY_NR_ITEMS_AT 64
#define HEADER_LEN_AT	28 /* offset in struct btrfs_ioctl_search_header */
#define SEARCH_BUF_SIZE 3992

static struct value *items_memory(struct decoder *d, const struct type *t attr_unused,
				  uint64_t addr, const uint8_t *bytes attr_unused,
				  size_t len attr_unused)
{
	const struct type header = STRUCT(btrfs_search_header);
	bool v2 = d->scope->desc == &struct_btrfs_search_args_v2;
	uint64_t size = v2 ? decode_field(d, "buf_size") : SEARCH_BUF_SIZE, at = 0;
	struct value *v = value_array(d->arena);
	size_t header_size = decode_size(d->abi, &header);
	uint32_t count, item_len;

	memcpy(&count, d->scope->bytes + KEY_NR_ITEMS_AT, sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *item;
		int err;

		if (size < header_size || at > size - header_size || i == DECODE_ELEMS_MAX) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		item = decode_read_new(d, addr + at, header_size, &err);
		if (!item) {
			value_add(v, value_more_at(d->arena, addr + at, err));
			break;
		}
		value_add(v, decode_bytes(d, &header, addr + at, item, header_size));
		memcpy(&item_len, item + HEADER_LEN_AT, sizeof(item_len));
		at += header_size + item_len;
	}
	return v;
}

const struct type_ops type_btrfs_items = {.name = "btrfs_items", .memory = items_memory};

static struct value *stats_memory(struct decoder *d, const struct type *t attr_unused,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	uint64_t count = decode_field(d, "nr_items"), n;
	struct value *v = value_array(d->arena);

	for (uint64_t i = 0; i < count; i++) {
		struct value *index;

		if (!xlat_name(&xlat_btrfs_dev_stats, i) || (i + 1) * sizeof(n) > len) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		memcpy(&n, bytes + i * sizeof(n), sizeof(n));
		index = value_enum(d->arena, &xlat_btrfs_dev_stats, i);
		index->text |= TEXT_DECIMAL;
		value_add(v, value_indexed(d->arena, index, value_uint(d->arena, n)));
	}
	return v;
}

const struct type_ops type_btrfs_stats = {.name = "btrfs_stats", .memory = stats_memory};

/* ---- the memory that the decoders above read ---- */

const struct custom_reads btrfs_reads[] = {
	CUSTOM(btrfs_subvol_flags, PTR(U64)),
	CUSTOM(btrfs_supported_features, ARRAY(STRUCT(btrfs_feature_flags), N(3))),
	CUSTOM(btrfs_balance_entry, STRUCT(btrfs_balance)),
	CUSTOM(btrfs_balance_exit, STRUCT(btrfs_balance)),

	CUSTOM_MEMORY(type_btrfs_items, BYTES(N(65536))),
	CUSTOM(btrfs_path, BYTES(N(4096))),
	CUSTOM(btrfs_inode_list, BYTES(N(4096))),
	{0}};
