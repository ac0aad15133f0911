/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/html/flamegraph.h"

#include <stdlib.h>

#include "sinks/html/page.h"
#include "sinks/json/json_text.h"
#include "sinks/output.h"
#include "sinks/profile/stack_tree.h"
#include "util/escape.h"
#include "util/mem.h"

static const char page[] =
#include "sinks/html/flame_file.html.inc"
	;
static const char *const scripts[] = {
#include "sinks/html/classes.js.inc"
	,
#include "sinks/html/text.js.inc"
	,
#include "sinks/html/widgets.js.inc"
	,
#include "sinks/html/flame.js.inc"
	,
#include "sinks/html/flame_file.js.inc"
	,
};

struct flamegraph_sink {
	struct sink base;
	enum weight weight;
	struct strbuf title; /* the command line */
	struct output *out;
	struct stack_tree *tree;
	uint64_t lost; /* number of lost events, which are missing from the tree */
	bool snapshot; /* true if the calls are those of a snapshot */
};

static struct flamegraph_sink *flamegraph_of(struct sink *s)
{
	return container_of(s, struct flamegraph_sink, base);
}

/* Adds a string to a script element. Escapes "<", which could otherwise end the element. */
static void put_string(struct strbuf *b, const char *s)
{
	struct strbuf text = {0};

	json_string(&text, s, strlen(s));
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '<')
			strbuf_puts(b, "\\u003c");
		else
			strbuf_putc(b, text.data[i]);
	}
	strbuf_deinit(&text);
}

/* Writes the frames of the nodes, in the order of the nodes. */
static void put_frames(struct strbuf *b, const struct stack_node *nodes, size_t count)
{
	const char *separator = "";

	strbuf_puts(b, "\"frames\":[");
	for (size_t i = 0; i < count; i++) {
		const struct stack_node_frame *f = &nodes[i].frame;

		if (!nodes[i].is_frame)
			continue;
		strbuf_printf(b, "%s%d,%u,%u,%u,%llu,%u", separator, f->has_symbol, f->module,
			      f->file, f->line, (unsigned long long)f->addr, f->language);
		separator = ",\n";
	}
	strbuf_puts(b, "],\n");
}

/*
 * Returns the number of weights to show. The last weights, which are parts of the time (blocked,
 * runnable, cpu), are shown only if one of them was selected.
 */
static unsigned weights_shown(const struct flamegraph_sink *f)
{
	return f->weight >= WEIGHT_BLOCKED ? WEIGHTS : WEIGHT_BLOCKED;
}

/*
 * Writes a JSON object:
 *
 *	title, lost (number of events), snapshot (true or false), weight (the first to show)
 *	weights: names of the weights
 *	names: the names of nodes, modules, files and languages
 *	frames: six numbers for each frame: has a symbol, module, file, line, address, language.
 *		Module, file and language are indexes of names plus 1, or 0
 *	nodes: for each node: parent, name, kind, and one number for each weight: the sum for
 *		calls that end here. Kind is -1 for a call, 0 for a thread or a note, or the
 *		index of a frame plus 1. Parents precede their children.
 */
static void put_data(struct flamegraph_sink *f)
{
	unsigned frames = 0;
	static const char *const weights[WEIGHTS] = {"calls",	"time",	    "errors", "bytes",
						     "blocked", "runnable", "cpu"};
	const unsigned shown = weights_shown(f);
	struct strbuf *b = output_buf(f->out);
	const struct stack_node *nodes;
	size_t count;

	strbuf_puts(b, "{\"title\":");
	put_string(b, f->title.len ? strbuf_str(&f->title) : "System calls");
	strbuf_puts(b, ",\"lost\":");
	strbuf_udec(b, f->lost);
	strbuf_puts(b, f->snapshot ? ",\"snapshot\":true" : ",\"snapshot\":false");
	strbuf_puts(b, ",\"weight\":");
	put_string(b, weights[f->weight]);
	strbuf_puts(b, ",\"weights\":[");
	for (unsigned w = 0; w < shown; w++) {
		if (w)
			strbuf_putc(b, ',');
		put_string(b, weights[w]);
	}
	strbuf_puts(b, "],\n\"names\":[");
	for (size_t i = 0; i < stack_tree_name_count(f->tree); i++) {
		if (i)
			strbuf_puts(b, ",\n");
		put_string(b, stack_tree_name(f->tree, i));
	}
	strbuf_puts(b, "],\n");
	nodes = stack_tree_nodes(f->tree, &count);
	put_frames(b, nodes, count);
	strbuf_puts(b, "\"nodes\":[");
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_puts(b, ",\n");
		strbuf_udec(b, nodes[i].parent);
		strbuf_putc(b, ',');
		strbuf_udec(b, nodes[i].name);
		strbuf_putc(b, ',');
		if (nodes[i].is_call)
			strbuf_puts(b, "-1");
		else
			strbuf_udec(b, nodes[i].is_frame ? ++frames : 0);
		for (unsigned w = 0; w < shown; w++) {
			strbuf_putc(b, ',');
			strbuf_udec(b, nodes[i].self[w]);
		}
	}
	strbuf_puts(b, "]}");
}

static unsigned digits(uint64_t n)
{
	unsigned d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

/* Returns an estimate of the size of the page, without escape sequences in names. */
static uint64_t flamegraph_unwritten(struct sink *s)
{
	const struct flamegraph_sink *f = flamegraph_of(s);
	uint64_t bytes = page_size(page, scripts, ARRAY_SIZE(scripts)) + f->title.len;
	uint32_t frames = 0;
	const struct stack_node *nodes;
	size_t count;

	for (size_t i = 0; i < stack_tree_name_count(f->tree); i++)
		bytes += strlen(stack_tree_name(f->tree, i)) + 4;
	nodes = stack_tree_nodes(f->tree, &count);
	for (size_t i = 0; i < count; i++) {
		const struct stack_node_frame *fr = &nodes[i].frame;

		bytes += digits(nodes[i].parent) + digits(nodes[i].name) + 3;
		bytes += nodes[i].is_call ? 3 : digits(nodes[i].is_frame ? ++frames : 0) + 1;
		if (nodes[i].is_frame)
			bytes += 8 + digits(fr->module) + digits(fr->file) + digits(fr->line) +
				 digits(fr->addr) + digits(fr->language);
		for (unsigned w = 0; w < WEIGHTS; w++)
			bytes += digits(nodes[i].self[w]) + 1;
	}
	return bytes;
}

static int flamegraph_end(struct sink *s)
{
	struct flamegraph_sink *f = flamegraph_of(s);
	int err;

	page_begin(output_buf(f->out), page, scripts, ARRAY_SIZE(scripts));
	put_data(f);
	strbuf_puts(output_buf(f->out), "\n</script>\n</body>\n</html>\n");
	err = output_close(f->out);
	stack_tree_destroy(f->tree);
	strbuf_deinit(&f->title);
	free(f);
	return err;
}

static void flamegraph_event(struct sink *s, const struct event *e)
{
	struct flamegraph_sink *f = flamegraph_of(s);

	f->snapshot = f->snapshot || e->kind == EVENT_SNAPSHOT;
	if (e->kind == EVENT_LOST)
		f->lost += event_lost(e)->count;
	else
		stack_tree_add(f->tree, s->unwinder, e);
}

static const struct sink_ops flamegraph_ops = {
	.event = flamegraph_event,
	.unwritten = flamegraph_unwritten,
	.end = flamegraph_end,
};

struct sink *flamegraph_sink_create(const struct sink_config *config)
{
	struct output *out = output_open(config->path, config->append);
	struct flamegraph_sink *f;

	if (!out)
		return NULL;
	f = mem_zalloc(sizeof(*f));
	f->base.ops = &flamegraph_ops;
	f->weight = config->weight;
	for (size_t i = 0; i < config->command_len; i++) {
		if (i)
			strbuf_putc(&f->title, ' ');
		escape_foreign(&f->title, config->command[i]);
	}
	f->out = out;
	f->tree = stack_tree_create();
	return &f->base;
}
