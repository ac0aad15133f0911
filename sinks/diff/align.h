/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Aligns two sequences: finds a common subsequence, in the order of both. Time and memory are O(n
 * log n) for any input; if the sequences have little in common, the subsequence may not be the
 * longest one.
 *
 * Elements are compared by numbers, such as hashes. Elements that are unique on each side are
 * matched first (patience diff, which matches elements as people would). The elements between them
 * are matched by Myers' greedy algorithm (An O(ND) Difference Algorithm and Its Variations, 1986).
 * After a limited number of differences, it starts afresh from the furthest point.
 */
#ifndef TRACER_SINKS_DIFF_ALIGN_H
#define TRACER_SINKS_DIFF_ALIGN_H

#include "defs.h"

/* The element is missing in the other sequence. */
#define ALIGN_NONE UINT32_MAX

/*
 * Sets match[i] to the index in b of the element with which a[i] is matched, or to ALIGN_NONE.
 * Matches set by the caller are kept, and only the elements between them are aligned. Several calls
 * with ever coarser numbers thus align equal elements first, then similar ones. n and m must be
 * less than ALIGN_NONE.
 */
void align(const uint64_t *a, size_t n, const uint64_t *b, size_t m, uint32_t *match);
/* Sets all n elements of match to ALIGN_NONE, which is needed before the first call of align(). */
void align_clear(uint32_t *match, size_t n);

#endif
