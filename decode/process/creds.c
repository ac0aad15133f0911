/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/creds.h"

#include <string.h>

/* ---- keyctl(2) ---- */

struct value *decode_key_serial(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const char *name = xlat_name(&xlat_key_special_ids, (int64_t)(int)n);
	struct value *v;

	if (!name || !n)
		return value_int(d->arena, (int)n);
	v = value_word(d->arena, name, (int64_t)(int)n);
	v->flags |= VALUE_F_SIGNED;
	v->text |= TEXT_STYLED;
	return v;
}

struct value *decode_reqkey(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_enum(d->arena, &xlat_key_reqkeys, (int64_t)(int)n);

	v->flags |= VALUE_F_SIGNED;
	v->text |= TEXT_COMMENT_READS;
	if (!xlat_name(&xlat_key_reqkeys, (int64_t)(int)n))
		v->comment = xlat_key_reqkeys.unknown;
	return v;
}

/*
 * Returns the number of bytes that the kernel stored: the result of keyctl(2), but at most the size
 * of the caller's buffer.
 */
static uint64_t returned(const struct decoder *d)
{
	/*
	 * Like strace 7.2, takes a negative result as a huge length, and does not limit it to the
	 * buffer size.
	 */
	return d->ev->base.ret < 0 ? (uint64_t)d->ev->base.ret
				   : size_min(d->ev->base.ret, decode_arg_raw(d, 3));
}

struct value *decode_key_data(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_buffer(d, n, returned(d));
}

struct value *decode_key_text(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = decode_buffer(d, n, returned(d));

	value_hide_nul(v);
	return v;
}

struct value *decode_key_error(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!xlat_name(&xlat_errnos, n))
		return value_uint(d->arena, n);
	v = value_enum(d->arena, &xlat_errnos, n);
	v->text |= TEXT_DECIMAL | TEXT_PLAIN;
	return v;
}

struct value *decode_key_caps(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct xlat *const tables[] = {&xlat_keyctl_caps0, &xlat_keyctl_caps1};
	struct type bytes = ARRAY(HEX8, N(0));
	struct value *v, *e;

	bytes.len.n = size_min(d->ev->base.ret, decode_arg_raw(d, 2));
	v = decode_at(d, &bytes, n);
	e = v->kind == VALUE_ARRAY ? v->child : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(tables) && e && e->kind == VALUE_HEX; i++, e = e->next) {
		e->kind = VALUE_FLAGS;
		e->table = tables[i];
	}
	return v;
}

struct value *decode_kdf(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type kdf = STRUCT(keyctl_kdf_params);

	return decode_always(d, &kdf, n);
}

/* struct keyctl_pkey_params contains the lengths of the buffers. Argument 1 points to it. */
struct pkey_params {
	uint32_t words[10];
};

static bool pkey_params_read(const struct decoder *d, struct pkey_params *params)
{
	return !(d->mode & DECODE_NO_DEREF) &&
	       !memory_read(d->memory, decode_arg_raw(d, 1), params, sizeof(*params));
}

static struct value *pkey_buffer(struct decoder *d, uint64_t n, unsigned word)
{
	struct pkey_params params;

	if (!pkey_params_read(d, &params))
		return value_addr(d->arena, n);
	return decode_buffer(d, n, params.words[word]);
}

bool pkey_has_params(const struct decoder *d)
{
	struct pkey_params params;

	return pkey_params_read(d, &params);
}

bool pkey_has_no_params(const struct decoder *d)
{
	return !pkey_has_params(d);
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

/* ---- getgroups(2), setgroups(2) ---- */

#define GROUPS_MAX 65536 /* NGROUPS_MAX */

/* Shows an array of t->len group ids. */
static struct value *groups(struct decoder *d, const struct type *t, const struct type *group,
			    uint64_t n)
{
	const struct type array = {.ops = &type_array, .elem = group, .len = t->len};
	uint64_t count;

	if (!decode_length(d, &t->len, &count) || count > GROUPS_MAX)
		return value_addr(d->arena, n);
	return n && !count ? value_array(d->arena) : decode_at(d, &array, n);
}

struct value *decode_groups(struct decoder *d, const struct type *t, uint64_t n)
{
	static const struct type group = GID;

	return groups(d, t, &group, n);
}

struct value *decode_groups16(struct decoder *d, const struct type *t, uint64_t n)
{
	static const struct type group = UID16;

	return groups(d, t, &group, n);
}

/* ---- seccomp(2), landlock(7) ---- */

#define LANDLOCK_VERSION 1 /* LANDLOCK_CREATE_RULESET_* */
#define LANDLOCK_ERRATA	 2

struct value *decode_ret_landlock(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	/*
	 * With these flags, the result is not a ruleset descriptor but another number, so show a
	 * number.
	 */
	if (decode_arg_raw(d, 2) & (LANDLOCK_VERSION | LANDLOCK_ERRATA))
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
	int err;

	if (!n || given < sizeof(uint64_t) || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	len = align_up(size_min(given, known), sizeof(uint64_t));
	bytes = arena_zalloc(d->arena, len);
	err = decode_read(d, n, bytes, size_min(given, known));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	v = decode_bytes(d, &attr, n, bytes, len);
	if (given > known)
		v->flags |= VALUE_F_MORE;
	return v;
}

/* ---- lsm_get_self_attr(2), lsm_set_self_attr(2) ---- */

struct lsm_ctx_head { /* struct lsm_ctx of uapi linux/lsm.h */
	uint64_t id, flags, len, ctx_len;
};

/*
 * Returns the value of the struct lsm_ctx at addr, which has at most `size` bytes. Sets *head to
 * the struct's first members. If the struct cannot be read, returns its address.
 */
static struct value *lsm_ctx(struct decoder *d, uint64_t addr, uint64_t size,
			     struct lsm_ctx_head *head)
{
	static const struct type type = STRUCT(lsm_ctx);
	struct value *v, *ctx;
	int err = decode_read(d, addr, head, sizeof(*head));
	uint64_t len;

	if (err < 0)
		return value_unreadable(d->arena, addr, err);
	v = decode_bytes(d, &type, addr, (uint8_t *)head, sizeof(*head));
	if (v->child)
		v->child->text |= TEXT_NO_UNKNOWN;
	if (head->len <= sizeof(*head) || size <= sizeof(*head) || !head->ctx_len)
		return v;
	len = size_min(size_min(head->len, size) - sizeof(*head), head->ctx_len);
	ctx = value_add_named(v, "ctx", decode_buffer(d, addr + sizeof(*head), len));
	if (ctx->kind == VALUE_STRING)
		ctx->text |= TEXT_HEX_STRING;
	return v;
}

struct value *decode_lsm_ctx(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t size = decode_arg_raw(d, 2);
	struct lsm_ctx_head head;

	if (!n || size < sizeof(head) || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	return lsm_ctx(d, n, size, &head);
}

/*
 * Returns an array of the contexts at addr. Their total size is the size that the kernel has
 * stored.
 */
static struct value *lsm_ctxs(struct decoder *d, uint64_t addr)
{
	size_t limit = decode_full(d) ? DECODE_ELEMS_MAX : d->config->string_limit, n = 0;
	struct value *list = value_array(d->arena), *v;
	struct lsm_ctx_head head;
	uint32_t left;

	if (d->failed || decode_read(d, decode_arg_raw(d, 2), &left, sizeof(left)) < 0 ||
	    left < sizeof(head))
		return value_addr(d->arena, addr);
	for (; left; left -= head.len, addr += head.len) {
		/* Like strace 7.2, shows the rest as unreadable if it is shorter than a context. */
		v = left < sizeof(head) ? value_unreadable(d->arena, addr, -EFAULT)
					: lsm_ctx(d, addr, left, &head);
		if (v->kind != VALUE_STRUCT && !n)
			return v;
		if (v->kind != VALUE_STRUCT) {
			value_add(list, value_more_at(d->arena, addr, v->err));
			break;
		}
		if (n++ == limit) {
			list->flags |= VALUE_F_MORE;
			break;
		}
		value_add(list, v);
		if (head.len < sizeof(head) || head.len > left)
			break;
	}
	if (!list->child && list->flags & VALUE_F_MORE)
		list->kind = VALUE_MORE;
	return list;
}

/* LSM_FLAG_SINGLE: the caller requests only the context of the named module */
#define FLAG_SINGLE 1

/*
 * Returns true if nothing is added at exit, because LSM_FLAG_SINGLE is set and ctx (argument 1) was
 * shown as an address at entry.
 */
bool lsm_all_is_known(const struct decoder *d)
{
	const struct value *ctx = d->ev->base.args[1].in;

	return decode_arg_raw(d, 3) & FLAG_SINGLE && ctx && ctx->kind == VALUE_ADDR;
}

bool lsm_is_answered(const struct decoder *d)
{
	return !lsm_all_is_known(d);
}

struct value *decode_lsm_ctxs_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint64_t size_at = decode_arg_raw(d, 2);
	struct value *v, *single, *id;
	struct lsm_ctx_head head;
	uint32_t size;
	int err;

	if (d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = size_at ? decode_read(d, size_at, &size, sizeof(size)) : -EFAULT;
	/*
	 * If the size cannot be read at entry, the contexts cannot be shown at exit, because their
	 * end is not known. Show the address now.
	 */
	if (!(decode_arg_raw(d, 3) & FLAG_SINGLE))
		return err < 0 ? value_unreadable(d->arena, n, err) : NULL;
	if (!n)
		return value_addr(d->arena, n);
	v = err < 0 ? value_unreadable(d->arena, n, err) : lsm_ctx(d, n, sizeof(head), &head);
	if (v->kind != VALUE_STRUCT)
		return v;
	single = value_struct(d->arena);
	id = v->child;
	id->next = NULL;
	value_add(single, id);
	return value_changing(d->arena, single);
}

struct value *decode_lsm_ctxs_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!n || d->mode & DECODE_NO_DEREF)
		return d->before ? NULL : value_addr(d->arena, n);
	v = lsm_ctxs(d, n);
	if (!d->before)
		return v;
	v = value_change(d->arena, (struct value *)d->before, v);
	v->text |= TEXT_TWICE;
	return v;
}

/* Shows the modules, but only if the size that the kernel stored is readable as well. */
struct value *decode_lsm_ids(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type ids = ARRAY(ENUM64(lsm_ids), RET);
	uint32_t size;

	if (d->mode & DECODE_NO_DEREF ||
	    decode_read(d, decode_arg_raw(d, 1), &size, sizeof(size)) < 0)
		return value_addr(d->arena, n);
	return decode_number(d, &ids, n);
}

/* ---- the memory that the decoders above read ---- */

/* Argument 1 points to the lengths, which are in a struct keyctl_pkey_params (linux/keyctl.h). */
#define PKEY_PARAMS                                                                                \
	{                                                                                          \
		.arg = 1, .count = {.n = 40 }                                                      \
	}
#define PKEY_BYTES(at_)                                                                            \
	{                                                                                          \
		.arg = PLAN_OWN_ARG, .limit = PLAN_DATA, .count = {                                \
			.source = PLAN_FIELD,                                                      \
			.offset = (at_),                                                           \
			.width = 4                                                                 \
		}                                                                                  \
	}

const struct custom_reads creds_reads[] = {CUSTOM(decode_key_text, BYTES(A3)),
					   CUSTOM(decode_key_data, BYTES(A3)),
					   CUSTOM(decode_kdf, STRUCT(keyctl_kdf_params)),
					   CUSTOM(decode_groups, ARRAY(UINT, A0)),
					   CUSTOM(decode_groups16, ARRAY(U16, A0)),
					   CUSTOM(decode_landlock_ruleset, BYTES(A1)),
					   CUSTOM(decode_lsm_ctx, BYTES(N(4096))),
					   CUSTOM(decode_lsm_ctxs_entry, BYTES(N(4096))),
					   CUSTOM(decode_lsm_ctxs_exit, BYTES(N(4096))),
					   CUSTOM_ARG(decode_lsm_ctxs_entry, 2, UINT),
					   CUSTOM_ARG(decode_lsm_ctxs_exit, 2, UINT),
					   CUSTOM(decode_lsm_ids, ARRAY(U64, RET)),
					   CUSTOM_ARG(decode_lsm_ids, 1, UINT),

					   CUSTOM_OPS(decode_pkey_in, PKEY_PARAMS, PKEY_BYTES(4)),
					   CUSTOM_OPS(decode_pkey_out, PKEY_PARAMS, PKEY_BYTES(8)),
					   CUSTOM_OPS(decode_pkey_in2, PKEY_PARAMS, PKEY_BYTES(8)),
					   {0}};
