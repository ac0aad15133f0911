/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time that a trace covers, from the headers of its blocks. */
#ifndef TRACER_TUI_EXTENT_H
#define TRACER_TUI_EXTENT_H

#include "defs.h"

struct block_reader;

/* The state of reading a trace's headers. Initialize it with {0}. */
struct extent {
	struct block_reader *reader;
	uint64_t offset;     /* all blocks before this offset have been seen */
	int64_t first, last; /* CLOCK_REALTIME in nanoseconds; 0 if there are no events yet */
};

/* `fd` is borrowed. It must refer to a regular file. */
void extent_open(struct extent *e, int fd);
/* Reads the headers of blocks that were written since the last call. */
void extent_update(struct extent *e);
void extent_close(struct extent *e);

#endif
