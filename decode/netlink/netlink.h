/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of netlink(7) sockets. What they hold is data, in linux/netlink/NAME.def:
 *
 *	NLATTRS_BEGIN(ifla)
 *	NLATTR(IFLA_MTU, U32)
 *	NLATTR(IFLA_XDP, NL_NESTED(ifla_xdp))
 *	NLATTRS_END(ifla, &xlat_ifla_attrs)
 *
 * is a table of attributes: the names of all, and the types of those that are more than bytes. An
 * attribute that is too short for its type is shown as bytes. NLMSG(protocol, type, struct,
 * attributes) says what a message of that type holds; NLMSG_PLAIN(protocol, type, struct) is for
 *one without attributes.
 */
#ifndef TRACER_DECODE_NETLINK_NETLINK_H
#define TRACER_DECODE_NETLINK_NETLINK_H

#include "decode/core/decode.h"
#include "decode/netlink/netlink_types.h"

struct nlattr_row {
	const char *name; /* NULL: every attribute of the table */
	struct type type;
};

struct nlattr_table {
	const struct xlat *names; /* of the attributes' numbers; NULL: they have none */
	const struct nlattr_row *rows;
	unsigned n;
	const struct type **types; /* by the attribute's number; made when first used */
};

struct nlmsg_row {
	const char *protocol, *type;	/* names in the tables netlink_protocols and rtm_types */
	const struct struct_desc *desc; /* what the message begins with, after struct nlmsghdr */
	struct nlattr_table *attrs;	/* or NULL */
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

/* len bytes at addr that go through a descriptor: netlink messages if it is such a socket. */
struct value *decode_packet(struct decoder *d, int fd, uint64_t addr, uint64_t len);
/* A message of NETLINK_KOBJECT_UEVENT, len bytes at addr: of the kernel, or of udev. */
struct value *netlink_uevent(struct decoder *d, uint64_t addr, uint64_t len);
/* For rows: a buffer of t->len bytes that goes through the descriptor in argument 0. */
decode_fn netlink_buffer;

/* The attributes, rtnetlink(3), in len bytes that were read from addr. */
struct value *netlink_attrs(struct decoder *d, struct nlattr_table *table, uint64_t addr,
			    const uint8_t *bytes, size_t len);
/*
 * The address, as a value, of the first of these n bytes that could not be read, if they lie in the
 * decoder's buffer of messages (d->nl_bytes). NULL if all of them could be read.
 */
struct value *netlink_unread(struct decoder *d, const uint8_t *bytes, size_t n);
/* len bytes of no known type, as a string of \x escapes. */
struct value *netlink_hex(struct decoder *d, const uint8_t *bytes, size_t len);

/* The "..." at the end of a list, with the address end, from which on nothing could be read. */
struct value *netlink_cut(struct decoder *d, const struct value *end);
/* The only element of an array, if it has no more than one; else the array. */
struct value *netlink_one_or_all(struct value *all);

/* One message of len bytes, its header included, that was read from addr. */
struct value *netlink_message(struct decoder *d, int protocol, uint64_t addr, const uint8_t *bytes,
			      size_t len);

/*
 * A table that has the name of the generic netlink family with the number id: one in the arena, as
 * the kernel tells it, or the table of families whose numbers are fixed. Never NULL.
 */
const struct xlat *netlink_genl_families(struct decoder *d, uint16_t id);

/* Types of attributes that only rtnetlink(7) messages have. */
extern const struct type_ops nl_af_spec, nl_protinfo, nl_multipath, nl_via, nl_info_data,
	nl_mdb_entry, nl_mdb_router;

/*
 * The content, *len bytes, of an attribute of this type that stands before the one being decoded,
 * in the same list; of several the last one. NULL if there is none.
 */
const uint8_t *netlink_sibling(const struct decoder *d, uint16_t type, size_t *len);

/* [head, body], or head alone if body is NULL. */
struct value *netlink_pair(struct decoder *d, struct value *head, struct value *body);
/* How many elements of a list are shown: as many as -s says, or with -v practically all. */
size_t netlink_shown_limit(const struct decoder *d);
/*
 * Whether element i of an array, of `size` bytes, is shown. If not, `all` gets the end of the
 * array: the address where the buffer can no longer be read, or "...".
 */
bool netlink_has_elem(struct decoder *d, struct value *all, size_t i, const uint8_t *bytes,
		      size_t size);

extern const struct type_ops type_netlink_buffer;
#define NETLINK_BUFFER(...) TYPE(type_netlink_buffer, .width = W_LONG, .len = __VA_ARGS__)

#endif
