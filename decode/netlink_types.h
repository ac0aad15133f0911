/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types of netlink attributes, for rows of linux/netlink/ and linux/structs/. */
#ifndef TRACER_DECODE_NETLINK_TYPES_H
#define TRACER_DECODE_NETLINK_TYPES_H

#include "decode/type.h"

#define NL_OPS_(o)                                                                                 \
	{                                                                                          \
		.ops = &(o)                                                                        \
	}
#define NL_NESTED(table_)                                                                          \
	{                                                                                          \
		.ops = &nl_nested, .extra = &nlattrs_##table_                                      \
	}
#define NL_STR	  NL_OPS_(nl_string)  /* NUL-terminated */
#define NL_HWADDR NL_OPS_(nl_hwaddr)  /* 00:11:22 */
#define NL_FLAG	  NL_OPS_(nl_nothing) /* there or not */
/* An address of the family that a field of the message's struct, or an attribute, tells. */
#define NL_ADDR(f)                                                                                 \
	{                                                                                          \
		.ops = &nl_addr, .len = FIELD(f)                                                   \
	}
#define NL_IN	   NL_OPS_(nl_in)
#define NL_IN6	   NL_OPS_(nl_in6)
#define NL_IFINDEX FN32(nl_ifindex)
#define NL_BE16	   FN16(nl_be16) /* htons(N) */
#define NL_BE32	   FN32(nl_be32) /* htonl(N) */
/* As many as there is room for. */
#define NL_ARRAY(...)                                                                              \
	{                                                                                          \
		.ops = &type_array, ELEM_(__VA_ARGS__)                                             \
	}
/* The same, where there is room for one at least. */
#define NL_WORDS(...)                                                                              \
	{                                                                                          \
		.ops = &nl_words, ELEM_(__VA_ARGS__)                                               \
	}
/* The same, each with what a table calls its index, which counts from 0, the table's from base. */
#define NL_INDEXED(type_, names, base)                                                             \
	{                                                                                          \
		.ops = &nl_indexed, ELEM_(type_), .extra = &xlat_##names, .len = {.n = (base) }    \
	}
/* A struct that is cut where the attribute ends. */
#define NL_CUT(s)                                                                                  \
	{                                                                                          \
		.ops = &nl_cut, .extra = &struct_##s                                               \
	}
/* Attributes of a kind that another one, before it, tells. */
#define NL_INFO_DATA(told_by)                                                                      \
	{                                                                                          \
		.ops = &nl_info_data, .len = {.n = (told_by) }                                     \
	}
/* A hardware address inside a struct. */
#define NL_MAC(n_)                                                                                 \
	{                                                                                          \
		.ops = &nl_hwaddr, .len = N(n_)                                                    \
	}
extern const struct type_ops nl_nested, nl_string, nl_hwaddr, nl_nothing, nl_addr, nl_in, nl_in6,
	nl_indexed, nl_cut, nl_words, nl_diag_addr, nl_clock_t, nl_milliseconds;
decode_fn nl_ifindex, nl_be16, nl_be32, nl_be64, nl_ethertype, nl_htons_family;

#endif
