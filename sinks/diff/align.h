/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Aligns two sequences: finds a common subsequence. The algorithm needs O(n log n) time and memory
 * for any input. If the sequences have little in common, the result may not be the longest common
 * subsequence.
 *
 * Elements are represented by numbers, such as hashes. Elements that are unique in both sequences
 * are matched first, as in patience diff. The elements between them are matched by Myers' greedy
 * algorithm (An O(ND) Difference Algorithm and Its Variations, 1986). After a limited number of
 * differences, the greedy algorithm starts again from the furthest point.
 */
#ifndef TRACER_SINKS_DIFF_ALIGN_H
#define TRACER_SINKS_DIFF_ALIGN_H

#include "defs.h"

/* The element has no match in the other sequence. */
#define ALIGN_NONE UINT32_MAX

/*
 * Sets match[i] to the index of the element of `b` that matches a[i], or to ALIGN_NONE. Keeps the
 * matches that the caller has set, and only aligns the elements between them. A caller can
 * therefore align elements by exact hashes first, and then align the remaining elements by coarser
 * hashes. n and m must be less than ALIGN_NONE.
 */
void align(const uint64_t *a, size_t n, const uint64_t *b, size_t m, uint32_t *match);
/* Sets all n elements of `match` to ALIGN_NONE. Call it before the first align(). */
void align_clear(uint32_t *match, size_t n);

#endif
