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
 * Creates the source. `procfs` is borrowed; NULL means that /proc shows our own pid namespace. The
 * caller frees the source with proc_maps_destroy(), after the mmap_cache that uses the source.
 */
struct map_source *proc_maps_create(const struct procfs *procfs);
void proc_maps_destroy(struct map_source *s); /* s may be NULL */

#endif
