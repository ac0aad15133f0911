/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --hist: histograms whose buckets are powers of two. */
#ifndef TRACER_SINKS_SUMMARY_OCTAVES_H
#define TRACER_SINKS_SUMMARY_OCTAVES_H

#include "defs.h"
#include "util/strbuf.h"

#define OCTAVES 65

/*
 * The histogram; initially {0}. counts[0] is the number of zeros, and counts[i] is the number of
 * values from 2^(i-1) to 2^i - 1.
 */
struct octaves {
	uint64_t counts[OCTAVES];
};

void octaves_count(struct octaves *o, uint64_t value);
void octaves_add(struct octaves *o, const struct octaves *other);
/* Appends a line with a bar for each octave, from the first non-empty octave to the last. */
void octaves_draw(struct strbuf *b, const struct octaves *o, bool is_time);
/* Appends the non-empty octaves as [{"from":…,"to":…,"count":…},…]. Times are in seconds. */
void octaves_put_json(struct strbuf *b, const struct octaves *o, bool is_time);

#endif
