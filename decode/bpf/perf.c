/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/bpf/perf.h"

#include <errno.h>

/* ---- linux/perf_event.h ---- */

#define SIZE_VER0   64
#define ABBREVIATED 48 /* offset in bytes of the first member that is hidden without -v */
#define SIZE_AT	    4  /* offset of the member `size` in struct perf_event_attr */

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_HW_CACHE };
enum { BIT_PRECISE_IP = 15 };

struct value *decode_perf_bit(struct decoder *d, const struct type *t, uint64_t n)
{
	uint64_t bit = n >> t->len.n & 1;

	return bit || decode_full(d) ? value_uint(d->arena, bit) : NULL;
}

struct value *decode_perf_reserved(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_hex(d->arena, n >> t->len.n);

	v->comment = t->text;
	return v->num ? v : NULL;
}

struct value *decode_perf_skid(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const char *const meanings[] = {"arbitrary skid", "constant skid",
					       "requested to have 0 skid", "must have 0 skid"};
	struct value *v = value_uint(d->arena, n >> BIT_PRECISE_IP & 3);

	v->comment = meanings[v->num];
	return v;
}

struct value *decode_perf_max_stack(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);
	uint64_t reserved = decode_field(d, "__reserved_2");

	if (reserved)
		v->comment = arena_printf(d->arena, "bytes 110..111: %#x", (unsigned)reserved);
	return v;
}

#define BREAKPOINT_INVALID 7 /* a mask of all kinds of access (linux/hw_breakpoint.h) */

struct value *decode_perf_bp_type(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct xlat invalid = {.name = "bp_invalid_types",
					    .unknown = "HW_BREAKPOINT_INVALID"};
	bool known = n > BREAKPOINT_INVALID || xlat_name(&xlat_bp_types, n);

	return value_enum(d->arena, known ? &xlat_bp_types : &invalid, n);
}

/* ---- config ---- */

static void add_shifted(struct decoder *d, struct value *to, struct value *v, unsigned shift)
{
	struct value *e = value_expr(d->arena, VALUE_OP_SHIFT, v->num << shift);

	e->text |= TEXT_ALWAYS | TEXT_STYLED;
	value_add(e, v);
	value_add(e, value_uint(d->arena, shift));
	value_add(to, e);
}

/*
 * Returns a value for the member config, to which the caller adds the parts of the lower half. The
 * upper half, which selects a PMU on machines with several PMUs, is added here unless it is zero.
 */
static struct value *config_new(struct decoder *d, uint64_t n)
{
	struct value *v = value_or(d->arena, n);

	v->text |= TEXT_EACH;
	if (n >> 32)
		add_shifted(d, v, value_hex(d->arena, n >> 32), 32);
	return v;
}

static struct value *cache_config(struct decoder *d, uint64_t n)
{
	struct value *v = config_new(d, n);

	if (n >> 24 & 0xff)
		add_shifted(d, v, value_hex(d->arena, n >> 24 & 0xff), 24);
	add_shifted(d, v, value_enum(d->arena, &xlat_perf_hw_cache_results, n >> 16 & 0xff), 16);
	add_shifted(d, v, value_enum(d->arena, &xlat_perf_hw_cache_ops, n >> 8 & 0xff), 8);
	value_add(v, value_enum(d->arena, &xlat_perf_hw_caches, n & 0xff));
	return v;
}

struct value *decode_perf_config(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	switch (decode_field(d, "type")) {
	case TYPE_HARDWARE:
		v = config_new(d, n);
		value_add(v, value_enum(d->arena, &xlat_perf_hw_ids, (uint32_t)n));
		return v;
	case TYPE_SOFTWARE:
		return value_enum(d->arena, &xlat_perf_sw_ids, n);
	case TYPE_TRACEPOINT:
		return value_uint(d->arena, n);
	case TYPE_HW_CACHE:
		return cache_config(d, n);
	default:
		return value_hex(d->arena, n);
	}
}

/* ---- struct perf_event_attr ---- */

/*
 * Returns the end offset of the last field that is shown. A field is shown if it begins within
 * `size` bytes.
 */
static size_t fields_end(const struct decoder *d, const struct struct_desc *s, size_t size)
{
	size_t end = 0;

	for (unsigned i = 0; i < s->nfields && struct_offset(d->abi, s, i) < size; i++)
		end = struct_offset(d->abi, s, i) + decode_size(d->abi, &s->fields[i].type);
	return end;
}

static struct value *attr_value(struct decoder *d, uint64_t addr)
{
	const struct type type = STRUCT(perf_event_attr);
	size_t known = decode_full(d) ? struct_size(d->abi, type.desc) : ABBREVIATED, given;
	uint8_t *bytes;
	uint32_t size;
	struct value *v;

	if (!addr || d->mode & DECODE_NO_DEREF ||
	    decode_read(d, addr + SIZE_AT, &size, sizeof(size)))
		return value_addr(d->arena, addr);
	given = size ? size : SIZE_VER0;
	bytes = arena_zalloc(d->arena, known);
	if (given < SIZE_VER0 || decode_read(d, addr, bytes, size_min(given, known)))
		return value_addr(d->arena, addr);
	v = decode_bytes(d, &type, addr, bytes, fields_end(d, type.desc, size_min(given, known)));
	if (given > known)
		v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *size_wanted(struct decoder *d, uint64_t addr)
{
	uint32_t size;

	if (decode_read(d, addr + SIZE_AT, &size, sizeof(size)))
		return value_plain(d->arena, "???");
	return value_enum(d->arena, &xlat_perf_attr_sizes, size);
}

struct value *decode_perf_attr(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = (struct value *)d->before, *size, *change;

	if (!v)
		return attr_value(d, n);
	if (!d->failed || d->ev->base.ret != E2BIG)
		return v;
	size = v->child->next;
	change = value_change(d->arena, size, size_wanted(d, n));
	change->name = size->name;
	change->next = size->next;
	v->child->next = change;
	return v;
}

struct value *decode_perf_query_bpf_entry(struct decoder *d, const struct type *t attr_unused,
					  uint64_t n)
{
	const struct type type = STRUCT(perf_event_query_bpf);
	uint32_t ids_len;
	struct value *v;

	if (!n || d->mode & DECODE_NO_DEREF || decode_read(d, n, &ids_len, sizeof(ids_len)))
		return value_addr(d->arena, n);
	v = decode_bytes(d, &type, n, (uint8_t *)&ids_len, sizeof(ids_len));
	v->flags |= VALUE_F_OPEN;
	value_add_named(v, "prog_cnt", value_pending(d->arena))->text |= TEXT_UNNAMED;
	return v;
}

struct value *decode_perf_query_bpf_exit(struct decoder *d, const struct type *t attr_unused,
					 uint64_t n)
{
	const struct type type = STRUCT(perf_event_query_bpf);
	uint32_t head[2]; /* ids_len, prog_cnt */
	struct value *v;

	if (d->failed || decode_read(d, n, head, sizeof(head))) {
		v = value_struct(d->arena);
		value_add_named(v, "ids_len", value_uint(d->arena, d->before->child->num));
		v->flags |= VALUE_F_MORE;
		return v;
	}
	/* Show ids_len as the caller set it, even if the kernel has changed it. */
	head[0] = d->before->child->num;
	return decode_bytes(d, &type, n, (uint8_t *)head, sizeof(head));
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads perf_reads[] = {
	CUSTOM(decode_perf_attr, BYTES(N(SIZE_AT + 4))),
	CUSTOM(decode_perf_attr, BYTES(N(4096))),
	CUSTOM(decode_perf_query_bpf_entry, STRUCT(perf_event_query_bpf)),
	CUSTOM(decode_perf_query_bpf_exit, STRUCT(perf_event_query_bpf)),
	{0}};
