/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A growing array of any type: VEC(int) v = {0}; *vec_push(&v) = 1; vec_for_each(&v, p) sum += *p;
 */
#ifndef TRACER_UTIL_VEC_H
#define TRACER_UTIL_VEC_H

#include <stdlib.h>

#include "util/mem.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t n, cap;                                                                     \
	}

/*
 * Appends an uninitialised element and returns a pointer to it. Earlier pointers to elements become
 * invalid.
 */
#define vec_push(vec)                                                                              \
	({                                                                                         \
		if ((vec)->n == (vec)->cap) {                                                      \
			(vec)->cap = (vec)->cap ? (vec)->cap * 2 : 8;                              \
			(vec)->v = mem_realloc((vec)->v, (vec)->cap * sizeof(*(vec)->v));          \
		}                                                                                  \
		&(vec)->v[(vec)->n++];                                                             \
	})

/*
 * Iterates over the elements with the pointer p. In an empty vector, v may be NULL. An addition to
 * NULL is undefined behaviour, even if the number is 0. Therefore p is checked first.
 */
#define vec_for_each(vec, p)                                                                       \
	for (__typeof__(&*(vec)->v) p = (vec)->v; p && p < (vec)->v + (vec)->n; p++)

#define vec_deinit(vec)                                                                            \
	do {                                                                                       \
		free((vec)->v);                                                                    \
		(vec)->v = NULL;                                                                   \
		(vec)->n = (vec)->cap = 0;                                                         \
	} while (0)

#endif
