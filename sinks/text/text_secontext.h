/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of SELinux contexts (--secontext). */
#ifndef TRACER_SINKS_TEXT_TEXT_SECONTEXT_H
#define TRACER_SINKS_TEXT_TEXT_SECONTEXT_H

#include "sinks/text/text_config.h"
#include "util/strbuf.h"

/*
 * Writes CONTEXT, or CONTEXT!!EXPECTED if the two differ. `expected` may be NULL. Without
 * full_contexts, only the types of both are compared and written.
 */
void text_secontext(struct strbuf *b, const struct text_config *c, const char *context,
		    const char *expected);

#endif
