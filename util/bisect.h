/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TRACER_UTIL_BISECT_H
#define TRACER_UTIL_BISECT_H

#include <stddef.h>

/*
 * Binary search in a sorted array of n elements. `before` is an expression that contains the index
 * `i`. It must be true for the first elements of the array, and false for all others. Evaluates to
 * the index of the first element for which `before` is false, or to n if there is none.
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
