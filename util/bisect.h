/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Search in a sorted array, by halves. */
#ifndef TRACER_UTIL_BISECT_H
#define TRACER_UTIL_BISECT_H

#include <stddef.h>

/*
 * How many elements of an array of n, which is sorted, stand in front of what is looked for. These
 * are the elements for which `before`, an expression of their index i, is true: none or the first
 * ones. It is also the index of the first element that is not in front, or n.
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
