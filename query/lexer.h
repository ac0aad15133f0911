/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The words of a query. */
#ifndef TRACER_QUERY_LEXER_H
#define TRACER_QUERY_LEXER_H

#include "query/node.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_LITERAL, /* a number, with its unit, or a string */
	TOKEN_SYMBOL,
	TOKEN_BAD /* the mistake has been noted */
};

struct token {
	enum token_kind kind;
	struct place place;
	const char *word; /* of WORD: terminated */
	char symbol[3];	  /* of SYMBOL: "==", "(" */
	struct literal literal;
};

struct lexer {
	struct query *q;
	size_t at;	  /* where the next token is looked for */
	bool after_match; /* the token before was =~ or !~, so that /…/ is a string */
};

/* Reads the next token. */
struct token lexer_next(struct lexer *l);

#endif
