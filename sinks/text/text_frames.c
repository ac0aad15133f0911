/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_frames.h"

#include <stdlib.h>
#include <string.h>

#include "unwind.h"
#include "util/base_name.h"
#include "util/escape.h"

/* The start of each line of a frame. */
static const char arrow[] = " > ";

/* Returns true if a file belongs to the system, and not to a program. */
static bool is_system(const char *path)
{
	static const char *const folders[] = {
		"/lib/",       "/lib32/",     "/lib64/", "/libx32/", "/usr/lib/",     "/usr/lib32/",
		"/usr/lib64/", "/usr/share/", "node:",	 "<frozen ", "jdk.internal.", "java."};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

/* Returns true if a module is part of libc, or of a runtime that most programs contain. */
static bool is_runtime(const char *path)
{
	static const char *const names[] = {"libc",	"libpthread", "libm",	 "libdl",
					    "librt",	"ld-linux",   "ld-musl", "libstdc++",
					    "libgcc_s", "libpython",  "libjvm",	 "libnode",
					    "libperl",	"libphp",     "libruby", "ld"};
	const char *name = base_name(path);

	if (path[0] == '[')
		return true; /* [vdso] */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const size_t n = strlen(names[i]);

		if (!strncmp(name, names[i], n) && strchr("-.0123456789", name[n]))
			return true;
	}
	return false;
}

/* Returns true if this module contains the runtime that interprets a frame of the stack. */
static bool runs_language(const struct frame *frames, size_t n, const char *module)
{
	for (size_t i = 0; i < n; i++)
		if (frames[i].language && frames[i].module && !strcmp(frames[i].module, module))
			return true;
	return false;
}

static enum color color_of(const struct frame *frames, size_t n, const struct frame *f)
{
	if (f->language)
		return f->file && !is_system(f->file) ? COLOR_FRAME : COLOR_RUNTIME;
	if (!f->module)
		return COLOR_RESET;
	if (f->symbol && !strcmp(f->symbol, "_start"))
		return COLOR_RUNTIME; /* the code of libc that calls main() */
	if (is_runtime(f->module) || runs_language(frames, n, f->module))
		return COLOR_RUNTIME;
	return is_system(f->module) ? COLOR_RESET : COLOR_FRAME;
}

/*
 * Returns the number of bytes to leave out at the start of a path: everything before the file name
 * of a module, or before the last folder of a source file.
 */
static size_t prefix_of(const char *path, size_t n, bool source)
{
	for (size_t i = n, slashes = 0; i > 0; i--)
		if (path[i - 1] == '/' && ++slashes == (source ? 2 : 1))
			return i;
	return 0;
}

/* Appends the n bytes of a frame's line without the start of its path. */
static void put_short(struct strbuf *b, const struct frame *f, const char *line, size_t n)
{
	const char *path = f->language ? f->file : f->module;
	struct strbuf shown = {0};
	size_t len, skip = 0;

	if (path)
		escape_name(&shown, path, strlen(path));
	len = shown.len;
	/* In the line, the full path precedes the function. */
	if (len && n > sizeof(arrow) - 1 + len && line[sizeof(arrow) - 1 + len] == '(' &&
	    !memcmp(line + sizeof(arrow) - 1, shown.data, len) && path[0] == '/')
		skip = prefix_of(shown.data, len, f->language != NULL);
	strbuf_deinit(&shown);
	strbuf_add(b, arrow, sizeof(arrow) - 1);
	strbuf_add(b, line + sizeof(arrow) - 1 + skip, n - (sizeof(arrow) - 1) - skip);
}

void text_stack(struct strbuf *b, const struct text_style *style, struct unwinder *unwinder,
		struct stack *stack)
{
	struct strbuf plain = {0};
	const struct frame *frames;
	size_t n, i = 0;

	if (!style->colors && !style->config->short_paths) {
		stack_text(unwinder, stack, b);
		return;
	}
	stack_text(unwinder, stack, &plain);
	frames = stack_frames(unwinder, stack, &n);
	/* If the stack is incomplete, a line with the reason follows the frames. */
	for (size_t at = 0, len; at < plain.len; at += len + 1, i++) {
		const char *line = plain.data + at, *end = memchr(line, '\n', plain.len - at);
		const enum color color = i < n ? color_of(frames, n, &frames[i]) : COLOR_RESET;

		len = end ? (size_t)(end - line) : plain.len - at;
		if (color != COLOR_RESET)
			text_color(b, style, color);
		if (i < n && style->config->short_paths && len >= sizeof(arrow) - 1)
			put_short(b, &frames[i], line, len);
		else
			strbuf_add(b, line, len);
		if (color != COLOR_RESET)
			text_color(b, style, COLOR_RESET);
		strbuf_putc(b, '\n');
	}
	strbuf_deinit(&plain);
}

void text_place(struct strbuf *b, struct unwinder *unwinder, struct stack *stack)
{
	const struct frame *frames;
	size_t n;

	frames = stack_frames(unwinder, stack, &n);
	for (size_t i = 0; i < n; i++) {
		const struct frame *f = &frames[i];

		if (color_of(frames, n, f) != COLOR_FRAME || !(f->file || f->symbol))
			continue;
		strbuf_puts(b, " at ");
		if (f->file) {
			const char *name = base_name(f->file);

			escape_name(b, name, strlen(name));
			strbuf_printf(b, ":%u", f->line);
		} else {
			escape_name(b, f->symbol, strlen(f->symbol));
		}
		return;
	}
}
