/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The same program as fds.c, traced with only some kinds of details (-e decode-fds=). If tracer
 * knows none of these details of a descriptor, it shows the path.
 */
#include "fds.c"
