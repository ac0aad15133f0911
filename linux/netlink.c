/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linux/families.h"

#define NLATTRS_BEGIN(t) static const struct nlattr_row rows_##t[] = {
#define NLATTR(n, ...)	 {.name = #n, .type = __VA_ARGS__},
#define NLATTR_ANY(...)	 {.type = __VA_ARGS__},
#define NLATTRS_END(t, names_)                                                                     \
	}                                                                                          \
	;                                                                                          \
	struct nlattr_table nlattrs_##t = {                                                        \
		.names = (names_), .rows = rows_##t, .n = ARRAY_SIZE(rows_##t)};
#include "linux/netlink/all.h"

#define NLMSG_PLAIN(p, t, s) {.protocol = #p, .type = #t, .desc = &struct_##s},
#define NLMSG(p, t, s, a)    {.protocol = #p, .type = #t, .desc = &struct_##s, .attrs = &nlattrs_##a},
const struct nlmsg_row nlmsg_rows[] = {
#include "linux/netlink/messages.def"
};
const unsigned nlmsg_row_count = ARRAY_SIZE(nlmsg_rows);
