/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The values of socket options, which linux/sockopts.def describes. */
#include <arpa/inet.h>
#include <string.h>

#include "linux/families.h"

enum direction { SET = 1, GET = 2, BOTH = SET | GET };
/* What to show if the length of a value differs from the length of its type. */
enum form {
	/*
	 * a value that is too short is shown as an address in setsockopt(2), and as bytes in
	 * getsockopt(2); a value that is too long is truncated
	 */
	AT_LEAST,
	UP_TO,	    /* a shorter value is a struct that the kernel has only partly filled in */
	EXACT,	    /* a value of any other length is shown as an address */
	OR_HEX,	    /* a value of any other length is shown as bytes */
	MANY,	    /* an array; the length determines the number of elements */
	COMPLETE,   /* a value that is too short is shown as an address; a value that is too long is
		       truncated */
	PADDED,	    /* missing bytes of a shorter value are zero */
	UNMEASURED, /* the length is ignored */
	PROGRAM	    /* a program; the length determines the number of instructions */
};

struct sockopt_row {
	const char *level, *option; /* "ANY" stands for all options of the level */
	uint8_t direction, form;
	struct type type;
};

#define SOCKOPT(l, o, d, f, ...)                                                                   \
	{.level = #l, .option = #o, .direction = (d), .form = (f), .type = __VA_ARGS__},
static const struct sockopt_row rows[] = {
#include "linux/sockopts.def"
};

static const struct xlat *option_names(const char *level, bool set)
{
	static const struct {
		const char *level;
		const struct xlat *names, *set;
	} tables[] = {
		{"SOL_SOCKET", &xlat_sock_options, &xlat_sock_options_set},
		{"SOL_IP", &xlat_ip_options, &xlat_ip_options_set},
		{"SOL_IPV6", &xlat_ipv6_options, &xlat_ipv6_options_set},
		{"SOL_PACKET", &xlat_packet_options, &xlat_packet_options},
		{"SOL_NETLINK", &xlat_netlink_options, &xlat_netlink_options},
		{"SOL_TCP", &xlat_tcp_options, &xlat_tcp_options},
		{"SOL_TIPC", &xlat_tipc_options, &xlat_tipc_options},
		{"SOL_RAW", &xlat_raw_options, &xlat_raw_options},
	};

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (!strcmp(level, tables[i].level))
			return set ? tables[i].set : tables[i].names;
	return NULL;
}

static const struct sockopt_row *row_of(uint32_t level, uint32_t option, enum direction direction)
{
	const char *level_name = xlat_name(&xlat_sock_levels, level), *name;
	const struct xlat *names;

	if (!level_name)
		return NULL;
	names = option_names(level_name, direction == SET);
	name = names ? xlat_name(names, option) : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].direction & direction && !strcmp(rows[i].level, level_name) &&
		    (!strcmp(rows[i].option, "ANY") || (name && !strcmp(rows[i].option, name))))
			return &rows[i];
	return NULL;
}

static struct value *hex(struct decoder *d, uint64_t addr, uint64_t len)
{
	struct value *v = decode_buffer(d, addr, len);

	if (v->kind == VALUE_STRING)
		v->text |= TEXT_HEX_STRING;
	return v;
}

/* Shows the first len bytes of a struct. The other bytes are missing. A member may be cut off. */
static struct value *cut_struct(struct decoder *d, const struct type *t, uint64_t addr,
				const uint8_t *bytes, size_t len)
{
	struct value *v = decode_bytes(d, t, addr, bytes, len), *rest;
	const struct struct_desc *s = t->desc;

	for (unsigned i = 0; i < s->nfields; i++) {
		size_t at = struct_offset(d->abi, s, i),
		       end = at + decode_size(d->abi, &s->fields[i].type);

		if (at >= len || end <= len)
			continue;
		rest = value_string(d->arena, bytes + at, len - at);
		rest->text |= TEXT_HEX_STRING;
		value_add_named(v, s->fields[i].name, rest);
	}
	return v;
}

/*
 * Returns the size in bytes of the buffer that the caller passed to getsockopt(2), or INT32_MAX if
 * it is unknown.
 */
static int64_t buffer_size(const struct decoder *d)
{
	const struct value *before = d->state->before[4];

	return before && before->kind == VALUE_ARRAY && before->child ? (int)before->child->num
								      : INT32_MAX;
}

static struct value *row_value(struct decoder *d, const struct sockopt_row *row, bool set,
			       uint64_t addr, int64_t given)
{
	size_t size = decode_size(d->abi, &row->type);
	struct type many = {.ops = &type_array, .elem = &row->type};
	uint64_t len = given;
	uint8_t *bytes;

	switch ((enum form)row->form) {
	case PROGRAM:
		return decode_bpf_program(d, BPF_INSN_SOCKET, addr, len);
	case EXACT:
		if (len != size)
			return value_addr(d->arena, addr);
		break;
	case OR_HEX:
		if (len != size)
			return hex(d, addr, (uint32_t)len);
		break;
	case AT_LEAST:
		if (len < size && !set)
			return hex(d, addr, len);
		/* fallthrough */
	case COMPLETE:
		if (given < (int64_t)size)
			return value_addr(d->arena, addr);
		break;
	case UP_TO:
	case PADDED:
	case MANY:
		if (given < 0 || (!len && set))
			return value_addr(d->arena, addr);
		break;
	case UNMEASURED:
		len = size;
		break;
	}
	if (row->form == MANY) {
		/*
		 * The kernel reports the length of all elements, even if they do not all fit into
		 * the buffer, so limit the length to the buffer's size.
		 */
		many.len = (struct length)N(size_min(len, set ? len : (uint64_t)buffer_size(d)) /
					    size);
		return decode_at(d, &many, addr);
	}
	len = size_min(len, size);
	bytes = arena_zalloc(d->arena, size);
	if (decode_read(d, addr, bytes, len) < 0)
		return value_addr(d->arena, addr);
	if (row->form == UP_TO && len < size && row->type.ops == &type_struct)
		return cut_struct(d, &row->type, addr, bytes, len);
	return decode_bytes(d, &row->type, addr, bytes, row->form == UP_TO ? len : size);
}

static struct value *option_value(struct decoder *d, bool set, uint64_t addr, int64_t len)
{
	const struct type number = PTR(INT);
	const struct sockopt_row *row;

	if (!addr || (!set && len <= 0) || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, addr);
	row = row_of(decode_arg_raw(d, 1), decode_arg_raw(d, 2), set ? SET : GET);
	if (row)
		return row_value(d, row, set, addr, len);
	return len == 4 ? decode_number(d, &number, addr) : decode_buffer(d, addr, (uint32_t)len);
}

struct value *net_sockopt_set(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return option_value(d, true, n, (int)decode_arg_raw(d, 4));
}

struct value *net_sockopt_got(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int32_t len;

	/* If the caller's buffer is empty, the kernel stores nothing, so show the address. */
	if (buffer_size(d) <= 0)
		return value_addr(d->arena, n);
	if (decode_read(d, decode_arg_raw(d, 4), &len, sizeof(len)) < 0)
		return value_addr(d->arena, n);
	return option_value(d, false, n, len);
}

/*
 * Shows the value of IP_LOCAL_PORT_RANGE (ip(7)): the low 16 bits are the lowest port, and the high
 * 16 bits are the highest port. 0 means no limit.
 */
struct value *sockopt_port_range(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned low = n & 0xffff, high = n >> 16 & 0xffff;
	struct value *v = value_hex(d->arena, n);

	v->text |= TEXT_COMMENT_READS;
	if (low && high && low <= high)
		v->comment = arena_printf(d->arena, "%u..%u", low, high);
	else if (low && !high)
		v->comment = arena_printf(d->arena, "%u..", low);
	else if (high && !low)
		v->comment = arena_printf(d->arena, "..%u", high);
	return v;
}

struct value *sockopt_error(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!n || !xlat_name(&xlat_errnos, n))
		return value_uint(d->arena, n);
	v = value_enum(d->arena, &xlat_errnos, n);
	v->flags |= VALUE_F_SIGNED;
	v->text |= TEXT_PLAIN;
	return v;
}

struct value *sockopt_txrehash(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_enum(d->arena, &xlat_sock_txrehash, n);

	v->text |= TEXT_DECIMAL;
	if (!xlat_name(&xlat_sock_txrehash, n)) {
		v->kind = VALUE_INT;
		v->num = (uint64_t)(int)n;
		v->comment = xlat_sock_txrehash.unknown;
		v->text |= TEXT_COMMENT_READS;
	}
	return v;
}

/*
 * Shows the types that the filter drops (linux/icmp.h). If it drops most types, shows the types
 * that it does not drop, as an inverted list.
 */
static struct value *icmp_filter(struct decoder *d, const struct type *t attr_unused,
				 uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v = value_new(d->arena, VALUE_BITSET, 0);
	uint32_t mask = UINT32_MAX;

	memcpy(&mask, bytes, size_min(len, sizeof(mask)));
	if (__builtin_popcount(mask) > 16) {
		v->flags |= VALUE_F_INVERTED;
		mask = ~mask;
	}
	for (unsigned i = 0; i < 32; i++)
		if (mask & 1u << i)
			value_add(v, value_enum(d->arena, &xlat_icmp_types, i));
	return v;
}
const struct type_ops type_icmp_filter = {.name = "icmp_filter", .memory = icmp_filter};

struct value *sockopt_bit(struct decoder *d, const struct type *t, uint64_t n)
{
	return value_uint(d->arena, n >> t->len.n & 1);
}

static struct value *tcp_ao_key(struct decoder *d, const struct type *t attr_unused,
				uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t n = size_min(len, decode_field(d, "keylen"));
	struct value *v = value_string(d->arena, memcpy(arena_alloc(d->arena, n), bytes, n), n);

	v->text |= TEXT_HEX_STRING;
	return v;
}
const struct type_ops type_tcp_ao_key = {.name = "tcp_ao_key", .memory = tcp_ao_key};

static struct value *packet_address(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return decode_mac(d, bytes, size_min(len, decode_field(d, "mr_alen")));
}
const struct type_ops type_packet_address = {.name = "packet_address", .memory = packet_address};
