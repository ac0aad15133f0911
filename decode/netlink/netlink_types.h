/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types of netlink attributes, for use in linux/netlink/ and linux/structs/. */
#ifndef TRACER_DECODE_NETLINK_NETLINK_TYPES_H
#define TRACER_DECODE_NETLINK_NETLINK_TYPES_H

#include "decode/core/type.h"

#define NL_NESTED(table_) TYPE(nl_nested, .attrs = &nlattrs_##table_)
#define NL_STR		  TYPE(nl_string)    /* a NUL-terminated string */
#define NL_CSTR		  TYPE(nl_cstring)   /* a string up to its first NUL */
#define NL_LINKADDR	  TYPE(nl_link_addr) /* a link's hardware address */
#define NL_HWADDR	  TYPE(nl_hwaddr)    /* a hardware address, such as 00:11:22 */
/* an attribute without contents; only its presence matters */
#define NL_FLAG TYPE(nl_nothing)
/* An address. Its family is in the field f of the message's struct. */
#define NL_ADDR(f) TYPE(nl_addr, .len = FIELD(f))
#define NL_IN	   TYPE(nl_in)
#define NL_IN6	   TYPE(nl_in6)
#define NL_IFINDEX FN32(nl_ifindex)
#define NL_BE16	   FN16(nl_be16) /* shown as htons(N) */
#define NL_BE32	   FN32(nl_be32) /* shown as htonl(N) */
/*
 * An array that fills the attribute. An attribute that is shorter than one element is shown as
 * bytes.
 */
#define NL_WORDS(...) TYPE(nl_words, ELEM_(__VA_ARGS__))
/* An array that fills the attribute. The name of element i is the name of i + base in table x. */
#define NL_INDEXED(type_, x, base)                                                                 \
	TYPE(nl_indexed, ELEM_(type_), .names = &xlat_##x, .len = {.n = (base)})
/*
 * A struct that may be incomplete, because the attribute ends before the end of the struct. The
 * struct is shown if the attribute has at least `least` bytes.
 */
#define NL_CUT(s, least) TYPE(nl_cut, .desc = &struct_##s, .len = {.n = (least)})
/*
 * A struct that newer kernels have extended. Old kernels send only the first `older` bytes. Newer
 * kernels send the struct up to the end of some later member.
 */
#define NL_GROWN(s, older) TYPE(nl_grown, .desc = &struct_##s, .len = {.n = (older)})
/* A struct that is followed by bytes: the rest of the attribute. */
#define NL_REST(s) TYPE(nl_rest, .desc = &struct_##s)
/* A named number or flags, in an attribute that may be longer than the number. */
#define NL_LONG(...) TYPE(nl_long, ELEM_(__VA_ARGS__))
/* A named number that is as wide as its attribute. */
#define NL_ENUM(x) TYPE(nl_enum, .xlat = &xlat_##x)
/* A struct. An attribute that is shorter than the struct is shown as text. */
#define NL_TEXT_OR(s) TYPE(nl_text_or, .desc = &struct_##s)
/*
 * Nested attributes. The attribute with the number `kind_attr`, which precedes them, contains a
 * string that selects their table.
 */
#define NL_INFO_DATA(kind_attr) TYPE(nl_info_data, .len = {.n = (kind_attr)})
/* A hardware address in a struct. */
#define NL_MAC(n_) TYPE(nl_hwaddr, .len = N(n_))
/* A name of n_ bytes in a struct. If it contains no NUL, the last byte is not shown. */
#define NL_NAME(n_) TYPE(nl_name, .len = N(n_))
extern const struct type_ops nl_name, nl_bytecode, nl_sockopt, nl_addresses, nl_number, nl_md5sig,
	nl_shutdown;
extern const struct type_ops nl_nested, nl_string, nl_hwaddr, nl_nothing, nl_addr, nl_in, nl_in6,
	nl_indexed, nl_cut, nl_words, nl_diag_addr, nl_clock_t, nl_milliseconds, nl_text_or,
	nl_crypto_type, nl_smc_dmb, nl_grown, nl_rest, nl_enum, nl_long, nl_cstring, nl_link_addr,
	nl_vf_guid, nl_mcast_dirs, nl_info_xstats, nl_socket_filter, nl_ctrl_ops;
decode_fn nl_ifindex, nl_be16, nl_be32, nl_be64, nl_ethertype, nl_htons_family, nl_nft_res_id,
	nl_port, nl_rtnl_family, nl_vlan_protocol, nl_padded_hex, nl_smc_decline, nl_genl_cmd;

#endif
