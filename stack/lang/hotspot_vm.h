/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the description of HotSpot's structures that libjvm.so exports for debuggers: the tables
 * gHotSpotVMStructs and gHotSpotVMTypes (vmStructs in HotSpot's sources). Version numbers below are
 * JDK versions.
 */
#ifndef TRACER_STACK_LANG_HOTSPOT_VM_H
#define TRACER_STACK_LANG_HOTSPOT_VM_H

#include "stack/lang/reader.h"

/*
 * Members of the JVM's structs whose offsets the JVM describes, and static fields. The comments
 * show what a member contains, and which versions of the JDK have the member. The pcs are a table
 * of PcDescs. Each PcDesc contains the offset of its data in the scopes.
 */
enum vm_field {
	VM_METHOD_CONST,
	VM_CONST_POOL,
	VM_CONST_NAME,
	VM_CONST_CODE_SIZE,
	VM_CONST_FLAGS,
	VM_CONST_NEW_FLAGS, /* replaces VM_CONST_FLAGS since JDK 21 */
	VM_POOL_HOLDER,
	VM_POOL_SOURCE,	 /* since JDK 15 */
	VM_CLASS_SOURCE, /* before JDK 15 */
	VM_CLASS_NAME,
	VM_SYMBOL_LENGTH,     /* before JDK 12 */
	VM_SYMBOL_LENGTH_REF, /* in the upper half of a word; since JDK 12 */
	VM_SYMBOL_BODY,
	VM_QUEUE_BUFFER,
	VM_QUEUE_LIMIT,
	VM_HEAP_MEMORY,
	VM_HEAP_SEGMENTS,
	VM_HEAP_SEGMENT_LOG,
	VM_SPACE_LOW,
	VM_SPACE_HIGH,
	VM_GENERIC_ARRAY_LENGTH, /* replaces VM_ARRAY_LENGTH before JDK 16 */
	VM_ARRAY_LENGTH,
	VM_ARRAY_DATA,
	VM_BLOCK_USED,
	VM_BLOB_NAME,
	VM_BLOB_SIZE,
	VM_BLOB_FRAME_SIZE,
	VM_BLOB_CODE,	     /* address of the code; from JDK 9 to 22 */
	VM_BLOB_CODE_OFFSET, /* offset of the code; only in JDK 8 and since JDK 23 */
	VM_BLOB_DATA,	     /* offset of the data in the blob */
	VM_BLOB_MUTABLE, /* address of the mutable data, which is outside the blob; since JDK 25 */
	VM_BLOB_RELOCATION, /* size of the relocations at the start of the mutable data */
	VM_NMETHOD_METHOD,
	VM_COMPILED_METHOD, /* replaces VM_NMETHOD_METHOD from JDK 9 to 22 */
	VM_NMETHOD_ID,
	VM_NMETHOD_PCS,	      /* offset of the pcs in the blob, or in the immutable data */
	VM_NMETHOD_PCS_END,   /* up to JDK 22 */
	VM_NMETHOD_SCOPES,    /* offset of the scopes in the blob, or in the immutable data; in the
				 latter case also the end of the pcs */
	VM_COMPILED_SCOPES,   /* address of the scopes; from JDK 9 to 22 */
	VM_NMETHOD_IMMUTABLE, /* address of the immutable data, which is outside the blob; since JDK
				 23 */
	VM_NMETHOD_METADATA, /* offset in the blob up to JDK 22; offset in the blob's data in JDK 23
				and 24 */
	VM_NMETHOD_ORIGINAL_PC,
	VM_NMETHOD_DEOPT, /* offset of the deoptimization code in the blob; since JDK 23 */
	VM_NMETHOD_DEOPT_MH,
	VM_OLD_DEOPT, /* offset of the deoptimization code in the blob; only in JDK 8 */
	VM_OLD_DEOPT_MH,
	VM_COMPILED_DEOPT, /* address of the deoptimization code; from JDK 9 to 22 */
	VM_COMPILED_DEOPT_MH,
	VM_INTERPRETER, /* static field: pointer to the interpreter's code */
	VM_CALL_STUB,	/* static field: the return address when the runtime calls Java code */
	VM_ONE_HEAP,	/* static field: CodeCache::_heap; only in JDK 8 */
	VM_HEAPS,	/* static field: the list of heaps; since JDK 9 */
	VM_VERSION,	/* static field: the JDK version; 25 in JDK 8 */
	VM_FIELDS
};

/* A part of the code cache. low, high and segments are addresses. */
struct vm_heap {
	uint64_t low, high;
	uint64_t segments; /* one byte per segment: the number of segments back to the start of the
			      blob */
	unsigned segment_log;
};

#define VM_HEAPS_MAX 8

struct vm_file {
	struct elf_file *elf;	 /* the JVM's file */
	uint64_t structs, types; /* ELF addresses of the pointers to the two tables */
	/* ELF addresses of the variables that contain the values of the next nine members */
	uint64_t numbers[9];
	/*
	 * The size of an entry of `structs` and the offsets of its members, then the same for
	 * `types`.
	 */
	uint64_t stride, type, field, is_static, offset, address;
	uint64_t types_stride, types_name, types_size;
	bool read;	 /* true if the members below have been set */
	const char *why; /* reason why the data cannot be used, or NULL */
	bool has[VM_FIELDS];
	uint64_t at[VM_FIELDS]; /* offsets of members, or ELF addresses of static fields */
	uint64_t const_size, pool_size, block_size;
	unsigned excluded; /* as in struct vm_stream */
	/* Values of static fields, from VM_INTERPRETER on; see vm_static(). */
	struct {
		uint64_t maps; /* the value of lang_run.maps for which the values were read */
		uint64_t value[VM_FIELDS - VM_INTERPRETER]; /* 0 if not read yet */
	} statics;
	/* Addresses of the current process's generated code; see vm_code_find(). */
	struct {
		uint64_t stack;	   /* id of the stack for which the addresses were found, or 0 */
		uint64_t from, to; /* the interpreter's code; 0 if unknown */
		uint64_t call_stub;
		unsigned nheaps;
		struct vm_heap heaps[VM_HEAPS_MAX];
	} code;
};

/*
 * Finds the tables in a file. Returns a struct that the caller must free(), or NULL if the file
 * does not contain a HotSpot JVM.
 */
struct vm_file *vm_file_read(struct elf_file *f);
/*
 * Reads the tables unless this has already been done. If the tables cannot be used, sets f->why and
 * returns false.
 */
bool vm_tables_read(struct vm_file *f, struct lang_run *r);

/* Reads the pointer at the offset `at` in an object. Returns 0 if it cannot be read. */
static inline uint64_t vm_pointer(const struct lang_run *r, uint64_t object, uint64_t at)
{
	uint64_t v;

	return object && lang_read_u64(r->mem, object + at, &v) ? v : 0;
}

/*
 * Returns the value of a static field that is a pointer. Returns 0 if the JVM has not set it yet,
 * or if it cannot be read. The JVM sets these fields once, when it starts.
 */
uint64_t vm_static(const struct lang_run *r, struct vm_file *f, enum vm_field field);

/* Does the same as vm_pointer() for a 16-bit integer. */
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

/* A stream of compressed numbers. Reads bytes from the tracee when they are needed. */
struct vm_stream {
	const struct lang_run *r;
	uint64_t next;	   /* address of the next bytes to read from the tracee */
	unsigned excluded; /* number of byte values that an encoded number cannot contain */
	size_t n, at;
	bool failed; /* true if reading a byte has failed */
	uint8_t bytes[VM_STREAM_CHUNK];
};

void vm_stream_begin(struct vm_stream *s, const struct lang_run *r, const struct vm_file *f,
		     uint64_t addr);
unsigned vm_stream_byte(struct vm_stream *s);
/* Reads a number in HotSpot's UNSIGNED5 encoding. Sets s->failed if the number cannot be read. */
uint32_t vm_stream_number(struct vm_stream *s);

#endif
