/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same, one of everything. */
#include "calls_netlink.c"
