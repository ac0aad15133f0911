/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/rows.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/*
 * Maximum number of rows. If the table is full, a new row replaces the row with the least time
 * among CANDIDATES rows.
 */
#define ROWS_MAX   4096
#define CANDIDATES 8

static struct table_slot *slot_find(struct summary_rows *s, uint64_t hash, const char *name,
				    unsigned abi, uint64_t nr)
{
	struct table_slot *slot = NULL;

	while ((slot = table_find(&s->by_name, hash, slot))) {
		const struct summary_row *e = &s->rows.v[slot->value - 1];

		/*
		 * On i386, socket(2) can be a syscall or a call through socketcall(2). As in
		 * strace, each form has its own row.
		 */
		if (e->abi == abi && !strcmp(e->name, name) && (e->nr == nr || !s->by_number))
			break;
	}
	return slot;
}

void summary_row_add(struct summary_row *total, const struct summary_row *e)
{
	time_sum_add(&total->time, e->time, !total->calls);
	time_sum_add(&total->wall, e->wall, !total->calls);
	total->calls += e->calls;
	total->errors += e->errors;
	if (total->histogram && e->histogram)
		histogram_add(total->histogram, e->histogram);
	for (unsigned i = 0; i < SUMMARY_SUMS_MAX; i++)
		if (__builtin_add_overflow(total->sums[i], e->sums[i], &total->sums[i]))
			total->sums[i] = e->sums[i] < 0 ? INT64_MIN : INT64_MAX;
	if (total->octaves && e->octaves)
		octaves_add(total->octaves, e->octaves);
}

static struct summary_row *row_new(struct summary_rows *s, uint64_t hash, const char *name,
				   unsigned abi, uint64_t nr)
{
	struct summary_row *e = vec_push(&s->rows);

	*e = (struct summary_row){.hash = hash, .abi = abi, .nr = nr, .name = mem_strdup(name)};
	if (s->percentiles)
		e->histogram = mem_zalloc(sizeof(*e->histogram));
	if (s->octaves)
		e->octaves = mem_zalloc(sizeof(*e->octaves));
	return e;
}

static struct summary_row *others(struct summary_rows *s, unsigned abi)
{
	uint64_t hash = table_hash(SUMMARY_OTHERS, strlen(SUMMARY_OTHERS));
	const struct table_slot *slot = slot_find(s, hash, SUMMARY_OTHERS, abi, UINT64_MAX);

	if (slot)
		return &s->rows.v[slot->value - 1];
	table_add(&s->by_name, hash, s->rows.n + 1);
	return row_new(s, hash, SUMMARY_OTHERS, abi, UINT64_MAX);
}

/*
 * Selects a row that a new row can replace, and adds it to "(others)". Returns the selected row, or
 * NULL if all candidates are "(others)" rows.
 */
static struct summary_row *row_evict(struct summary_rows *s)
{
	size_t least = SIZE_MAX, index;
	struct summary_row *e, *to;

	for (unsigned i = 0; i < CANDIDATES; i++) {
		index = s->hand++ % ROWS_MAX;
		e = &s->rows.v[index];
		if (e->nr != UINT64_MAX &&
		    (least == SIZE_MAX || e->wall.total < s->rows.v[least].wall.total))
			least = index;
	}
	if (least == SIZE_MAX)
		return NULL;
	/* others() may have moved the rows, so update `e`. */
	to = others(s, s->rows.v[least].abi);
	e = &s->rows.v[least];
	summary_row_add(to, e);
	table_remove(&s->by_name, slot_find(s, e->hash, e->name, e->abi, e->nr));
	return e;
}

struct summary_row *summary_rows_find(struct summary_rows *s, const char *name, unsigned abi,
				      uint64_t nr)
{
	uint64_t hash = table_hash(name, strlen(name));
	const struct table_slot *slot = slot_find(s, hash, name, abi, nr);
	struct histogram *histogram;
	struct octaves *octaves;
	struct summary_row *e;

	if (slot)
		return &s->rows.v[slot->value - 1];
	if (s->rows.n < ROWS_MAX) {
		e = row_new(s, hash, name, abi, nr);
	} else {
		e = row_evict(s);
		if (!e)
			return others(s, abi);
		histogram = e->histogram;
		if (histogram)
			*histogram = (struct histogram){0};
		octaves = e->octaves;
		if (octaves)
			*octaves = (struct octaves){0};
		free(e->name);
		foreign_replace(&e->command, foreign(NULL));
		*e = (struct summary_row){.hash = hash,
					  .abi = abi,
					  .nr = nr,
					  .name = mem_strdup(name),
					  .histogram = histogram,
					  .octaves = octaves};
	}
	table_add(&s->by_name, hash, e - s->rows.v + 1);
	return e;
}

struct summary_row *summary_rows_get(struct summary_rows *s, const char *name)
{
	const struct table_slot *slot = slot_find(s, table_hash(name, strlen(name)), name, 0, 0);

	return slot ? &s->rows.v[slot->value - 1] : NULL;
}

bool summary_row_is_others(const struct summary_row *row)
{
	return row->nr == UINT64_MAX && !strcmp(row->name, SUMMARY_OTHERS);
}

void summary_rows_deinit(struct summary_rows *s)
{
	vec_for_each (&s->rows, e) {
		free(e->name);
		foreign_replace(&e->command, foreign(NULL));
		free(e->histogram);
		free(e->octaves);
	}
	vec_deinit(&s->rows);
	table_deinit(&s->by_name);
}
