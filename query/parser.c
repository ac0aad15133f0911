/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 *	expression = and { "||" and }
 *	and        = term { "&&" term }
 *	term       = "!" term | "(" expression ")" | comparison
 *	comparison = field [ operator literal | "in" list | "has" literal ]
 *	list       = "{" literal { "," literal } "}"
 *	field      = word { "." word | "[" number "]" }
 *	literal    = number | string | names
 *	names      = word { "|" word }
 */
#include "query/parser.h"

#include <string.h>

#include "query/lexer.h"

/* Maximum nesting depth of terms. Also the maximum number of steps in a field. */
#define DEPTH_MAX 64
/* Maximum number of elements in a list. */
#define LIST_MAX 4096

struct parser {
	struct query *q;
	struct lexer lexer;
	struct token token; /* the next token, not yet consumed */
	unsigned depth;
};

static struct token advance(struct parser *p)
{
	struct token t = p->token;

	p->token = lexer_next(&p->lexer);
	return t;
}

static bool at_symbol(const struct parser *p, const char *symbol)
{
	return p->token.kind == TOKEN_SYMBOL && !strcmp(p->token.symbol, symbol);
}

static bool at_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_WORD && !strcmp(p->token.word, word);
}

static bool skip_symbol(struct parser *p, const char *symbol)
{
	if (!at_symbol(p, symbol))
		return false;
	advance(p);
	return true;
}

/* Reports that the next token is not the expected `what`. Returns NULL. */
static void *expected(struct parser *p, const char *what)
{
	struct place place = p->token.place;

	if (p->token.kind == TOKEN_END)
		query_fail(p->q, place, "expected %s at the end", what);
	else
		query_fail(p->q, place, "expected %s", what);
	return NULL;
}

static struct node *new_node(struct parser *p, enum node_kind kind, struct place place)
{
	struct node *n = arena_zalloc(&p->q->arena, sizeof(*n));

	n->kind = kind;
	n->place = place;
	return n;
}

/* Extends `place` to the end of token `t`. */
static void extend(struct place *place, const struct token *t)
{
	place->len = t->place.start + t->place.len - place->start;
}

static bool parse_step(struct parser *p, struct field_ref *f)
{
	struct step *old = f->steps;
	struct step step = {0};
	struct token t;

	if (skip_symbol(p, ".")) {
		if (p->token.kind != TOKEN_WORD)
			return expected(p, "a name after '.'");
		t = advance(p);
		step.name = t.word;
		step.place = t.place;
	} else {
		advance(p);
		if (p->token.kind != TOKEN_LITERAL || p->token.literal.kind != LITERAL_NUMBER ||
		    p->token.literal.number < 0)
			return expected(p, "the number of an element after '['");
		t = advance(p);
		step.index = (uint64_t)t.literal.number;
		step.place = t.place;
		t = p->token;
		if (!skip_symbol(p, "]"))
			return expected(p, "']'");
	}
	extend(&f->place, &t);
	f->steps = arena_alloc(&p->q->arena, (f->nsteps + 1) * sizeof(step));
	if (f->nsteps)
		memcpy(f->steps, old, f->nsteps * sizeof(step));
	f->steps[f->nsteps++] = step;
	return true;
}

static bool parse_field(struct parser *p, struct field_ref *f)
{
	struct token t;

	if (p->token.kind != TOKEN_WORD)
		return expected(p, "a field");
	t = advance(p);
	f->argument = t.word;
	f->place = t.place;
	while (at_symbol(p, ".") || at_symbol(p, "[")) {
		if (f->nsteps == DEPTH_MAX)
			return query_fail(p->q, f->place, "the field has too many parts");
		if (!parse_step(p, f))
			return false;
	}
	return true;
}

/* Parses NAME|NAME. On a mistake, calls query_fail() and returns false. */
static bool parse_names(struct parser *p, struct literal *l)
{
	VEC(const char *) names = {0};
	struct token t;

	*l = (struct literal){.kind = LITERAL_NAMES, .place = p->token.place};
	do {
		if (p->token.kind != TOKEN_WORD) {
			vec_deinit(&names);
			return expected(p, "a name");
		}
		t = advance(p);
		extend(&l->place, &t);
		*vec_push(&names) = t.word;
	} while (skip_symbol(p, "|"));
	l->nnames = names.n;
	l->names = arena_alloc(&p->q->arena, names.n * sizeof(*names.v));
	memcpy(l->names, names.v, names.n * sizeof(*names.v));
	l->text = names.v[0];
	l->len = strlen(l->text);
	vec_deinit(&names);
	return true;
}

static bool parse_literal(struct parser *p, struct literal *l)
{
	if (p->token.kind == TOKEN_WORD)
		return parse_names(p, l);
	if (p->token.kind != TOKEN_LITERAL)
		return expected(p, "a number, a string or a name");
	*l = advance(p).literal;
	return true;
}

static bool take_literals(struct parser *p, struct node *n, const struct literal *l, size_t count)
{
	n->literals = arena_alloc(&p->q->arena, count * sizeof(*l));
	memcpy(n->literals, l, count * sizeof(*l));
	n->nliterals = count;
	return true;
}

/* Parses a list: { literal, literal }. On a mistake, calls query_fail() and returns false. */
static bool parse_list(struct parser *p, struct node *n)
{
	VEC(struct literal) list = {0};
	bool good = skip_symbol(p, "{");

	if (!good)
		expected(p, "'{' after 'in'");
	while (good) {
		good = list.n < LIST_MAX && parse_literal(p, vec_push(&list));
		if (good && !skip_symbol(p, ","))
			break;
	}
	if (list.n >= LIST_MAX)
		query_fail(p->q, n->place, "the list is too long");
	if (good && !skip_symbol(p, "}"))
		good = expected(p, "',' or '}'");
	if (good)
		take_literals(p, n, list.v, list.n);
	vec_deinit(&list);
	return good;
}

static bool find_operator(const struct parser *p, enum node_kind *kind)
{
	static const struct {
		const char *symbol;
		enum node_kind kind;
	} operators[] = {
		{"==", NODE_EQUAL},   {"!=", NODE_DIFFERS}, {"<", NODE_LESS},
		{"<=", NODE_AT_MOST}, {">", NODE_MORE},	    {">=", NODE_AT_LEAST},
		{"=~", NODE_MATCHES}, {"!~", NODE_MISSES},
	};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		if (!at_symbol(p, operators[i].symbol))
			continue;
		*kind = operators[i].kind;
		return true;
	}
	return false;
}

static struct node *parse_comparison(struct parser *p)
{
	struct node *n = new_node(p, NODE_IS, p->token.place);
	struct literal l;

	if (!parse_field(p, &n->field))
		return NULL;
	n->place = p->token.place;
	if (find_operator(p, &n->kind)) {
		advance(p);
		return parse_literal(p, &l) && take_literals(p, n, &l, 1) ? n : NULL;
	}
	if (at_word(p, "has")) {
		n->kind = NODE_HAS;
		advance(p);
		return parse_literal(p, &l) && take_literals(p, n, &l, 1) ? n : NULL;
	}
	if (at_word(p, "in")) {
		n->kind = NODE_EQUAL;
		advance(p);
		return parse_list(p, n) ? n : NULL;
	}
	n->place = n->field.place;
	return n;
}

static struct node *parse_or(struct parser *p);

static struct node *parse_term(struct parser *p)
{
	struct node *n;

	if (++p->depth > DEPTH_MAX) {
		query_fail(p->q, p->token.place, "parentheses are nested too deeply");
		return NULL;
	}
	if (at_symbol(p, "!")) {
		n = new_node(p, NODE_NOT, advance(p).place);
		n->a = parse_term(p);
		n = n->a ? n : NULL;
	} else if (skip_symbol(p, "(")) {
		n = parse_or(p);
		if (n && !skip_symbol(p, ")"))
			n = expected(p, "'&&', '||' or ')'");
	} else {
		n = parse_comparison(p);
	}
	p->depth--;
	return n;
}

/* Parses terms joined by a left-associative operator. */
static struct node *parse_joined(struct parser *p, const char *symbol, enum node_kind kind,
				 struct node *(*parse)(struct parser *p))
{
	struct node *n = parse(p);

	while (n && at_symbol(p, symbol)) {
		struct node *joined = new_node(p, kind, advance(p).place);

		joined->a = n;
		joined->b = parse(p);
		n = joined->b ? joined : NULL;
	}
	return n;
}

static struct node *parse_and(struct parser *p)
{
	return parse_joined(p, "&&", NODE_AND, parse_term);
}

static struct node *parse_or(struct parser *p)
{
	return parse_joined(p, "||", NODE_OR, parse_and);
}

/*
 * The tree is processed recursively, and each operator adds a level to it. A limit on the length of
 * the text therefore limits the depth of the recursion.
 */
#define TEXT_MAX 16384
static bool is_too_long(struct query *q)
{
	if (strlen(q->text) <= TEXT_MAX)
		return false;
	query_fail(q, (struct place){TEXT_MAX, 0}, "the expression is longer than %d bytes",
		   TEXT_MAX);
	return true;
}

static struct parser begin(struct query *q)
{
	struct parser p = {.q = q, .lexer = {.q = q}};

	advance(&p);
	return p;
}

struct node *query_parse_expression(struct query *q)
{
	struct parser p;
	struct node *n;

	if (is_too_long(q))
		return NULL;
	p = begin(q);
	if (p.token.kind == TOKEN_END) {
		query_fail(q, p.token.place, "the expression is empty");
		return NULL;
	}
	n = parse_or(&p);
	if (n && p.token.kind != TOKEN_END)
		n = expected(&p, n->kind == NODE_IS ? "an operator" : "'&&' or '||'");
	return n;
}

bool query_parse_fields(struct query *q, struct node **nodes, size_t *n)
{
	VEC(struct node) list = {0};
	struct parser p;
	bool good = !is_too_long(q);

	if (!good)
		return false;
	p = begin(q);
	do {
		struct node *field = vec_push(&list);

		*field = (struct node){.kind = NODE_IS};
		good = parse_field(&p, &field->field);
	} while (good && skip_symbol(&p, ","));
	if (good && p.token.kind != TOKEN_END)
		good = expected(&p, "',' between fields");
	if (good) {
		*n = list.n;
		*nodes = arena_alloc(&q->arena, list.n * sizeof(*list.v));
		memcpy(*nodes, list.v, list.n * sizeof(*list.v));
	}
	vec_deinit(&list);
	return good;
}
