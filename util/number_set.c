/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/number_set.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/bisect.h"
#include "util/msg.h"
#include "util/names.h"

static int by_value(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static void sort(struct number_set *set)
{
	size_t n = 0;

	if (!set->members.n)
		return;
	qsort(set->members.v, set->members.n, sizeof(*set->members.v), by_value);
	for (size_t i = 1; i < set->members.n; i++) {
		if (set->members.v[i] != set->members.v[n])
			set->members.v[++n] = set->members.v[i];
	}
	set->members.n = n + 1;
}

void number_set_parse(struct number_set *set, const char *text, const char *what,
		      number_lookup *lookup)
{
	attr_cleanup(mem_free_ptr) char *copy = NULL;
	const char *list = text;
	bool any = false;
	char *save = NULL;

	set->members.n = 0;
	set->inverted = false;
	while (*list == '!') {
		set->inverted = !set->inverted;
		list++;
	}
	if (!strcmp(list, "none"))
		return;
	if (!strcmp(list, "all")) {
		set->inverted = !set->inverted;
		return;
	}
	copy = mem_strdup(list);
	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		int n = lookup(t);

		if (n < 0)
			die("invalid %s '%s'", what, t);
		*vec_push(&set->members) = n;
		any = true;
	}
	if (!any)
		die("invalid %s '%s'", what, text);
	sort(set);
}

bool number_set_has(const struct number_set *set, unsigned n)
{
	const size_t at = bisect(set->members.n, i, set->members.v[i] < n);

	return (at < set->members.n && set->members.v[at] == n) != set->inverted;
}

unsigned number_set_bits(const struct number_set *set, unsigned count)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= (unsigned)number_set_has(set, i) << i;
	return bits;
}

void number_set_deinit(struct number_set *set)
{
	vec_deinit(&set->members);
	set->inverted = false;
}

static int decimal(const char *s, int max)
{
	long n = 0;

	/* Skip white space and a plus sign, as strtol() does. */
	s += strspn(s, " \t\n\v\f\r");
	s += *s == '+';
	if (!*s)
		return -1;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return -1;
		n = n * 10 + *s - '0';
		if (n > max)
			return -1;
	}
	return n;
}

int number_lookup_fd(const char *name)
{
	return decimal(name, INT_MAX);
}

int number_lookup_signal(const char *name)
{
	if (*name >= '0' && *name <= '9')
		return decimal(name, 255);
	if (!strncasecmp(name, "SIG", 3))
		name += 3;
	for (int sig = 1; sig <= 64; sig++) {
		const char *known = signal_name(sig);

		if (known && !strcasecmp(known + strlen("SIG"), name))
			return sig;
	}
	return -1;
}

int number_lookup_errno(const char *name)
{
	int number = decimal(name, 4095);

	if (number >= 0)
		return number ? number : -1;
	for (int n = 1; n < 4096; n++) {
		const char *known = errno_name(n);

		if (known && !strcasecmp(known, name))
			return n;
	}
	return -1;
}
