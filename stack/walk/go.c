/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/walk/go.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/budget.h"
#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "util/mem.h"

#define SYMBOLS_MAX (128u << 20) /* size limit of .symtab, in bytes */

/*
 * Since Go 1.17, the symbols of functions that use ABI0 can end with .abi0. gogo continues a
 * goroutine: it is called on one stack and then jumps to code that uses another stack.
 */
static const struct {
	const char *name;
	enum go_function kind;
} functions[] = {
	{"runtime.mcall", GO_FIRST},
	{"runtime.mcall.abi0", GO_FIRST},
	{"runtime.rt0_go", GO_FIRST},
	{"runtime.rt0_go.abi0", GO_FIRST},
	{"runtime.goexit", GO_FIRST},
	{"runtime.goexit.abi0", GO_FIRST},
	{"runtime.clone", GO_FIRST},
	{"runtime.clone.abi0", GO_FIRST},
	{"gogo", GO_SWITCH},
	{"runtime.systemstack", GO_SWITCH},
	{"runtime.systemstack.abi0", GO_SWITCH},
	{"runtime.morestack", GO_SWITCH},
	{"runtime.morestack.abi0", GO_SWITCH},
	{"runtime.asmcgocall", GO_SWITCH},
	{"runtime.asmcgocall.abi0", GO_SWITCH},
	{"runtime.asmcgocall_no_g", GO_SWITCH},
	{"runtime.asmcgocall_no_g.abi0", GO_SWITCH},
	{"runtime.cgocallback", GO_SWITCH},
	{"runtime.cgocallback.abi0", GO_SWITCH},
	{"runtime.callCgoMmap", GO_SWITCH},
	{"runtime.callCgoMmap.abi0", GO_SWITCH},
	{"runtime.callCgoMunmap", GO_SWITCH},
	{"runtime.callCgoMunmap.abi0", GO_SWITCH},
	{"runtime.callCgoSigaction", GO_SWITCH},
	{"runtime.callCgoSigaction.abi0", GO_SWITCH},
	{"runtime.nanotime1", GO_SWITCH},
	{"runtime.nanotime1.abi0", GO_SWITCH},
	{"runtime.walltime", GO_SWITCH},
	{"runtime.walltime.abi0", GO_SWITCH},
	{"runtime.vgetrandom1", GO_SWITCH},
	{"runtime.vgetrandom1.abi0", GO_SWITCH},
	{"time.now", GO_SWITCH},
	{"time.now.abi0", GO_SWITCH},
	{"runtime.sigreturn", GO_SIGRETURN},
	{"runtime.sigreturn.abi0", GO_SIGRETURN},
	{"runtime.sigreturn__sigaction", GO_SIGRETURN},
	{"runtime.sigreturn__sigaction.abi0", GO_SIGRETURN},
};

/* The addresses of Go's runtime functions in a file. The order is the same as in `functions`. */
struct go_code {
	size_t n; /* number of names found; 0 if the file is not a Go program or has none of these
		     symbols */
	struct elf_name names[ARRAY_SIZE(functions)];
};

static bool is_go(struct elf_file *f)
{
	/* In position-independent programs, the section has the second name. */
	return elf_file_section(f, ".gopclntab") || elf_file_section(f, ".data.rel.ro.gopclntab");
}

static struct go_code *code_of(struct elf_file *f)
{
	struct go_code *code = elf_file_part(f, ELF_GO);
	const struct elf_section *symbols;

	if (code)
		return code;
	symbols = is_go(f) ? elf_file_section(f, ".symtab") : NULL;
	if (symbols && symbols->size <= SYMBOLS_MAX) {
		if (!budget_begin(f->budget))
			return NULL;
		code = mem_zalloc(sizeof(*code));
		for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
			code->names[i].name = functions[i].name;
		code->n = elf_names_static(f, code->names, ARRAY_SIZE(functions));
		budget_end(f->budget);
	} else {
		code = mem_zalloc(sizeof(*code));
	}
	elf_file_set_part(f, ELF_GO, code, free);
	return code;
}

enum go_function go_function_at(struct elf_file *f, uint64_t addr, bool *known)
{
	const struct go_code *code = code_of(f);

	*known = code;
	if (!code || !code->n)
		return GO_ORDINARY;
	/*
	 * At the program's entry point, the kernel has put the arguments where the CFI expects a
	 * return address.
	 */
	if (addr == f->entry)
		return GO_FIRST;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		const struct elf_name *name = &code->names[i];

		if (name->found && addr - name->addr < name->size)
			return functions[i].kind;
	}
	return GO_ORDINARY;
}
