/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types of netlink attributes, for rows of linux/netlink/ and linux/structs/. */
#ifndef TRACER_DECODE_NETLINK_TYPES_H
#define TRACER_DECODE_NETLINK_TYPES_H

#include "decode/core/type.h"

#define NL_NESTED(table_) TYPE(nl_nested, .attrs = &nlattrs_##table_)
#define NL_STR		  TYPE(nl_string)    /* NUL-terminated */
#define NL_CSTR		  TYPE(nl_cstring)   /* the same, up to a first NUL */
#define NL_LINKADDR	  TYPE(nl_link_addr) /* the same, of a link */
#define NL_HWADDR	  TYPE(nl_hwaddr)    /* 00:11:22 */
#define NL_FLAG		  TYPE(nl_nothing)   /* there or not */
/* An address of the family that a field of the message's struct, or an attribute, tells. */
#define NL_ADDR(f) TYPE(nl_addr, .len = FIELD(f))
#define NL_IN	   TYPE(nl_in)
#define NL_IN6	   TYPE(nl_in6)
#define NL_IFINDEX FN32(nl_ifindex)
#define NL_BE16	   FN16(nl_be16) /* htons(N) */
#define NL_BE32	   FN32(nl_be32) /* htonl(N) */
/* As many as there is room for, where there is room for one at least. */
#define NL_WORDS(...) TYPE(nl_words, ELEM_(__VA_ARGS__))
/* The same, each with what a table calls its index, which counts from 0, the table's from base. */
#define NL_INDEXED(type_, x, base)                                                                 \
	TYPE(nl_indexed, ELEM_(type_), .names = &xlat_##x, .len = {.n = (base)})
/* A struct that is cut where the attribute ends, of at least so many bytes. */
#define NL_CUT(s, least) TYPE(nl_cut, .desc = &struct_##s, .len = {.n = (least)})
/* A struct, or what it was before it grew: older bytes, or as many as up to one of its later
 * members. */
#define NL_GROWN(s, older) TYPE(nl_grown, .desc = &struct_##s, .len = {.n = (older)})
/* A struct, and whatever bytes are behind it. */
#define NL_REST(s) TYPE(nl_rest, .desc = &struct_##s)
/* A name or flags for a number of which the attribute may have any more bytes. */
#define NL_LONG(...) TYPE(nl_long, ELEM_(__VA_ARGS__))
/* A name for a number that is as wide as its attribute. */
#define NL_ENUM(x) TYPE(nl_enum, .xlat = &xlat_##x)
/* A struct; plain text where there is not enough for it. */
#define NL_TEXT_OR(s) TYPE(nl_text_or, .desc = &struct_##s)
/* Attributes of a kind that another one, before it, tells. */
#define NL_INFO_DATA(told_by) TYPE(nl_info_data, .len = {.n = (told_by)})
/* A hardware address inside a struct. */
#define NL_MAC(n_) TYPE(nl_hwaddr, .len = N(n_))
/* A name within a struct; one without a NUL is shown without its last byte. */
#define NL_NAME(n_) TYPE(nl_name, .len = N(n_))
extern const struct type_ops nl_name, nl_bytecode, nl_sockopt, nl_addresses, nl_number, nl_md5sig,
	nl_shutdown;
extern const struct type_ops nl_nested, nl_string, nl_hwaddr, nl_nothing, nl_addr, nl_in, nl_in6,
	nl_indexed, nl_cut, nl_words, nl_diag_addr, nl_clock_t, nl_milliseconds, nl_text_or,
	nl_crypto_type, nl_smc_dmb, nl_grown, nl_rest, nl_enum, nl_long, nl_cstring, nl_link_addr,
	nl_vf_guid, nl_mcast_dirs, nl_info_xstats, nl_socket_filter, nl_ctrl_ops;
decode_fn nl_ifindex, nl_be16, nl_be32, nl_be64, nl_ethertype, nl_htons_family, nl_nft_res_id,
	nl_port, nl_rtnl_family, nl_vlan_protocol, nl_padded_hex, nl_padded_zero, nl_smc_decline,
	nl_genl_cmd;

#endif
