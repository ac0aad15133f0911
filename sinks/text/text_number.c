/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_number.h"

#include <stdio.h>

void text_octal(struct strbuf *b, const struct value *v)
{
	char digits[24], *p = digits + sizeof(digits);
	size_t least = v->text & TEXT_OCTAL ? 3 : 1;

	for (uint64_t n = v->num; n; n >>= 3)
		*--p = '0' + (n & 7);
	/* The leading zero of an octal number counts as one of the three digits. */
	if (p == digits + sizeof(digits) || *p != '0')
		*--p = '0';
	while ((size_t)(digits + sizeof(digits) - p) < least)
		*--p = '0';
	strbuf_add(b, p, digits + sizeof(digits) - p);
}

void text_hex(struct strbuf *b, const struct value *v)
{
	char text[24];

	if (v->text & TEXT_PADDED)
		strbuf_add(b, text,
			   snprintf(text, sizeof(text), "%#0*llx", 2 * v->width,
				    (unsigned long long)v->num));
	else
		strbuf_hex(b, v->num);
}

void text_raw(struct strbuf *b, const struct value *v)
{
	if (v->flags & VALUE_F_SIGNED)
		strbuf_dec(b, v->width == 4 ? (int32_t)v->num : (int64_t)v->num);
	else if (v->text & TEXT_DECIMAL || v->kind == VALUE_EXPR)
		strbuf_udec(b, v->num);
	else if (v->text & TEXT_OCTAL)
		text_octal(b, v);
	else
		strbuf_hex(b, v->num);
}

bool text_is_decimal(const struct value *v)
{
	return v->flags & VALUE_F_SIGNED || v->text & TEXT_DECIMAL;
}
