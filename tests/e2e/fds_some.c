/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The same program as fds.c, traced with only some kinds of -e decode-fds=. If tracer knows nothing
 * more about a descriptor of these kinds, it shows the path.
 */
#include "fds.c"
