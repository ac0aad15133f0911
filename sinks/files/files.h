/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --files: reports the files that a run reads, writes, creates, renames, deletes or does not find.
 * The report is written at the end of the run.
 */
#ifndef TRACER_SINKS_FILES_H
#define TRACER_SINKS_FILES_H

#include "sinks/sink.h"

/* The event data that the sink needs: bits of enum sink_wants. */
#define FILES_WANTS (WANTS_TGID | WANTS_COMM)

/* The calls that the sink must receive, in the syntax of -e trace=. */
extern const char files_calls[];

enum files_format {
	FILES_TEXT,
	FILES_JSON,   /* JSON, with one object per file */
	FILES_DEPFILE /* a rule for make(1) and ninja: written files depend on files that were read
		       */
};

struct files_config {
	bool by_process; /* true to list the files of each process separately */
	enum files_format format;
	/* Called at the end with the n-byte report. Returns 0 or -errno. */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

/* Creates the sink, which copies `config`. Never returns NULL. */
struct sink *files_create(const struct files_config *config);

#endif
