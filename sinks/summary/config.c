/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/config.h"

#include <string.h>

static const struct {
	const char *name;
	enum summary_column column;
} column_names[] = {
	{"time-percent", SUMMARY_TIME_PERCENT},
	{"time", SUMMARY_TIME_PERCENT},
	{"total-time", SUMMARY_TOTAL_TIME},
	{"time-total", SUMMARY_TOTAL_TIME},
	{"min-time", SUMMARY_MIN_TIME},
	{"shortest", SUMMARY_MIN_TIME},
	{"time-min", SUMMARY_MIN_TIME},
	{"max-time", SUMMARY_MAX_TIME},
	{"longest", SUMMARY_MAX_TIME},
	{"time-max", SUMMARY_MAX_TIME},
	{"avg-time", SUMMARY_AVG_TIME},
	{"time-avg", SUMMARY_AVG_TIME},
	{"wall-total", SUMMARY_WALL_TOTAL},
	{"total-wall", SUMMARY_WALL_TOTAL},
	{"wall-min", SUMMARY_WALL_MIN},
	{"min-wall", SUMMARY_WALL_MIN},
	{"wall-max", SUMMARY_WALL_MAX},
	{"max-wall", SUMMARY_WALL_MAX},
	{"wall-avg", SUMMARY_WALL_AVG},
	{"avg-wall", SUMMARY_WALL_AVG},
	{"calls", SUMMARY_CALLS},
	{"count", SUMMARY_CALLS},
	{"errors", SUMMARY_ERRORS},
	{"error", SUMMARY_ERRORS},
	{"p50", SUMMARY_P50},
	{"p90", SUMMARY_P90},
	{"p99", SUMMARY_P99},
	{"name", SUMMARY_NAME},
	{"syscall", SUMMARY_NAME},
	{"syscall-name", SUMMARY_NAME},
	{"nothing", SUMMARY_NOTHING},
	{"none", SUMMARY_NOTHING},
};

/* Returns true if the names are equal. In `name`, words may be joined by underscores or dashes. */
static bool same_column_name(const char *known, const char *name)
{
	while (*known && (*known == *name || (*known == '-' && *name == '_')))
		known++, name++;
	return *known == *name;
}

int summary_column_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(column_names); i++) {
		if (same_column_name(column_names[i].name, name))
			return column_names[i].column;
	}
	return -1;
}

const char *summary_column_name(enum summary_column column)
{
	size_t i = 0;

	while (column_names[i].column != column)
		i++;
	return column_names[i].name;
}

void summary_config_init(struct summary_config *config)
{
	*config = (struct summary_config){
		.columns = {SUMMARY_TIME_PERCENT, SUMMARY_TOTAL_TIME, SUMMARY_AVG_TIME,
			    SUMMARY_CALLS, SUMMARY_ERRORS, SUMMARY_NAME},
		.column_count = 6,
		.sort_by = SUMMARY_TIME_PERCENT,
	};
}

void summary_config_columns_all(struct summary_config *config)
{
	config->column_count = 0;
	for (enum summary_column c = 0; c < SUMMARY_COLUMNS; c++)
		if ((c < SUMMARY_P50 || c > SUMMARY_P99) && !summary_is_sum(c))
			config->columns[config->column_count++] = c;
}

void summary_config_add_sums(struct summary_config *config, unsigned n)
{
	unsigned at = 0;

	while (at < config->column_count && config->columns[at] != SUMMARY_NAME)
		at++;
	memmove(&config->columns[at + n], &config->columns[at],
		(config->column_count - at) * sizeof(config->columns[0]));
	for (unsigned i = 0; i < n; i++)
		config->columns[at + i] = SUMMARY_SUM + i;
	config->column_count += n;
}
