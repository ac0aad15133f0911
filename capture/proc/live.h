/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Facts of the running system: by /proc, by asking the kernel through netlink. */
#ifndef TRACER_CAPTURE_LIVE_H
#define TRACER_CAPTURE_LIVE_H

#include "capture/proc/procfs.h"

/* procfs is borrowed; NULL: /proc is of our pid namespace. */
struct facts *live_facts_create(const struct procfs *procfs);
void live_facts_destroy(struct facts *f);

#endif
