/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/sheet.h"

#include <string.h>

#include "util/utf8.h"

const char *sheet_by(const struct summary_config *config)
{
	static const char *const names[] = {"syscall", "stack", "thread", "process", "path"};

	return names[config->by];
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

static void put_separator(struct sheet *t, unsigned i)
{
	if (i)
		strbuf_putc(&t->out, ' ');
}

void sheet_head(struct sheet *t)
{
	const struct summary_config *c = t->config;

	for (unsigned i = 0; i < c->column_count; i++) {
		put_separator(t, i);
		if (c->columns[i] == SUMMARY_NAME)
			sheet_name(&t->out, sheet_by(c), "",
				   i + 1 < c->column_count ? t->name_width : 0);
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
		put_dashes(&t->out, c->columns[i] == SUMMARY_NAME
					    ? t->name_width
					    : summary_headings[c->columns[i]].width);
	}
	strbuf_putc(&t->out, '\n');
}

static void put_cell(struct sheet *t, const struct summary_row *e, unsigned i)
{
	enum summary_column column = t->config->columns[i];
	uint64_t v = summary_value(e, column);
	int width = summary_headings[column].width;

	switch (column) {
	case SUMMARY_NAME:
		sheet_name(&t->out, e->name, e->comm,
			   i + 1 < t->config->column_count ? t->name_width : 0);
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
	for (unsigned i = 0; i < t->config->column_count; i++) {
		put_separator(t, i);
		put_cell(t, e, i);
	}
	strbuf_putc(&t->out, '\n');
}
