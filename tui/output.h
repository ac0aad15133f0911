/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output of a recorded program, as a pane of a terminal view shows it. */
#ifndef TRACER_TUI_OUTPUT_H
#define TRACER_TUI_OUTPUT_H

#include "tui/screen.h"
#include "util/strbuf.h"

/* Replaces the contents of b by the end of the file fd, at most 256 KiB. */
void output_read(struct strbuf *b, int fd);
/* Returns the number of lines. The last line may lack its newline. */
size_t output_lines(const struct strbuf *b);
/* Draws line i (0 is the first) at line y of the screen, without its first `skip` columns. */
void output_draw(struct screen *s, size_t y, enum style style, const struct strbuf *b, size_t i,
		 size_t skip);

#endif
