/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/creds.h"

#include "decode/fd.h"

#include <string.h>

static struct value *unreadable(struct decoder *d, uint64_t addr)
{
	return value_unreadable(d->arena, addr, -EFAULT);
}

/* ---- keyctl(2) ---- */

struct value *decode_key_serial(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const char *name = xlat_name(&xlat_key_special_ids, (int64_t)(int)n);
	struct value *v;

	if (!name || !n)
		return value_int(d->arena, (int)n);
	v = value_word(d->arena, name, (int64_t)(int)n);
	v->flags |= VALUE_F_DECIMAL;
	return v;
}

struct value *decode_reqkey(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_enum(d->arena, &xlat_key_reqkeys, (int64_t)(int)n);

	v->flags |= VALUE_F_DECIMAL | VALUE_F_COMMENT_READS;
	if (!xlat_name(&xlat_key_reqkeys, (int64_t)(int)n))
		v->comment = xlat_key_reqkeys.unknown;
	return v;
}

/* What was returned, as far as there was room for it. */
static uint64_t returned(const struct decoder *d)
{
	/* A result that looks negative is not cut. */
	return d->ev->ret < 0 ? (uint64_t)d->ev->ret : size_min(d->ev->ret, decode_arg_raw(d, 3));
}

struct value *decode_key_data(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_buffer(d, n, returned(d));
}

struct value *decode_key_text(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = decode_buffer(d, n, returned(d));

	if (v->kind == VALUE_STRING && v->len && !v->str[v->len - 1])
		v->flags |= VALUE_F_LAST_NUL;
	return v;
}

struct value *decode_key_error(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!xlat_name(&xlat_errnos, n))
		return value_uint(d->arena, n);
	v = value_enum(d->arena, &xlat_errnos, n);
	v->flags |= VALUE_F_UDECIMAL;
	return v;
}

struct value *decode_key_caps(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct xlat *const tables[] = {&xlat_keyctl_caps0, &xlat_keyctl_caps1};
	struct type bytes = ARRAY(HEX8, N(0));
	struct value *v, *e;

	bytes.len.n = size_min(size_min(d->ev->ret, decode_arg_raw(d, 2)), UINT32_MAX);
	v = decode_at(d, &bytes, n);
	e = v->kind == VALUE_ARRAY ? v->child : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(tables) && e && e->kind == VALUE_HEX; i++, e = e->next) {
		e->kind = VALUE_FLAGS;
		e->table = tables[i];
	}
	return v;
}

/* Lengths within struct keyctl_pkey_params, which the first argument points to. */
struct value *decode_kdf(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type kdf = STRUCT(keyctl_kdf_params);

	return decode_anyway(d, &kdf, n);
}

bool kdf_has_info(const struct decoder *d)
{
	return decode_field(d, "otherinfolen");
}

bool kdf_has_no_info(const struct decoder *d)
{
	return !kdf_has_info(d);
}

static struct value *pkey_buffer(struct decoder *d, uint64_t n, unsigned word)
{
	uint32_t params[3];

	if (d->mode & DECODE_NO_DEREF ||
	    decode_read(d, decode_arg_raw(d, 1), params, sizeof(params)) < 0)
		return value_addr(d->arena, n);
	return decode_buffer(d, n, params[word]);
}

struct value *decode_pkey_in(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return pkey_buffer(d, n, 1);
}

struct value *decode_pkey_in2(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return pkey_buffer(d, n, 2);
}

struct value *decode_pkey_out(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return pkey_buffer(d, n, 2);
}

/* ---- setgroups(2) ---- */

#define GROUPS_MAX 65536 /* NGROUPS_MAX */

static const struct type groups = ARRAY(GID, A0), groups16 = ARRAY(UID16, A0);

static struct value *setgroups(struct decoder *d, const struct type *t, uint64_t n)
{
	if ((uint32_t)decode_arg_raw(d, 0) > GROUPS_MAX)
		return value_addr(d->arena, n);
	return decode_at(d, t, n);
}

struct value *decode_setgroups(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return setgroups(d, &groups, n);
}

struct value *decode_setgroups16(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return setgroups(d, &groups16, n);
}

/* ---- seccomp(2), landlock(7) ---- */

#define NEW_LISTENER 0x8 /* SECCOMP_FILTER_FLAG_NEW_LISTENER */

struct value *decode_ret_seccomp(struct decoder *d, const struct type *t, uint64_t n)
{
	if (decode_arg_raw(d, 1) & NEW_LISTENER)
		return decode_ret_maybe_fd(d, t, n);
	return value_uint(d->arena, n);
}

struct value *decode_ret_landlock(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	/* With flags it asks for a version, not for a ruleset. */
	if ((uint32_t)decode_arg_raw(d, 2))
		return value_uint(d->arena, n);
	v = decode_fd(d, (int)n);
	v->num = n;
	return v;
}

struct value *decode_landlock_ruleset(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	static const struct type attr = STRUCT(landlock_ruleset);
	size_t known = struct_size(d->abi, &struct_landlock_ruleset), len;
	uint64_t given = decode_arg_raw(d, 1);
	struct value *v;
	uint8_t *bytes;

	if (!n || given < sizeof(uint64_t) || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	len = align_up(size_min(given, known), sizeof(uint64_t));
	bytes = arena_zalloc(d->arena, len);
	if (decode_read(d, n, bytes, size_min(given, known)) < 0)
		return unreadable(d, n);
	v = decode_bytes(d, &attr, n, bytes, len);
	if (given > known)
		v->flags |= VALUE_F_MORE;
	return v;
}

/* ---- lsm_get_self_attr(2), lsm_set_self_attr(2) ---- */

#define LSM_CTX_SIZE	32
#define LSM_FLAG_SINGLE 1
#define LSM_CTX_MAX	4096 /* more of them at once are not shown */

struct value *decode_lsm_id(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_enum(d->arena, &xlat_lsm_ids, n);

	v->flags |= VALUE_F_NO_UNKNOWN;
	return v;
}

/* A struct lsm_ctx in room for size bytes; *len is how long it says it is. NULL: unreadable. */
static struct value *lsm_ctx(struct decoder *d, uint64_t addr, uint64_t size, uint64_t *len)
{
	static const struct type head = STRUCT(lsm_ctx);
	uint8_t *bytes = decode_read_new(d, addr, LSM_CTX_SIZE, NULL);
	uint64_t ctx_len;
	struct value *v, *ctx;

	if (!bytes)
		return NULL;
	v = decode_bytes(d, &head, addr, bytes, LSM_CTX_SIZE);
	*len = value_member(v, "len")->num;
	if (*len <= LSM_CTX_SIZE)
		return v;
	ctx_len = size_min(value_member(v, "ctx_len")->num, size_min(*len, size) - LSM_CTX_SIZE);
	if (!ctx_len)
		return v;
	ctx = value_add_named(v, "ctx", decode_buffer(d, addr + LSM_CTX_SIZE, ctx_len));
	if (ctx->kind == VALUE_STRING)
		ctx->flags |= VALUE_F_HEX_STRING;
	return v;
}

struct value *decode_lsm_ctx(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t size = decode_arg_raw(d, 2);
	struct value *v;
	uint64_t len;

	if (!n || size < LSM_CTX_SIZE || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	v = lsm_ctx(d, n, size, &len);
	return v ? v : unreadable(d, n);
}

/* What was got: structs as long as each says, in as many bytes as the third argument points to. */
static struct value *lsm_ctxs(struct decoder *d, uint64_t addr)
{
	struct value *list = value_array(d->arena), *v;
	uint64_t at = addr, len = 0;
	uint32_t left;

	if (d->failed || !addr || d->mode & DECODE_NO_DEREF ||
	    decode_read(d, decode_arg_raw(d, 2), &left, sizeof(left)))
		return value_addr(d->arena, addr);
	for (unsigned i = 0; left && i < LSM_CTX_MAX; i++) {
		v = left < LSM_CTX_SIZE ? NULL : lsm_ctx(d, at, left, &len);
		if (!v && list->child) {
			v = value_add(list, value_new(d->arena, VALUE_MORE, at));
			v->comment = arena_printf(d->arena, "%#llx", (unsigned long long)at);
		}
		if (!v || v->kind == VALUE_MORE)
			break;
		value_add(list, v);
		if (len < LSM_CTX_SIZE || len > left)
			break;
		at += len;
		left -= len;
	}
	return list->child ? list : value_addr(d->arena, addr);
}

struct value *decode_lsm_got(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type id = FN64(decode_lsm_id);
	uint64_t wanted[LSM_CTX_SIZE / 8];
	uint32_t size;
	struct value *v;

	if (!d->exiting) {
		/* The caller names the one that it asks for. */
		if (!(decode_arg_raw(d, 3) & LSM_FLAG_SINGLE) || !n || d->mode & DECODE_NO_DEREF ||
		    decode_read(d, decode_arg_raw(d, 2), &size, sizeof(size)) ||
		    decode_read(d, n, wanted, LSM_CTX_SIZE))
			return NULL;
		v = value_struct(d->arena);
		value_add_named(v, "id", decode_number(d, &id, wanted[0]));
		v->flags |= VALUE_F_OPEN;
		return v;
	}
	v = lsm_ctxs(d, n);
	return d->before ? value_change(d->arena, (struct value *)d->before, v) : v;
}
