/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/options_value.h"

#include <stdlib.h>

#include "cli/help.h"
#include "sinks/summary/config.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

void option_hint_columns(bool sorts)
{
	struct strbuf b = {0};

	strbuf_puts(&b, "valid values: ");
	for (enum summary_column c = 0; c < SUMMARY_COLUMNS; c++)
		if (!summary_is_sum(c))
			strbuf_printf(&b, "%s%s", c ? ", " : "", summary_column_name(c));
	if (sorts)
		strbuf_printf(&b, ", %s", summary_column_name(SUMMARY_NOTHING));
	strbuf_str(&b);
	msg_set_hint(b.data);
}

void attr_noreturn option_bad(int c, const char *name, const char *value)
{
	if (name) {
		msg_set_hint(!strcmp(name, "color")
				     ? mem_strdup("valid values: auto, always, never")
				     : help_of_option(name));
		die_usage("invalid --%s argument: '%s'", name, value);
	}
	die_usage("invalid -%c argument: '%s'", c, value);
}

long long option_number(int c, const char *name, const char *value, long long min, long long max)
{
	long long n;
	char *end;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (end == value || *end || errno || n < min || n > max)
		option_bad(c, name, value);
	return n;
}

bool option_size(const char *text, size_t *size)
{
	static const char units[] = "KMG";
	unsigned long long n;
	const char *unit;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (*text < '0' || *text > '9' || errno || !n || (*end && (!unit || end[1])))
		return false;
	for (const char *u = units; unit && u <= unit; u++)
		if (__builtin_mul_overflow(n, 1024ull, &n))
			return false;
	*size = n;
	return n <= SIZE_MAX / 2;
}

const char *option_skip(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncasecmp(s, prefix, n) ? NULL : s + n;
}

int option_choice(const char *value, const char *const *names, option_compare *compare)
{
	size_t len = strlen(value);

	for (int i = 0; names[i]; i++) {
		for (const char *s = names[i]; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL) {
			if (strcspn(s, "|") == len && !compare(s, value, len))
				return i;
		}
	}
	return -1;
}
