/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/json/json_text.h"

#include "util/utf8.h"

static void put_escaped(struct strbuf *b, unsigned char c)
{
	static const char short_form[] = "btn\0fr";

	strbuf_putc(b, '\\');
	if (c == '"' || c == '\\') {
		strbuf_putc(b, c);
	} else if (c >= '\b' && c <= '\r' && short_form[c - '\b']) {
		strbuf_putc(b, short_form[c - '\b']);
	} else {
		strbuf_puts(b, "u00");
		strbuf_putc(b, "0123456789abcdef"[c >> 4]);
		strbuf_putc(b, "0123456789abcdef"[c & 15]);
	}
}

/*
 * Writes a UTF-8 character of two or three bytes as an escape sequence. Returns the length of the
 * character in bytes.
 */
static unsigned put_unicode(struct strbuf *b, const unsigned char *s)
{
	const bool two = s[0] < 0xe0;
	const unsigned c = two ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu)
			       : (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);

	strbuf_printf(b, "\\u%04x", c);
	return two ? 2 : 3;
}

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/*
 * Returns a word in which the high bit of a byte is set if the corresponding byte of w is zero.
 * Only the lowest of these high bits is reliable; the higher ones may be wrong. All other bits are
 * undefined.
 */
static uint64_t zero_bytes(uint64_t w)
{
	return (w - EACH_BYTE(1)) & ~w;
}

/*
 * Returns true if the eight bytes can be copied unchanged: they are printable ASCII, but neither
 * quotes nor backslashes.
 */
static bool is_plain8(const char *s)
{
	uint64_t w, odd;

	memcpy(&w, s, 8);
	odd = w | ((w - EACH_BYTE(' ')) & ~w) | zero_bytes(w ^ EACH_BYTE('"')) |
	      zero_bytes(w ^ EACH_BYTE('\\')) | zero_bytes(w ^ EACH_BYTE(0x7f));
	return !(odd & EACH_BYTE(0x80));
}

/* Writes a string. Returns false if invalid UTF-8 had to be replaced. */
static bool put_string(struct strbuf *b, const char *s, size_t n)
{
	bool exact = true;

	strbuf_putc(b, '"');
	for (size_t i = 0, run = 0;;) {
		unsigned char c;
		unsigned len;

		/*
		 * Check eight bytes at once if possible, because paths, names and build ids consist
		 * almost entirely of plain ASCII.
		 */
		while (n - i >= 8 && is_plain8(s + i))
			i += 8;
		c = i < n ? s[i] : 0;

		/*
		 * DEL is escaped although JSON does not require that, because terminals do not show
		 * DEL.
		 */
		if (likely(i < n && c >= ' ' && c < 0x7f && c != '"' && c != '\\')) {
			i++;
			continue;
		}
		if (i < n && c >= 0x80) {
			len = utf8_length(s + i, n - i);
			if (len && utf8_printable(s + i, n - i)) {
				i += len;
				continue;
			}
		}
		if (i > run) /* `s` may be NULL if n is 0 */
			strbuf_add(b, s + run, i - run);
		if (i == n)
			break;
		if (c >= 0x80 && utf8_length(s + i, n - i)) {
			i += put_unicode(b, (const unsigned char *)s + i) - 1;
		} else if (c < 0x80) {
			put_escaped(b, c);
		} else {
			strbuf_puts(b, "\\ufffd");
			exact = false;
		}
		run = ++i;
	}
	strbuf_putc(b, '"');
	return exact;
}

void json_string(struct strbuf *b, const char *s, size_t n)
{
	put_string(b, s, n);
}

static void put_hex(struct strbuf *b, const char *s, size_t n)
{
	strbuf_putc(b, '"');
	for (size_t i = 0; i < n; i++) {
		strbuf_putc(b, "0123456789abcdef"[(unsigned char)s[i] >> 4]);
		strbuf_putc(b, "0123456789abcdef"[s[i] & 15]);
	}
	strbuf_putc(b, '"');
}

static void put_bytes(struct strbuf *b, const char *s, size_t n, bool truncated)
{
	static const char open[] = "{\"text\":";
	size_t start = b->len;
	bool exact;

	if (truncated)
		strbuf_add(b, open, sizeof(open) - 1);
	exact = put_string(b, s, n);
	if (exact && !truncated)
		return;
	if (!truncated) {
		size_t len = b->len - start;

		strbuf_add(b, open, sizeof(open) - 1);
		memmove(b->data + start + sizeof(open) - 1, b->data + start, len);
		memcpy(b->data + start, open, sizeof(open) - 1);
	}
	if (!exact) {
		strbuf_puts(b, ",\"hex\":");
		put_hex(b, s, n);
	}
	if (truncated)
		strbuf_puts(b, ",\"truncated\":true");
	strbuf_putc(b, '}');
}

void json_truncated(struct strbuf *b, const char *s, size_t n)
{
	put_bytes(b, s, n, true);
}

void json_bytes(struct strbuf *b, const char *s, size_t n)
{
	put_bytes(b, s, n, false);
}

void json_text_member(struct strbuf *b, const char *key, const char *s, size_t n)
{
	strbuf_putc(b, '"');
	strbuf_puts(b, key);
	strbuf_puts(b, "\":");
	if (likely(put_string(b, s, n)))
		return;
	strbuf_puts(b, ",\"");
	strbuf_puts(b, key);
	strbuf_puts(b, "_hex\":");
	put_hex(b, s, n);
}

void json_foreign(struct strbuf *b, struct foreign text)
{
	if (text.unescaped)
		json_string(b, text.unescaped, strlen(text.unescaped));
	else
		strbuf_puts(b, "null");
}

void json_foreign_member(struct strbuf *b, const char *key, struct foreign text)
{
	if (text.unescaped) {
		json_text_member(b, key, text.unescaped, strlen(text.unescaped));
		return;
	}
	strbuf_putc(b, '"');
	strbuf_puts(b, key);
	strbuf_puts(b, "\":null");
}

void json_uint(struct strbuf *b, uint64_t n)
{
	if (n > (uint64_t)JSON_EXACT_MAX)
		strbuf_putc(b, '"');
	strbuf_udec(b, n);
	if (n > (uint64_t)JSON_EXACT_MAX)
		strbuf_putc(b, '"');
}

void json_name(struct strbuf *b, const char *name, int64_t n)
{
	strbuf_putc(b, '"');
	if (name)
		strbuf_puts(b, name);
	else
		strbuf_dec(b, n);
	strbuf_putc(b, '"');
}

void json_int(struct strbuf *b, int64_t n)
{
	if (n >= 0) {
		json_uint(b, n);
		return;
	}
	if (-(uint64_t)n > (uint64_t)JSON_EXACT_MAX)
		strbuf_putc(b, '"');
	strbuf_dec(b, n);
	if (-(uint64_t)n > (uint64_t)JSON_EXACT_MAX)
		strbuf_putc(b, '"');
}

void json_addr(struct strbuf *b, uint64_t addr)
{
	strbuf_putc(b, '"');
	if (addr)
		strbuf_hex(b, addr);
	else
		strbuf_puts(b, "0x0");
	strbuf_putc(b, '"');
}

void json_time(struct strbuf *b, const struct timespec *t, unsigned digits)
{
	char s[9];
	long n = t->tv_nsec;

	for (unsigned i = 9; i-- > 0; n /= 10)
		s[i] = '0' + n % 10;
	strbuf_udec(b, t->tv_sec);
	strbuf_putc(b, '.');
	strbuf_add(b, s, digits);
}
