/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --learn: writes a policy that allows what the run did and refuses everything else. The policy is
 * written at the end of the run. Each rule has a comment with the program and, if known, the stack
 * of the first call that needs the rule.
 */
#ifndef TRACER_SINKS_LEARN_H
#define TRACER_SINKS_LEARN_H

#include "sinks/sink.h"

/* The event data that the sink needs: bits of enum sink_wants. */
#define LEARN_WANTS (WANTS_TGID | WANTS_COMM)

enum learn_format {
	LEARN_SECCOMP, /* JSON: the member "seccomp" of an OCI runtime configuration, which
			  docker(1) also reads */
	LEARN_SYSTEMD  /* a fragment of a unit, see systemd.exec(5) */
};

struct learn_config {
	enum learn_format format;
	/* Called at the end with the n-byte policy. Returns 0 or -errno. */
	int (*write)(void *ctx, const char *text, size_t n);
	void *ctx;
};

/* Creates the sink, which copies `config`. Never returns NULL. */
struct sink *learn_create(const struct learn_config *config);

#endif
