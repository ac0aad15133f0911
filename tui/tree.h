/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The processes of a trace as a tree, parsed from lines of the format "processes". */
#ifndef TRACER_TUI_TREE_H
#define TRACER_TUI_TREE_H

#include <sys/types.h>

#include "util/vec.h"

struct node {
	pid_t pid, parent;
	int64_t first, last;
	uint64_t calls, errors;
	char *comm, *end, *command, *line; /* the other strings point into `line`, which is owned */
	unsigned depth;
	bool has_children;
	bool folded; /* true if the descendants of the node are hidden */
};

struct tree {
	VEC(struct node) nodes; /* parents before their children, after tree_arrange() */
	VEC(size_t) visible;	/* indexes of the nodes that are not hidden */
};

/* Removes all nodes. */
void tree_clear(struct tree *t);
/* Adds a process. Returns false if the line is not valid. */
bool tree_add(struct tree *t, const char *line, size_t n);
/* Folds the nodes that are folded in `old`. Must be called before tree_arrange(). */
void tree_keep_folds(struct tree *t, const struct tree *old);
/*
 * Must be called after the last tree_add(). Moves the children of each process directly after their
 * parent.
 */
void tree_arrange(struct tree *t);
/* Folds or unfolds the node at this position in `visible`. */
void tree_fold(struct tree *t, size_t visible);
void tree_deinit(struct tree *t);

#endif
