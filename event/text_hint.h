/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bits of value.text, which describe how strace 7.2 writes a value if the value's kind does not
 * determine that. Decoders set these bits, and only sinks that write text read them.
 *
 * Constants (VALUE_ENUM, FLAGS, OR, NAME, CALL, EXPR) are written by name; with -X raw by number;
 * and with -X verbose by both.
 */
#ifndef TRACER_EVENT_TEXT_HINT_H
#define TRACER_EVENT_TEXT_HINT_H

enum text_hint {
	/* Whether a constant is written by name or by number. */
	TEXT_ALWAYS = 1 << 0,	   /* the constant is written by name in all styles */
	TEXT_NOT_VERBOSE = 1 << 1, /* -X verbose writes only the name, without the number; for a
				      VALUE_OR, this applies to each child */
	TEXT_BOTH = 1 << 2,	   /* the constant is written as NUMBER / * NAME * / even without
				      -X */
	TEXT_EACH = 1 << 3, /* for a VALUE_OR: each child is written separately in all styles, such
			       as 0x2|0x80000 */

	/* The base of a constant's number. The default is hexadecimal. */
	TEXT_DECIMAL = 1 << 4, /* decimal, and without a "???" comment if the number has no name */
	TEXT_OCTAL = 1 << 5,   /* at least three octal digits, such as 000; also applies to
				  VALUE_OCT */
	TEXT_PADDED = 1 << 6,  /* for a VALUE_HEX: padded with zeroes to the width of the number */

	/* Comments. */
	TEXT_NO_UNKNOWN = 1 << 7,    /* without a "???" comment if the number has no name */
	TEXT_COMMENT_FIRST = 1 << 8, /* the comment is written before the value */
	TEXT_COMMENT_READS =
		1 << 9, /* the comment or note explains the number, so -X raw omits it */

	/* Strings. */
	TEXT_HEX_STRING = 1 << 10, /* the string is always written with \x escapes */
	TEXT_NUL = 1 << 11,	   /* a NUL follows the bytes; only hexadecimal output (-x) shows
				      it */
	TEXT_NUL_MORE = 1 << 12,   /* like TEXT_NUL, and "..." follows the NUL */

	/* Names of members and arguments. */
	/* Written without "name=". If the call is shown as raw bytes, the name is kept. */
	TEXT_UNNAMED = 1 << 13,
	TEXT_NAMED = 1 << 14, /* for an argument: written with "name=" even without -N */

	TEXT_WORD = 1 << 20, /* the name is followed by a blank instead of "=", as in "in [3]" */

	/* For a string that is the name of a socket and begins with a NUL: written as @"x". */
	TEXT_ABSTRACT = 1 << 21,
	TEXT_CLOSES = 1 << 22, /* for a bitset: only the closing bracket is written */
	TEXT_TWICE = 1 << 15,  /* for a change: both sides are written, even if they are equal */
	TEXT_1KIB = 1 << 16,   /* for an array or sequence: truncated after 1 KiB of text */

	/* Colours. */
	/*
	 * A string is written without quotes and escapes. A VALUE_OR, a constant, a struct, or the
	 * name of an address is written without colours.
	 */
	TEXT_PLAIN = 1 << 17,
	/*
	 * A VALUE_OR or a VALUE_CALL is coloured like a single constant, but not coloured at all
	 * inside a comment. For an address with TEXT_PLAIN, the comma before it is not coloured.
	 */
	TEXT_ONE_WORD = 1 << 18,
	TEXT_STYLED = 1 << 19, /* for an expression or a call: the terms are written in the style of
				  -X */
};

#endif
