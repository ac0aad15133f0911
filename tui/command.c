/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tui/command.h"

#include <stdlib.h>
#include <string.h>

#include "util/clock.h"

/* Long options that change how a recorded call is shown. The value is part of the same word. */
static const char *const shown[] = {
	"--decode-fds",	   "--string-limit=",  "--arg-names",
	"--no-abbrev",	   "--strings-in-hex", "--unwinder=",
	"--native-frames", "--debuginfod",     "--const-print-style=",
};

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Removes the letters that are not in `keep` from a word such as -fky. */
static char *letters(const char *word, const char *keep)
{
	char *w = mem_strdup(word), *end = w + 1;

	for (const char *p = word + 1; *p; p++)
		if (strchr(keep, *p))
			*end++ = *p;
	*end = 0;
	return w;
}

/* Returns true if the word consists of short options without values. */
static bool is_flags(const char *word)
{
	return word[0] == '-' && word[1] && word[1] != '-' &&
	       strspn(word + 1, "AcCdDfFiknNqrtTvwxyYzZ") == strlen(word + 1);
}

static void take_word(struct command *c, const char *word, bool live)
{
	bool wanted = !live;

	if (!strcmp(word, "--tui") || begins(word, "--stack-trace"))
		return;
	if (is_flags(word)) {
		char *w = letters(word, live ? "Nvxy" : "AcCdDfFinNqrtTvwxyYzZ");

		if (w[1])
			command_add(c, w);
		free(w);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++)
		wanted |= begins(word, shown[i]);
	if (wanted)
		command_add(c, word);
}

void command_init(struct command *c, char *const *line, bool live)
{
	*c = (struct command){.to = INT64_MAX};
	command_add(c, "tracer");
	for (; *line; line++) {
		/* -s and -X are the only short options with a value that change how calls look. */
		if (live && (begins(*line, "-s") || begins(*line, "-X"))) {
			command_add(c, *line);
			if (!(*line)[2] && line[1])
				command_add(c, *++line);
		} else {
			take_word(c, *line, live);
		}
	}
}

void command_add(struct command *c, const char *word)
{
	*vec_push(&c->words) = mem_strdup(word);
}

void command_deinit(struct command *c)
{
	vec_for_each (&c->words, w)
		free(*w);
	vec_deinit(&c->words);
}

static char *time_option(const char *option, int64_t ns)
{
	if (ns < 0)
		ns = 0;
	return mem_printf("%s=%lld.%09lld", option, (long long)(ns / NSEC_PER_SEC),
			  (long long)(ns % NSEC_PER_SEC));
}

char **command_make(const struct command *c, const char *format, const struct part *part)
{
	const int64_t from = part->from > c->from ? part->from : c->from,
		      to = part->to < c->to ? part->to : c->to;
	char **argv = mem_zalloc((c->words.n + 6) * sizeof(*argv));
	size_t n = 0;

	vec_for_each (&c->words, w)
		argv[n++] = mem_strdup(*w);
	argv[n++] = mem_printf("--format=%s", format);
	if (from > 0)
		argv[n++] = time_option("--from", from);
	if (to < INT64_MAX)
		argv[n++] = time_option("--to", to);
	if (part->where && *part->where)
		argv[n++] = mem_printf("--where=%s", part->where);
	if (part->stacks)
		argv[n++] = mem_strdup("-k");
	return argv;
}

void command_free(char **argv)
{
	for (char **a = argv; *a; a++)
		free(*a);
	free(argv);
}
