/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All stacks of a run as one tree: comm, outermost frame, …, leaf, syscall. A
 * node is a name under a parent, so memory grows with distinct stacks only.
 */
#ifndef TRACER_SINKS_STACK_TREE_H
#define TRACER_SINKS_STACK_TREE_H

#include "event/event.h"
#include "sinks/weight.h"
#include "unwind.h"
#include "util/strbuf.h"

struct stack_node {
	uint32_t parent;	 /* index; the root (0) is its own */
	uint32_t name;		 /* index into names */
	uint32_t child, sibling; /* 0: none; in the order of their appearance, backwards */
	uint64_t self[WEIGHTS];	 /* of calls that end here */
};

struct stack_tree;

struct stack_tree *stack_tree_create(void);
void stack_tree_destroy(struct stack_tree *t);

/* Counts a call that ended; u NULL: without its stack. */
void stack_tree_add(struct stack_tree *t, struct unwinder *u, const struct syscall_event *e);

/* The nodes, the root first, each after its parent. */
const struct stack_node *stack_tree_nodes(const struct stack_tree *t, size_t *count);
const char *stack_tree_name(const struct stack_tree *t, uint32_t name);
size_t stack_tree_name_count(const struct stack_tree *t);

/* What a call weighs. */
uint64_t call_weight(const struct syscall_event *e, enum weight w);
/* A frame's name, so written: its symbol, else [FILE] after its module. */
void frame_name(struct strbuf *b, const struct frame *f);
/* n frames on a line, leaf;caller;…;main: symbols, else FILE+0xADDR. */
void frames_line(struct strbuf *b, const struct frame *f, size_t n);

#endif
