/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which elements of two sequences belong together: a common subsequence, in the order of both. Time
 * and memory grow with the lengths (n log n), whatever the sequences are: where they have little in
 * common the subsequence may not be the longest one.
 *
 * Elements are told apart by numbers, such as hashes. First those that either side has only once
 * are matched (patience diff, which finds what people would match), then what is between them by
 * Myers' greedy algorithm (An O(ND) Difference Algorithm and Its Variations, 1986), with a bound on
 * D beyond which it begins anew from where it has come furthest.
 */
#ifndef TRACER_SINKS_DIFF_ALIGN_H
#define TRACER_SINKS_DIFF_ALIGN_H

#include "defs.h"

/* An element that the other sequence does not have. */
#define ALIGN_NONE UINT32_MAX

/*
 * match[i] is the index in b of what a[i] belongs to, or ALIGN_NONE. Where that is set by the
 * caller it stays: only what is between is aligned. So several calls with numbers that tell fewer
 * and fewer elements apart align first what is equal, then what is alike. n and m are less than
 * ALIGN_NONE.
 */
void align(const uint64_t *a, size_t n, const uint64_t *b, size_t m, uint32_t *match);
/* For the first of several calls: nothing belongs together yet. */
void align_clear(uint32_t *match, size_t n);

#endif
