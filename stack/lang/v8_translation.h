/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads V8's translations. A translation belongs to a call in optimised code. It describes the
 * interpreter frames that replace the frame of the optimised code if V8 abandons this code. V8
 * itself uses translations for Error.stack. The format is that of
 * src/deoptimizer/translation-opcode.h and src/objects/deoptimization-data.cc in V8's sources.
 */
#ifndef TRACER_STACK_LANG_V8_TRANSLATION_H
#define TRACER_STACK_LANG_V8_TRANSLATION_H

#include "defs.h"

/* Maximum number of JavaScript functions in one frame of optimised code. */
#define V8_INLINED 48

#define V8_NO_LITERAL UINT32_MAX

/* An interpreter frame of a translation. */
struct v8_spot {
	/*
	 * Index, in the array of literals, of the SharedFunctionInfo or (for a built-in function)
	 * of the JSFunction; V8_NO_LITERAL if unknown.
	 */
	uint32_t literal;
	int32_t bytecode; /* offset in the bytecode, or -1 at the function's entry */
	bool builtin;	  /* true for a built-in function, which has no bytecode */
};

/* The format of translations in a version of V8. */
struct v8_format;

/* Returns the format of a version, or NULL if it is unknown. */
const struct v8_format *v8_format_of(unsigned major, unsigned minor);
/*
 * Reads the translation at the index `at` of the n bytes at data. Stores its frames, outermost
 * first, and returns their number. Returns 0 if the translation is invalid or has more than
 * V8_INLINED frames.
 */
size_t v8_translation_read(const struct v8_format *f, const uint8_t *data, size_t n, size_t at,
			   struct v8_spot spots[V8_INLINED]);

#endif
