/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All tables of netlink attributes, one file per line. */
#include "linux/netlink/core.def"
#include "linux/netlink/route.def"
#include "linux/netlink/sock_diag.def"
#include "linux/netlink/crypto.def"
