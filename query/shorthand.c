/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/shorthand.h"

#include <string.h>

#include "query/node.h"
#include "query/query.h"
#include "util/number_set.h"

/* Returns a query that consists of one comparison. The caller must add its literals. */
static struct query *new_query(enum node_kind kind, enum field_kind field)
{
	struct query *q = mem_zalloc(sizeof(*q));

	q->text = mem_strdup("");
	q->root = arena_zalloc(&q->arena, sizeof(*q->root));
	q->root->kind = kind;
	q->root->field.kind = field;
	return q;
}

/* Adds a literal to the comparison of a query. */
static struct literal *add_literal(struct query *q, enum literal_kind kind)
{
	struct node *n = q->root;
	struct literal *old = n->literals;

	n->literals = arena_zalloc(&q->arena, (n->nliterals + 1) * sizeof(*old));
	if (n->nliterals)
		memcpy(n->literals, old, n->nliterals * sizeof(*old));
	n->literals[n->nliterals].kind = kind;
	return &n->literals[n->nliterals++];
}

static struct literal *add_text(struct query *q, const char *text)
{
	struct literal *l = add_literal(q, LITERAL_STRING);

	l->len = strlen(text);
	l->text = arena_strndup(&q->arena, text, l->len);
	return l;
}

struct query *shorthand_fds(const struct number_set *fds)
{
	struct query *q = new_query(fds->inverted ? NODE_DIFFERS : NODE_EQUAL, FIELD_WATCHED_FD);

	vec_for_each (&fds->members, fd)
		add_literal(q, LITERAL_NUMBER)->number = *fd;
	return q;
}

static struct query *paths_of(struct query **paths)
{
	if (!*paths)
		*paths = new_query(NODE_EQUAL, FIELD_WATCHED_PATH);
	return *paths;
}

void shorthand_add_path(struct query **paths, const char *path)
{
	add_text(paths_of(paths), path);
}

bool shorthand_add_pattern(struct query **paths, const char *pattern, char why[QUERY_WHY])
{
	struct query *q = paths_of(paths);

	return query_compile(q, add_text(q, pattern), true, why);
}

struct query *shorthand_stack(const char *regex, bool inverted, char why[QUERY_WHY])
{
	struct query *q = new_query(inverted ? NODE_MISSES : NODE_MATCHES, FIELD_STACK);

	if (query_compile(q, add_text(q, regex), false, why))
		return q;
	query_free(q);
	return NULL;
}
