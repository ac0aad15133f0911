/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits a query into tokens. */
#ifndef TRACER_QUERY_LEXER_H
#define TRACER_QUERY_LEXER_H

#include "query/node.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_LITERAL, /* a string, or a number with its unit */
	TOKEN_SYMBOL,
	TOKEN_BAD /* an invalid token; query_fail() has been called */
};

struct token {
	enum token_kind kind;
	struct place place;
	const char *word; /* WORD: the word, NUL-terminated */
	char symbol[3];	  /* SYMBOL: the symbol, such as "==" or "(" */
	struct literal literal;
};

struct lexer {
	struct query *q;
	size_t at; /* offset in the text at which the next token or white space before it starts */
	bool after_match; /* true if the previous token was =~ or !~; /…/ is then a regular
			     expression */
};

struct token lexer_next(struct lexer *l);

#endif
