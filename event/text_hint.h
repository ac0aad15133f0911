/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How strace 7.2 writes a value whose text does not follow from its kind: bits of value.text.
 * Decoders set these bits, and only sinks that write text read them.
 *
 * Constants (VALUE_ENUM, FLAGS, OR, NAME, CALL, EXPR) are written by name; with -X raw by number;
 * and with -X verbose as NUMBER / * NAME * /.
 */
#ifndef TRACER_EVENT_TEXT_HINT_H
#define TRACER_EVENT_TEXT_HINT_H

enum text_hint {
	/* Whether a constant is written by name or by number. */
	TEXT_ALWAYS = 1 << 0,	   /* by name in all styles */
	TEXT_NOT_VERBOSE = 1 << 1, /* with -X verbose by name only; a VALUE_OR: child by child */
	TEXT_BOTH = 1 << 2,	   /* as NUMBER / * NAME * / even without -X */
	TEXT_EACH = 1 << 3, /* a VALUE_OR: child by child in all styles, such as 0x2|0x80000 */

	/* The base of a constant's number. The default is hexadecimal. */
	TEXT_DECIMAL = 1 << 4, /* decimal, without a "???" comment if no name matches */
	TEXT_OCTAL = 1 << 5,   /* at least three octal digits, such as 000; also for VALUE_OCT */
	TEXT_PADDED = 1 << 6,  /* a VALUE_HEX: padded with zeroes to the width of the number */

	/* Comments. */
	TEXT_NO_UNKNOWN = 1 << 7,    /* no "???" comment if no name matches */
	TEXT_COMMENT_FIRST = 1 << 8, /* the comment is written before the value */
	TEXT_COMMENT_READS =
		1 << 9, /* the comment or note explains the number, so -X raw omits it */

	/* Strings. */
	TEXT_HEX_STRING = 1 << 10, /* always written with \x escapes */
	TEXT_NUL = 1 << 11,	 /* a NUL follows the bytes; only hexadecimal text (-x) shows it */
	TEXT_NUL_MORE = 1 << 12, /* like TEXT_NUL, and "..." follows the NUL */

	/* Names of members and arguments. */
	/* Written without "name="; a call shown as raw bytes keeps the name. */
	TEXT_UNNAMED = 1 << 13,
	TEXT_NAMED = 1 << 14, /* an argument: written with "name=" even without -N */

	TEXT_WORD = 1 << 20, /* the name is followed by a blank instead of "=": in [3] */

	/* A string that is a socket name whose first byte is NUL: written as @"x". */
	TEXT_ABSTRACT = 1 << 21,
	TEXT_CLOSES = 1 << 22, /* a bitset: only its closing bracket is written */
	TEXT_TWICE = 1 << 15,  /* a change: both sides are written, even if they are equal */
	TEXT_1KIB = 1 << 16,   /* an array or sequence: cut after 1 KiB of text */

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
	TEXT_STYLED = 1 << 19, /* an expression or a call: its terms follow the style of -X */
};

#endif
