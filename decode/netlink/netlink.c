/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/netlink/netlink.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "decode/net/sockaddr.h"

struct value *netlink_unread(struct decoder *d, const uint8_t *bytes, size_t n)
{
	if (likely(!d->nl_bytes) || bytes < d->nl_bytes || bytes > d->nl_bytes + d->nl_len ||
	    bytes + n <= d->nl_bytes + d->nl_read)
		return NULL;
	return value_addr(d->arena, d->nl_addr_of + (bytes - d->nl_bytes));
}

struct value *netlink_hex(struct decoder *d, const uint8_t *bytes, size_t len)
{
	struct value *v = netlink_unread(d, bytes, size_min(len, d->config->string_limit + 1));

	if (v)
		return v;
	v = decode_text(d, bytes, len);
	v->text |= TEXT_HEX_STRING;
	return v;
}

/* ---- attributes ---- */

/* Returns the types of the attributes in a table, indexed by attribute number from 0 to `last`. */
static const struct type **attr_types(const struct nlattr_table *table, uint64_t last)
{
	const struct type **types = mem_zalloc((last + 1) * sizeof(*types));
	struct xlat_names *names = xlat_names_new(table->names);

	for (unsigned i = 0; i < table->n; i++) {
		const struct xlat_entry *e = xlat_names_find(names, table->rows[i].name);

		if (e && e->val <= last)
			types[e->val] = &table->rows[i].type;
	}
	xlat_names_free(names);
	return types;
}

static const struct type *attr_type(struct nlattr_table *table, unsigned nr)
{
	uint64_t last;

	if (table->n == 1 && !table->rows[0].name)
		return &table->rows[0].type;
	if (!table->names || !table->names->n)
		return NULL;
	last = table->names->entries[table->names->n - 1].val;
	if (nr > last)
		return NULL;
	if (!table->types)
		table->types = attr_types(table, last);
	return table->types[nr];
}

static struct value *attr_name(struct decoder *d, const struct nlattr_table *table, uint16_t type)
{
	static const struct xlat_entry flags[] = {{NLA_F_NESTED, "NLA_F_NESTED"},
						  {NLA_F_NET_BYTEORDER, "NLA_F_NET_BYTEORDER"}};
	struct value *v = value_expr(d->arena, VALUE_OP_OR, type), *name;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (type & flags[i].val)
			value_add(v, value_word(d->arena, flags[i].name, flags[i].val));
	if (table && table->names)
		name = value_enum(d->arena, table->names, type & NLA_TYPE_MASK);
	else
		name = value_hex(d->arena, type & NLA_TYPE_MASK);
	v->width = name->width = 2;
	v->text |= TEXT_ALWAYS | TEXT_STYLED;
	if (!v->child)
		return name;
	value_add(v, name);
	return v;
}

/*
 * Returns true if len is the current or a former size of the struct of an NL_GROWN type. Structs
 * grow by whole members. A longer struct comes from a newer kernel and is accepted, too.
 */
static bool has_grown_to(const struct decoder *d, const struct type *t, size_t len)
{
	for (unsigned i = 0; len >= t->len.n && i < t->desc->nfields; i++)
		if (struct_offset(d->abi, t->desc, i) == len)
			return true;
	return len >= struct_size(d->abi, t->desc);
}

static struct value *attr_value(struct decoder *d, struct nlattr_table *table, unsigned nr,
				uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type *t = table ? attr_type(table, nr) : NULL;
	struct value *v = NULL;
	size_t need;

	/*
	 * The types for enums and flags handle at most 64 bits. Longer attributes are shown without
	 * a type.
	 */
	if (t && (t->ops == &type_enum || t->ops == &type_flags) && len > sizeof(uint64_t))
		t = NULL;
	if (t && len >= decode_size(d->abi, t)) {
		need = decode_size(d->abi, t);
		/*
		 * The size of these types is not fixed. The first element of the attribute must
		 * have been read.
		 */
		if (t->ops == &nl_indexed || t->ops == &nl_words || t->ops == &nl_long)
			need = size_min(decode_size(d->abi, t->elem), len);
		if (t->ops == &nl_grown && !has_grown_to(d, t, len))
			return netlink_hex(d, bytes, len);
		if (t->ops == &nl_string)
			need = size_min(len, d->config->string_limit + 1);
		else if (!need && !t->ops->partial)
			need = len;
		v = netlink_unread(d, bytes, need);
		if (v)
			return v;
		v = decode_bytes(d, t, addr, bytes, len);
	}
	return v ? v : netlink_hex(d, bytes, len);
}

struct value *netlink_pair(struct decoder *d, struct value *head, struct value *body)
{
	struct value *v;

	if (!body)
		return head;
	v = value_array(d->arena);
	value_add(v, head);
	value_add(v, body);
	return v;
}

struct value *netlink_one_or_all(struct value *all)
{
	bool more = all->flags & VALUE_F_MORE;

	if (!all->child && more)
		all->kind = VALUE_MORE;
	return all->child && !all->child->next && !more ? all->child : all;
}

size_t netlink_shown_limit(const struct decoder *d)
{
	if (decode_is_spent(d))
		return 0;
	return decode_full(d) ? DECODE_ELEMS_MAX : d->config->string_limit;
}

bool netlink_has_elem(struct decoder *d, struct value *all, size_t i, const uint8_t *bytes,
		      size_t size)
{
	struct value *end = netlink_unread(d, bytes, size);

	if (end)
		value_add(all, netlink_cut(d, end));
	else if (i >= netlink_shown_limit(d))
		all->flags |= VALUE_F_MORE;
	else
		return true;
	return false;
}

const uint8_t *netlink_sibling(const struct decoder *d, uint16_t type, size_t *len)
{
	const uint8_t *found = NULL;
	struct nlattr a;

	for (size_t at = 0; at < d->siblings_len; at += NLA_ALIGN(a.nla_len)) {
		memcpy(&a, d->siblings + at, sizeof(a));
		if ((a.nla_type & NLA_TYPE_MASK) != type)
			continue;
		found = d->siblings + at + sizeof(a);
		*len = a.nla_len - sizeof(a);
	}
	return found;
}

struct value *netlink_cut(struct decoder *d, const struct value *end)
{
	struct value *v = value_new(d->arena, VALUE_MORE, 0);

	v->comment = arena_printf(d->arena, "%#llx", (unsigned long long)end->num);
	return v;
}

struct value *netlink_attrs(struct decoder *d, struct nlattr_table *table, uint64_t addr,
			    const uint8_t *bytes, size_t len)
{
	const uint8_t *siblings = d->siblings;
	size_t siblings_len = d->siblings_len;
	struct value *all = value_array(d->arena), *head, *end;
	size_t at = 0, shown = 0;

	while (at < len) {
		struct nlattr a;
		size_t n;

		if (len - at < sizeof(a)) {
			value_add(all, netlink_hex(d, bytes + at, len - at));
			break;
		}
		end = netlink_unread(d, bytes + at, sizeof(a));
		if (end) {
			if (!all->child)
				return end;
			value_add(all, netlink_cut(d, end));
			break;
		}
		if (shown++ >= netlink_shown_limit(d)) {
			all->flags |= VALUE_F_MORE;
			break;
		}
		memcpy(&a, bytes + at, sizeof(a));
		head = value_struct(d->arena);
		value_add_named(head, "nla_len", value_uint(d->arena, a.nla_len));
		value_add_named(head, "nla_type", attr_name(d, table, a.nla_type));
		if (a.nla_len < sizeof(a)) {
			value_add(all, head);
			break;
		}
		n = size_min(a.nla_len, len - at);
		d->siblings = bytes;
		d->siblings_len = at;
		value_add(all,
			  netlink_pair(d, head,
				       n > sizeof(a)
					       ? attr_value(d, table, a.nla_type & NLA_TYPE_MASK,
							    addr + at + sizeof(a),
							    bytes + at + sizeof(a), n - sizeof(a))
					       : NULL));
		at += NLA_ALIGN(n);
	}
	d->siblings = siblings;
	d->siblings_len = siblings_len;
	return netlink_one_or_all(all);
}

static struct value *nested_memory(struct decoder *d, const struct type *t, uint64_t addr,
				   const uint8_t *bytes, size_t len)
{
	return netlink_attrs(d, t->attrs, addr, bytes, len);
}
const struct type_ops nl_nested = {.name = "nested", .memory = nested_memory, .partial = true};

/*
 * Shows a string without its final NUL. If there is no NUL, the string has been cut off, and "..."
 * is shown after it. Like strace 7.2, includes the NUL in hexadecimal output.
 */
static struct value *string_memory(struct decoder *d, const struct type *t attr_unused,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v = decode_text(d, bytes, len);

	v->flags |= VALUE_F_MORE;
	value_hide_nul(v);
	return v;
}
const struct type_ops nl_string = {.name = "nl_string", .memory = string_memory};

static struct value *name_memory(struct decoder *d, const struct type *t, uint64_t addr attr_unused,
				 const uint8_t *bytes, size_t len)
{
	size_t n = size_min(len, t->len.n), used = strnlen((const char *)bytes, n);
	bool ends = used < n;
	struct value *v;

	used -= !ends && used;
	v = value_string(d->arena, arena_strndup(d->arena, (const char *)bytes, used), used);
	if (!ends)
		v->flags |= VALUE_F_MORE;
	return v;
}
const struct type_ops nl_name = {.name = "nl_name", .memory = name_memory};

static struct value *cstring_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t used = strnlen((const char *)bytes, len);
	struct value *v = decode_text(d, bytes, used);

	if (used == len)
		v->flags |= VALUE_F_MORE;
	return v;
}
const struct type_ops nl_cstring = {.name = "nl_cstring", .memory = cstring_memory};

#define HWADDR_MAX 32 /* linux/netdevice.h: MAX_ADDR_LEN */

static struct value *hwaddr_memory(struct decoder *d, const struct type *t attr_unused,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return len > HWADDR_MAX ? NULL : decode_mac(d, bytes, len);
}
const struct type_ops nl_hwaddr = {.name = "hwaddr", .memory = hwaddr_memory};

static struct value *link_addr_memory(struct decoder *d, const struct type *t, uint64_t addr,
				      const uint8_t *bytes, size_t len)
{
	/*
	 * strace 7.2 interprets ifi_family as a hardware type (ARPHRD_*), and shows as many bytes
	 * as addresses of this type have.
	 */
	static const struct {
		uint16_t type, len;
	} lengths[] = {{ARPHRD_NETROM, 7},    {ARPHRD_ETHER, 6},  {ARPHRD_AX25, 7},
		       {ARPHRD_IEEE802, 6},   {ARPHRD_ARCNET, 1}, {ARPHRD_DLCI, 2},
		       {ARPHRD_IEEE1394, 16}, {ARPHRD_EUI64, 8},  {ARPHRD_INFINIBAND, 20}};
	uint64_t family = decode_field(d, "ifi_family");

	size_t shown = len;
	struct value *v;

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (lengths[i].type == family)
			shown = size_min(len, lengths[i].len);
	v = hwaddr_memory(d, t, addr, bytes, len);
	if (!v || shown == len)
		return v;
	v->len = shown;
	v->extra = decode_network_bytes(d, bytes, len);
	return v;
}
const struct type_ops nl_link_addr = {.name = "link_addr", .memory = link_addr_memory};

static struct value *nothing_memory(struct decoder *d attr_unused, const struct type *t attr_unused,
				    uint64_t addr attr_unused, const uint8_t *bytes attr_unused,
				    size_t len attr_unused)
{
	return NULL;
}
const struct type_ops nl_nothing = {.name = "nothing", .memory = nothing_memory, .partial = true};

static struct value *address(struct decoder *d, int family, const uint8_t *bytes, size_t len)
{
	if (family == AF_INET && len >= 4)
		return decode_inet_addr(d, bytes);
	if (family == AF_INET6 && len >= 16)
		return decode_inet6_addr(d, bytes, NULL);
	return NULL;
}

static struct value *addr_memory(struct decoder *d, const struct type *t, uint64_t addr attr_unused,
				 const uint8_t *bytes, size_t len)
{
	return address(d, (int)decode_field(d, t->len.field), bytes, len);
}
const struct type_ops nl_addr = {.name = "nl_addr", .memory = addr_memory};

static struct value *in_memory(struct decoder *d, const struct type *t attr_unused,
			       uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return address(d, AF_INET, bytes, len);
}
const struct type_ops nl_in = {.name = "nl_in", .memory = in_memory};

static struct value *in6_memory(struct decoder *d, const struct type *t attr_unused,
				uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return address(d, AF_INET6, bytes, len);
}
const struct type_ops nl_in6 = {.name = "nl_in6", .memory = in6_memory};

struct value *nl_ifindex(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_ifindex(d, n);
}

struct value *nl_port(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_htons(d, n);
}

/* Sets the hints of v so that all styles of -X show v in the same way. Returns v. */
static struct value *value_always(struct value *v)
{
	v->text |= TEXT_ALWAYS;
	return v;
}

struct value *nl_be16(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_always(decode_htons(d, n));
}

struct value *nl_be64(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_call(d->arena, "htobe64");

	v->num = n;
	v->text |= TEXT_ALWAYS;
	value_add(v, value_uint(d->arena, __builtin_bswap64(n)));
	return v;
}

static struct value *htons_of(struct decoder *d, const struct xlat *names, uint16_t n)
{
	struct value *v = value_call(d->arena, "htons");

	v->num = n;
	value_add(v, value_enum(d->arena, names, ntohs(n)));
	return v;
}

/*
 * Like strace 7.2, uses "ETHER_P_???" instead of "ETH_P_???" as the comment on unknown protocols.
 */
struct value *nl_vlan_protocol(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static struct xlat names;

	names = xlat_ethernet_protocols;
	names.unknown = "ETHER_P_???";
	return value_always(htons_of(d, &names, n));
}

struct value *nl_ethertype(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_always(htons_of(d, &xlat_ethernet_protocols, n));
}

struct value *nl_nft_res_id(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v;

	/* Old versions of nft(8) send this number in host byte order, so accept it as well. */
	if (xlat_name(&xlat_nf_nft_subsystem, n)) {
		v = value_enum(d->arena, &xlat_nf_subsystems, n);
		v->width = 2;
		return v;
	}
	if (!xlat_name(&xlat_nf_nft_subsystem, ntohs(n)))
		return nl_be16(d, t, n);
	v = htons_of(d, &xlat_nf_subsystems, n);
	v->text |= TEXT_ONE_WORD;
	return v;
}

struct value *nl_htons_family(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_always(htons_of(d, &xlat_addr_families, n));
}

static struct value *indexed_memory(struct decoder *d, const struct type *t, uint64_t addr,
				    const uint8_t *bytes, size_t len)
{
	size_t size = decode_size(d->abi, t->elem), n = size ? len / size : 0;
	const struct xlat *names = t->names;
	struct value *all = value_array(d->arena), *v, *index;
	const char *name;

	if (!n)
		return NULL;
	for (size_t i = 0; i < n && netlink_has_elem(d, all, i, bytes + i * size, size); i++) {
		name = xlat_name(names, i + t->len.n);
		if (!name) {
			index = value_uint(d->arena, i);
			index->comment = names->unknown;
			index->text |= TEXT_COMMENT_READS;
		} else {
			index = value_word(d->arena,
					   t->len.n ? arena_printf(d->arena, "%s-1", name) : name,
					   i);
			index->text |= TEXT_DECIMAL | TEXT_STYLED;
		}
		v = decode_bytes(d, t->elem, addr + i * size, bytes + i * size, size);
		value_add(all, value_indexed(d->arena, index, v));
	}
	return all;
}
const struct type_ops nl_indexed = {.name = "indexed", .memory = indexed_memory, .partial = true};

static struct value *cut_memory(struct decoder *d, const struct type *t, uint64_t addr,
				const uint8_t *bytes, size_t len)
{
	const struct type s = {.ops = &type_struct, .desc = t->desc};

	return len < t->len.n ? NULL : decode_bytes(d, &s, addr, bytes, len);
}
const struct type_ops nl_cut = {.name = "cut", .memory = cut_memory};

static struct value *grown_memory(struct decoder *d, const struct type *t, uint64_t addr,
				  const uint8_t *bytes, size_t len)
{
	const struct type s = {.ops = &type_struct, .desc = t->desc};

	return has_grown_to(d, t, len) ? decode_bytes(d, &s, addr, bytes, len) : NULL;
}
const struct type_ops nl_grown = {.name = "grown", .memory = grown_memory};

static struct value *rest_memory(struct decoder *d, const struct type *t, uint64_t addr,
				 const uint8_t *bytes, size_t len)
{
	const struct type s = {.ops = &type_struct, .desc = t->desc};
	size_t size = decode_size(d->abi, &s);
	struct value *v;

	if (len < size)
		return NULL;
	v = value_new(d->arena, VALUE_SEQ, 0);
	value_add(v, decode_bytes(d, &s, addr, bytes, size));
	if (len > size)
		value_add(v, netlink_hex(d, bytes + size, len - size));
	return v;
}
const struct type_ops nl_rest = {.name = "rest", .memory = rest_memory};

static struct value *long_memory(struct decoder *d, const struct type *t, uint64_t addr,
				 const uint8_t *bytes, size_t len)
{
	return len < decode_size(d->abi, t->elem) ? NULL
						  : decode_bytes(d, t->elem, addr, bytes, len);
}
const struct type_ops nl_long = {.name = "long", .memory = long_memory};

static struct value *enum_memory(struct decoder *d attr_unused, const struct type *t,
				 uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	uint64_t n = 0;

	if (len > sizeof(n))
		return NULL;
	memcpy(&n, bytes, len);
	return value_enum(d->arena, t->xlat, n);
}
const struct type_ops nl_enum = {.name = "enum_any", .memory = enum_memory};

struct value *nl_padded_hex(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_hex(d->arena, n);

	v->width = decode_width(d->abi, t->width);
	v->text |= TEXT_PADDED;
	return v;
}

/*
 * Shows a number of ticks, with the time in seconds as a comment. hz is the number of ticks per
 * second. The number is as wide as its attribute.
 */
static struct value *ticks(struct decoder *d, const uint8_t *bytes, size_t len, unsigned hz,
			   int digits)
{
	struct value *v;
	uint64_t n = 0;

	if (len > sizeof(n))
		return NULL;
	memcpy(&n, bytes, len);
	v = value_uint(d->arena, n);
	v->text |= TEXT_COMMENT_READS;
	if (n)
		v->comment = arena_printf(d->arena, "%llu.%0*llu s", (unsigned long long)n / hz,
					  digits, (unsigned long long)n % hz);
	return v;
}

static struct value *clock_memory(struct decoder *d, const struct type *t attr_unused,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return ticks(d, bytes, len, 100, 2); /* USER_HZ */
}
const struct type_ops nl_clock_t = {.name = "clock_t", .memory = clock_memory};

static struct value *milliseconds_memory(struct decoder *d, const struct type *t attr_unused,
					 uint64_t addr attr_unused, const uint8_t *bytes,
					 size_t len)
{
	return ticks(d, bytes, len, 1000, 3);
}
const struct type_ops nl_milliseconds = {.name = "milliseconds", .memory = milliseconds_memory};

struct value *nl_be32(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return value_always(decode_htonl(d, n));
}

static struct value *words_memory(struct decoder *d, const struct type *t, uint64_t addr,
				  const uint8_t *bytes, size_t len)
{
	const struct type all = {.ops = &type_array, .elem = t->elem};
	size_t size = decode_size(d->abi, t->elem), n = 0;
	struct value *v, *end = NULL;

	if (len < size)
		return NULL;
	while (!end && (n + 1) * size <= len) {
		end = netlink_unread(d, bytes + n * size, size);
		n += !end;
	}
	v = decode_bytes(d, &all, addr, bytes, n * size);
	if (end && !(v->flags & VALUE_F_MORE))
		value_add(v, netlink_cut(d, end));
	return v;
}
const struct type_ops nl_words = {.name = "words", .memory = words_memory, .partial = true};

/* Shows the address of a socket. The address family is at the start of the enclosing struct. */
static struct value *diag_addr_memory(struct decoder *d, const struct type *t attr_unused,
				      uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	const struct scope *in = d->scope, *outer = in ? in->up : NULL;
	struct value *v;

	if (!outer || !outer->len || outer->bytes[0] != AF_INET6) {
		v = address(d, AF_INET, bytes, len);
		/* -X raw shows all bytes of the field instead. */
		if (v)
			v->extra = decode_network_bytes(d, bytes, len);
		return v;
	}
	return decode_inet6_addr(d, bytes, bytes - in->bytes == 4 ? "idiag_src" : "idiag_dst");
}
const struct type_ops nl_diag_addr = {.name = "diag_addr", .memory = diag_addr_memory};
