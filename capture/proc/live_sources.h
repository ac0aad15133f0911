/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an engine that traces live processes knows of them: /proc, facts, mappings, files. */
#ifndef TRACER_CAPTURE_PROC_LIVE_SOURCES_H
#define TRACER_CAPTURE_PROC_LIVE_SOURCES_H

#include "defs.h"

struct capture;

/* Fills in c's procfs and facts, with stacks maps and files as well. */
void live_sources_open(struct capture *c, bool stacks);
/* Frees them. */
void live_sources_close(struct capture *c);

#endif
