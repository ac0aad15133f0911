/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All tables of netlink attributes: one line for each file. */
#include "linux/netlink/core.def"
#include "linux/netlink/route.def"
#include "linux/netlink/sock_diag.def"
#include "linux/netlink/crypto.def"
