/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Search in a sorted array, by halves. */
#ifndef TRACER_UTIL_BISECT_H
#define TRACER_UTIL_BISECT_H

#include <stddef.h>

/*
 * Binary search in a sorted array of n elements. `before`, an expression of the index i, is true
 * for none or the first elements. Evaluates to their number, which is also the index of the first
 * element for which `before` is false, or n.
 */
#define bisect(n, i, before)                                                                       \
	({                                                                                         \
		size_t low_ = 0, high_ = (n);                                                      \
                                                                                                   \
		while (low_ < high_) {                                                             \
			const size_t i = low_ + (high_ - low_) / 2;                                \
                                                                                                   \
			if (before)                                                                \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
