/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --group-by: row names that consist of the values of several fields. */
#ifndef TRACER_SINKS_SUMMARY_FIELDS_H
#define TRACER_SINKS_SUMMARY_FIELDS_H

#include "sinks/summary/rows.h"
#include "util/strbuf.h"

struct event;
struct group;
struct unwinder;

/* Appends the name of an event's row: the values of its fields. */
void fields_put_key(struct strbuf *key, const struct group *g, const struct event *e,
		    struct unwinder *unwinder);
/*
 * Appends the value of field i in the name of a row. Returns false, and appends nothing, if the
 * events of the row do not have the field.
 */
bool fields_part(struct strbuf *b, const char *name, size_t i);
/* Whether a name consists of fields. "total" and "(others)" do not. */
bool fields_are_in(const char *name);
/* Adds an event's values of --sum and counts its value of --hist. Both may be NULL. */
void fields_add(struct summary_row *row, const struct group *sum, const struct group *hist,
		const struct event *e);

#endif
