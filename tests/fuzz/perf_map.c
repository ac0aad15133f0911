/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Contents of /tmp/perf-PID.map, written in two parts, with lookups after each part.
 *
 * fuzz: -max_len=1024
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stack/names/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct perf_map *p)
{
	for (uint64_t pc = 0; pc < 64; pc++) {
		uint64_t start;
		const char *name = perf_map_find(p, pc, &start);

		if (name && (start > pc || !*name))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map *p = perf_map_create(1, NULL, NULL);
	size_t first = size / 2;

	perf_map_append(p, (const char *)data, first);
	look(p);
	perf_map_append(p, (const char *)data + first, size - first);
	look(p);
	perf_map_put(p);
	return 0;
}
