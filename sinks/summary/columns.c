/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/columns.h"

#include <string.h>

const struct summary_heading summary_headings[SUMMARY_COLUMNS] = {
	[SUMMARY_TIME_PERCENT] = {"% time", 6},
	[SUMMARY_TOTAL_TIME] = {"seconds", 11},
	[SUMMARY_MIN_TIME] = {"shortest", 8},
	[SUMMARY_MAX_TIME] = {"longest", 8},
	[SUMMARY_AVG_TIME] = {"usecs/call", 11},
	[SUMMARY_WALL_TOTAL] = {"wall-total", 11},
	[SUMMARY_WALL_MIN] = {"wall-min", 8},
	[SUMMARY_WALL_MAX] = {"wall-max", 8},
	[SUMMARY_WALL_AVG] = {"wall-avg", 11},
	[SUMMARY_CALLS] = {"calls", 9},
	[SUMMARY_ERRORS] = {"errors", 9},
	[SUMMARY_P50] = {"p50", 8},
	[SUMMARY_P90] = {"p90", 8},
	[SUMMARY_P99] = {"p99", 8},
	[SUMMARY_NAME] = {"syscall", 16},
};

static uint64_t percentile(const struct summary_row *e, unsigned percent)
{
	uint64_t v = histogram_percentile(e->histogram, e->calls, percent);

	/* The percentile is approximate. Limit it to the exact minimum and maximum. */
	return v < e->wall.min ? e->wall.min : v > e->wall.max ? e->wall.max : v;
}

static uint64_t average(uint64_t total, uint64_t calls)
{
	return calls ? total / calls : 0;
}

uint64_t summary_value(const struct summary_row *e, enum summary_column column)
{
	if (summary_is_sum(column))
		return (uint64_t)e->sums[column - SUMMARY_SUM];
	switch (column) {
	case SUMMARY_MIN_TIME:
		return e->time.min;
	case SUMMARY_MAX_TIME:
		return e->time.max;
	case SUMMARY_AVG_TIME:
		return average(e->time.total, e->calls);
	case SUMMARY_WALL_TOTAL:
		return e->wall.total;
	case SUMMARY_WALL_MIN:
		return e->wall.min;
	case SUMMARY_WALL_MAX:
		return e->wall.max;
	case SUMMARY_WALL_AVG:
		return average(e->wall.total, e->calls);
	case SUMMARY_CALLS:
		return e->calls;
	case SUMMARY_ERRORS:
		return e->errors;
	case SUMMARY_P50:
		return percentile(e, 50);
	case SUMMARY_P90:
		return percentile(e, 90);
	case SUMMARY_P99:
		return percentile(e, 99);
	default:
		return e->time.total;
	}
}

/* Converts the value of a column to an unsigned number for sorting. */
static uint64_t rank(const struct summary_row *e, enum summary_column column)
{
	const uint64_t v = summary_value(e, column);

	return summary_is_sum(column) ? v ^ UINT64_C(1) << 63 : v;
}

int summary_compare(const void *a, const void *b, void *config)
{
	const struct summary_row *x = a, *y = b;
	enum summary_column by = ((const struct summary_config *)config)->sort_by;
	uint64_t vx, vy;
	int c;

	if (x->abi != y->abi)
		return x->abi < y->abi ? -1 : 1;
	if (by == SUMMARY_NAME) {
		c = strcmp(x->name, y->name);
		if (c)
			return c;
	} else if (by != SUMMARY_NOTHING) {
		vx = rank(x, by);
		vy = rank(y, by);
		if (vx != vy)
			return vx > vy ? -1 : 1;
	}
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}
