/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interprets addresses in code that V8's compilers have generated: baseline code (Sparkplug) and
 * optimised code (Maglev, TurboFan). Finds the code object that contains an address, and the
 * functions and bytecode offsets to which the address belongs.
 */
#ifndef TRACER_STACK_LANG_V8_CODE_H
#define TRACER_STACK_LANG_V8_CODE_H

#include "stack/lang/v8_heap.h"
#include "stack/lang/v8_translation.h"

enum v8_kind {
	V8_UNKNOWN,   /* no code object was found, or its contents are not as expected */
	V8_BASELINE,  /* one function */
	V8_OPTIMISED, /* a function and the functions that are inlined into it */
};

struct v8_place {
	uint64_t shared;  /* address of the SharedFunctionInfo; 0 for baseline code */
	int32_t bytecode; /* offset in the bytecode, or -1 at the function's entry */
	bool builtin;	  /* true for a built-in function, which has no bytecode */
};

struct v8_places {
	enum v8_kind kind;
	bool unsupported;	       /* true if the data of this build of V8 cannot be read */
	size_t n;		       /* number of places; 0 if the places are unknown */
	struct v8_place v[V8_INLINED]; /* outermost first */
};

/*
 * Returns true if the return address pc is in code that V8's compilers have generated. Such code
 * keeps a frame pointer.
 */
bool v8_code_contains(const struct v8_context *g, uint64_t pc);
/*
 * Finds the JavaScript functions, and the positions in them, of a frame in generated code. pc is a
 * return address.
 */
void v8_code_places(const struct v8_context *g, uint64_t pc, struct v8_places *places);
/*
 * Copies an array of bytes. Returns allocated memory, and stores its size, which is at least 1, in
 * *n. Returns NULL if the object is not an array of bytes, cannot be read, is empty or is too
 * large.
 */
uint8_t *v8_bytes(const struct v8_context *g, uint64_t object, size_t *n);

/*
 * Returns the bytecode array of a function. `data` is the object that the member function_data of
 * the SharedFunctionInfo refers to. Returns 0 if the function has no bytecode.
 */
uint64_t v8_code_bytecode(const struct v8_context *g, uint64_t data);

#endif
