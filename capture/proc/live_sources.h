/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data sources of engines that trace live processes: /proc, facts, mappings and files. */
#ifndef TRACER_CAPTURE_PROC_LIVE_SOURCES_H
#define TRACER_CAPTURE_PROC_LIVE_SOURCES_H

#include "defs.h"

struct capture;

/* Fills in c->procfs and c->facts. If `stacks` is true, also fills in c->maps and c->files. */
void live_sources_open(struct capture *c, bool stacks);
/* Frees the objects that live_sources_open() created. */
void live_sources_close(struct capture *c);

#endif
