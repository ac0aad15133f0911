/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An implementation of struct map_source for live threads. It queries single mappings with
 * PROCMAP_QUERY (linux/fs.h, Linux 6.11) or, on older kernels, reads the whole file /proc/TID/maps,
 * see proc_pid_maps(5).
 */
#ifndef TRACER_CAPTURE_PROC_MAPS_H
#define TRACER_CAPTURE_PROC_MAPS_H

#include "stack/files/map_source.h"

struct procfs;

/*
 * procfs is borrowed; NULL means that /proc shows our own pid namespace. The caller frees the
 * result with proc_maps_destroy(), but not before the map cache that uses it.
 */
struct map_source *proc_maps_create(const struct procfs *procfs);
void proc_maps_destroy(struct map_source *s); /* s may be NULL */

#endif
