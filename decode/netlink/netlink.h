/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of netlink(7) sockets. The tables in linux/netlink/NAME.def describe their contents. For
 * example, this is a table of attributes:
 *
 *   NLATTRS_BEGIN(ifla)
 *   NLATTR(IFLA_MTU, U32)
 *   NLATTR(IFLA_XDP, NL_NESTED(ifla_xdp))
 *   NLATTRS_END(ifla, &xlat_ifla_attrs)
 *
 * NLATTRS_END() specifies the names of all attributes. The table lists only attributes that are not
 * plain bytes. An attribute that is too short for its type is shown as bytes.
 * NLMSG(protocol, type, struct, attributes) describes the contents of a message type.
 * NLMSG_PLAIN(protocol, type, struct) describes a message type without attributes.
 */
#ifndef TRACER_DECODE_NETLINK_NETLINK_H
#define TRACER_DECODE_NETLINK_NETLINK_H

#include "decode/core/decode.h"
#include "decode/netlink/netlink_types.h"

struct nlattr_row {
	/*
	 * name of the attribute; NULL if the row applies to all attributes and is the only row of
	 * the table
	 */
	const char *name;
	struct type type;
};

struct nlattr_table {
	const struct xlat *names; /* names for attribute numbers; NULL if they have no names */
	const struct nlattr_row *rows;
	unsigned n;
	const struct type **types; /* indexed by attribute number; created when first used */
};

struct nlmsg_row {
	const char *protocol, *type; /* names in the table netlink_protocols and in the protocol's
					table of message types */
	const struct struct_desc
		*desc; /* the struct at the start of the message, directly after struct nlmsghdr */
	struct nlattr_table *attrs; /* the attributes that follow the struct, or NULL */
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

/*
 * Shows len bytes at addr that were sent or received through descriptor fd. If fd is a netlink
 * socket, decodes them as messages.
 */
struct value *decode_packet(struct decoder *d, int fd, uint64_t addr, uint64_t len);
/*
 * Shows a NETLINK_KOBJECT_UEVENT message of len bytes at addr, which the kernel or udev has sent.
 */
struct value *netlink_uevent(struct decoder *d, uint64_t addr, uint64_t len);
/*
 * For tables of syscalls: a buffer of t->len bytes that was sent or received through the descriptor
 * in argument 0.
 */
decode_fn netlink_buffer;

/* Shows the rtnetlink(3) attributes in len bytes. The bytes were read from addr. */
struct value *netlink_attrs(struct decoder *d, struct nlattr_table *table, uint64_t addr,
			    const uint8_t *bytes, size_t len);
/*
 * `bytes` points into the decoder's message buffer, d->nl_bytes. Returns NULL if all of the n bytes
 * could be read. Otherwise returns a VALUE_ADDR with the tracee's address of `bytes`.
 */
struct value *netlink_unread(struct decoder *d, const uint8_t *bytes, size_t n);
/* Shows len bytes of unknown type as a string of \x escapes. */
struct value *netlink_hex(struct decoder *d, const uint8_t *bytes, size_t len);

/*
 * Returns the value "..." for the end of a list. Its comment shows end->num, which is the address
 * of the first element that is not shown.
 */
struct value *netlink_cut(struct decoder *d, const struct value *end);
/*
 * If an array has only one element, and no "..." after it, returns this element. Otherwise returns
 * the array, or "..." if the array has no element but "...".
 */
struct value *netlink_one_or_all(struct value *all);

/* Shows a message of len bytes, including the message's header. The bytes were read from addr. */
struct value *netlink_message(struct decoder *d, int protocol, uint64_t addr, const uint8_t *bytes,
			      size_t len);

/*
 * Returns a table for the name of the generic netlink family with this id. Never returns NULL. If
 * the kernel could be queried, the table is allocated in the arena, and is empty if there is no
 * such family. Otherwise it is the table of the families that have fixed numbers.
 */
const struct xlat *netlink_genl_families(struct decoder *d, uint16_t id);

/* Types of attributes that occur only in rtnetlink(7) messages. */
extern const struct type_ops nl_af_spec, nl_protinfo, nl_multipath, nl_via, nl_info_data,
	nl_mdb_entry, nl_mdb_router;

/*
 * Returns the contents of an attribute in the same list: the last earlier attribute of the given
 * type. Stores their length in bytes in *len. Returns NULL if there is no such attribute.
 */
const uint8_t *netlink_sibling(const struct decoder *d, uint16_t type, size_t *len);

/* Shows [head, body]. If body is NULL, shows only head. */
struct value *netlink_pair(struct decoder *d, struct value *head, struct value *body);
/*
 * Returns the maximum number of list elements that are shown: the limit of -s, or a very high limit
 * with -v. Returns 0 if the event's budget is used up.
 */
size_t netlink_shown_limit(const struct decoder *d);
/*
 * Returns true if element i of an array, which is in the `size` bytes at `bytes`, is shown.
 * Otherwise ends the array `all` with "...". If the element could not be read completely, the
 * comment of "..." is the element's address.
 */
bool netlink_has_elem(struct decoder *d, struct value *all, size_t i, const uint8_t *bytes,
		      size_t size);

extern const struct type_ops type_netlink_buffer;
#define NETLINK_BUFFER(...) TYPE(type_netlink_buffer, .width = W_LONG, .len = __VA_ARGS__)

#endif
