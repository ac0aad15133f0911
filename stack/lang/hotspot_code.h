/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds HotSpot's generated code: the interpreter, and the blobs in the code cache. A blob is a
 * compiled method (nmethod) or a stub of the runtime. Call these functions only after
 * vm_tables_read() has succeeded.
 */
#ifndef TRACER_STACK_LANG_HOTSPOT_CODE_H
#define TRACER_STACK_LANG_HOTSPOT_CODE_H

#include "stack/lang/hotspot_vm.h"

/*
 * Finds the addresses of the process's generated code, unless they have already been found for this
 * stack. Returns false if there is no generated code yet.
 */
bool vm_code_find(const struct lang_run *r, struct vm_file *f);

static inline bool vm_is_interpreter(const struct vm_file *f, uint64_t pc)
{
	return pc >= f->code.from && pc < f->code.to;
}

/* Returns true if addr is in the code cache. The code cache includes the interpreter. */
bool vm_in_code_cache(const struct vm_file *f, uint64_t addr);

struct vm_blob {
	uint64_t addr;
	uint32_t size; /* size of the blob in bytes */
	/*
	 * size of the blob's frames in words, including the return address; 0 if it is not constant
	 */
	uint32_t frame_size;
};

/* Finds the blob that contains pc. Returns false if there is none. */
bool vm_blob_find(const struct lang_run *r, const struct vm_file *f, uint64_t pc,
		  struct vm_blob *b);

enum vm_blob_kind {
	VM_STUB,
	VM_COMPILED,
	VM_NATIVE,	/* calls a native method */
	VM_CONTINUATION /* enters a virtual thread; the frames of its methods may be on the heap */
};

enum vm_blob_kind vm_blob_kind(const struct lang_run *r, const struct vm_file *f,
			       const struct vm_blob *b);

#define VM_SCOPES_MAX 128

/* A method that is active at a location in compiled code, and the bytecode that it is executing. */
struct vm_scope {
	uint64_t method;
	uint64_t index; /* bytecode index, or VM_NO_INDEX if unknown */
};
#define VM_NO_INDEX UINT64_MAX

/*
 * The data that identifies a location in compiled code. The address alone is not enough: methods
 * can be recompiled and code can be freed.
 */
struct vm_place {
	uint64_t pc, blob, method;
	int64_t id;
};

/*
 * Fills in the location of the return address pc. pc and sp belong to a frame of the method in b.
 * If the code was invalidated while the frame was active, the return address has been replaced. In
 * this case, place->pc is the original return address.
 */
void vm_place_read(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
		   uint64_t pc, uint64_t sp, struct vm_place *place);
/*
 * Finds the methods that are active at a location: the inlined methods, innermost first, and then
 * the compiled method itself. If no scopes are stored for the location, finds only the compiled
 * method, with VM_NO_INDEX. Returns the number of methods, or 0 if the data is invalid.
 */
size_t vm_scopes_find(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
		      const struct vm_place *place, struct vm_scope scopes[VM_SCOPES_MAX]);

#endif
