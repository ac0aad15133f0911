/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_CAPTURE_PROC_HOST_H
#define TRACER_CAPTURE_PROC_HOST_H

#include "defs.h"

/*
 * Puts the kernel's id of the current boot (boot_id, see random(4)) into buf. `size` is the size of
 * buf in bytes. Returns false if the id is unknown.
 */
bool host_boot_id(char *buf, size_t size);

#endif
