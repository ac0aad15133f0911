/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of code that a process makes at run time (JIT). The process writes them to
 * /tmp/perf-PID.map in its own root, with the PID of its own pid namespace; Linux's
 * tools/perf/Documentation/jit-interface.txt describes the file. Lines are appended as code is
 * made; a later line replaces earlier ones that it overlaps.
 */
#ifndef TRACER_STACK_NAMES_PERF_MAP_H
#define TRACER_STACK_NAMES_PERF_MAP_H

#include "defs.h"

struct budget;
struct file_source;

struct perf_map;
/*
 * The map of the process tgid. source opens the file; NULL: no file is read. budget bounds what is
 * kept of it, and NULL does not. Both are borrowed. Never NULL; perf_map_destroy() frees it.
 */
struct perf_map *perf_map_create(pid_t tgid, struct file_source *source, struct budget *budget);
void perf_map_destroy(struct perf_map *p);
/* The process that the map was created for. */
pid_t perf_map_tgid(const struct perf_map *p);

/* Reads what was appended to the file since the last call. Cheap if nothing was. */
void perf_map_refresh(struct perf_map *p);
/* For tests: takes text as if it had been appended to the file. It may end within a line. */
void perf_map_append(struct perf_map *p, const char *text, size_t len);
/*
 * The name of the code at pc, or NULL. *start is the address where that code begins. The name lives
 * as long as p.
 */
const char *perf_map_find(const struct perf_map *p, uint64_t pc, uint64_t *start);

#endif
