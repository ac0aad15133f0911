/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/row.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/utf8.h"

enum { KIND, END, DURATION, TID, PID, ERRNO, FD, NAME, COMM, PATH, TEXT, FIELDS };

bool row_parse(struct row *r, const char *line, size_t n)
{
	char *fields[FIELDS], *p = mem_strndup(line, n);

	*r = (struct row){.line = p};
	for (size_t i = 0; i < FIELDS; i++) {
		char *tab = i + 1 < FIELDS ? strchr(p, '\t') : NULL;

		if (!tab && i + 1 < FIELDS) {
			row_deinit(r);
			return false;
		}
		fields[i] = p;
		if (!tab)
			break;
		*tab = 0;
		p = tab + 1;
	}
	r->kind = fields[KIND][0];
	r->end = strtoll(fields[END], NULL, 10);
	r->duration = strtoull(fields[DURATION], NULL, 10);
	r->tid = (pid_t)strtol(fields[TID], NULL, 10);
	r->pid = (pid_t)strtol(fields[PID], NULL, 10);
	r->error = (int)strtol(fields[ERRNO], NULL, 10);
	r->fd = (int)strtol(fields[FD], NULL, 10);
	r->name = fields[NAME];
	r->comm = fields[COMM];
	r->path = fields[PATH];
	r->text = fields[TEXT];
	for (size_t i = NAME; i < FIELDS; i++)
		utf8_make_printable(fields[i]);
	return true;
}

void row_deinit(struct row *r)
{
	free(r->line);
	*r = (struct row){0};
}

bool row_same(const struct row *a, const struct row *b)
{
	return a->end == b->end && a->tid == b->tid && a->duration == b->duration &&
	       !strcmp(a->text, b->text);
}

size_t row_size(const struct row *r)
{
	return sizeof(*r) + (size_t)(r->text - r->line) + strlen(r->text);
}

void row_copy(struct row *to, const struct row *from)
{
	const size_t n = row_size(from) - sizeof(*from) + 1;

	row_deinit(to);
	if (!from->line)
		return;
	*to = *from;
	to->line = mem_alloc(n);
	memcpy(to->line, from->line, n);
	to->name = to->line + (from->name - from->line);
	to->comm = to->line + (from->comm - from->line);
	to->path = to->line + (from->path - from->line);
	to->text = to->line + (from->text - from->line);
}
