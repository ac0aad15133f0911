/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fds.c with -e decode-fds= for some kinds only; a descriptor of such a kind of which nothing is
 * known is shown with its path.
 */
#include "fds.c"
