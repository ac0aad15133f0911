/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/texts.h"

#include <string.h>

void texts_deinit(struct texts *t)
{
	table_deinit(&t->by_hash);
	strbuf_deinit(&t->bytes);
	vec_deinit(&t->at);
}

uint32_t texts_add(struct texts *t, const char *text, size_t n)
{
	struct table_slot *slot = NULL;
	uint64_t hash;

	n = n ? strnlen(text, n) : 0;
	text = n ? text : "";
	hash = table_hash(text, n);
	while ((slot = table_find(&t->by_hash, hash, slot))) {
		const char *known = texts_get(t, (uint32_t)slot->value);

		if (strlen(known) == n && !memcmp(known, text, n))
			return (uint32_t)slot->value;
	}
	if (t->bytes.len + n >= TEXTS_MAX || t->at.n >= UINT32_MAX - 1)
		return 0;
	*vec_push(&t->at) = t->bytes.len;
	strbuf_add(&t->bytes, text, n);
	strbuf_putc(&t->bytes, '\0');
	table_add(&t->by_hash, hash, t->at.n);
	return (uint32_t)t->at.n;
}

const char *texts_get(const struct texts *t, uint32_t number)
{
	return number ? t->bytes.data + t->at.v[number - 1] : "...";
}
