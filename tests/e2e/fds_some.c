/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fds.c with -e decode-fds= for some kinds only. If a descriptor is of such a kind, but nothing is
 * known about it, its path is shown.
 */
#include "fds.c"
