/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes of rtnetlink(7) that depend on other attributes or that are not plain structs. */
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "linux/families.h"

static struct value *af_spec_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr, const uint8_t *bytes, size_t len)
{
	struct nlattr_table *table = decode_field(d, "ifi_family") == AF_BRIDGE
					     ? &nlattrs_ifla_bridge
					     : &nlattrs_af_spec;

	return netlink_attrs(d, table, addr, bytes, len);
}
const struct type_ops nl_af_spec = {.name = "af_spec", .memory = af_spec_memory, .partial = true};

static struct value *protinfo_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr, const uint8_t *bytes, size_t len)
{
	switch (decode_field(d, "ifi_family")) {
	case AF_BRIDGE:
		return netlink_attrs(d, &nlattrs_ifla_brport, addr, bytes, len);
	case AF_INET6:
		return netlink_attrs(d, &nlattrs_ifla_inet6, addr, bytes, len);
	}
	return NULL;
}
const struct type_ops nl_protinfo = {
	.name = "protinfo", .memory = protinfo_memory, .partial = true};

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

/*
 * Shows an array of struct rtnexthop, each of which has attributes of its own. As in strace 7.2,
 * each element is read from the end of the previous one, even if that is beyond the end of the
 * attribute. If an element cannot be read, its address is shown.
 */
static struct value *multipath_memory(struct decoder *d, const struct type *t attr_unused,
				      uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type hop = STRUCT(rtnexthop);
	struct value *all = value_array(d->arena), *last = all, *head, *attrs;
	struct rtnexthop h;
	bool many = false;
	size_t at = 0;

	if (len < sizeof(h))
		return NULL;
	for (;;) {
		size_t n;

		if (decode_read(d, addr + at, &h, sizeof(h))) {
			value_add(last, value_addr(d->arena, addr + at));
			break;
		}
		n = size_min(h.rtnh_len, len - at);
		many |= n < len - at;
		head = decode_bytes(d, &hop, addr + at, (const uint8_t *)&h, sizeof(h));
		attrs = n > sizeof(h) ? netlink_attrs(d, &nlattrs_rta, addr + at + sizeof(h),
						      bytes + at + sizeof(h), n - sizeof(h))
				      : NULL;
		last = value_add(all, value_expr(d->arena, VALUE_OP_BESIDE, 0));
		last->text |= TEXT_ALWAYS | TEXT_STYLED;
		value_add(last, netlink_pair(d, head, attrs));
		at += RTNH_ALIGN(h.rtnh_len);
		if (!h.rtnh_len || at >= len)
			break;
	}
	return many ? all : all->child;
}
const struct type_ops nl_multipath = {.name = "multipath", .memory = multipath_memory};

/* Returns true if the earlier attribute with the number kind_attr names this kind of link. */
static bool is_kind(const struct decoder *d, uint16_t kind_attr, const char *kind)
{
	size_t n = 0, len = strlen(kind);
	const char *name = (const char *)netlink_sibling(d, kind_attr, &n);

	return name && strnlen(name, n) == len && !memcmp(name, kind, len);
}

/* Shows nested attributes. The kind of the link determines their table. */
static struct value *info_data_memory(struct decoder *d, const struct type *t, uint64_t addr,
				      const uint8_t *bytes, size_t len)
{
	static const struct {
		uint16_t kind_attr;
		const char *kind;
		struct nlattr_table *attrs;
	} kinds[] = {{IFLA_INFO_KIND, "bridge", &nlattrs_ifla_br},
		     {IFLA_INFO_KIND, "tun", &nlattrs_ifla_tun},
		     {IFLA_INFO_SLAVE_KIND, "bridge", &nlattrs_ifla_brport}};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind_attr == t->len.n && is_kind(d, t->len.n, kinds[i].kind))
			return netlink_attrs(d, kinds[i].attrs, addr, bytes, len);
	return NULL;
}
const struct type_ops nl_info_data = {
	.name = "info_data", .memory = info_data_memory, .partial = true};

static struct value *info_xstats_memory(struct decoder *d, const struct type *t attr_unused,
					uint64_t addr, const uint8_t *bytes, size_t len)
{
	static const struct type can = STRUCT(can_device_stats);

	if (!is_kind(d, IFLA_INFO_KIND, "can") || len < decode_size(d->abi, &can))
		return NULL;
	return decode_bytes(d, &can, addr, bytes, len);
}
const struct type_ops nl_info_xstats = {.name = "info_xstats", .memory = info_xstats_memory};

/*
 * Shows the GUID of a virtual function. Some kernels have padding before the 64-bit member of the
 * struct. The length of the attribute shows whether there is padding.
 */
static struct value *vf_guid_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type packed = STRUCT(ifla_vf_guid_packed), aligned = STRUCT(ifla_vf_guid);

	if (len == 12)
		return decode_bytes(d, &packed, addr, bytes, len);
	return len == 16 ? decode_bytes(d, &aligned, addr, bytes, len) : NULL;
}
const struct type_ops nl_vf_guid = {.name = "vf_guid", .memory = vf_guid_memory};

struct value *nl_rtnl_family(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static struct xlat names;

	if (xlat_name(&xlat_rtnl_families, n))
		return value_enum(d->arena, &xlat_rtnl_families, n);
	names = xlat_addr_families;
	names.unknown = xlat_rtnl_families.unknown;
	return value_enum(d->arena, &names, n);
}

static struct value *mcast_dirs_memory(struct decoder *d, const struct type *t attr_unused,
				       uint64_t addr, const uint8_t *bytes, size_t len)
{
	const struct type dirs = NL_INDEXED(U64, br_mcast_dirs, 0);

	return decode_bytes(d, &dirs, addr, bytes, len);
}
const struct type_ops nl_mcast_dirs = {.name = "mcast_dirs", .memory = mcast_dirs_memory};

/* Shows a struct that is followed by attributes. */
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
