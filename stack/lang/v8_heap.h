/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Access to the objects on V8's heap. The heap must not use compressed pointers. */
#ifndef TRACER_STACK_LANG_V8_HEAP_H
#define TRACER_STACK_LANG_V8_HEAP_H

#include "stack/lang/reader.h"
#include "stack/lang/v8_file.h"

#define V8_ARRAY_LENGTH 8  /* offset of the length in all arrays; the length is a small integer */
#define V8_ARRAY_DATA	16 /* offset of the first element in arrays of bytes and of pointers */

struct v8_context {
	struct lang_run *r;
	const struct v8_file *file;
	const int32_t *v; /* values of the file, indexed by enum v8_value */
};

/* Returns the address that a tagged pointer contains, or 0 if the value is not a pointer. */
static inline uint64_t v8_object_of(uint64_t tagged)
{
	return (tagged & 3) == 1 ? tagged & ~(uint64_t)3 : 0;
}

static inline bool v8_is_small(uint64_t tagged)
{
	return !(uint32_t)tagged;
}

static inline int64_t v8_small_of(uint64_t tagged)
{
	return (int64_t)tagged >> 32;
}

/* Reads the pointer at the offset `at` in an object. Returns 0 if there is no pointer. */
static inline uint64_t v8_member(const struct v8_context *g, uint64_t object, int64_t at)
{
	uint64_t v;

	return object && lang_read_u64(g->r->mem, object + (uint64_t)at, &v) ? v8_object_of(v) : 0;
}

/*
 * Returns the type of an object. Returns -1 if the type cannot be read or if `object` is not the
 * address of an object.
 */
static inline int v8_type_of(const struct v8_context *g, uint64_t object)
{
	uint64_t map = v8_member(g, object, 0);
	uint16_t type;

	if (!map || !lang_read(g->r->mem, map + g->v[V8_MAP_TYPE], &type, sizeof(type)))
		return -1;
	return type;
}

/*
 * Reads an unsigned number that is encoded in 7 bits per byte, the lowest bits first. Bits above
 * the lowest 63 are ignored.
 */
static inline uint64_t v8_number(const uint8_t **p, const uint8_t *end)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *p < end; shift += 7) {
		const uint8_t c = *(*p)++;

		if (shift < 63)
			v |= (uint64_t)(c & 127) << shift;
		if (!(c & 128))
			break;
	}
	return v;
}

#endif
