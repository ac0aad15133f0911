/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of Go's runtime whose call frame information is wrong. They change the stack
 * pointer to another stack, for example from that of a goroutine to that of its thread. Go's
 * .debug_frame does not describe this, so a walk that uses it would read a return address from an
 * unrelated word.
 */
#ifndef TRACER_STACK_WALK_GO_H
#define TRACER_STACK_WALK_GO_H

#include "defs.h"

struct elf_file;

enum go_function {
	GO_ORDINARY, /* the CFI is right, or f is not a Go program */
	GO_FIRST,    /* the function is the first one of its stack: it has no caller */
	GO_SWITCH,   /* the caller is on another stack, and nothing describes where */
	GO_SIGRETURN /* signal handlers return to this function, which was not called */
};

/*
 * Returns the kind of the function at addr, an ELF address of f, by the names in .symtab. Go
 * programs without .symtab have no CFI either. Sets *known to false if the symbols may not be read
 * now (stack/files/budget.h).
 */
enum go_function go_function_at(struct elf_file *f, uint64_t addr, bool *known);

#endif
