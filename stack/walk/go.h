/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of Go's runtime whose call frame information is wrong. They switch to another
 * stack, for example from a goroutine's stack to its thread's stack. Go's .debug_frame does not
 * describe the switch, so a walk that relied on it would read an unrelated word as the return
 * address.
 */
#ifndef TRACER_STACK_WALK_GO_H
#define TRACER_STACK_WALK_GO_H

#include "defs.h"

struct elf_file;

enum go_function {
	GO_ORDINARY, /* the CFI is correct, or f is not a Go program */
	GO_FIRST,    /* the first function of a stack: it has no caller */
	GO_SWITCH,   /* the caller is on another stack, which cannot be found */
	GO_SIGRETURN /* the code to which signal handlers return; no function calls it */
};

/*
 * Returns the kind of the function at addr, an ELF address of f, according to .symtab. A Go program
 * without .symtab has no CFI either, so its stacks cannot be walked in any case. Sets *known to
 * false if the budget does not allow reading the symbols at the moment (stack/files/budget.h).
 */
enum go_function go_function_at(struct elf_file *f, uint64_t addr, bool *known);

#endif
