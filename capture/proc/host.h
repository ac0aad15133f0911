/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_CAPTURE_PROC_HOST_H
#define TRACER_CAPTURE_PROC_HOST_H

#include "defs.h"

/*
 * Puts the id that the kernel has given to this boot of the machine (random(4)) into buf, of size
 * bytes. Returns false if it is unknown.
 */
bool host_boot_id(char *buf, size_t size);

#endif
