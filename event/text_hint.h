/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How strace 7.2 writes a value, where that does not follow from what it is: bits of
 * value.text. Decoders set them, the text sink reads them, nobody else looks.
 *
 * Constants (VALUE_ENUM, FLAGS, OR, NAME, CALL, EXPR) are written by name, with -X raw by
 * number, and with -X verbose as NUMBER / * NAME * /.
 */
#ifndef TRACER_TEXT_HINT_H
#define TRACER_TEXT_HINT_H

enum text_hint {
	/* Which styles a constant has. */
	TEXT_ALWAYS = 1 << 0,	   /* by name in all of them */
	TEXT_NOT_VERBOSE = 1 << 1, /* by name with -X verbose; an or: child by child */
	TEXT_BOTH = 1 << 2,	   /* NUMBER / * NAME * / without -X as well */
	TEXT_EACH = 1 << 3,	   /* an or: child by child in all of them, 0x2|0x80000 */

	/* How the number of a constant is written: hexadecimal, unless one of these. */
	TEXT_DECIMAL = 1 << 4, /* and without a "???" comment where nothing matches */
	TEXT_OCTAL = 1 << 5,   /* at least three digits, 000 for zero; VALUE_OCT as well */
	TEXT_PADDED = 1 << 6,  /* of VALUE_HEX: with zeroes to the width of the number */

	/* Comments. */
	TEXT_NO_UNKNOWN = 1 << 7,    /* no "???" where nothing matches */
	TEXT_COMMENT_FIRST = 1 << 8, /* the comment stands before the value */
	TEXT_COMMENT_READS = 1 << 9, /* it reads the number: -X raw has none, nor such a note */

	/* Strings. */
	TEXT_HEX_STRING = 1 << 10, /* always \x escapes: binary identifiers */
	TEXT_NUL = 1 << 11,	   /* a NUL follows its bytes, which hexadecimal shows */
	TEXT_NUL_MORE = 1 << 12,   /* the same, and "..." after it */

	/* Names of members and arguments. */
	TEXT_UNNAMED = 1 << 13, /* no "name="; a call with its raw bytes has it still */
	TEXT_NAMED = 1 << 14,	/* an argument: "name=" without -N as well */

	TEXT_TWICE = 1 << 15, /* a change: both sides, equal or not */
	TEXT_1KIB = 1 << 16,  /* an array, a sequence: what has no room in 1 KiB is left out */

	/* Colours. */
	TEXT_PLAIN = 1 << 17,	 /* a string: no quotes, no escapes; a constant: no colour */
	TEXT_ONE_WORD = 1 << 18, /* an or, a call: one constant to the eye */
	TEXT_STYLED = 1 << 19,	 /* an expression, a call: its terms are numbers and names, too */
};

#endif
