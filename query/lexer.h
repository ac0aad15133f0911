/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits the text of a query into tokens. */
#ifndef TRACER_QUERY_LEXER_H
#define TRACER_QUERY_LEXER_H

#include "query/node.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_LITERAL, /* a number, with its unit, or a string */
	TOKEN_SYMBOL,
	TOKEN_BAD /* invalid; query_fail() was called */
};

struct token {
	enum token_kind kind;
	struct place place;
	const char *word; /* WORD: the word, terminated by a NUL */
	char symbol[3];	  /* SYMBOL: such as "==" or "(" */
	struct literal literal;
};

struct lexer {
	struct query *q;
	size_t at;	  /* offset in the text at which the next token is searched */
	bool after_match; /* the previous token was =~ or !~, so /…/ is a string */
};

/* Reads the next token. */
struct token lexer_next(struct lexer *l);

#endif
