/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/summary/record.h"

#include <string.h>

#include "linux/arch/abi.h"
#include "query/group.h"
#include "sinks/json/json_text.h"
#include "sinks/summary/fields.h"
#include "util/clock.h"
#include "util/escape.h"

/*
 * Appends the key of a column, as in JSON and in the CSV header. `column` must not be a --sum
 * column.
 */
static void put_key(struct strbuf *b, enum summary_column column)
{
	for (const char *p = summary_column_name(column); *p; p++)
		strbuf_putc(b, *p == '-' ? '_' : *p);
}

static void put_number(struct sheet *t, const struct summary_row *e, enum summary_column column)
{
	uint64_t v = summary_value(e, column);

	if (summary_is_sum(column) && !group_is_time(t->config->sum, column - SUMMARY_SUM))
		strbuf_dec(&t->out, (int64_t)v);
	else if (column == SUMMARY_TIME_PERCENT)
		strbuf_printf(&t->out, "%.2f", t->all ? 100.0 * v / t->all : 0.0);
	else if (column == SUMMARY_CALLS || column == SUMMARY_ERRORS)
		strbuf_udec(&t->out, v);
	else
		strbuf_printf(&t->out, "%llu.%09llu", (unsigned long long)v / NSEC_PER_SEC,
			      (unsigned long long)v % NSEC_PER_SEC);
}

/* Appends "group":{"path":"/etc/hosts","ret":3,"peer":null}. */
static void put_group(struct strbuf *b, const struct group *g, const struct summary_row *e)
{
	struct strbuf part = {0};

	strbuf_puts(b, "\"group\":{");
	for (size_t i = 0; i < group_count(g); i++) {
		if (i)
			strbuf_putc(b, ',');
		json_cstring(b, group_name(g, i));
		strbuf_putc(b, ':');
		part.len = 0;
		if (!fields_part(&part, e->name, i))
			strbuf_puts(b, "null");
		else if (group_is_number(g, i))
			strbuf_add(b, part.data, part.len);
		else
			json_string(b, part.data, part.len);
	}
	strbuf_putc(b, '}');
	strbuf_deinit(&part);
}

/* Appends ,"sum":{"bytes":4096}. */
static void put_sums(struct sheet *t, const struct summary_row *e)
{
	const size_t n = group_count(t->config->sum);

	for (size_t i = 0; i < n; i++) {
		strbuf_puts(&t->out, i ? "," : ",\"sum\":{");
		json_cstring(&t->out, group_name(t->config->sum, i));
		strbuf_putc(&t->out, ':');
		put_number(t, e, SUMMARY_SUM + (unsigned)i);
	}
	if (n)
		strbuf_putc(&t->out, '}');
}

static void put_object(struct sheet *t, const struct summary_row *e)
{
	const struct summary_config *c = t->config;
	struct strbuf *b = &t->out;

	strbuf_puts(b, "{\"type\":\"summary\",\"by\":\"");
	strbuf_puts(b, sheet_by(c));
	if (c->by == SUMMARY_BY_SYSCALL) {
		strbuf_puts(b, "\",\"abi\":\"");
		strbuf_puts(b, abis[e->abi].name);
	}
	strbuf_puts(b, "\",");
	if (c->by == SUMMARY_BY_FIELDS && !summary_row_is_others(e))
		put_group(b, c->group, e);
	else
		json_text_member(b, "name", e->name, strlen(e->name));
	if (e->comm[0]) {
		strbuf_putc(b, ',');
		json_text_member(b, "comm", e->comm, strnlen(e->comm, sizeof(e->comm)));
	}
	if (foreign_given(e->command)) {
		strbuf_putc(b, ',');
		json_foreign_member(b, "command_line", e->command);
	}
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME || summary_is_sum(c->columns[i]))
			continue;
		strbuf_puts(b, ",\"");
		put_key(b, c->columns[i]);
		strbuf_puts(b, "\":");
		put_number(t, e, c->columns[i]);
	}
	put_sums(t, e);
	if (e->octaves) {
		strbuf_puts(b, ",\"hist\":{");
		json_cstring(b, group_name(c->hist, 0));
		strbuf_putc(b, ':');
		octaves_put_json(b, e->octaves, group_is_time(c->hist, 0));
		strbuf_putc(b, '}');
	}
	strbuf_puts(b, "}\n");
}

/*
 * Appends a quoted CSV string. Quotes in the string are doubled (RFC 4180). Unprintable characters
 * become question marks, as in the table.
 */
static void put_csv_text(struct strbuf *b, const char *text)
{
	struct strbuf shown = {0};

	sheet_name(&shown, text, "", 0);
	strbuf_putc(b, '"');
	for (size_t i = 0; i < shown.len; i++) {
		if (shown.data[i] == '"')
			strbuf_putc(b, '"');
		strbuf_putc(b, shown.data[i]);
	}
	strbuf_putc(b, '"');
	strbuf_deinit(&shown);
}

static void put_csv_foreign(struct strbuf *b, struct foreign text)
{
	struct strbuf escaped = {0};

	escape_foreign(&escaped, text);
	put_csv_text(b, strbuf_str(&escaped));
	strbuf_deinit(&escaped);
}

void record_head(struct sheet *t)
{
	const struct summary_config *c = t->config;

	if (c->by != SUMMARY_BY_FIELDS)
		strbuf_puts(&t->out, "by,abi,name,comm");
	if (c->by == SUMMARY_BY_PROCESS)
		strbuf_puts(&t->out, ",command_line");
	for (size_t i = 0; i < group_count(c->group); i++) {
		if (i)
			strbuf_putc(&t->out, ',');
		put_csv_text(&t->out, group_name(c->group, i));
	}
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME)
			continue;
		strbuf_putc(&t->out, ',');
		if (summary_is_sum(c->columns[i]))
			put_csv_text(&t->out, group_name(c->sum, c->columns[i] - SUMMARY_SUM));
		else
			put_key(&t->out, c->columns[i]);
	}
	strbuf_puts(&t->out, "\r\n");
}

/* Appends the --group-by fields of a row. A field that the row does not have is left empty. */
static void put_csv_fields(struct sheet *t, const struct summary_row *e)
{
	struct strbuf part = {0};

	for (size_t i = 0; i < group_count(t->config->group); i++) {
		if (i)
			strbuf_putc(&t->out, ',');
		part.len = 0;
		if (fields_part(&part, e->name, i))
			put_csv_text(&t->out, strbuf_str(&part));
	}
	strbuf_deinit(&part);
}

static void put_csv(struct sheet *t, const struct summary_row *e)
{
	const struct summary_config *c = t->config;
	char comm[sizeof(e->comm) + 1] = "";

	memcpy(comm, e->comm, sizeof(e->comm));
	if (c->by == SUMMARY_BY_FIELDS) {
		put_csv_fields(t, e);
	} else {
		strbuf_puts(&t->out, sheet_by(c));
		strbuf_putc(&t->out, ',');
		if (c->by == SUMMARY_BY_SYSCALL)
			strbuf_puts(&t->out, abis[e->abi].name);
		strbuf_putc(&t->out, ',');
		put_csv_text(&t->out, e->name);
		strbuf_putc(&t->out, ',');
		put_csv_text(&t->out, comm);
	}
	if (c->by == SUMMARY_BY_PROCESS) {
		strbuf_putc(&t->out, ',');
		put_csv_foreign(&t->out, e->command);
	}
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME)
			continue;
		strbuf_putc(&t->out, ',');
		put_number(t, e, c->columns[i]);
	}
	strbuf_puts(&t->out, "\r\n");
}

void record_put_lost(struct sheet *t, uint64_t n)
{
	const struct summary_config *c = t->config;

	if (c->format == SUMMARY_JSON) {
		strbuf_printf(&t->out,
			      "{\"type\":\"summary\",\"by\":\"lost\",\"name\":\"events\",\"calls\":"
			      "%llu}\n",
			      (unsigned long long)n);
		return;
	}
	if (c->by == SUMMARY_BY_FIELDS) {
		put_csv_text(&t->out, "(lost)");
		strbuf_pad(&t->out, ',', group_count(c->group) - 1);
	} else {
		strbuf_puts(&t->out, "lost,,\"events\",\"\"");
	}
	if (c->by == SUMMARY_BY_PROCESS)
		strbuf_puts(&t->out, ",\"\"");
	for (unsigned i = 0; i < c->column_count; i++) {
		if (c->columns[i] == SUMMARY_NAME)
			continue;
		strbuf_putc(&t->out, ',');
		if (c->columns[i] == SUMMARY_CALLS)
			strbuf_udec(&t->out, n);
	}
	strbuf_puts(&t->out, "\r\n");
}

void record_put(struct sheet *t, const struct summary_row *e)
{
	if (t->config->format == SUMMARY_JSON)
		put_object(t, e);
	else
		put_csv(t, e);
}
