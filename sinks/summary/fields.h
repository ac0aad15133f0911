/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --group-by: row names that contain the values of several fields. */
#ifndef TRACER_SINKS_SUMMARY_FIELDS_H
#define TRACER_SINKS_SUMMARY_FIELDS_H

#include "sinks/summary/rows.h"
#include "util/strbuf.h"

struct event;
struct group;
struct unwinder;

/*
 * Appends the name of the row to which an event belongs. The name contains the values of the
 * fields.
 */
void fields_put_key(struct strbuf *key, const struct group *g, const struct event *e,
		    struct unwinder *unwinder);
/*
 * Appends the value of field `i` from a row name. If the events of the row do not have the field,
 * appends nothing and returns false.
 */
bool fields_part(struct strbuf *b, const char *name, size_t i);
/*
 * Returns true if a row name contains the values of two or more fields, unlike "total" and
 * "(others)".
 */
bool fields_are_in(const char *name);
/* Adds the --sum values of an event, and counts its --hist value. Both groups may be NULL. */
void fields_add(struct summary_row *row, const struct group *sum, const struct group *hist,
		const struct event *e);

#endif
