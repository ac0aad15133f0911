/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/watch_report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/state.h"
#include "util/msg.h"
#include "util/utf8.h"

bool watch_report_open(struct watch_report *r, const char *report)
{
	*r = (struct watch_report){.github = report && !strcmp(report, "github")};
	if (!report)
		return true;
	if (r->github) {
		/*
		 * Use a duplicate, because tracer closes its standard output after starting the
		 * command.
		 */
		const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

		r->path = "standard output";
		r->file = fd < 0 ? NULL : fdopen(fd, "w");
	} else {
		r->path = report + strlen("junit:");
		r->file = fopen(r->path, "we");
	}
	if (!r->file)
		msg_errno("--report: %s", r->path);
	return r->file;
}

/* ---- messages ---- */

/* Prints each line of `text` as a message. */
static void print_lines(const char *text)
{
	for (size_t n; text && *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		msg("%.*s", (int)n, text);
	}
}

/* Reports how the command ended, because tracer does not exit with the command's status. */
static void print_status(const struct session *s)
{
	if (!s->command || s->o->trace || s->interrupted)
		return;
	if (WIFSIGNALED(s->status))
		msg("the command was killed by signal %d", WTERMSIG(s->status));
	else
		msg("the command exited with %d", WEXITSTATUS(s->status));
}

bool watch_report_print(const struct session *s, const struct matches *matches)
{
	bool failed = false;

	for (size_t i = 0; i < s->o->assertions.n; i++) {
		const struct assertion *a = &s->o->assertions.v[i];
		const struct matches *m = &matches[i];

		if (a->stops || !m->count)
			continue;
		failed = true;
		msg("--fail-on: %s: %" PRIu64 " event%s, the first is:", a->name, m->count,
		    m->count == 1 ? " matches" : "s match");
		print_lines(m->first);
		print_lines(m->stack);
	}
	if (failed)
		print_status(s);
	else if (s->lost)
		msg("--fail-on: nothing matched, but lost events were not checked");
	return failed;
}

/* ---- JUnit ---- */

/* Returns true if the n bytes at s encode U+FFFE or U+FFFF, which XML forbids. */
static bool is_noncharacter(const char *s, size_t n)
{
	return n == 3 && s[0] == '\xef' && s[1] == '\xbf' && (s[2] & 0xfe) == 0xbe;
}

static void put_xml(FILE *f, const char *text)
{
	for (size_t len = strlen(text), n; len; text += n, len -= n) {
		const char *escape = *text == '&'   ? "&amp;"
				     : *text == '<' ? "&lt;"
				     : *text == '>' ? "&gt;"
				     : *text == '"' ? "&quot;"
						    : NULL;

		n = *text == '\n' ? 1 : utf8_printable(text, len);
		if (!n || escape || is_noncharacter(text, n))
			fputs(escape ? escape : "?", f);
		else
			fwrite(text, 1, n, f);
		n = n ? n : 1;
	}
}

/*
 * Writes one test case. If tracing failed (`error`), a --fail-on without matches does not count as
 * passed.
 */
static void put_case(FILE *f, const struct assertion *a, const struct matches *m, bool error)
{
	fputs("  <testcase classname=\"tracer\" name=\"", f);
	put_xml(f, a->name);
	if (!m->count && error) {
		fputs("\"><error message=\"tracing failed\"/></testcase>\n", f);
		return;
	}
	if (!m->count) {
		fputs("\"/>\n", f);
		return;
	}
	fprintf(f, "\">\n    <failure message=\"%" PRIu64 " matching events\">", m->count);
	put_xml(f, m->first);
	if (m->stack) {
		fputc('\n', f);
		put_xml(f, m->stack);
	}
	fputs("</failure>\n  </testcase>\n", f);
}

static void put_junit(FILE *f, const struct session *s, const struct matches *matches)
{
	unsigned tests = 0, failures = 0;

	for (size_t i = 0; i < s->o->assertions.n; i++) {
		tests += !s->o->assertions.v[i].stops;
		failures += !s->o->assertions.v[i].stops && matches[i].count;
	}
	fprintf(f,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuite name=\"tracer\" tests=\"%u\" failures=\"%u\" errors=\"%u\">\n",
		tests, failures, s->error ? tests - failures : 0);
	for (size_t i = 0; i < s->o->assertions.n; i++)
		if (!s->o->assertions.v[i].stops)
			put_case(f, &s->o->assertions.v[i], &matches[i], s->error);
	fputs("</testsuite>\n", f);
}

/* ---- GitHub ---- */

/*
 * Writes text for a GitHub workflow command. Encodes % and line ends. In a title, also encodes ':'
 * and ','.
 */
static void put_code(FILE *f, const char *text, bool title)
{
	for (; *text; text++)
		if (strchr(title ? "%\r\n:," : "%\r\n", *text))
			fprintf(f, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, f);
}

static void put_annotation(FILE *f, const struct assertion *a, const struct matches *m)
{
	fputs("::error title=", f);
	put_code(f, a->name, true);
	fputs("::", f);
	put_code(f, m->first, false);
	if (m->stack) {
		put_code(f, "\n", false);
		put_code(f, m->stack, false);
	}
	fputc('\n', f);
}

static void put_github(FILE *f, const struct session *s, const struct matches *matches)
{
	for (size_t i = 0; i < s->o->assertions.n; i++)
		if (!s->o->assertions.v[i].stops && matches[i].count)
			put_annotation(f, &s->o->assertions.v[i], &matches[i]);
}

bool watch_report_write(struct watch_report *r, const struct session *s,
			const struct matches *matches)
{
	bool bad;

	if (!r->file)
		return true;
	if (r->github)
		put_github(r->file, s, matches);
	else
		put_junit(r->file, s, matches);
	bad = ferror(r->file);
	bad |= fclose(r->file) != 0;
	if (bad)
		msg("--report: %s could not be written", r->path);
	return !bad;
}
