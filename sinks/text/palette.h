/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of --color. */
#ifndef TRACER_SINKS_PALETTE_H
#define TRACER_SINKS_PALETTE_H

/*
 * The kinds of text that --color tells apart. A renderer writes text of one kind
 * after another; in COLOR_ARG, values of arguments, everything else returns to it.
 */
enum color {
	COLOR_PUNCT,
	COLOR_SYSCALL,
	COLOR_ARGNAME,
	COLOR_ARG,
	COLOR_CALL,
	COLOR_CONST,
	COLOR_COMMENT,
	COLOR_RETVAL,
	COLOR_ERROR,
	COLOR_RESET, /* the end of whatever was set; no key changes it */
	COLORS
};

struct palette {
	char *sequences[COLORS]; /* escape sequences */
};

/*
 * The default colours, changed by spec, which is STRACE_COLORS: KEY=SGR pairs
 * separated by colons ("syscall=1;33:error=31"), in which white space around either and the case
 * of KEY do not matter; what is no such pair is ignored.
 */
void palette_init(struct palette *p, const char *spec);
void palette_deinit(struct palette *p);

#endif
