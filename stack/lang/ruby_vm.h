/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the execution context of a native thread through the objects of Ruby's virtual machine. In
 * distributions, the symbols of these objects are not exported since Ruby 3.3. The objects are then
 * found by their structure: lists whose links are consistent, and objects that point to each other.
 */
#ifndef TRACER_STACK_LANG_RUBY_VM_H
#define TRACER_STACK_LANG_RUBY_VM_H

#include "stack/lang/reader.h"

struct elf_file;

/* Offsets in bytes that depend on Ruby's version. */
struct ruby_layout {
	uint8_t major, minor;
	uint8_t frame;	    /* size of rb_control_frame_t */
	uint8_t context;    /* offset in rb_thread_t of the pointer to the execution context */
	uint8_t thread;	    /* offset in rb_execution_context_t of the pointer to the thread */
	uint8_t native;	    /* offset in rb_thread_t of the pointer to the native thread, or 0 */
	uint8_t id;	    /* offset of pthread_self()'s value: in the native thread if `native` is
			       set, otherwise in rb_thread_t */
	uint8_t lines;	    /* offset of insns_info in struct rb_iseq_constant_body */
	uint8_t line;	    /* size of struct iseq_insn_info_entry */
	bool parents_named; /* true if handlers of exceptions, and code from eval, have the label of
			       the code that surrounds them */
	bool length_first;  /* true if a length precedes the text of embedded strings */
};

struct ruby_file {
	struct elf_file *elf;
	const struct ruby_layout *layout; /* NULL if the version is not supported */
	/* ELF addresses of rb_vm_exec(), which contains the evaluation loop, or 0 if unknown */
	uint64_t loop, loop_end;
	uint64_t vm;	  /* ELF address of the pointer to the virtual machine, or 0 if unknown */
	uint64_t symbols; /* ELF address of the table of symbol names, or 0 if unknown */
	/*
	 * Offset of the list of threads: in the virtual machine before Ruby 3.0, otherwise relative
	 * to the links of a ractor. 0 if unknown.
	 */
	int32_t threads;
	unsigned searches; /* number of searches for `vm`, `threads` and `symbols` */
	uint64_t data, ndata, zeroed, nzeroed; /* ELF addresses and sizes of .data and .bss */
};

struct ruby_file *ruby_file_read(struct elf_file *f);
/*
 * Returns the execution context of the thread whose stack is read, or 0 if the thread does not run
 * Ruby code.
 */
uint64_t ruby_context(struct lang_run *r, struct ruby_file *f);
/*
 * Returns the address, in the process, of the table of symbol names. Returns 0 if the table was not
 * found.
 */
uint64_t ruby_symbols(struct lang_run *r, struct ruby_file *f);

/* Types of Ruby objects: the lowest bits of the first word. */
#define RUBY_TYPE   31
#define RUBY_STRING 5
#define RUBY_ARRAY  7
#define RUBY_IMEMO  26

/* Reads the word at addr. Returns 0 if it cannot be read. */
static inline uint64_t ruby_word(struct lang_run *r, uint64_t addr)
{
	uint64_t v;

	return lang_read_u64(r->mem, addr, &v) ? v : 0;
}
/*
 * Stores the number of elements of an array in *n and returns the address of the first one. Returns
 * 0 if the object is not an array.
 */
uint64_t ruby_array(struct lang_run *r, uint64_t array, uint64_t *n);

#endif
