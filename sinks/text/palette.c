/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/palette.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/mem.h"

static const struct {
	const char *key, *sgr;
} defaults[COLORS] = {
	[COLOR_PUNCT] = {"punct", "0"},	     [COLOR_SYSCALL] = {"syscall", "33"},
	[COLOR_ARGNAME] = {"argname", "39"}, [COLOR_ARG] = {"argval", "35"},
	[COLOR_CALL] = {"call", "33"},	     [COLOR_CONST] = {"const", "34"},
	[COLOR_COMMENT] = {"comment", "36"}, [COLOR_RETVAL] = {"retval", "32"},
	[COLOR_ERROR] = {"error", "31"},     [COLOR_FRAME] = {"frame", "1"},
	[COLOR_RUNTIME] = {"runtime", "2"},  [COLOR_RESET] = {"", "0"},
};

/* Strips white space from both ends of the n bytes at *s. Returns the remaining length. */
static size_t trim(const char **s, size_t n)
{
	while (n && isspace((unsigned char)**s))
		(*s)++, n--;
	while (n && isspace((unsigned char)(*s)[n - 1]))
		n--;
	return n;
}

static void palette_set(struct palette *p, const char *key, size_t key_len, const char *sgr,
			size_t sgr_len)
{
	key_len = trim(&key, key_len);
	sgr_len = trim(&sgr, sgr_len);
	/*
	 * Reject all characters except digits and ';', because they could form terminal commands.
	 */
	if (!key_len || !sgr_len || strspn(sgr, "0123456789;") < sgr_len)
		return;
	for (unsigned c = 0; c < COLORS; c++) {
		if (strlen(defaults[c].key) != key_len ||
		    strncasecmp(defaults[c].key, key, key_len))
			continue;
		free(p->sequences[c]);
		p->sequences[c] = mem_printf("\033[%.*sm", (int)sgr_len, sgr);
	}
}

void palette_init(struct palette *p, const char *spec)
{
	for (unsigned c = 0; c < COLORS; c++)
		p->sequences[c] = mem_printf("\033[%sm", defaults[c].sgr);
	while (spec && *spec) {
		size_t len = strcspn(spec, ":"), key_len = strcspn(spec, "=:");

		if (key_len < len)
			palette_set(p, spec, key_len, spec + key_len + 1, len - key_len - 1);
		spec += len + (spec[len] == ':');
	}
}

void palette_deinit(struct palette *p)
{
	for (unsigned c = 0; c < COLORS; c++)
		free(p->sequences[c]);
}
