/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A netlink message: its header, followed by its contents. The format of the contents depends on
 * the type of the message.
 */
#include <linux/genetlink.h>
#include <linux/inet_diag.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>

#include "linux/families.h"

/* ---- the header of a message ---- */

static struct value *netfilter_type(struct decoder *d, uint16_t type)
{
	static const struct xlat *const types[] = {
		[NFNL_SUBSYS_CTNETLINK] = &xlat_nf_ctnetlink_types,
		[NFNL_SUBSYS_CTNETLINK_EXP] = &xlat_nf_ctnetlink_exp_types,
		[NFNL_SUBSYS_QUEUE] = &xlat_nf_nfqueue_types,
		[NFNL_SUBSYS_ULOG] = &xlat_nf_nfulnl_types,
		[NFNL_SUBSYS_OSF] = &xlat_nf_osf_types,
		[NFNL_SUBSYS_IPSET] = &xlat_nf_ipset_types,
		[NFNL_SUBSYS_ACCT] = &xlat_nf_nfacct_types,
		[NFNL_SUBSYS_CTNETLINK_TIMEOUT] = &xlat_nf_cttimeout_types,
		[NFNL_SUBSYS_CTHELPER] = &xlat_nf_cthelper_types,
		[NFNL_SUBSYS_NFTABLES] = &xlat_nf_nftables_types,
		[NFNL_SUBSYS_NFT_COMPAT] = &xlat_nf_nft_compat_types,
		[12 /* NFNL_SUBSYS_HOOK */] = &xlat_nf_hook_types,
	};
	uint8_t subsystem = type >> 8, what = type;
	struct value *v, *shifted;

	if (type == NFNL_MSG_BATCH_BEGIN)
		return value_word(d->arena, "NFNL_MSG_BATCH_BEGIN", type);
	if (type == NFNL_MSG_BATCH_END)
		return value_word(d->arena, "NFNL_MSG_BATCH_END", type);
	v = value_expr(d->arena, VALUE_OP_OR, type);
	v->text |= TEXT_ALWAYS | TEXT_STYLED;
	shifted = value_expr(d->arena, VALUE_OP_SHIFT, (uint64_t)subsystem << 8);
	shifted->text |= TEXT_ALWAYS | TEXT_STYLED;
	value_add(shifted, value_enum(d->arena, &xlat_nf_subsystems, subsystem));
	value_add(shifted, value_uint(d->arena, 8));
	value_add(v, shifted);
	if (subsystem < ARRAY_SIZE(types) && types[subsystem])
		value_add(v, value_enum(d->arena, types[subsystem], what));
	else
		value_add(v, value_hex(d->arena, what));
	return v;
}

static const struct xlat *type_names(int protocol)
{
	switch (protocol) {
	case NETLINK_ROUTE:
		return &xlat_rtm_types;
	case NETLINK_SOCK_DIAG:
		return &xlat_sock_diag_types;
	case NETLINK_XFRM:
		return &xlat_xfrm_types;
	case NETLINK_SELINUX:
		return &xlat_selinux_types;
	case NETLINK_CRYPTO:
		return &xlat_crypto_types;
	case NETLINK_AUDIT:
		return &xlat_audit_types;
	default:
		return &xlat_nlmsg_types;
	}
}

static struct value *type_value(struct decoder *d, int protocol, uint16_t type)
{
	struct value *v;

	if (protocol == NETLINK_NETFILTER && type >= NLMSG_MIN_TYPE)
		return netfilter_type(d, type);
	if (protocol == NETLINK_GENERIC && type >= NLMSG_MIN_TYPE)
		v = value_enum(d->arena, netlink_genl_families(d, type), type);
	else
		v = value_enum(d->arena,
			       type < NLMSG_MIN_TYPE ? &xlat_nlmsg_types : type_names(protocol),
			       type);
	v->width = 2;
	return v;
}

/*
 * Returns the table of flags for requests with this name. The verb in the name (GET, NEW, DEL or
 * DESTROY) determines the flags. Without a verb, or if name is NULL, only the common flags apply.
 */
static const struct xlat *flags_by_name(const char *name)
{
	static const struct {
		const char *verb;
		const struct xlat *flags;
	} verbs[] = {{"NEW", &xlat_nlmsg_new_flags},
		     {"DEL", &xlat_nlmsg_del_flags},
		     {"DESTROY", &xlat_nlmsg_del_flags},
		     {"GET", &xlat_nlmsg_get_flags}};
	const char *msg = name ? strstr(name, "_MSG_") : NULL;

	/*
	 * A GET request whose name contains DEFAULT returns a single object, so it has the common
	 * flags.
	 */
	for (size_t i = 0; msg && !strstr(msg, "DEFAULT") && i < ARRAY_SIZE(verbs); i++)
		if (strstr(msg, verbs[i].verb))
			return verbs[i].flags;
	return &xlat_nlmsg_flags;
}

static const struct xlat *flag_names(int protocol, uint16_t type, const struct value *type_value)
{
	const struct value *what;

	if (type == NLMSG_ERROR)
		return &xlat_nlmsg_ack_flags;
	if (type < NLMSG_MIN_TYPE)
		return &xlat_nlmsg_flags;
	switch (protocol) {
	case NETLINK_ROUTE:
		if (type == RTM_DELACTION) /* with NLM_F_ROOT, this deletes all actions */
			return &xlat_nlmsg_get_flags;
		switch (type & 3) {
		case 0:
			return &xlat_nlmsg_new_flags;
		case 1:
			return &xlat_nlmsg_del_flags;
		case 2:
			return &xlat_nlmsg_get_flags;
		}
		return &xlat_nlmsg_flags;
	case NETLINK_SOCK_DIAG:
	case NETLINK_GENERIC:
		return &xlat_nlmsg_get_flags;
	case NETLINK_CRYPTO:
		return flags_by_name(xlat_name(&xlat_crypto_types, type));
	case NETLINK_XFRM:
		return flags_by_name(xlat_name(&xlat_xfrm_types, type));
	case NETLINK_NETFILTER:
		what = type_value->kind == VALUE_EXPR ? type_value->last : NULL;
		return flags_by_name(what && what->kind == VALUE_ENUM
					     ? xlat_name(what->table, what->num)
					     : NULL);
	default:
		return &xlat_nlmsg_flags;
	}
}

static struct value *header_value(struct decoder *d, int protocol, const struct nlmsghdr *h)
{
	struct value *v = value_struct(d->arena), *type = type_value(d, protocol, h->nlmsg_type);

	value_add_named(v, "nlmsg_len", value_uint(d->arena, h->nlmsg_len));
	value_add_named(v, "nlmsg_type", type);
	value_add_named(
		v, "nlmsg_flags",
		value_flags(d->arena, flag_names(protocol, h->nlmsg_type, type), h->nlmsg_flags))
		->width = 2;
	value_add_named(v, "nlmsg_seq", value_uint(d->arena, h->nlmsg_seq));
	value_add_named(v, "nlmsg_pid", decode_pid(d, PID_PROCESS, (int)h->nlmsg_pid));
	return v;
}

/* ---- the contents of a message ---- */

/*
 * Shows the struct s, which is in `bytes`. If it is cut off after its first member, "..." is shown
 * at the end.
 */
static struct value *netlink_struct(struct decoder *d, const struct struct_desc *s, uint64_t addr,
				    const uint8_t *bytes, size_t len)
{
	const struct type t = {.ops = &type_struct, .desc = s};
	size_t size = struct_size(d->abi, s);
	struct value *v;

	size_t first = decode_size(d->abi, &s->fields[0].type);

	if (len >= size && !netlink_unread(d, bytes, size))
		return decode_bytes(d, &t, addr, bytes, size);
	v = netlink_unread(d, bytes, first);
	if (v || (len >= size && s->nfields == 1))
		return v;
	if (len >= size) {
		v = decode_bytes(d, &t, addr, bytes, first);
		value_add_named(v, "", netlink_unread(d, bytes + first, size - first))->text |=
			TEXT_UNNAMED;
		return v;
	}
	v = decode_bytes(d, &t, addr, bytes,
			 size_min(len, decode_size(d->abi, &s->fields[0].type)));
	v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *error_value(struct decoder *d, int protocol, const struct nlmsghdr *h,
				 uint64_t addr, const uint8_t *bytes, size_t len)
{
	size_t inner = len - sizeof(int), used;
	struct value *v, *error;
	struct nlmsghdr of;
	int32_t n;

	if (len < sizeof(n))
		return netlink_hex(d, bytes, len);
	v = netlink_unread(d, bytes, size_min(len, sizeof(n) + sizeof(of)));
	if (v)
		return v;
	memcpy(&n, bytes, sizeof(n));
	if (inner < sizeof(of))
		return netlink_hex(d, bytes, len);
	memcpy(&of, bytes + sizeof(n), sizeof(of));
	used = h->nlmsg_flags & NLM_F_CAPPED ? sizeof(of) : size_max(of.nlmsg_len, sizeof(of));
	used = size_min(used, inner);
	v = value_struct(d->arena);
	if (n < 0 && xlat_name(&xlat_errnos, -(int64_t)n)) {
		error = value_expr(d->arena, VALUE_OP_JOIN, n);
		error->flags |= VALUE_F_SIGNED;
		value_add(error, value_plain(d->arena, "-"));
		value_add(error, value_enum(d->arena, &xlat_errnos, -(int64_t)n));
	} else {
		error = value_int(d->arena, n);
	}
	value_add_named(v, "error", error);
	value_add_named(v, "msg",
			netlink_message(d, protocol, addr + sizeof(n), bytes + sizeof(n), used));
	used += sizeof(n);
	if (used >= len)
		return v;
	return netlink_pair(
		d, v, netlink_attrs(d, &nlattrs_nlmsgerr, addr + used, bytes + used, len - used));
}

static const struct nlmsg_row *message_row(int protocol, uint16_t type)
{
	const char *p = xlat_name(&xlat_netlink_protocols, protocol),
		   *t = xlat_name(type_names(protocol), type);

	for (unsigned i = 0; p && t && i < nlmsg_row_count; i++)
		if (!strcmp(nlmsg_rows[i].type, t) && !strcmp(nlmsg_rows[i].protocol, p))
			return &nlmsg_rows[i];
	return NULL;
}

/* Adds the struct and the attributes of a message. `row` describes the type of the message. */
static void add_row(struct decoder *d, struct value *to, const struct nlmsg_row *row, uint64_t addr,
		    const uint8_t *bytes, size_t len)
{
	size_t size = struct_size(d->abi, row->desc), at = NLMSG_ALIGN(size);
	struct scope scope = {.up = d->scope,
			      .desc = row->desc,
			      .bytes = bytes,
			      .len = size_min(len, size),
			      .addr = addr};

	value_add(to, netlink_struct(d, row->desc, addr, bytes, len));
	if (len <= at || !row->attrs || netlink_unread(d, bytes, size))
		return;
	if (row->attrs == &nlattrs_bytes && row->desc == &struct_rtgenmsg_rtnl &&
	    bytes[0] >= RTNL_FAMILY_IPMR && bytes[0] <= RTNL_FAMILY_IP6MR) {
		value_add(to, netlink_attrs(d,
					    bytes[0] == RTNL_FAMILY_IPMR ? &nlattrs_ipmra_creport
									 : &nlattrs_ip6mra_creport,
					    addr + at, bytes + at, len - at));
		return;
	}
	if (row->attrs == &nlattrs_bytes) {
		value_add(to, netlink_hex(d, bytes + at, len - at));
		return;
	}
	d->scope = &scope;
	value_add(to, netlink_attrs(d, row->attrs, addr + at, bytes + at, len - at));
	d->scope = scope.up;
}

/*
 * Shows a message as {family=AF_INET, data="…"}. Used if the only known member is the family, which
 * is the first byte.
 */
static struct value *family_value(struct decoder *d, uint64_t addr, const uint8_t *bytes,
				  size_t len)
{
	struct value *v = netlink_struct(d, &struct_nl_family, addr, bytes, 1);

	if (len > 1)
		value_add_named(v, "data", netlink_hex(d, bytes + 1, len - 1));
	return v;
}

/*
 * Adds the contents of a sock_diag(7) message. Requests and answers have the same message type, so
 * the flag NLM_F_REQUEST determines which struct the message contains.
 */
static void add_diag(struct decoder *d, struct value *to, const struct nlmsghdr *h, uint64_t addr,
		     const uint8_t *bytes, size_t len)
{
	static const struct {
		uint8_t family;
		struct nlmsg_row request, answer;
	} families[] = {
		{AF_NETLINK,
		 {.desc = &struct_netlink_diag_req},
		 {.desc = &struct_netlink_diag_msg, .attrs = &nlattrs_netlink_diag}},
		{AF_PACKET,
		 {.desc = &struct_packet_diag_req},
		 {.desc = &struct_packet_diag_msg, .attrs = &nlattrs_packet_diag}},
		{AF_UNIX,
		 {.desc = &struct_unix_diag_req},
		 {.desc = &struct_unix_diag_msg, .attrs = &nlattrs_unix_diag}},
		{AF_INET,
		 {.desc = &struct_inet_diag_req_v2, .attrs = &nlattrs_inet_diag_req},
		 {.desc = &struct_inet_diag_msg, .attrs = &nlattrs_inet_diag}},
		{AF_INET6,
		 {.desc = &struct_inet_diag_req_v2, .attrs = &nlattrs_inet_diag_req},
		 {.desc = &struct_inet_diag_msg, .attrs = &nlattrs_inet_diag}},
		{AF_SMC,
		 {.desc = &struct_smc_diag_req},
		 {.desc = &struct_smc_diag_msg, .attrs = &nlattrs_smc_diag}},
	};
	static const struct nlmsg_row old_request = {.desc = &struct_inet_diag_req,
						     .attrs = &nlattrs_inet_diag_req};
	bool request = h->nlmsg_flags & NLM_F_REQUEST;
	bool old = h->nlmsg_type == TCPDIAG_GETSOCK || h->nlmsg_type == DCCPDIAG_GETSOCK;
	bool inet = bytes[0] == AF_INET || bytes[0] == AF_INET6;

	for (size_t i = 0; len > 1 && i < ARRAY_SIZE(families); i++) {
		if (families[i].family != bytes[0])
			continue;
		add_row(d, to,
			!request      ? &families[i].answer
			: old && inet ? &old_request
				      : &families[i].request,
			addr, bytes, len);
		return;
	}
	value_add(to, family_value(d, addr, bytes, len));
}

static void add_netfilter(struct decoder *d, struct value *to, uint16_t type, uint64_t addr,
			  const uint8_t *bytes, size_t len)
{
	static const struct nlmsg_row any = {.desc = &struct_nl_nfgenmsg,
					     .attrs = &nlattrs_unnamed},
				      nft = {.desc = &struct_nl_nfgenmsg_nft,
					     .attrs = &nlattrs_unnamed},
				      batch = {.desc = &struct_nl_nfgenmsg,
					       .attrs = &nlattrs_bytes};

	const struct nlmsg_row *row = type >> 8 == NFNL_SUBSYS_NFTABLES ? &nft : &any;

	struct value *unread = netlink_unread(d, bytes, sizeof(struct nfgenmsg));

	if (type == NFNL_MSG_BATCH_BEGIN || type == NFNL_MSG_BATCH_END)
		row = &batch;
	if (unread)
		value_add(to, unread);
	else
		add_row(d, to, row, addr, bytes, len);
}

static void add_payload(struct decoder *d, struct value *to, int protocol, const struct nlmsghdr *h,
			uint64_t addr, const uint8_t *bytes, size_t len)
{
	static const struct nlmsg_row control = {.desc = &struct_nl_genlmsghdr,
						 .attrs = &nlattrs_ctrl},
				      generic = {.desc = &struct_nl_genlmsghdr_any,
						 .attrs = &nlattrs_unnamed};
	const struct nlmsg_row *row;
	struct value *unread;
	int32_t done;

	if (h->nlmsg_type == NLMSG_ERROR) {
		value_add(to, error_value(d, protocol, h, addr, bytes, len));
		return;
	}
	if (h->nlmsg_type == NLMSG_DONE && len == sizeof(done)) {
		unread = netlink_unread(d, bytes, sizeof(done));
		memcpy(&done, bytes, sizeof(done));
		value_add(to, unread ? unread : value_int(d->arena, done));
		return;
	}
	if (h->nlmsg_type >= NLMSG_MIN_TYPE) {
		row = message_row(protocol, h->nlmsg_type);
		if (row && protocol != NETLINK_ROUTE && len < struct_size(d->abi, row->desc)) {
			value_add(to, protocol == NETLINK_CRYPTO ? decode_text(d, bytes, len)
								 : netlink_hex(d, bytes, len));
			return;
		}
		/*
		 * Requests for the forwarding entries of a bridge contain the struct of
		 * RTM_GETLINK, so use the row of RTM_GETLINK.
		 */
		if (protocol == NETLINK_ROUTE && h->nlmsg_type == RTM_GETNEIGH &&
		    bytes[0] == AF_BRIDGE && !netlink_unread(d, bytes, 1))
			row = message_row(protocol, RTM_GETLINK);
		if (row) {
			add_row(d, to, row, addr, bytes, len);
			return;
		}
		if (protocol == NETLINK_SOCK_DIAG) {
			add_diag(d, to, h, addr, bytes, len);
			return;
		}
		if (protocol == NETLINK_GENERIC && len >= sizeof(struct genlmsghdr)) {
			/*
			 * Like strace 7.2, shows the header only if all of it is readable,
			 * otherwise its address.
			 */
			unread = netlink_unread(d, bytes, sizeof(struct genlmsghdr));
			if (unread) {
				value_add(to, unread);
				return;
			}
			add_row(d, to, h->nlmsg_type == GENL_ID_CTRL ? &control : &generic, addr,
				bytes, len);
			return;
		}
		if (protocol == NETLINK_NETFILTER && len >= sizeof(struct nfgenmsg)) {
			add_netfilter(d, to, h->nlmsg_type, addr, bytes, len);
			return;
		}
		if (protocol == NETLINK_ROUTE) {
			value_add(to, family_value(d, addr, bytes, len));
			return;
		}
	}
	value_add(to, netlink_hex(d, bytes, len));
}

struct value *netlink_message(struct decoder *d, int protocol, uint64_t addr, const uint8_t *bytes,
			      size_t len)
{
	struct value *v, *header;
	struct nlmsghdr h;

	memcpy(&h, bytes, sizeof(h));
	header = header_value(d, protocol, &h);
	if (len <= sizeof(h) || h.nlmsg_len <= sizeof(h))
		return header;
	v = value_array(d->arena);
	value_add(v, header);
	if (++d->depth < DECODE_DEPTH_MAX)
		add_payload(d, v, protocol, &h, addr + sizeof(h), bytes + sizeof(h),
			    len - sizeof(h));
	d->depth--;
	return v;
}

/* ---- device events ---- */

struct value *netlink_uevent(struct decoder *d, uint64_t addr, uint64_t len)
{
	static const struct type udev = STRUCT(udev_monitor_header);
	static const char prefix[8] = "libudev";
	size_t size = struct_size(d->abi, &struct_udev_monitor_header);
	uint8_t *bytes = len < size ? NULL : decode_read_new(d, addr, size, NULL);

	if (!bytes || memcmp(bytes, prefix, sizeof(prefix)))
		return decode_buffer(d, addr, len);
	return netlink_pair(d, decode_bytes(d, &udev, addr, bytes, size),
			    len > size ? decode_buffer(d, addr + size, len - size) : NULL);
}
