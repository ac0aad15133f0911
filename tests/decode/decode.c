/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * decode FILE: decodes each case of a file with tracer's decoders and formats it with tracer's
 * sinks, without a tracee. Memory contents come from the case. Prints "ok NAME" or "not ok NAME"
 * for each case, and the lines that differ.
 *
 * decode --planned FILE: the same, but decoding sees only the memory that read plans name.
 * decode --update FILE: writes the output into the file.
 * decode --options FILE: prints the options of each case, one line per case. If the syscall never
 *	returns, the line begins with the case's line number and a tab.
 * decode --rows FILE…: lists the syscalls that have no case that succeeds, or no case that fails.
 * decode --log LOG [--update] FILE: compares with strace's log of the program `oracle`.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"
#include "cases.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "show.h"
#include "util/mem.h"

/*
 * UPDATE=1 writes this placeholder in place of the reason for a difference. The real reason must
 * replace it.
 */
#define NO_REASON_YET "the reason has to be written"

static unsigned failures, wrong;

/* Prints the result of a check. The cases in "tests/decode/net.cases" are called decode/net. */
static void say(const struct cases *f, const struct case_lines *c, const char *what, bool good)
{
	const char *file = strrchr(f->path, '/');

	file = file ? file + 1 : f->path;
	failures += !good;
	printf("%sok decode/%.*s:%u%s: %.90s\n", good ? "" : "not ", (int)strcspn(file, "."), file,
	       c->line, what, c->call);
}

static void say_lines(const char *prefix, const char *s)
{
	while (s) {
		size_t len = strcspn(s, "\n");

		printf("#   %s %.*s\n", prefix, (int)len, s);
		s = s[len] ? s + len + 1 : NULL;
	}
}

/*
 * Returns s with its escape characters replaced by \e, so that case files are readable. Takes
 * ownership of s, which may be NULL.
 */
static char *visible(char *s)
{
	size_t n = 0;
	char *out;

	if (!s || !strchr(s, 033))
		return s;
	out = mem_alloc(2 * strlen(s) + 1);
	for (const char *p = s; *p; p++) {
		if (*p == 033) {
			out[n++] = '\\';
			out[n++] = 'e';
		} else {
			out[n++] = *p;
		}
	}
	out[n] = '\0';
	free(s);
	return out;
}

static void show_visibly(const struct call *c, bool planned, struct shown *shown)
{
	show(c, planned, shown);
	shown->text = visible(shown->text);
}

static bool same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool check(const struct cases *f, struct case_lines *c, const struct shown *shown,
		  bool planned)
{
	bool good = same(c->text, shown->text) && same(c->json, shown->json) &&
		    (!c->strace || (c->why && strcmp(c->why, NO_REASON_YET)));

	if (planned && good)
		return true;
	say(f, c, planned ? " (by its plan)" : "", good);
	if (!same(c->text, shown->text)) {
		say_lines("want:", c->text);
		say_lines("got: ", shown->text);
	}
	if (!same(c->json, shown->json)) {
		say_lines("want:", c->json);
		say_lines("got: ", shown->json);
	}
	if (c->strace && (!c->why || !strcmp(c->why, NO_REASON_YET)))
		puts("#   why does it differ from strace's text?");
	return good;
}

static int show_file(const char *path, bool update, bool planned)
{
	static struct call call;
	struct cases f;

	if (cases_load(&f, path))
		return 2;
	for (size_t i = 0; i < f.n; i++) {
		struct case_lines *c = &f.v[i];
		struct shown shown = {0};

		if (call_parse(&call, c->call, CALL_ARENA)) {
			say(&f, c, "", false);
			printf("#   %s\n", call.error);
		} else {
			show_visibly(&call, planned, &shown);
			if (update) {
				cases_set(&c->text, shown.text);
				cases_set(&c->json, shown.json);
				if (c->strace && same(c->strace, c->text)) {
					cases_set(&c->strace, NULL);
					cases_set(&c->why, NULL);
				}
			} else {
				check(&f, c, &shown, planned);
			}
			shown_release(&shown);
		}
		call_release(&call);
	}
	if (update && cases_save(&f))
		return 2;
	if (planned && !failures && f.n)
		say(&f, &f.v[0], " and all others (by their plans)", true);
	cases_release(&f);
	return failures != 0;
}

/*
 * Returns true if a syscall can have cases, that is, if it has a number in some ABI. sigreturn(2)
 * cannot have cases, because it depends on the stack pointer. uretprobe(2) and uprobe(2) cannot
 * have cases, because only the kernel's own trampolines may call them.
 */
static bool can_be_made(unsigned row)
{
	const char *name = syscall_descs[row].name;

	if (strstr(name, "sigreturn") || !strcmp(name, "uretprobe") || !strcmp(name, "uprobe"))
		return false;
	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (abi_number(&abis[i], row) >= 0)
			return true;
	return false;
}

static int check_rows(char **paths)
{
	enum { SUCCEEDS = 1, FAILS = 2 };
	unsigned char *seen = calloc(syscall_desc_count, 1);
	static struct call call;

	for (; *paths; paths++) {
		struct cases f;

		if (cases_load(&f, *paths))
			return 2;
		for (size_t i = 0; i < f.n; i++) {
			int row = -1;

			/* Two machines may have different rows for syscalls with the same name. */
			if (!call_parse(&call, f.v[i].call, CALL_ARENA))
				row = abi_row(&abis[call.abi],
					      (unsigned)call.nr & ~abis[call.abi].nr_mask);
			if (row >= 0)
				seen[row] |= call.end == CALL_FAILS ? FAILS : SUCCEEDS;
			call_release(&call);
		}
		cases_release(&f);
	}
	for (unsigned i = 0; i < syscall_desc_count; i++) {
		unsigned want =
			syscall_descs[i].flags & SYSCALL_F_NO_RETURN ? SUCCEEDS : SUCCEEDS | FAILS;

		if (!can_be_made(i) || (seen[i] & want) == want)
			continue;
		printf("not ok decode/rows: %s has no case that %s\n", syscall_descs[i].name,
		       seen[i] & SUCCEEDS || !(want & ~seen[i] & SUCCEEDS) ? "fails" : "succeeds");
		failures++;
	}
	free(seen);
	if (!failures)
		puts("ok decode/rows: every syscall has a case that succeeds and one that fails");
	return failures != 0;
}

static int print_options(const char *path)
{
	static struct call call;
	struct cases f;

	if (cases_load(&f, path))
		return 2;
	for (size_t i = 0; i < f.n; i++) {
		if (call_parse(&call, f.v[i].call, CALL_ARENA) == 0) {
			if (call.end == CALL_NEVER_ENDS)
				printf("%u\t", f.v[i].line);
			puts(call.options);
		}
		call_release(&call);
	}
	cases_release(&f);
	return 0;
}

/*
 * The text of the syscall number MARK_CALL of oracle.c in the log. No kernel implements this
 * number. With --color, escape sequences follow the name.
 */
#define MARK "syscall_0xbeef"

/*
 * Returns the line number of the case that begins at the oracle's marker in `line`. Returns 0 if
 * the marker ends a case, or -1 if `line` is not a marker.
 */
static long mark_of(const char *line)
{
	const char *p = strstr(line, MARK), *hex = p ? strstr(p + strlen(MARK), "0x10") : NULL;

	return hex ? strtol(hex, NULL, 16) - 0x100000 : -1;
}

/* Stores strace's lines for each case in seen[], indexed by the line number of the case. */
static void read_log(const char *path, char **seen, size_t n)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	long at = 0;
	ssize_t len;

	while (in && (len = getline(&line, &size, in)) > 0) {
		long mark = mark_of(line);

		if (mark >= 0) {
			at = mark < (long)n ? mark : 0;
		} else if (at && strncmp(line, "+++ ", 4)) {
			size_t old = seen[at] ? strlen(seen[at]) : 0;

			line[len - 1] = '\0';
			seen[at] = realloc(seen[at], old + (size_t)len + 2);
			if (old)
				seen[at][old++] = '\n';
			memcpy(seen[at] + old, line, (size_t)len);
		}
	}
	for (size_t i = 0; i < n; i++)
		seen[i] = visible(seen[i]);
	free(line);
	if (in)
		fclose(in);
}

/* Stores tracer's output in the case, and strace's text if it differs. */
static void adopt(struct case_lines *c, const char *strace)
{
	struct shown shown = {0};
	static struct call call;

	if (call_parse(&call, c->call, CALL_ARENA) == 0)
		show_visibly(&call, false, &shown);
	call_release(&call);
	cases_set(&c->text, shown.text);
	cases_set(&c->json, shown.json);
	cases_set(&c->strace, !strace || same(shown.text, strace) ? NULL : strace);
	if (!c->strace)
		cases_set(&c->why, NULL);
	else if (!c->why)
		cases_set(&c->why, NO_REASON_YET);
	shown_release(&shown);
}

/*
 * Returns true if the oracle may be unable to make this syscall, because a fact cannot be created,
 * needs privileges, or needs a port that may be in use. Then prints that the case is skipped,
 * unless the fact can never be created.
 */
static bool lacks_facts(const char *line)
{
	static struct call call;
	bool lacks = call_parse(&call, line, CALL_ARENA) == 0 && call.nfacts;

	if (lacks && !call_is_made_up(&call))
		printf("ok decode/oracle # SKIP these facts cannot be made here: %.90s\n", line);
	call_release(&call);
	return lacks;
}

/* Returns true if the syscall belongs to a machine other than the oracle's. */
static bool is_foreign(const char *line)
{
	static struct call call;
	bool foreign = call_parse(&call, line, CALL_ARENA) == 0 && !call_runs_here(&call);

	call_release(&call);
	return foreign;
}

static int compare_file(const char *path, const char *log, bool update)
{
	struct cases f;
	char **seen;
	size_t n;

	if (cases_load(&f, path))
		return 2;
	n = f.n ? f.v[f.n - 1].line + 1 : 1;
	seen = calloc(n, sizeof(*seen));
	read_log(log, seen, n);
	for (size_t i = 0; i < f.n; i++) {
		struct case_lines *c = &f.v[i];
		const char *want = c->strace ? c->strace : c->text, *got = seen[c->line];

		if (!got && is_foreign(c->call)) {
			if (update)
				adopt(c, c->strace);
			continue;
		}
		if (!got && lacks_facts(c->call)) {
			if (update)
				adopt(c, c->strace);
			continue;
		}
		if (update) {
			if (got)
				adopt(c, got);
			else
				say(&f, c, ": not in strace's log", false);
			continue;
		}
		say(&f, c, " (strace 7.2)", same(want, got));
		if (!same(want, got)) {
			say_lines("want:", want);
			say_lines("got: ", got ? got : "(nothing)");
		}
		if (c->why && !strncmp(c->why, "wrong: ", 7))
			wrong++;
	}
	if (update && cases_save(&f))
		return 2;
	if (wrong)
		printf("# %s: %u cases are known to be shown wrongly\n", path, wrong);
	for (size_t i = 0; i < n; i++)
		free(seen[i]);
	free(seen);
	cases_release(&f);
	return failures != 0;
}

int main(int argc, char **argv)
{
	const char *log = NULL;
	bool update = false, options = false, planned = false;
	int status = 2;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--update"))
			update = true;
		else if (!strcmp(argv[i], "--planned"))
			planned = true;
		else if (!strcmp(argv[i], "--options"))
			options = true;
		else if (!strcmp(argv[i], "--rows"))
			return check_rows(argv + i + 1);
		else if (!strcmp(argv[i], "--log") && argv[i + 1])
			log = argv[++i];
		else if (options)
			status = print_options(argv[i]);
		else if (log)
			status = compare_file(argv[i], log, update);
		else
			status = show_file(argv[i], update, planned);
	}
	show_end();
	return status;
}
