/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

void cases_set(char **s, const char *content)
{
	char *copy = content ? strdup(content) : NULL;

	free(*s);
	*s = copy;
}

/* Appends a line to *s. Lines are separated by \n. */
static void add_line(char **s, const char *line)
{
	size_t n = *s ? strlen(*s) : 0, len = strlen(line);
	char *grown = realloc(*s, n + len + 2);

	if (!grown)
		abort();
	if (*s)
		grown[n++] = '\n';
	memcpy(grown + n, line, len + 1);
	*s = grown;
}

static struct case_lines *add_case(struct cases *f)
{
	f->v = realloc(f->v, (f->n + 1) * sizeof(*f->v));
	if (!f->v)
		abort();
	memset(&f->v[f->n], 0, sizeof(*f->v));
	return &f->v[f->n++];
}

static void add_expectation(struct case_lines *c, const char *line)
{
	if (!strncmp(line, "strace: ", 8))
		add_line(&c->strace, line + 8);
	else if (!strncmp(line, "why: ", 5))
		add_line(&c->why, line + 5);
	else
		add_line(*line == '{' ? &c->json : &c->text, line);
}

int cases_load(struct cases *f, const char *path)
{
	FILE *in = fopen(path, "r");
	struct case_lines *c = NULL;
	char *line = NULL;
	unsigned number = 0;
	size_t size = 0;
	ssize_t n;

	*f = (struct cases){.path = strdup(path)};
	if (!in) {
		perror(path);
		return -1;
	}
	while ((n = getline(&line, &size, in)) > 0) {
		number++;
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (!*line || *line == '#') {
			add_line(&f->after, line);
		} else if (*line != '\t') {
			c = add_case(f);
			c->line = number;
			c->before = f->after;
			c->call = strdup(line);
			f->after = NULL;
		} else if (c) {
			add_expectation(c, line + 1);
		}
	}
	free(line);
	fclose(in);
	return 0;
}

static void put_lines(FILE *out, const char *prefix, const char *s)
{
	while (s) {
		int len = (int)strcspn(s, "\n");

		fprintf(out, "%s%.*s\n", prefix, len, s);
		s = s[len] ? s + len + 1 : NULL;
	}
}

int cases_save(const struct cases *f)
{
	FILE *out = fopen(f->path, "w");

	if (!out) {
		perror(f->path);
		return -1;
	}
	for (size_t i = 0; i < f->n; i++) {
		const struct case_lines *c = &f->v[i];

		put_lines(out, "", c->before);
		put_lines(out, "", c->call);
		put_lines(out, "\t", c->text);
		put_lines(out, "\tstrace: ", c->strace);
		put_lines(out, "\twhy: ", c->why);
		put_lines(out, "\t", c->json);
	}
	put_lines(out, "", f->after);
	if (fclose(out)) {
		perror(f->path);
		return -1;
	}
	return 0;
}

void cases_release(struct cases *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct case_lines *c = &f->v[i];

		free(c->before);
		free(c->call);
		free(c->text);
		free(c->strace);
		free(c->why);
		free(c->json);
	}
	free(f->v);
	free(f->after);
	free(f->path);
}
