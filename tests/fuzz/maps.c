/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the input as /proc/PID/maps. Checks the resulting table, then replaces a range and checks
 * it again.
 *
 * fuzz: -max_len=1024
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stack/files/map_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Aborts if a table is not sorted, or if its mappings overlap. This must not happen for any text.
 */
static void check(const struct map_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i]->start >= t->v[i]->end || (i && t->v[i]->start < t->v[i - 1]->end) ||
		    map_table_find(t, t->v[i]->start) != t->v[i])
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct map_table *t = map_table_parse((const char *)data, size), *changed;
	struct map_range r = {0x1000, 0x500000};

	check(t);
	if (t->n)
		r = (struct map_range){t->v[t->n / 2]->start, t->v[t->n - 1]->end - 1};
	changed = map_table_replace(t, r, NULL);
	check(changed);
	if (map_table_overlaps(changed, r))
		abort();
	map_table_put(t);
	map_table_put(changed);
	return 0;
}
