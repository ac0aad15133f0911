/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/suggestion.h"

#include <ctype.h>
#include <string.h>

#include "util/mem.h"
#include "util/msg.h"

#define LENGTH_MAX 40 /* maximum length in bytes of a word to compare */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the number of changes that turn `word` (n letters) into `name` (m letters). */
static unsigned distance(const char *word, size_t n, const char *name, size_t m)
{
	/*
	 * row[i % 3][j] is the number of changes between the first i letters of `word` and the
	 * first j letters of `name`.
	 */
	unsigned row[3][LENGTH_MAX + 1];

	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3];
		const unsigned *before = row[(i - 1) % 3], *second = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = before[j - 1] + !same(word[i - 1], name[j - 1]);
			now[j] = least(now[j], least(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && same(word[i - 1], name[j - 2]) &&
			    same(word[i - 2], name[j - 1]))
				now[j] = least(now[j], second[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

void suggestion_consider(struct suggestion *s, const char *name)
{
	size_t n = strlen(s->word), m = strlen(name);
	unsigned changes;

	if (n < 3 || n > LENGTH_MAX || m > LENGTH_MAX || !same(*s->word, *name))
		return;
	changes = distance(s->word, n, name, m);
	if (!strcmp(s->word, name) || changes > (n < 6 ? 1 : 2) ||
	    (s->name && changes >= s->distance))
		return;
	s->name = name;
	s->distance = changes;
}

void suggestion_hint(const struct suggestion *s)
{
	if (s->name)
		msg_set_hint(mem_printf("did you mean '%s'?", s->name));
}
