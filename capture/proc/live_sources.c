/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/live_sources.h"

#include "capture/capture.h"
#include "capture/proc/files.h"
#include "capture/proc/live.h"
#include "capture/proc/maps.h"
#include "capture/proc/procfs.h"

void live_sources_open(struct capture *c, bool stacks)
{
	c->procfs = procfs_open();
	c->facts = live_facts_create(c->procfs);
	c->maps = stacks ? proc_maps_create(c->procfs) : NULL;
	c->files = stacks ? proc_files_create(c->procfs, NULL) : NULL;
}

void live_sources_close(struct capture *c)
{
	proc_files_destroy(c->files);
	proc_maps_destroy(c->maps);
	live_facts_destroy(c->facts);
	procfs_close(c->procfs);
}
