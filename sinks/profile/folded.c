/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/profile/folded.h"

#include <stdlib.h>

#include "sinks/output.h"
#include "sinks/profile/stack_tree.h"
#include "util/mem.h"
#include "util/vec.h"

struct folded_sink {
	struct sink base;
	enum weight weight;
	struct output *out;
	struct stack_tree *tree;
};

static struct folded_sink *folded_of(struct sink *s)
{
	return container_of(s, struct folded_sink, base);
}

static void folded_event(struct sink *s, const struct event *e)
{
	stack_tree_add(folded_of(s)->tree, s->unwinder, e);
}

static int folded_end(struct sink *s)
{
	struct folded_sink *f = folded_of(s);
	struct strbuf *b = output_buf(f->out);
	VEC(uint32_t) path = {0};
	const struct stack_node *nodes;
	size_t count;
	int err;

	nodes = stack_tree_nodes(f->tree, &count);
	for (size_t i = 1; i < count; i++) {
		if (!nodes[i].self[f->weight])
			continue;
		path.n = 0;
		for (size_t at = i; at; at = nodes[at].parent)
			*vec_push(&path) = nodes[at].name;
		while (path.n) {
			strbuf_puts(b, stack_tree_name(f->tree, path.v[--path.n]));
			strbuf_putc(b, path.n ? ';' : ' ');
		}
		strbuf_udec(b, nodes[i].self[f->weight]);
		strbuf_putc(b, '\n');
		output_commit(f->out);
	}
	vec_deinit(&path);
	stack_tree_destroy(f->tree);
	err = output_close(f->out);
	free(f);
	return err;
}

/* Returns an estimate of the size of the output, without the digits of the weights. */
static uint64_t folded_unwritten(struct sink *s)
{
	struct folded_sink *f = folded_of(s);
	uint64_t bytes = 0, *line;
	const struct stack_node *nodes;
	size_t count;

	nodes = stack_tree_nodes(f->tree, &count);
	line = mem_zalloc(count * sizeof(*line));
	for (size_t i = 1; i < count; i++) {
		line[i] =
			line[nodes[i].parent] + strlen(stack_tree_name(f->tree, nodes[i].name)) + 1;
		bytes += nodes[i].self[f->weight] ? line[i] + 2 : 0;
	}
	free(line);
	return bytes;
}

static const struct sink_ops folded_ops = {
	.event = folded_event,
	.unwritten = folded_unwritten,
	.end = folded_end,
};

struct sink *folded_sink_create(const struct sink_config *config)
{
	struct output *out = output_open(config->path, config->append);
	struct folded_sink *f;

	if (!out)
		return NULL;
	f = mem_zalloc(sizeof(*f));
	f->base.ops = &folded_ops;
	f->weight = config->weight;
	f->out = out;
	f->tree = stack_tree_create();
	return &f->base;
}
