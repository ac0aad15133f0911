/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours for --color. */
#ifndef TRACER_SINKS_TEXT_PALETTE_H
#define TRACER_SINKS_TEXT_PALETTE_H

/*
 * The kinds of text that have their own colour. After a part in another colour, the rest of an
 * argument is in COLOR_ARG again.
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
	COLOR_FRAME,   /* a frame of the program itself */
	COLOR_RUNTIME, /* a frame of libc or of a runtime */
	COLOR_RESET,   /* sequence that resets the colour; STRACE_COLORS has no key for it */
	COLORS
};

struct palette {
	char *sequences[COLORS]; /* terminal escape sequences, owned */
};

/*
 * Sets the default colours, and then applies `spec`, the value of STRACE_COLORS. It is a list of
 * KEY=SGR pairs, separated by colons: "syscall=1;33:error=31". White space around KEY and SGR and
 * the case of KEY are ignored. Invalid pairs are ignored too. `spec` may be NULL. palette_deinit()
 * frees the sequences.
 */
void palette_init(struct palette *p, const char *spec);
void palette_deinit(struct palette *p);

#endif
