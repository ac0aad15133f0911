/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/glob.h"

#include <string.h>

#include "util/strbuf.h"

#define SPECIAL "*?[\\"

bool glob_is_pattern(const char *text)
{
	return strpbrk(text, SPECIAL);
}

bool glob_is_decided(const char *pattern, const char *text, size_t len, bool *matches)
{
	const size_t prefix = strcspn(pattern, SPECIAL);

	*matches = len >= prefix && !memcmp(text, pattern, prefix);
	return !*matches || !strcmp(pattern + prefix, "**");
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
 * Appends a regular expression for the first element of `glob`. Returns the length of the element.
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
		/* "/ *  * /" also matches a single slash. */
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
