/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hints of how strace 7.2 writes a value, where its form does not follow from the kind of the
 * value: bits of value.text. Decoders set them, and only sinks that write text heed them.
 *
 * Constants (VALUE_ENUM, FLAGS, OR, NAME, CALL, EXPR) are written by name, with -X raw by
 * number, and with -X verbose as NUMBER / * NAME * /. Below, "an or" is a VALUE_OR and "a call" a
 * VALUE_CALL.
 */
#ifndef TRACER_EVENT_TEXT_HINT_H
#define TRACER_EVENT_TEXT_HINT_H

enum text_hint {
	/* In which styles a constant is written by name or by number. */
	TEXT_ALWAYS = 1 << 0,	   /* by name in all styles */
	TEXT_NOT_VERBOSE = 1 << 1, /* by name alone with -X verbose; an or: child by child */
	TEXT_BOTH = 1 << 2,	   /* NUMBER / * NAME * / without -X as well */
	TEXT_EACH = 1 << 3,	   /* an or: child by child in all styles, 0x2|0x80000 */

	/* How the number of a constant is written: hexadecimal, unless one of these is set. */
	TEXT_DECIMAL = 1 << 4, /* decimal, and without a "???" comment if no name matches */
	TEXT_OCTAL = 1 << 5,   /* at least three octal digits, 000 for zero; VALUE_OCT as well */
	TEXT_PADDED = 1 << 6,  /* of VALUE_HEX: with zeroes to the width of the number */

	/* Comments. */
	TEXT_NO_UNKNOWN = 1 << 7,    /* no "???" comment if no name matches */
	TEXT_COMMENT_FIRST = 1 << 8, /* the comment stands before the value */
	TEXT_COMMENT_READS =
		1 << 9, /* the comment, or note, explains the number: not with -X raw */

	/* Strings. */
	TEXT_HEX_STRING = 1 << 10, /* always written with \x escapes */
	TEXT_NUL = 1 << 11,	   /* a NUL follows its bytes, which only hexadecimal (-x) shows */
	TEXT_NUL_MORE = 1 << 12,   /* like TEXT_NUL, and "..." follows the NUL */

	/* Names of members and arguments. */
	TEXT_UNNAMED = 1 << 13, /* without "name="; but a call shown as raw bytes keeps it */
	TEXT_NAMED = 1 << 14,	/* an argument: with "name=" even without -N */

	TEXT_WORD = 1 << 20, /* with a blank after its name: in [3] */

	TEXT_ABSTRACT = 1 << 21, /* a string: a name whose first byte is NUL: @"x" */
	TEXT_CLOSES = 1 << 22,	 /* a set: only its closing bracket is written */
	TEXT_TWICE = 1 << 15,	 /* a change: both sides are written, even if they are equal */
	TEXT_1KIB = 1 << 16,	 /* an array, a sequence: it ends after 1 KiB of text */

	/* Colours. */
	/*
	 * Write a string without quotes and escapes; an OR-expression, a constant or a struct
	 * without colours; the name of an address without colour.
	 */
	TEXT_PLAIN = 1 << 17,
	/*
	 * Colour an OR-expression or a call like a single constant, and not at all inside a
	 * comment. For a plain address, the comma before it is not coloured either.
	 */
	TEXT_ONE_WORD = 1 << 18,
	TEXT_STYLED = 1 << 19, /* an expression, a call: its terms follow the style of -X */
};

#endif
