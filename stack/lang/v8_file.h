/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads V8's description of its structures: the symbols v8dbg_…, which
 * tools/gen-postmortem-metadata.py in V8's sources creates for debuggers. The names of the symbols
 * change from version to version.
 */
#ifndef TRACER_STACK_LANG_V8_FILE_H
#define TRACER_STACK_LANG_V8_FILE_H

#include "defs.h"

struct elf_file;

enum v8_value {
	/* Offsets from the frame pointer, in bytes. */
	V8_FP_FUNCTION,
	V8_FP_BYTECODE,
	V8_FP_OFFSET,
	/* Offsets in objects. */
	V8_MAP_TYPE,
	V8_FUNCTION_SHARED,
	V8_SHARED_NAME,
	V8_SHARED_SCRIPT,
	V8_SCRIPT_NAME,
	V8_SCRIPT_SOURCE,
	V8_BYTECODE_DATA,
	V8_STRING_LENGTH,
	V8_SEQ_ONE,
	V8_SEQ_TWO,
	V8_CONS_FIRST,
	V8_CONS_SECOND,
	V8_THIN_ACTUAL,
	/* Types of objects. */
	V8_TYPE_FUNCTION,
	V8_TYPE_SCOPE,
	V8_TYPE_SCRIPT,
	V8_TYPE_BYTECODE,
	V8_TYPE_BYTES,
	V8_TYPE_TRUSTED_BYTES,
	/* String types, and the bit masks that extract parts of an instance type. */
	V8_NO_STRING,
	V8_REPRESENTATION,
	V8_SEQ,
	V8_CONS,
	V8_THIN,
	V8_EXTERNAL,
	V8_ENCODING,
	V8_ONE_BYTE,
	/* Indexes of words in a ScopeInfo. */
	V8_SCOPE_LOCALS,
	V8_SCOPE_VARS,
	/*
	 * The values from here on describe compiled code. V8_CODE_* are offsets in a code object,
	 * and their comments show what the member contains.
	 */
	V8_TYPE_SHARED,
	V8_TYPE_CODE,
	V8_TYPE_STREAM, /* the object that contains the instructions */
	V8_KIND_MASK,
	V8_KIND_SHIFT,
	V8_KIND_BASELINE,
	V8_CODE_DEOPT,	   /* deoptimization data; in baseline code, the bytecode array */
	V8_CODE_POSITIONS, /* table of source positions; in baseline code, of bytecode offsets */
	V8_CODE_STREAM,
	V8_CODE_START, /* address of the first instruction */
	V8_CODE_FLAGS,
	V8_CODE_SIZE,	   /* number of bytes of instructions */
	V8_STREAM_START,   /* offset of the first instruction */
	V8_DEOPT_LITERALS, /* index of the literals in the deoptimization data */
	V8_DEOPT_ENTRIES,  /* index of the first entry in the deoptimization data */
	V8_VALUES
};

/* Maximum number of bytecodes whose sizes are known. */
#define V8_BYTECODES 256u

struct v8_file {
	bool known; /* true if all required values have been found */
	int32_t value[V8_VALUES];
	unsigned major, minor; /* version of V8 */
	/*
	 * ELF addresses of the code that executes bytecode in frames of JavaScript functions, and
	 * of its end; 0 if unknown.
	 */
	uint64_t interpreter, interpreter_end;
	bool compiled; /* true if the values that describe compiled code are known, too */
	/*
	 * Sizes of the bytecodes' instructions in bytes, for operands of single, double and
	 * quadruple size. nsizes is 0 if the sizes are unknown.
	 */
	uint8_t sizes[3][V8_BYTECODES];
	unsigned nsizes;
};

/*
 * Reads the values from a file. Returns an allocated struct, or NULL if the file does not contain
 * V8.
 */
struct v8_file *v8_file_read(struct elf_file *f);

#endif
