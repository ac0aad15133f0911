/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --summary-by=stack: the stacks as a tree, from what a program begins in to what makes the calls.
 * What a function's row adds up is all that it and what it called have asked of the kernel.
 */
#ifndef TRACER_SINKS_SUMMARY_TREE_H
#define TRACER_SINKS_SUMMARY_TREE_H

#include "sinks/summary/sheet.h"

/*
 * Appends the rows of n stacks, each named leaf;caller;…;main. Functions that nothing but one other
 * is called from, and that make no calls themselves, share the row of that one: main > run > loop.
 */
void tree_put(struct sheet *t, const struct summary_row *rows, size_t n);

#endif
