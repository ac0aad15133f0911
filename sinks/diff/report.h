/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shows what differs between two runs: as text, as JSON Lines, or as stacks with two weights. */
#ifndef TRACER_SINKS_DIFF_REPORT_H
#define TRACER_SINKS_DIFF_REPORT_H

#include "sinks/diff/compare.h"

/* What is known of a recording as a whole. Texts are borrowed. */
struct run_label {
	const char *file;
	struct foreign host, kernel;
	int64_t began; /* CLOCK_REALTIME in ns; 0: unknown */
};

struct report {
	const struct comparison *c;
	struct run_label a, b;
	unsigned top;	    /* lines of each part of the text; 0: all */
	enum weight weight; /* of folded stacks */
};

/* All append to out. */
void report_text(struct strbuf *out, const struct report *r);
void report_json(struct strbuf *out, const struct report *r);
/* Lines "comm;outermost;…;leaf;SYSCALL A B", as difffolded.pl writes and flamegraph.pl reads them.
 */
void report_folded(struct strbuf *out, const struct report *r);

#endif
