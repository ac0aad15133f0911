/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The code that HotSpot has generated: the interpreter, and the blobs in its code cache. A blob is
 * a compiled method (nmethod), or a stub of the runtime. The functions expect that vm_tables_read()
 * has succeeded.
 */
#ifndef TRACER_STACK_LANG_HOTSPOT_CODE_H
#define TRACER_STACK_LANG_HOTSPOT_CODE_H

#include "stack/lang/hotspot_vm.h"

/* Finds the code of the process, once for each stack. Returns false if there is none yet. */
bool vm_code_find(const struct lang_run *r, struct vm_file *f);

static inline bool vm_is_interpreter(const struct vm_file *f, uint64_t pc)
{
	return pc >= f->code.from && pc < f->code.to;
}

/* Whether an address is in the code cache, which contains the interpreter as well. */
bool vm_in_code_cache(const struct vm_file *f, uint64_t addr);

struct vm_blob {
	uint64_t addr;
	uint32_t size;	     /* in bytes */
	uint32_t frame_size; /* of its frames with the return address, in words; 0: they vary */
};

/* The blob that contains pc. Returns false if there is none. */
bool vm_blob_find(const struct lang_run *r, const struct vm_file *f, uint64_t pc,
		  struct vm_blob *b);

enum vm_blob_kind {
	VM_STUB,
	VM_COMPILED,
	VM_NATIVE,	/* calls a native method */
	VM_CONTINUATION /* its callers' frames are on the heap, until they are returned to */
};

enum vm_blob_kind vm_blob_kind(const struct lang_run *r, const struct vm_file *f,
			       const struct vm_blob *b);

#define VM_SCOPES_MAX 128

/* A method that runs at a place in compiled code, and its bytecode there. */
struct vm_scope {
	uint64_t method;
	uint64_t index; /* of the bytecode; VM_NO_INDEX: it is not known */
};
#define VM_NO_INDEX UINT64_MAX

/* What identifies the code at a place: methods are compiled anew, and code is freed. */
struct vm_place {
	uint64_t pc, blob, method;
	int64_t id;
};

/*
 * Describes the place at the return address pc of a frame of the method in b. sp is that of the
 * frame. If the code was invalidated while the frame was in it, the return address has changed;
 * place->pc is the original one.
 */
void vm_place_read(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
		   uint64_t pc, uint64_t sp, struct vm_place *place);
/*
 * Finds the methods at a place: the method of the code is the last one, and before it are those
 * that were inlined there, the innermost first. Returns their number, 0 if what is read cannot be
 * right.
 */
size_t vm_scopes_find(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
		      const struct vm_place *place, struct vm_scope scopes[VM_SCOPES_MAX]);

#endif
