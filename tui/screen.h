/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The terminal of --tui. The only code that uses ncurses. */
#ifndef TRACER_TUI_SCREEN_H
#define TRACER_TUI_SCREEN_H

#include <stddef.h>

#include "defs.h"

struct screen;

enum style {
	STYLE_PLAIN,
	STYLE_DIM,
	STYLE_BOLD,
	STYLE_ERROR,
	STYLE_GOOD,
	STYLE_BAR,	/* the title, the status line, and the first line about the selected call */
	STYLE_SELECTED, /* the selected line */
	STYLES
};

/* Keys other than characters. Values below 256 are bytes. */
enum screen_key {
	KEYS_NONE = -1,
	KEYS_UP = 256,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_HOME,
	KEYS_END,
	KEYS_BACKSPACE,
	KEYS_RESIZED, /* the size of the screen has changed */
	KEYS_GONE     /* the terminal no longer exists */
};

/*
 * Takes over the terminal /dev/tty. Returns NULL if that is impossible, and sets *why to the
 * reason.
 */
struct screen *screen_open(const char **why);
/* Restores the terminal. `s` may be NULL. */
void screen_close(struct screen *s);
/* Returns the descriptor that becomes readable when there is input. */
int screen_fd(const struct screen *s);
/* Returns the next key without waiting, or KEYS_NONE. */
int screen_key(struct screen *s);
void screen_size(const struct screen *s, size_t *height, size_t *width);

/* Clears the screen. The caller then draws it from top to bottom and calls screen_show(). */
void screen_begin(struct screen *s);
/*
 * Writes n bytes of text at line y and column x, in at most `width` columns. Omits the first `skip`
 * columns of the text. Fills the rest of the width with blanks. Bytes that could control the
 * terminal are written as "?", and so are characters that the terminal's encoding does not have.
 */
void screen_put(struct screen *s, size_t y, size_t x, size_t width, enum style style,
		const char *text, size_t n, size_t skip);
/* Shows what was drawn. Places the cursor at (y, x), or hides it if y is beyond the screen. */
void screen_show(struct screen *s, size_t y, size_t x);
/* Draws everything again at the next screen_show(). */
void screen_redraw(struct screen *s);
/* Asks the terminal to put text on the clipboard (OSC 52). */
void screen_copy(struct screen *s, const char *text, size_t n);

#endif
