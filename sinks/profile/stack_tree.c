/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/profile/stack_tree.h"

#include <stdlib.h>

#include "event/find.h"
#include "util/base_name.h"
#include "util/clock.h"
#include "util/table.h"
#include "util/utf8.h"
#include "util/vec.h"

/*
 * Maximum number of nodes. Together with the tables, they use 50 MiB. Larger graphs are unreadable.
 */
#define NODES_MAX (256u << 10)
#define NAMES_MAX (16u << 20) /* maximum total size of the names in bytes */
#define MERGED	  "[merged]"
/* Distinguishes a call from a frame with the same name in keys of `by_parent`. */
#define CALL_BIT (1u << 31)

struct stack_tree {
	VEC(struct stack_node) nodes;
	VEC(uint32_t) names;		 /* offset of each name in `text` */
	struct strbuf text;		 /* the names, each NUL-terminated */
	struct table by_parent, by_name; /* each value is an index plus one */
	struct strbuf scratch;
};

static uint64_t hash_node(uint32_t parent, uint32_t name)
{
	return table_hash_number((uint64_t)parent << 32 | name);
}

static uint32_t name_index(struct stack_tree *t, const char *s, size_t n)
{
	uint64_t hash = table_hash(s, n);
	const struct table_slot *slot = NULL;
	uint32_t i;

	while ((slot = table_find(&t->by_name, hash, slot))) {
		const char *have = stack_tree_name(t, slot->value - 1);

		if (!strncmp(have, s, n) && !have[n])
			return slot->value - 1;
	}
	i = t->names.n;
	*vec_push(&t->names) = t->text.len;
	strbuf_add(&t->text, s, n);
	strbuf_putc(&t->text, 0);
	table_add(&t->by_name, hash, i + 1);
	return i;
}

static uint32_t node_child(struct stack_tree *t, uint32_t parent, uint32_t name, bool is_call)
{
	uint64_t hash = hash_node(parent, is_call ? name | CALL_BIT : name);
	const struct table_slot *slot = table_find(&t->by_parent, hash, NULL);
	uint32_t i;

	/*
	 * table_hash_number() returns different hashes for different numbers, so a comparison of
	 * the hashes is enough.
	 */
	if (slot)
		return slot->value - 1;
	i = t->nodes.n;
	*vec_push(&t->nodes) = (struct stack_node){.parent = parent,
						   .name = name,
						   .sibling = t->nodes.v[parent].child,
						   .is_call = is_call};
	t->nodes.v[parent].child = i;
	table_add(&t->by_parent, hash, i + 1);
	return i;
}

static void stack_tree_init(struct stack_tree *t)
{
	*vec_push(&t->nodes) = (struct stack_node){.name = name_index(t, "all", 3)};
}

static void stack_tree_deinit(struct stack_tree *t)
{
	vec_deinit(&t->nodes);
	vec_deinit(&t->names);
	strbuf_deinit(&t->text);
	strbuf_deinit(&t->scratch);
	table_deinit(&t->by_parent);
	table_deinit(&t->by_name);
}

/* Merging */

/* Returns the weight of a node without its descendants: its time plus one nanosecond per call. */
static uint64_t own_weight(const struct stack_node *n)
{
	return n->self[WEIGHT_TIME] + n->self[WEIGHT_CALLS];
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Adds a name of `old` to *t. `number` is the index of the name plus one, or 0 if there is none.
 * Returns the new number.
 */
static uint32_t moved_name(struct stack_tree *t, const struct stack_tree *old, uint32_t number)
{
	const char *name = number ? stack_tree_name(old, number - 1) : NULL;

	return name ? name_index(t, name, strlen(name)) + 1 : 0;
}

/* Copies the facts about a frame to a node of *t. */
static void move_frame(struct stack_tree *t, uint32_t to, const struct stack_tree *old,
		       const struct stack_node *from)
{
	struct stack_node_frame f = from->frame;

	f.module = moved_name(t, old, f.module);
	f.file = moved_name(t, old, f.file);
	f.language = moved_name(t, old, f.language);
	t->nodes.v[to].is_frame = from->is_frame;
	t->nodes.v[to].frame = f;
}

/* Rebuilds *t from the nodes of `old` that weigh more than `least`. Merges the other nodes. */
static void rebuild(struct stack_tree *t, const struct stack_tree *old, const uint64_t *weights,
		    uint64_t least)
{
	uint32_t *moved = mem_alloc(old->nodes.n * sizeof(*moved)), merged;

	stack_tree_init(t);
	merged = name_index(t, MERGED, sizeof(MERGED) - 1);
	moved[0] = 0;
	for (size_t i = 1; i < old->nodes.n; i++) {
		const struct stack_node *n = &old->nodes.v[i];
		const char *name = stack_tree_name(old, n->name);

		/*
		 * A parent precedes its children and weighs at least as much as each of them, so
		 * the parent of a kept node has already been kept.
		 */
		if (weights[i] > least) {
			moved[i] = node_child(t, moved[n->parent],
					      name_index(t, name, strlen(name)), n->is_call);
			move_frame(t, moved[i], old, n);
		} else if (n->parent && weights[n->parent] <= least) {
			moved[i] = moved[n->parent];
		} else {
			moved[i] = node_child(t, moved[n->parent], merged, false);
		}
		for (unsigned w = 0; w < WEIGHTS; w++)
			t->nodes.v[moved[i]].self[w] += n->self[w];
	}
	free(moved);
}

static void merge(struct stack_tree *t)
{
	size_t n = t->nodes.n;
	uint64_t *weights = mem_alloc(2 * n * sizeof(*weights)), *sorted = weights + n;
	struct stack_tree old = *t;

	for (size_t i = 0; i < n; i++)
		weights[i] = own_weight(&t->nodes.v[i]);
	for (size_t i = n; i-- > 1;)
		weights[t->nodes.v[i].parent] += weights[i];
	memcpy(sorted, weights, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_numbers);
	*t = (struct stack_tree){0};
	rebuild(t, &old, weights, sorted[n - 1 - n / 4]);
	free(weights);
	stack_tree_deinit(&old);
}

static bool is_full(const struct stack_tree *t)
{
	return t->nodes.n > NODES_MAX || t->text.len > NAMES_MAX;
}

struct stack_tree *stack_tree_create(void)
{
	struct stack_tree *t = mem_zalloc(sizeof(*t));

	stack_tree_init(t);
	return t;
}

void stack_tree_destroy(struct stack_tree *t)
{
	stack_tree_deinit(t);
	free(t);
}

void frame_word(struct strbuf *b, const char *s)
{
	for (size_t n = strlen(s); n;) {
		unsigned char c = *s;
		unsigned len = utf8_length(s, n);

		if (len >= 2 && !utf8_printable(s, n)) {
			strbuf_putc(b, ' ');
		} else if (len == 0) {
			strbuf_puts(b, "\\x");
			strbuf_putc(b, "0123456789abcdef"[c >> 4]);
			strbuf_putc(b, "0123456789abcdef"[c & 15]);
			len = 1;
		} else if (len == 1) {
			strbuf_putc(b, c == ';' ? ':' : c < ' ' || c == 0x7f ? ' ' : c);
		} else {
			strbuf_add(b, s, len);
		}
		s += len;
		n -= len;
	}
}

static const char *module_name(const char *path)
{
	const char *name = base_name(path);

	return *name ? name : path;
}

void frames_line(struct strbuf *b, const struct frame *f, size_t n)
{
	for (size_t i = 0; i < n; i++, f++) {
		if (i)
			strbuf_putc(b, ';');
		if (f->symbol) {
			frame_word(b, f->symbol);
			continue;
		}
		frame_word(b, f->module ? module_name(f->module) : "?");
		strbuf_putc(b, '+');
		strbuf_hex(b, f->addr - f->offset);
	}
}

void frame_name(struct strbuf *b, const struct frame *f)
{
	const char *base = f->module ? module_name(f->module) : NULL;

	if (f->symbol) {
		frame_word(b, f->symbol);
		return;
	}
	if (base && *base == '[') {
		frame_word(b, base);
		return;
	}
	if (base && f->offset) {
		frame_word(b, base);
		strbuf_putc(b, '+');
		strbuf_hex(b, f->addr - f->offset);
		return;
	}
	strbuf_putc(b, '[');
	frame_word(b, base ? base : "unknown");
	strbuf_putc(b, ']');
}

/* Returns the blocked, runnable or CPU time of a call, or 0 if the engine did not report it. */
static uint64_t event_off_cpu(const struct event *e, enum weight w)
{
	const struct syscall_event *call =
		e->kind == EVENT_SYSCALL || e->kind == EVENT_UNFINISHED ? event_syscall(e) : NULL;
	int64_t n;

	if (!call || !call->knows_off_cpu)
		return 0;
	n = w == WEIGHT_BLOCKED	   ? call->blocked
	    : w == WEIGHT_RUNNABLE ? call->runnable
				   : event_cpu_ns(call);
	return (uint64_t)n;
}

uint64_t event_weight(const struct event *e, enum weight w)
{
	uint64_t bytes;

	switch (w) {
	case WEIGHT_CALLS:
		return 1;
	case WEIGHT_TIME:
		if (e->ret_kind == RET_NONE && !e->has_duration)
			return 0;
		return timespec_ns(e->duration);
	case WEIGHT_ERRORS:
		return e->ret_kind == RET_ERROR;
	case WEIGHT_BYTES:
		return event_bytes(e, &bytes) ? bytes : 0;
	case WEIGHT_BLOCKED:
	case WEIGHT_RUNNABLE:
	case WEIGHT_CPU:
		return event_off_cpu(e, w);
	default:
		return 0;
	}
}

static uint32_t descend(struct stack_tree *t, uint32_t at)
{
	return node_child(t, at,
			  name_index(t, t->scratch.data ? t->scratch.data : "", t->scratch.len),
			  false);
}

static uint32_t word_index(struct stack_tree *t, const char *s)
{
	if (!s)
		return 0;
	t->scratch.len = 0;
	frame_word(&t->scratch, s);
	return name_index(t, strbuf_str(&t->scratch), t->scratch.len) + 1;
}

/* Returns the child of `at` for a frame. */
static uint32_t descend_frame(struct stack_tree *t, uint32_t at, const struct frame *f)
{
	struct stack_node *n;

	t->scratch.len = 0;
	frame_name(&t->scratch, f);
	at = descend(t, at);
	n = &t->nodes.v[at];
	if (n->is_frame)
		return at;
	n->is_frame = true;
	n->frame = (struct stack_node_frame){.addr = f->addr,
					     .module = word_index(t, f->module),
					     .file = word_index(t, f->file),
					     .line = f->line,
					     .language = word_index(t, f->language),
					     .has_symbol = f->symbol != NULL};
	return at;
}

void stack_tree_add(struct stack_tree *t, struct unwinder *u, const struct event *e)
{
	char comm[sizeof(e->comm) + 1] = "";
	const char *called_by = "";
	uint32_t at;

	if (e->kind == EVENT_SYSCALL || e->kind == EVENT_UNFINISHED || e->kind == EVENT_SNAPSHOT)
		called_by = event_syscall(e)->called_by;
	else if (e->kind != EVENT_OTHER)
		return;
	memcpy(comm, *called_by ? called_by : e->comm, sizeof(e->comm));
	t->scratch.len = 0;
	frame_word(&t->scratch, comm[0] ? comm : "?");
	at = descend(t, 0);
	if (u && e->stack) {
		enum stack_status status = stack_status(e->stack, NULL);
		size_t n;
		const struct frame *f = stack_frames(u, e->stack, &n);

		if (status != STACK_COMPLETE) {
			t->scratch.len = 0;
			strbuf_putc(&t->scratch, '[');
			frame_word(&t->scratch, stack_status_text(status));
			strbuf_putc(&t->scratch, ']');
			at = descend(t, at);
		}
		while (n--)
			at = descend_frame(t, at, &f[n]);
	}
	at = node_child(t, at, name_index(t, e->name, strlen(e->name)), true);
	for (unsigned w = 0; w < WEIGHTS; w++)
		t->nodes.v[at].self[w] += event_weight(e, w);
	/*
	 * If names are long, several passes may be needed. Stop when almost no nodes are left.
	 */
	while (is_full(t) && t->nodes.n > 4)
		merge(t);
}

const struct stack_node *stack_tree_nodes(const struct stack_tree *t, size_t *count)
{
	*count = t->nodes.n;
	return t->nodes.v;
}

const char *stack_tree_name(const struct stack_tree *t, uint32_t name)
{
	return t->text.data + t->names.v[name];
}

size_t stack_tree_name_count(const struct stack_tree *t)
{
	return t->names.n;
}
