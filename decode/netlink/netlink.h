/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of netlink(7) sockets. Data, in linux/netlink/NAME.def:
 *
 *	NLATTRS_BEGIN(ifla)
 *	NLATTR(IFLA_MTU, U32)
 *	NLATTR(IFLA_XDP, NL_NESTED(ifla_xdp))
 *	NLATTRS_END(ifla, &xlat_ifla_attrs)
 *
 * is a table of attributes: how they are called, and what is in those that are more
 * than bytes; an attribute too short for its type is shown as bytes. NLMSG(protocol,
 * type, struct, attributes) says what a message of that type holds,
 * NLMSG_PLAIN(protocol, type, struct) that it has no attributes.
 */
#ifndef TRACER_DECODE_NETLINK_H
#define TRACER_DECODE_NETLINK_H

#include "decode/core/decode.h"
#include "decode/netlink/netlink_types.h"

struct nlattr_row {
	const char *name; /* NULL: any attribute */
	struct type type;
};

struct nlattr_table {
	const struct xlat *names; /* NULL: they are plain numbers */
	const struct nlattr_row *rows;
	unsigned n;
	const struct type **types; /* by attribute, when first used */
};

struct nlmsg_row {
	const char *protocol, *type; /* as named in netlink_protocols, rtm_types */
	const struct struct_desc *desc;
	struct nlattr_table *attrs;
};

#define NLATTRS_BEGIN(t) extern struct nlattr_table nlattrs_##t;
#define NLATTR(n, ...)
#define NLATTR_ANY(...)
#define NLATTRS_END(t, names)
#include "linux/netlink/all.h"
#undef NLATTRS_BEGIN
#undef NLATTR
#undef NLATTR_ANY
#undef NLATTRS_END
extern const struct nlmsg_row nlmsg_rows[];
extern const unsigned nlmsg_row_count;

/* A buffer that goes through fd: netlink messages, or bytes. */
struct value *decode_packet(struct decoder *d, int fd, uint64_t addr, uint64_t len);
/* What the kernel, or udev, tells of devices. */
struct value *netlink_uevent(struct decoder *d, uint64_t addr, uint64_t len);
/* For rows: such a buffer of the descriptor in argument 0, as long as t->len says. */
decode_fn netlink_buffer;

/* A table of attributes in bytes, which come from addr. */
struct value *netlink_attrs(struct decoder *d, struct nlattr_table *table, uint64_t addr,
			    const uint8_t *bytes, size_t len);
/* n of these bytes of a buffer could not be read: their address, else NULL. */
struct value *netlink_unread(struct decoder *d, const uint8_t *bytes, size_t n);
/* Bytes that have no better form: always \x escapes. */
struct value *netlink_hex(struct decoder *d, const uint8_t *bytes, size_t len);

/* One message, cut to its length: decode/netlink/netlink_message.c. */
struct value *netlink_message(struct decoder *d, int protocol, uint64_t addr, const uint8_t *bytes,
			      size_t len);

/* The families of generic netlink by their numbers, which the kernel is asked for once. */
const struct xlat *netlink_genl_families(struct decoder *d, uint16_t id);

/* What rtnetlink alone has. */
extern const struct type_ops nl_af_spec, nl_protinfo, nl_multipath, nl_via, nl_info_data,
	nl_mdb_entry, nl_mdb_router;

/* What the last attribute of that type before this one in its table holds, or NULL. */
const uint8_t *netlink_sibling(const struct decoder *d, uint16_t type, size_t *len);

/* [head, body], or head alone where body is NULL. */
struct value *netlink_pair(struct decoder *d, struct value *head, struct value *body);
size_t netlink_shown_limit(const struct decoder *d);

extern const struct type_ops type_netlink_buffer;
#define NETLINK_BUFFER(...) TYPE(type_netlink_buffer, .width = W_LONG, .len = __VA_ARGS__)

#endif
