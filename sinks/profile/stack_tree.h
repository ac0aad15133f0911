/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All stacks of a run as one tree, with the levels comm, outermost frame, …, innermost frame,
 * syscall. Equal stacks share nodes. The number of nodes and names is limited. At the limit, the
 * three quarters of the nodes with the least weight are removed. Their weights are added to a child
 * "[merged]" of the nearest ancestor that remains.
 */
#ifndef TRACER_SINKS_PROFILE_STACK_TREE_H
#define TRACER_SINKS_PROFILE_STACK_TREE_H

#include "event/event.h"
#include "sinks/weight.h"
#include "unwind.h"
#include "util/strbuf.h"

struct stack_node {
	uint32_t parent; /* index of the parent; the root has index 0 and is its own parent */
	uint32_t name;	 /* see stack_tree_name() */
	uint32_t child, sibling; /* indexes of the last child and the previous sibling, or 0 */
	uint64_t self[WEIGHTS];	 /* sums over the calls whose stack ends with this node */
};

struct stack_tree;

/* Never NULL; stack_tree_destroy() frees it. */
struct stack_tree *stack_tree_create(void);
void stack_tree_destroy(struct stack_tree *t);

/*
 * Adds a call that ended, a call of a snapshot, or an event of another source, under the name of
 * the thread. Other events are ignored. u names the frames; if it is NULL, the event is added
 * without its stack.
 */
void stack_tree_add(struct stack_tree *t, struct unwinder *u, const struct event *e);

/*
 * Returns the nodes: the root first, parents before children. Valid until the next
 * stack_tree_add().
 */
const struct stack_node *stack_tree_nodes(const struct stack_tree *t, size_t *count);
/* Returns the name with that number. Valid until the next stack_tree_add(). */
const char *stack_tree_name(const struct stack_tree *t, uint32_t name);
/* Returns the number of names; they are numbered from 0. */
size_t stack_tree_name_count(const struct stack_tree *t);

/* Returns the weight of an event in the unit of w. */
uint64_t event_weight(const struct event *e, enum weight w);
/*
 * Appends a name to a line of frames. ';' and control characters would end a frame or the line, so
 * they become ':' and spaces. Bytes that are not UTF-8 become \xNN.
 */
void frame_word(struct strbuf *b, const char *name);
/* Appends a frame's name: its symbol, or [FILE] with the file name of its module. */
void frame_name(struct strbuf *b, const struct frame *f);
/* Appends n frames in one line, leaf;caller;…;main: each a symbol, or FILE+0xADDR. */
void frames_line(struct strbuf *b, const struct frame *f, size_t n);

#endif
