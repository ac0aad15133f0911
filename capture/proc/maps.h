/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mappings of live threads: one at a time by PROCMAP_QUERY (Linux 6.11), else the text of
 * /proc/TID/maps, see proc_pid_maps(5).
 */
#ifndef TRACER_CAPTURE_PROC_MAPS_H
#define TRACER_CAPTURE_PROC_MAPS_H

#include "stack/files/map_source.h"

struct procfs;

/*
 * procfs is borrowed; NULL: /proc is of our pid namespace. The result is the caller's, until
 * proc_maps_destroy(); what asks it must be gone by then.
 */
struct map_source *proc_maps_create(const struct procfs *procfs);
void proc_maps_destroy(struct map_source *s); /* NULL is fine */

#endif
