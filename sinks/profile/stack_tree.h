/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The stacks of a run as a tree. Its levels are comm, outermost frame, …, innermost frame, syscall.
 * Equal stacks share nodes. The number of nodes and the size of their names are limited. When a
 * limit is reached, only the quarter of the nodes with the highest weights is kept. The weights of
 * the other nodes are added to a child "[merged]" of the nearest remaining ancestor.
 */
#ifndef TRACER_SINKS_PROFILE_STACK_TREE_H
#define TRACER_SINKS_PROFILE_STACK_TREE_H

#include "event/event.h"
#include "sinks/weight.h"
#include "unwind.h"
#include "util/strbuf.h"

/*
 * Facts about the frame of a node. `module`, `file` and `language` are indexes for
 * stack_tree_name() plus one, or 0 if unknown.
 */
struct stack_node_frame {
	uint64_t addr; /* ELF address of the pc, as in struct frame */
	uint32_t module, file, line, language;
	bool has_symbol;
};

struct stack_node {
	uint32_t parent; /* index of the parent; the root has the index 0 and is its own parent */
	uint32_t name;	 /* number of the name, for stack_tree_name() */
	uint32_t child, sibling; /* indexes of the last child and the previous sibling, or 0 */
	uint64_t self[WEIGHTS];	 /* totals for the calls whose stack ends at this node */
	bool is_call, is_frame;
	struct stack_node_frame frame; /* if is_frame: the first frame that was added here */
};

struct stack_tree;

/*
 * Creates a tree that contains only the root. Never returns NULL. Free the result with
 * stack_tree_destroy().
 */
struct stack_tree *stack_tree_create(void);
void stack_tree_destroy(struct stack_tree *t);

/*
 * Adds a completed call, a call from a snapshot, or an event from another source, under the name of
 * its thread. Ignores other events. `u` resolves the frames. If `u` is NULL, the event is added
 * without its stack.
 */
void stack_tree_add(struct stack_tree *t, struct unwinder *u, const struct event *e);

/*
 * Returns the nodes, and stores their number in *count. The root comes first, and each parent
 * precedes its children. Valid until the next stack_tree_add().
 */
const struct stack_node *stack_tree_nodes(const struct stack_tree *t, size_t *count);
/* Returns a name by its index. Valid until the next stack_tree_add(). */
const char *stack_tree_name(const struct stack_tree *t, uint32_t name);
size_t stack_tree_name_count(const struct stack_tree *t);

/* Returns the weight of an event in the unit of `w`. */
uint64_t event_weight(const struct event *e, enum weight w);
/*
 * Appends a name to a line of frames. ';' would end the frame and is replaced with ':'. Control
 * characters could break the line and are replaced with spaces. Bytes that are not valid UTF-8
 * become \xNN.
 */
void frame_word(struct strbuf *b, const char *name);
/*
 * Appends the name of a frame. This is the symbol of the frame, if there is one. Otherwise, the
 * name is "FILE+0xADDR" with the address of the function, if the unwind information contains this
 * address, or else "[FILE]". FILE is the file name of the module, or "unknown".
 */
void frame_name(struct strbuf *b, const struct frame *f);
/* Appends n frames in one line, as leaf;caller;…;main. A frame is a symbol or FILE+0xADDR. */
void frames_line(struct strbuf *b, const struct frame *f, size_t n);

#endif
