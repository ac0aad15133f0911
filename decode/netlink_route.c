/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes of rtnetlink(7) whose form hangs on others, or that are no plain struct. */
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "decode/families.h"

static struct value *af_spec_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr, const uint8_t *bytes, size_t len)
{
	struct nlattr_table *table = decode_field(d, "ifi_family") == AF_BRIDGE
					     ? &nlattrs_ifla_bridge
					     : &nlattrs_af_spec;

	return netlink_attrs(d, table, addr, bytes, len);
}
const struct type_ops nl_af_spec = {.name = "af_spec", .memory = af_spec_memory};

static struct value *via_memory(struct decoder *d, const struct type *t attr_unused,
				uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v = value_struct(d->arena), *address;
	uint16_t family;

	if (len < sizeof(family))
		return NULL;
	memcpy(&family, bytes, sizeof(family));
	bytes += sizeof(family);
	len -= sizeof(family);
	value_add_named(v, "rtvia_family", value_enum(d->arena, &xlat_addr_families, family))
		->width = 2;
	if (family == AF_INET && len >= 4)
		address = decode_inet_addr(d, bytes);
	else if (family == AF_INET6 && len >= 16)
		address = decode_inet6_addr(d, bytes, "rtvia_addr");
	else
		address = len ? netlink_hex(d, bytes, len) : NULL;
	if (address)
		value_add_named(v, "rtvia_addr", address);
	return v;
}
const struct type_ops nl_via = {.name = "via", .memory = via_memory};

/* struct rtnexthops, each with attributes of its own. */
static struct value *multipath_memory(struct decoder *d, const struct type *t attr_unused,
				      uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type hop = STRUCT(rtnexthop);
	struct value *all = value_array(d->arena), *head, *attrs;
	struct rtnexthop h;
	size_t at = 0;

	if (len < sizeof(h))
		return NULL;
	while (len - at >= sizeof(h)) {
		size_t n;

		memcpy(&h, bytes + at, sizeof(h));
		head = decode_bytes(d, &hop, addr + at, bytes + at, sizeof(h));
		n = size_min(h.rtnh_len, len - at);
		attrs = n > sizeof(h) ? netlink_attrs(d, &nlattrs_rta, addr + at + sizeof(h),
						      bytes + at + sizeof(h), n - sizeof(h))
				      : NULL;
		value_add(all, netlink_pair(d, head, attrs));
		if (h.rtnh_len < sizeof(h) || RTNH_ALIGN(n) > len - at)
			break;
		at += RTNH_ALIGN(n);
	}
	return all;
}
const struct type_ops nl_multipath = {.name = "multipath", .memory = multipath_memory};

/* What a link of a kind has: the kind was told by an attribute before. */
static struct value *info_data_memory(struct decoder *d, const struct type *t, uint64_t addr,
				      const uint8_t *bytes, size_t len)
{
	static const struct {
		uint16_t told_by;
		const char *kind;
		struct nlattr_table *attrs;
	} kinds[] = {{IFLA_INFO_KIND, "bridge", &nlattrs_ifla_br},
		     {IFLA_INFO_KIND, "tun", &nlattrs_ifla_tun},
		     {IFLA_INFO_SLAVE_KIND, "bridge", &nlattrs_ifla_brport}};
	const struct value *kind = netlink_sibling(d, t->len.n);

	for (size_t i = 0; kind && kind->kind == VALUE_STRING && i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].told_by == t->len.n && kind->len == strlen(kinds[i].kind) &&
		    !memcmp(kind->str, kinds[i].kind, kind->len))
			return netlink_attrs(d, kinds[i].attrs, addr, bytes, len);
	return NULL;
}
const struct type_ops nl_info_data = {.name = "info_data", .memory = info_data_memory};

/* A thing, and the attributes behind it. */
static struct value *with_attrs(struct decoder *d, const struct type *t, struct nlattr_table *table,
				uint64_t addr, const uint8_t *bytes, size_t len)
{
	size_t size = decode_size(d->abi, t), at = NLA_ALIGN(size);
	struct value *v;

	if (len < size)
		return NULL;
	v = value_new(d->arena, VALUE_SEQ, 0);
	value_add(v, decode_bytes(d, t, addr, bytes, size));
	if (len > at)
		value_add(v, netlink_attrs(d, table, addr + at, bytes + at, len - at));
	return v;
}

static struct value *mdb_entry_memory(struct decoder *d, const struct type *t attr_unused,
				      uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type entry = STRUCT(br_mdb_entry);

	return with_attrs(d, &entry, &nlattrs_mdba_eattr, addr, bytes, len);
}
const struct type_ops nl_mdb_entry = {.name = "mdb_entry", .memory = mdb_entry_memory};

static struct value *mdb_router_memory(struct decoder *d, const struct type *t attr_unused,
				       uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type port = NL_IFINDEX;

	return with_attrs(d, &port, &nlattrs_mdba_router_pattr, addr, bytes, len);
}
const struct type_ops nl_mdb_router = {.name = "mdb_router", .memory = mdb_router_memory};
