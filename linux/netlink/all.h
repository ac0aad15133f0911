/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of netlink attributes: a line a file. */
#include "linux/netlink/core.def"
#include "linux/netlink/route.def"
#include "linux/netlink/sock_diag.def"
#include "linux/netlink/crypto.def"
