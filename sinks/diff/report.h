/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reports the differences between two runs: as text, as JSON Lines, or as folded stacks with two
 * weights.
 */
#ifndef TRACER_SINKS_DIFF_REPORT_H
#define TRACER_SINKS_DIFF_REPORT_H

#include "sinks/diff/compare.h"

/* Metadata of a recording. The strings are borrowed. */
struct run_label {
	const char *file;
	struct foreign host, kernel;
	bool follows;  /* true if the run was recorded with -f */
	int64_t began; /* CLOCK_REALTIME in ns, or 0 if unknown */
};

/*
 * The text report omits changes in time below this number of nanoseconds, because the times of any
 * two runs differ that much.
 */
#define TIME_CHANGE_MIN 5000000

struct report {
	const struct comparison *c;
	struct run_label a, b;
	unsigned top; /* maximum number of entries in each section of the text report, or 0 for no
			 limit */
	enum weight weight; /* weight of folded stacks */
	/* the option that hides calls, or NULL; if it is set, the critical paths are unknown */
	const char *hides;
};

/* All functions append to `out`. */
void report_text(struct strbuf *out, const struct report *r);
/* Writes the section of the text report about the critical paths. */
void report_critical_text(struct strbuf *out, const struct report *r);
void report_json(struct strbuf *out, const struct report *r);
/*
 * Writes lines of the form "comm;outermost;…;leaf;SYSCALL A B". This is the output format of
 * difffolded.pl, which flamegraph.pl reads.
 */
void report_folded(struct strbuf *out, const struct report *r);

#endif
