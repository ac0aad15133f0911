/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bits of value.text. They describe details of the way in which strace 7.2 writes a value. Decoders
 * set these bits, and sinks that write text read them.
 *
 * Constants (VALUE_ENUM, FLAGS, OR, NAME, CALL, EXPR) are written by name. -X raw writes them by
 * number, and -X verbose by number and name.
 */
#ifndef TRACER_EVENT_TEXT_HINT_H
#define TRACER_EVENT_TEXT_HINT_H

enum text_hint {
	/* These bits select whether a constant is written by name or by number. */
	TEXT_ALWAYS = 1 << 0, /* writes the constant by name in all styles of -X */
	/* -X verbose writes only the name; for a VALUE_OR, it writes each child separately */
	TEXT_NOT_VERBOSE = 1 << 1,
	TEXT_BOTH = 1 << 2, /* writes the constant as NUMBER / * NAME * /, even without -X */
	/* for a VALUE_OR: writes each child separately in all styles, such as 0x2|0x80000 */
	TEXT_EACH = 1 << 3,

	/* These bits select the base in which a number is written. The default is hexadecimal. */
	/* writes a decimal number; adds no "???" comment if the number has no name */
	TEXT_DECIMAL = 1 << 4,
	/* writes at least three octal digits, such as 000; also for a VALUE_OCT */
	TEXT_OCTAL = 1 << 5,
	/*
	 * for a VALUE_HEX: adds leading zeroes, up to two characters for each byte of the width
	 * including the 0x
	 */
	TEXT_PADDED = 1 << 6,

	/* These bits affect the comment that follows a value. */
	TEXT_NO_UNKNOWN = 1 << 7,    /* adds no "???" comment if the number has no name */
	TEXT_COMMENT_FIRST = 1 << 8, /* writes the comment before the value */
	TEXT_COMMENT_READS =
		1 << 9, /* -X raw omits the comment or note, because it explains the number */

	/* These bits affect strings. */
	TEXT_HEX_STRING = 1 << 10, /* always writes the string with \x escapes */
	TEXT_NUL = 1 << 11,	   /* hexadecimal output (-x) also shows the NUL after the bytes */
	TEXT_NUL_MORE = 1 << 12,   /* like TEXT_NUL, and adds "..." after the NUL */

	/* These bits affect the names of members and arguments. */
	/* Omits "name=", except if the call is shown as raw bytes. */
	TEXT_UNNAMED = 1 << 13,
	TEXT_NAMED = 1 << 14, /* for an argument: writes "name=" even without -N */

	TEXT_WORD = 1 << 20, /* writes a blank instead of "=" after the name, as in "in [3]" */

	/* For the name of a socket that begins with a NUL: writes @"x". */
	TEXT_ABSTRACT = 1 << 21,
	TEXT_CLOSES = 1 << 22, /* for a bitset: writes only the closing bracket */
	TEXT_TWICE = 1 << 15,  /* for a change: writes both sides, even if they are equal */
	TEXT_1KIB = 1 << 16,   /* for an array or sequence: stops after 1 KiB of text */

	/* These bits affect colours. */
	/*
	 * For a string: omits quotes and escapes. For other values, such as a VALUE_OR, a constant,
	 * a struct or the name of an address: omits colours.
	 */
	TEXT_PLAIN = 1 << 17,
	/*
	 * For a VALUE_OR or a VALUE_CALL: uses the colour of a single constant, and no colour
	 * inside a comment. For an address with TEXT_PLAIN: omits the colour of the comma before
	 * it.
	 */
	TEXT_ONE_WORD = 1 << 18,
	/*
	 * for an expression or a call: writes the terms in the style of -X; for a name whose number
	 * is decimal: uses the colour of constants
	 */
	TEXT_STYLED = 1 << 19,
};

#endif
