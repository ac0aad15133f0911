/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An implementation of struct facts that queries the running system, through /proc and netlink. */
#ifndef TRACER_CAPTURE_PROC_LIVE_H
#define TRACER_CAPTURE_PROC_LIVE_H

#include "capture/proc/procfs.h"

/*
 * Creates the facts. `procfs` is borrowed; NULL means that /proc shows our own pid namespace. The
 * caller frees the result with live_facts_destroy().
 */
struct facts *live_facts_create(const struct procfs *procfs);
void live_facts_destroy(struct facts *f);

#endif
