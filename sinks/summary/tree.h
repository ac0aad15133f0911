/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --summary-by=stack: shows the stacks as a tree. Each program is followed by its outermost
 * functions, and each function by the functions that it called. The row of a function includes its
 * own calls and the calls of the functions below it.
 */
#ifndef TRACER_SINKS_SUMMARY_TREE_H
#define TRACER_SINKS_SUMMARY_TREE_H

#include "sinks/summary/sheet.h"

/*
 * Appends the rows of n stacks. The name of a stack is leaf;caller;…;main;program. If there is only
 * one program, the tree begins with the program's functions. A function that makes no syscalls and
 * calls only one other function shares a row with that function: main > run > loop.
 */
void tree_put(struct sheet *t, const struct summary_row *rows, size_t n);

#endif
