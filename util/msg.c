/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/msg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base_name.h"
#include "util/utf8.h"

static const char *program = "tracer";
static void (*exit_hook)(void);
static char *hint;

void msg_set_program(const char *argv0)
{
	program = base_name(argv0);
}

const char *msg_program(void)
{
	return program;
}

void msg_set_exit_hook(void (*fn)(void))
{
	exit_hook = fn;
}

/* Writes the whole line with one call, so that messages from several tracers do not mix. */
static void vmsg(const char *fmt, va_list ap, int err)
{
	char *text = NULL, *line = NULL;
	int n;

	/* mem_printf() cannot be used here, because it calls this function if memory runs out. */
	n = vasprintf(&text, fmt, ap);
	if (n < 0)
		text = NULL;
	else
		utf8_make_printable(text); /* it may contain names that a tracee has chosen */
	if (text)
		n = asprintf(&line, "%s: %s%s%s\n", program, text, err ? ": " : "",
			     err ? strerror(err) : "");
	fflush(stderr);
	if (n < 0) {
		static const char none[] = "out of memory\n";

		n = write(STDERR_FILENO, none, sizeof(none) - 1);
	} else {
		if (write(STDERR_FILENO, line, n) < 0)
			n = 0; /* stderr cannot be written to, so the error cannot be reported. */
		free(line);
	}
	free(text);
}

#define VMSG(err)                                                                                  \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		vmsg(fmt, ap, err);                                                                \
		va_end(ap);                                                                        \
	} while (0)

void msg_set_hint(char *text)
{
	free(hint);
	hint = text;
}

static void put_hint(void)
{
	if (hint)
		msg("%s", hint);
	msg_set_hint(NULL);
}

static void attr_noreturn end(void)
{
	void (*fn)(void) = exit_hook;

	exit_hook = NULL; /* The function may call die(). Prevent an endless recursion. */
	if (fn)
		fn();
	exit(1);
}

void msg(const char *fmt, ...)
{
	VMSG(0);
}

void msg_errno(const char *fmt, ...)
{
	int err = errno;

	VMSG(err);
}

void die(const char *fmt, ...)
{
	VMSG(0);
	put_hint();
	end();
}

void die_errno(const char *fmt, ...)
{
	int err = errno;

	VMSG(err);
	end();
}

void die_usage(const char *fmt, ...)
{
	VMSG(0);
	put_hint();
	fprintf(stderr, "Try '%s -h' for more information.\n", program);
	end();
}
