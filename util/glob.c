/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/glob.h"

#include <ctype.h>
#include <string.h>

#include "util/strbuf.h"

bool glob_is_pattern(const char *text)
{
	return strpbrk(text, "*?[\\");
}

/*
 * Appends a regular expression for the [SET] at the start of `glob`. Returns the length of [SET],
 * or 0 if there is none.
 */
static size_t put_set(struct strbuf *regex, const char *glob)
{
	bool inverted = glob[1] == '!' || glob[1] == '^';
	const char *set = glob + 1 + inverted, *end = *set ? strchr(set + 1, ']') : NULL;

	if (!end)
		return 0;
	strbuf_puts(regex, inverted ? "[^/" : "[");
	strbuf_add(regex, set, end + 1 - set);
	return end + 1 - glob;
}

/*
 * Appends a regular expression for the first element of `glob`. `at_name` must be true if the
 * element begins a file name. Returns the length of the element.
 */
static size_t put_element(struct strbuf *regex, const char *glob, bool at_name)
{
	size_t n;

	switch (*glob) {
	case '*':
		if (glob[1] != '*') {
			strbuf_puts(regex, "[^/]*");
			return 1;
		}
		/*
		 * A directory name of two asterisks matches any number of directories, including
		 * none: for example, two asterisks between "a/" and "/b" also match "a/b".
		 */
		if (at_name && glob[2] == '/') {
			strbuf_puts(regex, "(.*/)?");
			return 3;
		}
		strbuf_puts(regex, ".*");
		return 2;
	case '?':
		strbuf_puts(regex, "[^/]");
		return 1;
	case '[':
		n = put_set(regex, glob);
		if (n)
			return n;
		break;
	case '\\':
		if (glob[1]) {
			strbuf_add(regex, glob, 2);
			return 2;
		}
		break;
	}
	if (strchr("\\.[{}()+^$|", *glob))
		strbuf_putc(regex, '\\');
	strbuf_putc(regex, *glob);
	return 1;
}

int glob_compile(regex_t *compiled, const char *pattern)
{
	struct strbuf regex = {0};
	const char *glob = pattern;
	int rc;

	strbuf_putc(&regex, '^');
	while (*glob)
		glob += put_element(&regex, glob, glob == pattern || glob[-1] == '/');
	strbuf_putc(&regex, '$');
	rc = regcomp(compiled, strbuf_str(&regex), REG_EXTENDED | REG_NOSUB);
	strbuf_deinit(&regex);
	return rc;
}

#define STATES_MAX 62

/*
 * Adds the transitions from a state by the characters of the [SET] at the start of `p`. Returns the
 * length of the set, or 0 if it is not supported.
 */
static size_t build_set(struct glob *g, const char *p, uint64_t state)
{
	const bool inverted = p[1] == '!' || p[1] == '^';
	const char *set = p + 1 + inverted, *end = *set ? strchr(set + 1, ']') : NULL;
	bool has[256] = {false};

	if (!end || memchr(set, '[', (size_t)(end - set)))
		return 0;
	for (const uint8_t *c = (const uint8_t *)set; c < (const uint8_t *)end; c++) {
		uint8_t last = *c;

		if (c[1] == '-' && c + 2 < (const uint8_t *)end)
			last = c[2];
		for (unsigned i = *c; i <= last; i++)
			has[i] = true;
		c += last == *c ? 0 : 2;
	}
	has['/'] |= inverted;
	for (unsigned i = 1; i < 256; i++)
		if (has[i] != inverted)
			g->on[i] |= state;
	return (size_t)(end + 1 - p);
}

/*
 * Adds the first element of `p`, which begins in the given state. `at_name` is as for
 * put_element(). Returns the length of the element, or 0 if it is not supported. Sets *states to
 * the number of states of the element.
 */
static size_t build_element(struct glob *g, const char *p, bool at_name, uint64_t state,
			    unsigned *states)
{
	*states = 1;
	switch (*p) {
	case '*':
		if (p[1] == '*' && p[2] == '/' && at_name) {
			/*
			 * This element has two states. The first state can skip the whole element
			 * or enter the second state. The second state matches any text up to a
			 * slash.
			 */
			*states = 2;
			g->skips |= state;
			g->double_skips |= state;
			g->double_stars |= state << 1;
			g->on['/'] |= state << 1;
			return 3;
		}
		g->skips |= state;
		*(p[1] == '*' ? &g->double_stars : &g->stars) |= state;
		return p[1] == '*' ? 2 : 1;
	case '?':
		for (unsigned i = 1; i < 256; i++)
			if (i != '/')
				g->on[i] |= state;
		return 1;
	case '[':
		if (strchr(p + 1, ']'))
			return build_set(g, p, state);
		break;
	case '\\':
		if (!p[1])
			break;
		/*
		 * Before a letter or a digit, a backslash has other meanings in regular
		 * expressions.
		 */
		g->on[(uint8_t)p[1]] |= state;
		return ispunct((unsigned char)p[1]) ? 2 : 0;
	}
	g->on[(uint8_t)*p] |= state;
	return 1;
}

bool glob_build(struct glob *g, const char *pattern)
{
	const char *p = pattern;
	unsigned n = 0, states;
	size_t len;

	memset(g, 0, sizeof(*g));
	for (; *p; p += len, n += states) {
		if (n >= STATES_MAX)
			return false;
		len = build_element(g, p, p == pattern || p[-1] == '/', UINT64_C(1) << n, &states);
		if (!len)
			return false;
	}
	g->end = UINT64_C(1) << n;
	if (n && g->double_stars & g->skips & g->end >> 1)
		g->end_of_any = g->end;
	return true;
}

/* Returns `states` and all states that are reached from them without a character. */
static uint64_t closure(const struct glob *g, uint64_t states)
{
	uint64_t before;

	do {
		before = states;
		states |= (states & g->skips) << 1 | (states & g->double_skips) << 2;
	} while (states != before);
	return states;
}

bool glob_matches(const struct glob *g, const char *text, size_t len)
{
	uint64_t states = closure(g, 1);

	for (size_t i = 0; i < len && states; i++) {
		const uint8_t c = (uint8_t)text[i];

		if (states & g->end_of_any)
			return !memchr(text + i, 0, len - i);
		if (!c)
			return false;
		states = closure(g, (states & g->on[c]) << 1 | (states & g->double_stars) |
					    (c == '/' ? 0 : states & g->stars));
	}
	return states & g->end;
}
