/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of --color. */
#ifndef TRACER_SINKS_TEXT_PALETTE_H
#define TRACER_SINKS_TEXT_PALETTE_H

/*
 * The kinds of text to which --color gives different colours. Within the value of an argument,
 * the colour returns to COLOR_ARG after each part of another kind.
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
	COLOR_RESET, /* the sequence that ends all colours; STRACE_COLORS has no key for it */
	COLORS
};

struct palette {
	char *sequences[COLORS]; /* escape sequences of the terminal, owned */
};

/*
 * Sets the default colours, then applies spec, the value of STRACE_COLORS. It contains pairs
 * KEY=SGR, separated by colons ("syscall=1;33:error=31"). White space around KEY and SGR is
 * ignored, and so is the case of KEY. Invalid pairs are ignored. spec may be NULL. palette_deinit()
 * frees the sequences.
 */
void palette_init(struct palette *p, const char *spec);
void palette_deinit(struct palette *p);

#endif
