/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libncursesw, which --tui loads. Only functions are loaded, so the variables stdscr, LINES and
 * COLS cannot be used.
 */
#ifndef TRACER_TUI_CURSES_LIBRARY_H
#define TRACER_TUI_CURSES_LIBRARY_H

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#include "util/library.h"

#define CURSES_FUNCTIONS(X)                                                                        \
	X(newterm)                                                                                 \
	X(endwin)                                                                                  \
	X(delscreen)                                                                               \
	X(newwin)                                                                                  \
	X(delwin)                                                                                  \
	X(wresize)                                                                                 \
	X(keypad)                                                                                  \
	X(wtimeout)                                                                                \
	X(wgetch)                                                                                  \
	X(wmove)                                                                                   \
	X(waddnstr)                                                                                \
	X(wattrset)                                                                                \
	X(werase)                                                                                  \
	X(wrefresh)                                                                                \
	X(clearok)                                                                                 \
	X(curs_set)                                                                                \
	X(cbreak)                                                                                  \
	X(noecho)                                                                                  \
	X(nonl)                                                                                    \
	X(start_color)                                                                             \
	X(use_default_colors)                                                                      \
	X(has_colors)                                                                              \
	X(init_pair)                                                                               \
	X(COLOR_PAIR)                                                                              \
	X(set_escdelay)                                                                            \
	X(tigetstr)

struct curses_library {
	CURSES_FUNCTIONS(LIBRARY_POINTER)
};

/* Returns false if the library is missing. In that case, no function may be called. */
bool curses_library_load(struct curses_library *c);

#endif
