/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads names of code that a process generates at run time (JIT). The process writes the names to
 * /tmp/perf-PID.map in its own root directory. PID is the id of the process in its own pid
 * namespace. The file has a line for each range of code, and the process appends new lines. A line
 * replaces all earlier lines that it overlaps. For the format, see
 * tools/perf/Documentation/jit-interface.txt of Linux.
 */
#ifndef TRACER_STACK_NAMES_PERF_MAP_H
#define TRACER_STACK_NAMES_PERF_MAP_H

#include "defs.h"

struct budget;
struct file_source;

struct perf_map;
/*
 * Creates the map of process tgid. source opens the file; if source is NULL, no file is read.
 * budget limits the map's memory; if budget is NULL, there is no limit. Both are borrowed. Never
 * returns NULL. The caller drops the reference with perf_map_put().
 */
struct perf_map *perf_map_create(pid_t tgid, struct file_source *source, struct budget *budget);
/* Adds a reference to p and returns p. */
struct perf_map *perf_map_get(struct perf_map *p);
/* Drops a reference, and frees p if it was the last one. p may be NULL. */
void perf_map_put(struct perf_map *p);
/* Returns the process for which the map was created. */
pid_t perf_map_tgid(const struct perf_map *p);

/* Reads the lines that were appended since the last call. Fast if there are none. */
void perf_map_refresh(struct perf_map *p);
/*
 * For tests: adds text as if it had been appended to the file. text may end in the middle of a
 * line.
 */
void perf_map_append(struct perf_map *p, const char *text, size_t len);
/*
 * Returns the name of the code at pc, or NULL. Stores the start address of the code in *start. The
 * name is valid as long as p.
 */
const char *perf_map_find(const struct perf_map *p, uint64_t pc, uint64_t *start);

#endif
