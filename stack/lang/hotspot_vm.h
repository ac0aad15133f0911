/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What HotSpot says of its structures: the tables gHotSpotVMStructs and gHotSpotVMTypes (vmStructs
 * of its sources), which libjvm.so exports for debuggers.
 */
#ifndef TRACER_STACK_LANG_HOTSPOT_VM_H
#define TRACER_STACK_LANG_HOTSPOT_VM_H

#include "stack/lang/reader.h"

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
	VM_HEAP_MEMORY,
	VM_HEAP_SEGMENTS,
	VM_HEAP_SEGMENT_LOG,
	VM_SPACE_LOW,
	VM_SPACE_HIGH,
	VM_ARRAY_LENGTH,
	VM_ARRAY_DATA,
	VM_BLOCK_USED,
	VM_BLOB_NAME,
	VM_BLOB_SIZE,
	VM_BLOB_FRAME_SIZE,
	VM_BLOB_CODE,	     /* address, up to 22 */
	VM_BLOB_CODE_OFFSET, /* from 23 on, and of 8 */
	VM_BLOB_DATA,	     /* offset of the data in the blob */
	VM_BLOB_MUTABLE,     /* from 25 on: address of the data that is outside of the blob */
	VM_BLOB_RELOCATION,  /* size of relocations, which come first there */
	VM_NMETHOD_METHOD,
	VM_COMPILED_METHOD, /* the same up to 22 */
	VM_NMETHOD_ID,
	VM_NMETHOD_PCS,	    /* offset in the blob, or in the immutable data */
	VM_NMETHOD_PCS_END, /* up to 22 */
	VM_NMETHOD_SCOPES,  /* offset in the immutable data, from 23 on: also the end of the pcs */
	VM_COMPILED_SCOPES, /* address, up to 22 */
	VM_NMETHOD_IMMUTABLE, /* from 23 on: address of the data that is outside of the blob */
	VM_NMETHOD_METADATA,  /* offset in the blob up to 22, then in its data, until 24 */
	VM_NMETHOD_ORIGINAL_PC,
	VM_NMETHOD_DEOPT, /* offset in the blob, from 23 on */
	VM_NMETHOD_DEOPT_MH,
	VM_COMPILED_DEOPT, /* address, up to 22 */
	VM_COMPILED_DEOPT_MH,
	VM_INTERPRETER, /* static: where the pointer to the interpreter's code is */
	VM_CALL_STUB,	/* static: where the return address is in the code that enters Java */
	VM_ONE_HEAP,	/* static: CodeCache::_heap, of 8 */
	VM_HEAPS,	/* static: the list of heaps, from 9 on */
	VM_FIELDS
};

/* A part of the code cache, as addresses. */
struct vm_heap {
	uint64_t low, high;
	uint64_t segments; /* a byte for each segment: how many segments back its blob begins */
	unsigned segment_log;
};

#define VM_HEAPS_MAX 8

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
	uint64_t const_size, pool_size, block_size;
	/* The code that the process of a stack has, as vm_code_find() finds it; addresses. */
	struct {
		uint64_t stack;	   /* number of the stack (struct lang_run), 0: none */
		uint64_t from, to; /* the interpreter's code; 0 if it is not known */
		uint64_t call_stub;
		unsigned nheaps;
		struct vm_heap heaps[VM_HEAPS_MAX];
	} code;
};

/* What the file says of the tables; allocated, NULL if it does not contain HotSpot. */
struct vm_file *vm_file_read(struct elf_file *f);
/* Reads the tables, unless that was done. Returns false, with f->why, if they are of no use. */
bool vm_tables_read(struct vm_file *f, struct lang_run *r);

/* Reads a pointer at an offset in an object. Returns 0 if it cannot be read. */
static inline uint64_t vm_pointer(const struct lang_run *r, uint64_t object, uint64_t at)
{
	uint64_t v;

	return object && lang_read_u64(r->mem, object + at, &v) ? v : 0;
}

/* The same for smaller numbers. */
static inline uint16_t vm_half(const struct lang_run *r, uint64_t object, uint64_t at)
{
	uint16_t v;

	return object && lang_read(r->mem, object + at, &v, sizeof(v)) ? v : 0;
}

static inline int32_t vm_int(const struct lang_run *r, uint64_t object, uint64_t at)
{
	int32_t v;

	return object && lang_read(r->mem, object + at, &v, sizeof(v)) ? v : 0;
}

#define VM_STREAM_CHUNK 512

/* Compressed numbers, which are read as they are needed. */
struct vm_stream {
	const struct lang_run *r;
	uint64_t next;	   /* address behind the bytes that were read */
	unsigned excluded; /* number of values that no byte has */
	size_t n, at;
	bool failed; /* a byte could not be read */
	uint8_t bytes[VM_STREAM_CHUNK];
};

void vm_stream_begin(struct vm_stream *s, const struct lang_run *r, const struct vm_file *f,
		     uint64_t addr);
unsigned vm_stream_byte(struct vm_stream *s);
/* A number in the encoding UNSIGNED5 of HotSpot. */
uint32_t vm_stream_number(struct vm_stream *s);

#endif
