/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/sheet.h"

#include <string.h>

#include "query/group.h"
#include "sinks/summary/fields.h"
#include "util/escape.h"
#include "util/utf8.h"

const char *sheet_by(const struct summary_config *config)
{
	static const char *const names[] = {"syscall", "stack", "thread",
					    "process", "path",	"fields"};

	return names[config->by];
}

/* ---- fields ---- */

/* Maximum width of the column of a --group-by field. Longer values do not widen the column. */
#define FIELD_WIDTH_MAX 40

/* Appends field i of a row, or "-" if the row does not have this field. */
static void put_field(struct strbuf *out, const struct summary_row *e, size_t i, int width)
{
	struct strbuf part = {0};

	if (!fields_part(&part, e->name, i) && (!i || fields_are_in(e->name)))
		strbuf_putc(&part, '-');
	sheet_name(out, strbuf_str(&part), "", width);
	strbuf_deinit(&part);
}

/*
 * Appends the fields of row `e` or, if `e` is NULL, the names of the fields. Each field is padded
 * to the width of its column. If `last` is set, the last field is not padded.
 */
static void put_fields(struct sheet *t, const struct summary_row *e, bool last)
{
	const size_t n = group_count(t->config->group);

	for (size_t i = 0; i < n; i++) {
		const int width = last && i + 1 == n ? 0 : t->field_widths[i];

		if (i)
			strbuf_putc(&t->out, ' ');
		if (e)
			put_field(&t->out, e, i, width);
		else
			sheet_name(&t->out, group_name(t->config->group, i), "", width);
	}
}

static int width_of(const struct summary_row *e, size_t i)
{
	struct strbuf b = {0};
	int width;

	put_field(&b, e, i, 0);
	width = b.len < FIELD_WIDTH_MAX ? (int)b.len : FIELD_WIDTH_MAX;
	strbuf_deinit(&b);
	return width;
}

void sheet_fit(struct sheet *t, const struct summary_row *rows, size_t n)
{
	t->name_width = -1;
	for (size_t i = 0; i < group_count(t->config->group); i++) {
		t->field_widths[i] = (int)strlen(group_name(t->config->group, i));
		for (size_t j = 0; j < n; j++)
			if (width_of(&rows[j], i) > t->field_widths[i])
				t->field_widths[i] = width_of(&rows[j], i);
		t->name_width += 1 + t->field_widths[i];
	}
}

void sheet_histogram(struct sheet *t, const struct summary_row *e)
{
	const struct group *hist = t->config->hist;

	strbuf_printf(&t->out, "\n%s of ", group_name(hist, 0));
	if (t->config->by == SUMMARY_BY_FIELDS)
		put_fields(t, e, true);
	else
		sheet_name(&t->out, e->name, e->comm, 0);
	strbuf_puts(&t->out, ":\n");
	octaves_draw(&t->out, e->octaves, group_is_time(hist, 0));
}

static void put_dashes(struct strbuf *out, int n)
{
	while (n-- > 0)
		strbuf_putc(out, '-');
}

void sheet_name(struct strbuf *out, const char *name, const char *comm, int width)
{
	const char *parts[] = {name, *comm ? " " : "", comm};
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *p = parts[i], *end = p + strlen(p);

		while (p < end) {
			unsigned len = utf8_printable(p, end - p);

			strbuf_add(out, len ? p : "?", len ? len : 1);
			p += len ? len : 1;
			n += len ? len : 1;
		}
	}
	for (; n < width; n++)
		strbuf_putc(out, ' ');
}

static int sum_width(const struct summary_config *c, enum summary_column column)
{
	const int width = (int)strlen(group_name(c->sum, column - SUMMARY_SUM));

	return width > 14 ? width : 14;
}

static void put_sum(struct sheet *t, uint64_t v, enum summary_column column)
{
	const int width = sum_width(t->config, column);

	if (group_is_time(t->config->sum, column - SUMMARY_SUM))
		strbuf_printf(&t->out, "%*.6f", width, (double)(int64_t)v / 1e9);
	else
		strbuf_printf(&t->out, "%*lld", width, (long long)v);
}

static void put_separator(struct sheet *t, unsigned i)
{
	if (i)
		strbuf_putc(&t->out, ' ');
}

void sheet_legend(struct sheet *t)
{
	attr_cleanup(strbuf_deinit) struct strbuf percents = {0};
	const char *title, *separator = "";

	for (unsigned i = 0; i < t->config->column_count; i++) {
		const enum summary_column column = t->config->columns[i];

		if (column < SUMMARY_P50 || column > SUMMARY_P99)
			continue;
		title = summary_headings[column].title;
		strbuf_printf(&t->out, "%s%s", separator, title);
		strbuf_printf(&percents, "%s%s%%", separator, title + 1);
		separator = ", ";
	}
	if (percents.len)
		strbuf_printf(&t->out, ": elapsed seconds that %s of the calls did not exceed\n",
			      strbuf_str(&percents));
}

void sheet_head(struct sheet *t)
{
	const struct summary_config *c = t->config;

	for (unsigned i = 0; i < c->column_count; i++) {
		put_separator(t, i);
		if (c->columns[i] == SUMMARY_NAME && c->by == SUMMARY_BY_FIELDS)
			put_fields(t, NULL, i + 1 == c->column_count);
		else if (c->columns[i] == SUMMARY_NAME)
			sheet_name(&t->out, sheet_by(c), "",
				   i + 1 < c->column_count ? t->name_width : 0);
		else if (summary_is_sum(c->columns[i]))
			strbuf_printf(&t->out, "%*s", sum_width(c, c->columns[i]),
				      group_name(c->sum, c->columns[i] - SUMMARY_SUM));
		else
			strbuf_printf(&t->out, "%*s", summary_headings[c->columns[i]].width,
				      summary_headings[c->columns[i]].title);
	}
	strbuf_putc(&t->out, '\n');
}

void sheet_rule(struct sheet *t)
{
	const struct summary_config *c = t->config;

	for (unsigned i = 0; i < c->column_count; i++) {
		put_separator(t, i);
		put_dashes(&t->out, c->columns[i] == SUMMARY_NAME ? t->name_width
				    : summary_is_sum(c->columns[i])
					    ? sum_width(c, c->columns[i])
					    : summary_headings[c->columns[i]].width);
	}
	strbuf_putc(&t->out, '\n');
}

/* ---- rows that are too long ---- */

/* Replaces the middle of a name that is too long. */
#define GAP "..."
/*
 * Minimum number of characters to keep of a name, even if the row is then wider than the terminal.
 */
#define NAME_WIDTH_MIN 24

static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static int characters(const char *s)
{
	int count = 0;

	for (; *s; s++)
		count += begins_character(*s);
	return count;
}

/* Returns the offset in bytes of character `number`, counted from 0. */
static size_t offset_of(const char *s, int number)
{
	size_t i = 0;

	for (; s[i]; i++)
		if (begins_character(s[i]) && !number--)
			break;
	return i;
}

/*
 * Returns the offset of the end of the last separator between functions in the first n bytes.
 * Returns n if there is no separator.
 */
static size_t last_function(const char *s, size_t n)
{
	const size_t len = strlen(TREE_CHAIN);

	for (size_t i = n; i >= len; i--)
		if (!strncmp(s + i - len, TREE_CHAIN, len))
			return i;
	return n;
}

/* Returns the maximum number of characters of a name, or -1 if there is no limit. */
static int name_limit(const struct summary_config *c)
{
	int width = (int)c->width - (int)(c->column_count - 1);

	if (!c->width || c->by == SUMMARY_BY_SYSCALL)
		return -1;
	for (unsigned i = 0; i < c->column_count; i++)
		if (summary_is_sum(c->columns[i]))
			width -= sum_width(c, c->columns[i]);
		else if (c->columns[i] != SUMMARY_NAME)
			width -= summary_headings[c->columns[i]].width;
	return width < NAME_WIDTH_MIN ? NAME_WIDTH_MIN : width;
}

/*
 * Shortens the name that was appended at the offset `from`, but keeps its beginning and its end. In
 * a row with several functions, the beginning and the end consist of whole functions if possible.
 */
static void shorten(struct sheet *t, size_t from)
{
	const int limit = name_limit(t->config), kept = limit - (int)strlen(GAP);
	attr_cleanup(strbuf_deinit) struct strbuf name = {0};
	const char *s, *separator;
	size_t head, tail;
	int count;

	strbuf_add(&name, t->out.data + from, t->out.len - from);
	s = strbuf_str(&name);
	count = characters(s);
	if (limit < 0 || count <= limit)
		return;
	head = offset_of(s, kept / 2);
	tail = offset_of(s, count - (kept - kept / 2));
	if (t->config->by == SUMMARY_BY_STACK) {
		head = last_function(s, head);
		separator = strstr(s + tail, TREE_CHAIN);
		tail = separator ? (size_t)(separator - s) : tail;
	}
	t->out.len = from;
	strbuf_add(&t->out, s, head);
	strbuf_puts(&t->out, GAP);
	strbuf_puts(&t->out, s + tail);
}

static void put_cell(struct sheet *t, const struct summary_row *e, unsigned i)
{
	enum summary_column column = t->config->columns[i];
	uint64_t v = summary_value(e, column);
	int width = summary_headings[column].width;

	if (summary_is_sum(column)) {
		put_sum(t, v, column);
		return;
	}
	switch (column) {
	case SUMMARY_NAME:
		if (t->config->by == SUMMARY_BY_FIELDS) {
			put_fields(t, e, i + 1 == t->config->column_count);
			break;
		}
		sheet_name(&t->out, e->name, e->comm,
			   i + 1 < t->config->column_count ? t->name_width : 0);
		if (foreign_given(e->command)) {
			strbuf_puts(&t->out, ": ");
			escape_foreign(&t->out, e->command);
		}
		break;
	case SUMMARY_TIME_PERCENT:
		strbuf_printf(&t->out, "%*.2f", width, t->all ? 100.0 * v / t->all : 0.0);
		break;
	case SUMMARY_AVG_TIME:
	case SUMMARY_WALL_AVG:
		strbuf_printf(&t->out, "%*llu", width, (unsigned long long)v / 1000);
		break;
	case SUMMARY_CALLS:
		strbuf_printf(&t->out, "%*llu", width, (unsigned long long)v);
		break;
	case SUMMARY_ERRORS:
		strbuf_printf(&t->out, v ? "%*llu" : "%*.0llu", width, (unsigned long long)v);
		break;
	default:
		strbuf_printf(&t->out, "%*.6f", width, v / 1e9);
		break;
	}
}

void sheet_row(struct sheet *t, const struct summary_row *e)
{
	size_t begin;

	for (unsigned i = 0; i < t->config->column_count; i++) {
		put_separator(t, i);
		begin = t->out.len;
		put_cell(t, e, i);
		if (t->config->columns[i] == SUMMARY_NAME)
			shorten(t, begin);
	}
	strbuf_putc(&t->out, '\n');
}
