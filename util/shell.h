/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Quotes words for shells. */
#ifndef TRACER_UTIL_SHELL_H
#define TRACER_UTIL_SHELL_H

#include "util/strbuf.h"

/*
 * Appends a word of n bytes, quoted for a shell if necessary. A word that contains something that
 * utf8_printable() rejects, such as a control character or invalid UTF-8, is written as $'...',
 * which bash, ksh and zsh understand. All other words suit every POSIX shell. The result contains
 * no control characters.
 */
void shell_put_word(struct strbuf *b, const char *word, size_t n);

#endif
