/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of code made at run time, as the process itself tells them in
 * /tmp/perf-PID.map (Linux's tools/perf/Documentation/jit-interface.txt): the
 * /tmp of its own root, the PID of its own pid namespace. Lines are appended as
 * code is made; a later one replaces what it overlaps.
 */
#ifndef TRACER_STACK_PERF_MAP_H
#define TRACER_STACK_PERF_MAP_H

#include "defs.h"

struct file_source;

struct perf_map;
/* source: borrowed; NULL: no file is read. */
struct perf_map *perf_map_create(pid_t tgid, struct file_source *source);
void perf_map_destroy(struct perf_map *p);
pid_t perf_map_tgid(const struct perf_map *p);

/* Reads what was appended since. Cheap where nothing was. */
void perf_map_refresh(struct perf_map *p);
/* For tests: as if the file went on with text, which need not end with its last line. */
void perf_map_append(struct perf_map *p, const char *text, size_t len);
/* The name of the code at pc, or NULL. It lives as long as p does. */
const char *perf_map_find(const struct perf_map *p, uint64_t pc, uint64_t *start);

#endif
