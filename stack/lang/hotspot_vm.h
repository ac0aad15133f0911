/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What HotSpot says of its structures: the tables gHotSpotVMStructs and gHotSpotVMTypes (vmStructs
 * of its sources), which libjvm.so exports for debuggers.
 */
#ifndef TRACER_STACK_LANG_HOTSPOT_VM_H
#define TRACER_STACK_LANG_HOTSPOT_VM_H

#include "defs.h"

struct elf_file;
struct lang_run;

enum vm_field {
	VM_METHOD_CONST,
	VM_CONST_POOL,
	VM_CONST_NAME,
	VM_CONST_CODE_SIZE,
	VM_CONST_FLAGS,
	VM_CONST_NEW_FLAGS, /* the same from 21 on */
	VM_POOL_HOLDER,
	VM_POOL_SOURCE,	 /* from 15 on */
	VM_CLASS_SOURCE, /* before */
	VM_CLASS_NAME,
	VM_SYMBOL_LENGTH,     /* before 12 */
	VM_SYMBOL_LENGTH_REF, /* from 12 on, in the upper half of a word */
	VM_SYMBOL_BODY,
	VM_QUEUE_BUFFER,
	VM_QUEUE_LIMIT,
	VM_INTERPRETER, /* static: where the pointer to the interpreter's code is */
	VM_CALL_STUB,	/* static: where the return address is in the code that enters Java */
	VM_ONE_HEAP,	/* static: CodeCache::_heap, of 8 */
	VM_FIELDS
};

struct vm_file {
	uint64_t structs, types; /* ELF addresses of the pointers to the tables */
	uint64_t numbers[9];	 /* ELF addresses of the nine numbers that follow */
	/* Bytes of an entry, and offsets in it. */
	uint64_t stride, type, field, is_static, offset, address;
	uint64_t types_stride, types_name, types_size;
	bool read;	 /* what follows was read */
	const char *why; /* why it is of no use, or NULL */
	bool has[VM_FIELDS];
	uint64_t at[VM_FIELDS]; /* offsets; of static fields ELF addresses */
	uint64_t const_size, pool_size;
	/* The code that the process of a stack has, as hotspot.c finds it; addresses. */
	struct {
		uint64_t stack;	   /* number of the stack (struct lang_run), 0: none */
		uint64_t from, to; /* the interpreter's code; equal if it is not known */
		uint64_t call_stub;
	} code;
};

/* What the file says of the tables; allocated, NULL if it does not contain HotSpot. */
struct vm_file *vm_file_read(struct elf_file *f);
/* Reads the tables, unless that was done. Returns false, with f->why, if they are of no use. */
bool vm_tables_read(struct vm_file *f, struct lang_run *r);

#endif
