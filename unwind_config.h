/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The settings of an unwinder. */
#ifndef TRACER_UNWIND_CONFIG_H
#define TRACER_UNWIND_CONFIG_H

#include "stack/stack.h"

struct unwind_config {
	unsigned frame_limit;	     /* --stack-trace-frame-limit; the default is 256 */
	enum unwinder_kind unwinder; /* --unwinder: the methods that walks may use */
	bool native_frames; /* --native-frames: keep native frames in addition to language frames */
	bool source_lines;  /* -kk: show file, line and inlined calls */
	bool debuginfod;    /* request files from debuginfod servers, without waiting for them */
	bool verify;	    /* --verify-stacks: compare each walk with a walk by libunwind */
	bool debug;	    /* -d: print cache events and counters to stderr */
};

#endif
