/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "tui/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "util/locale.h"
#include "util/mem.h"
#include "util/strbuf.h"
#include "util/utf8.h"

#include "tui/curses_library.h"

LIBRARY_NOTE(ncurses, "tui", "Browse calls in the terminal (--tui)", LIBNCURSESW_SONAME);

bool curses_library_load(struct curses_library *c)
{
	static const char *const names[] = {CURSES_FUNCTIONS(LIBRARY_NAME)};

	return library_load(LIBNCURSESW_SONAME, names, ARRAY_SIZE(names), c);
}

struct screen {
	struct curses_library lib;
	FILE *in, *out;
	SCREEN *term;
	WINDOW *win;
	int fd; /* descriptor of /dev/tty */
	size_t height, width;
	bool utf8, colors, gone;
	struct strbuf text; /* the buffer of screen_put() */
};

static int style_attributes(const struct screen *s, enum style style)
{
	static const int colors[STYLES] = {[STYLE_ERROR] = 1, [STYLE_GOOD] = 2};
	static const int plain[STYLES] = {
		[STYLE_DIM] = A_DIM,
		[STYLE_BOLD] = A_BOLD,
		[STYLE_BAR] = A_REVERSE,
		[STYLE_SELECTED] = A_REVERSE | A_BOLD,
	};

	if (s->colors && colors[style])
		return s->lib.COLOR_PAIR(colors[style]);
	return plain[style];
}

static void measure(struct screen *s)
{
	struct winsize size = {0};

	if (ioctl(s->fd, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
		size = (struct winsize){.ws_row = 24, .ws_col = 80};
	s->height = size_min(size.ws_row, 1000);
	s->width = size_min(size.ws_col, 1000);
}

static void set_up(struct screen *s)
{
	struct curses_library *l = &s->lib;

	l->cbreak();
	l->noecho();
	l->nonl();
	l->set_escdelay(50);
	s->colors = l->has_colors() && l->start_color() == OK;
	if (s->colors) {
		const short background = l->use_default_colors() == OK ? -1 : COLOR_BLACK;

		l->init_pair(1, COLOR_RED, background);
		l->init_pair(2, COLOR_GREEN, background);
	}
	measure(s);
	s->win = l->newwin((int)s->height, (int)s->width, 0, 0);
	l->keypad(s->win, true);
	l->wtimeout(s->win, 0);
}

static struct screen *fail(struct screen *s, const char **why, const char *reason)
{
	*why = reason;
	if (s->in)
		fclose(s->in);
	if (s->out)
		fclose(s->out);
	free(s);
	return NULL;
}

/* Returns true if the locale exists and uses UTF-8. */
static bool set_utf8(const char *locale)
{
	return setlocale(LC_CTYPE, locale) && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

struct screen *screen_open(const char **why)
{
	struct screen *s = mem_zalloc(sizeof(*s));
	const char *cup;

	if (!curses_library_load(&s->lib))
		return fail(s, why,
			    "libncursesw is missing or too old: install it (Debian: libncursesw6)");
	s->in = fopen("/dev/tty", "re");
	s->out = fopen("/dev/tty", "we");
	if (!s->in || !s->out)
		return fail(s, why, "there is no terminal");
	/*
	 * The user's locale may not be installed. In that case, use C.UTF-8, which is part of the C
	 * library.
	 */
	s->utf8 = locale_is_utf8() && (set_utf8("") || set_utf8("C.UTF-8"));
	s->fd = fileno(s->in);
	s->term = s->lib.newterm(NULL, s->out, s->in);
	if (!s->term)
		return fail(s, why, "the terminal type (TERM) is unknown");
	cup = s->lib.tigetstr((char *)"cup");
	if (!cup || cup == (char *)-1) {
		s->lib.endwin();
		s->lib.delscreen(s->term);
		return fail(s, why, "this terminal (TERM) cannot move the cursor");
	}
	set_up(s);
	return s;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	s->lib.curs_set(1);
	s->lib.delwin(s->win);
	s->lib.endwin();
	s->lib.delscreen(s->term);
	fclose(s->in);
	fclose(s->out);
	strbuf_deinit(&s->text);
	free(s);
}

int screen_fd(const struct screen *s)
{
	return s->fd;
}

static void resize(struct screen *s)
{
	measure(s);
	/*
	 * ncurses has already noticed the new size. Do not call resizeterm(3), which would report
	 * it again.
	 */
	s->lib.wresize(s->win, (int)s->height, (int)s->width);
	s->lib.clearok(s->win, true);
}

int screen_key(struct screen *s)
{
	static const struct {
		int curses, key;
	} keys[] = {
		{KEY_UP, KEYS_UP},
		{KEY_DOWN, KEYS_DOWN},
		{KEY_LEFT, KEYS_LEFT},
		{KEY_RIGHT, KEYS_RIGHT},
		{KEY_PPAGE, KEYS_PAGE_UP},
		{KEY_NPAGE, KEYS_PAGE_DOWN},
		{KEY_HOME, KEYS_HOME},
		{KEY_END, KEYS_END},
		{KEY_A1, KEYS_HOME},
		{KEY_C1, KEYS_END},
		{KEY_A3, KEYS_PAGE_UP},
		{KEY_C3, KEYS_PAGE_DOWN},
		{KEY_BACKSPACE, KEYS_BACKSPACE},
		{'\b', KEYS_BACKSPACE},
		{127, KEYS_BACKSPACE},
		{KEY_ENTER, '\n'},
		{'\r', '\n'},
	};
	struct pollfd hangup = {.fd = s->fd, .events = POLLIN};
	int c = s->lib.wgetch(s->win);

	if (c == ERR) {
		/*
		 * No key was pressed. The terminal may be gone, or another program may have changed
		 * its size.
		 */
		if (poll(&hangup, 1, 0) > 0 && hangup.revents & (POLLHUP | POLLERR | POLLNVAL))
			return KEYS_GONE;
		return KEYS_NONE;
	}
	if (c == KEY_RESIZE) {
		resize(s);
		return KEYS_RESIZED;
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].curses == c)
			return keys[i].key;
	return c < 256 ? c : KEYS_NONE;
}

void screen_size(const struct screen *s, size_t *height, size_t *width)
{
	*height = s->height;
	*width = s->width;
}

void screen_begin(struct screen *s)
{
	s->lib.werase(s->win);
}

/* Appends one character of the text to s->text. Returns its width, and sets *n to its length. */
static size_t add_char(struct screen *s, const char *text, size_t left, size_t *n)
{
	const unsigned char first = (unsigned char)*text;
	wchar_t wide;
	int width;

	*n = first < 0x80 ? 1 : utf8_printable(text, left);
	if (first >= 0x20 && first < 0x7f) {
		strbuf_putc(&s->text, *text);
		return 1;
	}
	if (first >= 0x80 && *n && s->utf8 && mbrtowc(&wide, text, *n, &(mbstate_t){0}) == *n &&
	    (width = wcwidth(wide)) > 0) {
		strbuf_add(&s->text, text, *n);
		return (size_t)width;
	}
	if (!*n)
		*n = 1;
	strbuf_putc(&s->text, '?');
	return 1;
}

void screen_put(struct screen *s, size_t y, size_t x, size_t width, enum style style,
		const char *text, size_t n, size_t skip)
{
	size_t column = 0, length;

	if (y >= s->height || x >= s->width)
		return;
	width = size_min(width, s->width - x);
	s->text.len = 0;
	while (n && column < skip + width) {
		const size_t start = s->text.len, w = add_char(s, text, n, &length);

		text += length;
		n -= length;
		if (column < skip || column + w > skip + width)
			s->text.len = start;
		column += w;
	}
	if (column < skip)
		column = skip;
	if (column > skip + width)
		column = skip + width;
	strbuf_pad(&s->text, ' ', skip + width - column);
	s->lib.wattrset(s->win, style_attributes(s, style));
	s->lib.wmove(s->win, (int)y, (int)x);
	s->lib.waddnstr(s->win, s->text.data, (int)s->text.len);
}

void screen_show(struct screen *s, size_t y, size_t x)
{
	s->lib.curs_set(y < s->height);
	s->lib.wmove(s->win, (int)size_min(y, s->height - 1), (int)size_min(x, s->width - 1));
	s->lib.wrefresh(s->win);
}

void screen_redraw(struct screen *s)
{
	resize(s);
}

void screen_copy(struct screen *s, const char *text, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	attr_cleanup(strbuf_deinit) struct strbuf b = {0};

	strbuf_puts(&b, "\033]52;c;");
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = 0;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < n ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			strbuf_putc(&b, i + k <= n ? digits[v >> (18 - 6 * k) & 63] : '=');
	}
	strbuf_putc(&b, '\a');
	fwrite(b.data, 1, b.len, s->out);
	fflush(s->out);
}
