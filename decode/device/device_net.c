/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ioctl requests of network interfaces, see netdevice(7). */
#include "decode/device/device.h"
#include "decode/net/sockaddr.h"

/*
 * Returns the length in bytes of addresses of this hardware type (net/if_arp.h). Returns 0 if the
 * type has no addresses, and 14 if the type is unknown.
 */
static size_t address_length(uint64_t family)
{
	static const struct {
		uint16_t family;
		uint8_t length;
	} lengths[] = {
		{0, 7},	  {1, 6},   {3, 7},   {6, 6},	{7, 1},	  {15, 2},  {27, 8},  {256, 0},
		{270, 5}, {271, 0}, {280, 0}, {290, 1}, {512, 0}, {518, 0}, {519, 0}, {768, 4},
		{772, 6}, {773, 1}, {774, 6}, {776, 4}, {777, 0}, {778, 4}, {779, 0}, {780, 6},
		{783, 4}, {801, 6}, {802, 6}, {803, 6}, {804, 8}, {805, 8}, {820, 1}, {821, 1},
		{822, 0}, {824, 0}, {825, 8}, {826, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (lengths[i].family == family)
			return lengths[i].length;
	return 14;
}

static struct value *hardware_bytes(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v =
		decode_mac(d, bytes, size_min(len, address_length(decode_field(d, "sa_family"))));

	v->extra = decode_network_bytes(d, bytes, len);
	return v;
}

const struct type_ops type_hardware_bytes = {.name = "hardware_bytes", .memory = hardware_bytes};

struct value *interface_index(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return decode_ifindex(d, n);
}

static struct value *ifc_len(struct decoder *d, int len)
{
	size_t entry = struct_size(d->abi, &struct_ifconf_entry);
	struct value *v = value_int(d->arena, len);

	if (len > 0 && !(len % entry))
		v->comment =
			arena_printf(d->arena, "%zu * sizeof(struct ifreq)", (size_t)len / entry);
	return v;
}

/*
 * Reads both members of the struct ifconf at addr: ifc_len into *len and ifc_buf into *buf. Returns
 * 0 or -errno.
 */
static int ifconf_read(struct decoder *d, uint64_t addr, int *len, uint64_t *buf)
{
	size_t size = struct_size(d->abi, &struct_ifconf);
	uint8_t bytes[16] = {0};
	struct scope scope = {.desc = &struct_ifconf, .bytes = bytes, .len = size, .addr = addr};
	int err = decode_read(d, addr, bytes, size);

	if (err < 0)
		return err;
	d->scope = &scope;
	*len = (int)decode_field(d, "ifc_len");
	*buf = decode_field(d, "ifc_buf");
	d->scope = NULL;
	return 0;
}

struct value *ifconf_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;
	uint64_t buf;
	int len, err;

	if (!n)
		return value_addr(d->arena, n);
	err = ifconf_read(d, n, &len, &buf);
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	v = value_struct(d->arena);
	/* Without a buffer, the call only returns the length. */
	value_add_named(v, "ifc_len", buf ? ifc_len(d, len) : value_pending(d->arena));
	v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *ifconf_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct type entries = ARRAY(STRUCT(ifconf_entry), N(0));
	struct value *v, *before, *len, *list;
	int length;
	uint64_t buf;

	if (ifconf_read(d, n, &length, &buf) < 0)
		return (struct value *)d->before;
	before = d->before->child;
	len = ifc_len(d, length);
	if (before->kind != VALUE_PENDING)
		len = d->failed ? before : value_change(d->arena, before, len);
	len->next = NULL;
	v = value_struct(d->arena);
	value_add_named(v, "ifc_len", len);
	list = value_addr(d->arena, buf);
	if (buf && !d->failed && length >= 0) {
		entries.len.n = length / struct_size(d->abi, &struct_ifconf_entry);
		list = decode_at(d, &entries, buf);
	}
	value_add_named(v, "ifc_buf", list);
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads netdev_reads[] = {CUSTOM(ifconf_entry, BYTES(N(16))),
					    CUSTOM(ifconf_exit, STRUCT(ifconf)),
					    CUSTOM(ifconf_exit, BYTES(N(16))),
					    {0}};
