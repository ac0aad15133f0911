/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* --help=TOPIC and --help=/WORD/: parts of --help=all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

/*
 * Minimum length of a topic that is searched for in the text. The search is made only if no section
 * and no option has the name of the topic.
 */
#define WORD_MIN 3

/* Returns the start of the next line, or the end of the text. */
static const char *after_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

static bool begins_section(const char *line)
{
	return *line > ' ' && line[strcspn(line, ":\n")] == ':' && strncmp(line, "Usage:", 6) != 0;
}

/*
 * Returns true if an option begins on this line, that is, if the line begins with two spaces and a
 * dash. Continuation lines are indented further.
 */
static bool begins_option(const char *line)
{
	return !strncmp(line, "  -", 3);
}

static const char *end_of_option(const char *line)
{
	do
		line = after_line(line);
	while (*line == ' ' && !begins_option(line));
	return line;
}

static const char *end_of_section(const char *line)
{
	do
		line = after_line(line);
	while (*line && !begins_section(line));
	return line;
}

static bool contains(const char *text, size_t n, const char *word, size_t len)
{
	for (size_t i = 0; i + len <= n; i++)
		if (!strncasecmp(text + i, word, len))
			return true;
	return false;
}

/*
 * Returns true if the line of an option contains this name of the option: -c, --summary-only or
 * summary-only.
 */
static bool names_option(const char *line, const char *word)
{
	const size_t n = strcspn(line, "\n"), len = strlen(word);

	for (size_t i = 0; i + len <= n; i++) {
		const char before = line[i - (i > 0)], after = line[i + len];

		if (strncmp(line + i, word, len) != 0 || (before != ' ' && before != '-'))
			continue;
		if (before == ' ' && *word != '-')
			continue;
		if (after == '\n' || strchr(" ,=[", after))
			return true;
	}
	return false;
}

/*
 * Prints the options that `shown` selects, each below the name of its section. Returns their
 * number.
 */
static size_t put_options(const char *all, const char *word,
			  bool (*shown)(const char *option, size_t n, const char *word))
{
	const char *section = NULL, *end;
	size_t count = 0;

	for (const char *line = all; *line; line = end) {
		end = after_line(line);
		if (begins_section(line))
			section = line;
		if (!section || !begins_option(line))
			continue;
		end = end_of_option(line);
		if (!shown(line, (size_t)(end - line), word))
			continue;
		if (*section) {
			printf("%.*s\n", (int)strcspn(section, "\n"), section);
			section = "";
		}
		fwrite(line, 1, (size_t)(end - line), stdout);
		count++;
	}
	return count;
}

static bool matches(const char *option, size_t n, const char *word)
{
	return contains(option, n, word, strlen(word));
}

static bool is_named(const char *option, size_t n, const char *word)
{
	(void)n;
	return names_option(option, word);
}

/* Prints the section whose name begins with `topic`. Returns false if there is none. */
static bool put_section(const char *all, const char *topic)
{
	for (const char *line = all; *line; line = after_line(line)) {
		if (!begins_section(line) || strncasecmp(line, topic, strlen(topic)) != 0)
			continue;
		fwrite(line, 1, (size_t)(end_of_section(line) - line), stdout);
		return true;
	}
	return false;
}

static char *sections(const char *all)
{
	struct strbuf b = {0};

	strbuf_puts(&b, "topics: all, query");
	for (const char *line = all; *line; line = after_line(line)) {
		if (!begins_section(line))
			continue;
		strbuf_printf(&b, ", %.*s", (int)strcspn(line, ":"), line);
	}
	strbuf_puts(&b, ", an option such as summary-by, or /WORD/");
	strbuf_str(&b);
	return b.data;
}

void help_topic(const char *topic)
{
	attr_cleanup(mem_free_ptr) char *all = help_text(), *word = NULL;
	const size_t len = strlen(topic);

	if (len > 2 && topic[0] == '/' && topic[len - 1] == '/') {
		word = mem_strndup(topic + 1, len - 2);
		if (!put_options(all, word, matches))
			die("--help: no option's description contains '%s'", word);
		return;
	}
	if (len && (put_section(all, topic) || put_options(all, topic, is_named)))
		return;
	if (len >= WORD_MIN && put_options(all, topic, matches))
		return;
	msg_set_hint(sections(all));
	die_usage("--help: unknown topic '%s'", topic);
}
