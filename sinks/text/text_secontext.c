/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_secontext.h"

#include <string.h>

/* A part of an SELinux context, such as the type. */
struct part {
	const char *text;
	size_t len;
};

/*
 * Returns the part of a context that is shown: all of it, or the type, which is the third part of
 * user:role:type:level. A context with fewer parts is shown completely.
 */
static struct part shown_part(const struct text_config *c, const char *context)
{
	const char *role = c->full_contexts ? NULL : strchr(context, ':');
	const char *type = role ? strchr(role + 1, ':') : NULL;

	if (!type)
		return (struct part){context, strlen(context)};
	return (struct part){type + 1, strcspn(type + 1, ":")};
}

static void put_part(struct strbuf *b, const struct text_config *c, struct part p)
{
	escape_bytes(b, p.text, p.len, c->hex_strings, true);
}

void text_secontext(struct strbuf *b, const struct text_config *c, const char *context,
		    const char *expected)
{
	const struct part is = shown_part(c, context);

	put_part(b, c, is);
	if (expected) {
		const struct part should = shown_part(c, expected);

		if (is.len != should.len || memcmp(is.text, should.text, is.len) != 0) {
			strbuf_puts(b, "!!");
			put_part(b, c, should);
		}
	}
}
