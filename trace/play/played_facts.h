/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Facts about tracees (capture/facts.h) as a trace has recorded them. */
#ifndef TRACER_TRACE_PLAY_PLAYED_FACTS_H
#define TRACER_TRACE_PLAY_PLAYED_FACTS_H

#include "trace/format/coding.h"
#include "trace/format/fact_store.h"

struct played_facts {
	struct facts facts;	 /* pass this one to decoders */
	struct fact_store known; /* the last answer to each question */
	pid_t base;		 /* what is added to ids of threads */
};

/* The owner calls fact_store_deinit() for f->known in the end. */
void played_facts_init(struct played_facts *f, pid_t base);
/* Takes the fields of RECORD_FACT. */
void played_facts_take(struct played_facts *f, struct cursor *in);

#endif
