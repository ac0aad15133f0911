/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/lexer.h"

#include <ctype.h>
#include <string.h>

#include "util/mem.h"

static bool is_word_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct token bad(struct lexer *l, size_t start, size_t len, const char *why)
{
	query_fail(l->q, (struct place){start, len}, "%s", why);
	return (struct token){.kind = TOKEN_BAD, .place = {start, len}};
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *p = strchr(digits, tolower((unsigned char)c));

	return c && p ? (int)(p - digits) : -1;
}

/*
 * Decodes an escape sequence. Returns the character, or -1 if the sequence is unknown. *p must
 * point after the backslash, and is advanced past the sequence.
 */
static int escaped(const char **p)
{
	static const char from[] = "abefnrtv\\\"'/", to[] = "\a\b\033\f\n\r\t\v\\\"'/";
	const char c = *(*p)++, *at = c ? strchr(from, c) : NULL;

	if (at)
		return to[at - from];
	if (c == 'x' && hex_digit((*p)[0]) >= 0 && hex_digit((*p)[1]) >= 0) {
		int n = hex_digit((*p)[0]) * 16 + hex_digit((*p)[1]);

		*p += 2;
		return n;
	}
	return -1;
}

/*
 * Reads a quoted string, or a regular expression between slashes. In a regular expression, only a
 * backslash before a slash is removed. In a string, unknown escape sequences keep their backslash.
 * Thus "\." is an escaped dot in a pattern.
 */
static struct token string(struct lexer *l)
{
	const char *start = l->q->text + l->at, *p = start + 1;
	const char quote = *start;
	char *text = arena_alloc(&l->q->arena, strlen(start)), *to = text;
	struct token t = {.kind = TOKEN_LITERAL, .literal.kind = LITERAL_STRING};

	while (*p && *p != quote) {
		const char *after = p + 1;
		int c = -1;

		if (*p == '\\' && quote != '/')
			c = escaped(&after);
		else if (*p == '\\' && p[1] == '/')
			c = *after++;
		if (c == 0)
			return bad(l, p - l->q->text, after - p, "a string cannot contain NUL");
		if (c > 0) {
			*to++ = (char)c;
			p = after;
			continue;
		}
		if (*p == '\\' && p[1])
			*to++ = *p++;
		*to++ = *p++;
	}
	if (!*p)
		return bad(l, l->at, strlen(start),
			   quote == '/' ? "unterminated regular expression"
					: "unterminated string");
	*to = '\0';
	t.literal.text = text;
	t.literal.len = to - text;
	t.place = t.literal.place = (struct place){l->at, p + 1 - start};
	l->at += t.place.len;
	return t;
}

static const struct unit {
	const char *name;
	enum literal_kind kind;
	uint64_t factor;
} units[] = {
	{"ns", LITERAL_DURATION, 1},
	{"us", LITERAL_DURATION, 1000},
	{"ms", LITERAL_DURATION, 1000000},
	{"s", LITERAL_DURATION, 1000000000},
	{"min", LITERAL_DURATION, 60000000000},
	{"h", LITERAL_DURATION, 3600000000000},
	{"B", LITERAL_SIZE, 1},
	{"k", LITERAL_SIZE, 1 << 10},
	{"K", LITERAL_SIZE, 1 << 10},
	{"KiB", LITERAL_SIZE, 1 << 10},
	{"M", LITERAL_SIZE, 1 << 20},
	{"MiB", LITERAL_SIZE, 1 << 20},
	{"G", LITERAL_SIZE, 1 << 30},
	{"GiB", LITERAL_SIZE, 1 << 30},
	{"T", LITERAL_SIZE, UINT64_C(1) << 40},
	{"TiB", LITERAL_SIZE, UINT64_C(1) << 40},
};

static const struct unit *unit_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == len && !memcmp(units[i].name, name, len))
			return &units[i];
	return NULL;
}

/*
 * Reads the digits of a number such as 42, 0x2a or 0644, and stores the number in *n. Returns a
 * pointer past the digits, or NULL if the number is too large.
 */
static const char *digits(const char *p, uint64_t *n)
{
	unsigned base = 10;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && hex_digit(p[2]) >= 0) {
		base = 16;
		p += 2;
	} else if (p[0] == '0' && isdigit((unsigned char)p[1])) {
		base = 8;
	}
	for (*n = 0; hex_digit(*p) >= 0 && (unsigned)hex_digit(*p) < base; p++)
		if (__builtin_mul_overflow(*n, base, n) ||
		    __builtin_add_overflow(*n, (unsigned)hex_digit(*p), n))
			return NULL;
	return p;
}

/*
 * Returns the fraction of a number, such as the .5 in 1.5k, multiplied by `factor` and rounded
 * down. `dot` points to the dot, and `end` past the last digit.
 */
static uint64_t fraction(const char *dot, const char *end, uint64_t factor)
{
	uint64_t n = 0;

	/* Rounding down after each digit does not change the result. */
	while (--end > dot)
		n = (factor * (uint64_t)(*end - '0') + n) / 10;
	return n;
}

static struct token number(struct lexer *l)
{
	const char *start = l->q->text + l->at, *p = start, *end, *dot = NULL;
	const bool negative = *p == '-';
	struct token t = {.kind = TOKEN_LITERAL, .literal.kind = LITERAL_NUMBER};
	const struct unit *unit = NULL;
	uint64_t n;

	p = digits(p + negative, &n);
	if (!p)
		return bad(l, l->at, 1 + strspn(start + 1, "0123456789abcdefxABCDEFX"),
			   "the number does not fit into 64 bits");
	if (*p == '.' && isdigit((unsigned char)p[1])) {
		dot = p;
		while (isdigit((unsigned char)*++p))
			;
	}
	for (end = p; is_word(*end);)
		end++;
	if (end > p) {
		unit = unit_find(p, end - p);
		if (!unit)
			return bad(l, p - l->q->text, end - p,
				   "unknown unit: use ns, us, ms, s, min, h, K, M, G or T");
	} else if (dot) {
		return bad(l, l->at, p - start, "a number with a fraction needs a unit");
	}
	t.literal.number = n;
	if (unit) {
		t.literal.kind = unit->kind;
		t.literal.number *= unit->factor;
		if (dot)
			t.literal.number += fraction(dot, p, unit->factor);
	}
	if (negative)
		t.literal.number = -t.literal.number;
	t.place = t.literal.place = (struct place){l->at, end - start};
	l->at += t.place.len;
	return t;
}

static struct token symbol(struct lexer *l)
{
	static const char *const two[] = {"==", "!=", "<=", ">=", "=~", "!~", "&&", "||"};
	const char *p = l->q->text + l->at;
	struct token t = {.kind = TOKEN_SYMBOL, .place = {l->at, 1}, .symbol = {*p}};

	for (size_t i = 0; i < ARRAY_SIZE(two); i++) {
		if (strncmp(p, two[i], 2))
			continue;
		t.symbol[1] = p[1];
		t.place.len = 2;
		l->after_match = p[1] == '~';
	}
	if (t.place.len == 1 && !strchr("!<>(){}[],.|", *p)) {
		size_t n = 1;

		/* Skip the continuation bytes of a UTF-8 character. */
		while (((unsigned char)p[n] & 0xc0) == 0x80)
			n++;
		if (*p == '=' || *p == '&')
			query_fail_meant(l->q, t.place, *p == '=' ? "==" : "&&",
					 "'%c' is not an operator", *p);
		else
			query_fail(l->q, (struct place){l->at, n}, "unexpected character");
		return (struct token){.kind = TOKEN_BAD, .place = t.place};
	}
	l->at += t.place.len;
	return t;
}

struct token lexer_next(struct lexer *l)
{
	const bool after_match = l->after_match;
	const char *p;
	size_t n = 0;

	l->after_match = false;
	l->at += strspn(l->q->text + l->at, " \t\n\r");
	p = l->q->text + l->at;
	if (!*p)
		return (struct token){.kind = TOKEN_END, .place = {l->at, 0}};
	if (*p == '"' || *p == '\'' || (*p == '/' && after_match))
		return string(l);
	if (isdigit((unsigned char)*p) || (*p == '-' && isdigit((unsigned char)p[1])))
		return number(l);
	if (!is_word_start(*p))
		return symbol(l);
	while (is_word(p[n]))
		n++;
	l->at += n;
	return (struct token){.kind = TOKEN_WORD,
			      .place = {p - l->q->text, n},
			      .word = arena_strndup(&l->q->arena, p, n)};
}
