/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Facts about tracees (capture/facts.h) that are read from a trace. */
#ifndef TRACER_TRACE_PLAY_PLAYED_FACTS_H
#define TRACER_TRACE_PLAY_PLAYED_FACTS_H

#include "trace/format/coding.h"
#include "trace/format/fact_store.h"

struct played_facts {
	struct facts facts;	 /* pass this to decoders */
	struct fact_store known; /* the last answer to each question */
	pid_t base;		 /* number that is added to all thread ids */
};

/* Initializes *f. The owner of *f must call fact_store_deinit() for f->known. */
void played_facts_init(struct played_facts *f, pid_t base);
/* Reads the fields of a FACT record and stores the answer. */
void played_facts_take(struct played_facts *f, struct cursor *in);

#endif
