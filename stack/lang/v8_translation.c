/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/v8_translation.h"

#include <string.h>

#include "stack/lang/v8_heap.h"

#define OPERANDS 6 /* maximum number of operands of an instruction */

/* The instructions of one version. */
struct v8_format {
	unsigned major, minor;
	const char *operands; /* for each opcode, the number of operands, as a digit */
	uint8_t begin;	      /* first opcode that begins a translation */
	uint8_t begin_last;   /* last opcode that begins a translation */
	uint8_t interpreted;  /* first opcode of an interpreter frame */
	/* last opcode of an interpreter frame; the next two are frames of built-in functions */
	uint8_t interpreted_last;
	uint8_t literal; /* opcode of a value that is a literal */
	/*
	 * If true, opcodes are single bytes, and a translation can repeat the instructions of an
	 * earlier one. If false, opcodes are encoded like operands.
	 */
	bool repeats;
};

static const struct v8_format formats[] = {
	{10, 2, "2103113131111111115334111112", 3, 3, 18, 18, 22, false},
	{11, 3, "103311313111112111111115333401111121", 2, 3, 23, 24, 29, true},
	{12, 4, "5333213432103311111111111111111101111121", 12, 13, 0, 1, 33, true},
	{12, 9, "53332134332100331111111111111111111101111121", 14, 15, 0, 1, 37, true},
	{13, 6, "643321343331003311101111111111111111101111121", 14, 15, 0, 1, 38, true},
};

const struct v8_format *v8_format_of(unsigned major, unsigned minor)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].major == major && formats[i].minor == minor)
			return &formats[i];
	return NULL;
}

struct reader {
	const struct v8_format *f;
	unsigned opcodes; /* number of opcodes; the last one repeats instructions */
	const uint8_t *data, *end;
	const uint8_t *at;	 /* next instruction */
	const uint8_t *previous; /* next instruction of the earlier translation, or NULL */
	uint32_t since;	 /* number of instructions read from `at` since `previous` last advanced */
	uint32_t repeat; /* number of instructions that are still to be repeated */
};

struct instruction {
	uint8_t opcode;
	uint64_t operands[OPERANDS];
};

static unsigned operands_of(const struct reader *r, uint8_t opcode)
{
	return r->f->operands[opcode] - '0';
}

static int64_t signed_of(uint64_t v)
{
	return v & 1 ? -(int64_t)(v >> 1) : (int64_t)(v >> 1);
}

/* Reads one instruction that does not repeat others. Returns false if it is invalid. */
static bool read_plain(const struct reader *r, const uint8_t **p, struct instruction *i)
{
	uint64_t opcode;

	if (*p >= r->end)
		return false;
	opcode = r->f->repeats ? *(*p)++ : (uint64_t)signed_of(v8_number(p, r->end));
	if (opcode >= r->opcodes)
		return false;
	i->opcode = opcode;
	for (unsigned k = 0; k < operands_of(r, opcode); k++) {
		if (*p >= r->end)
			return false;
		i->operands[k] = v8_number(p, r->end);
	}
	return true;
}

static bool read_previous(struct reader *r, struct instruction *i)
{
	return r->previous && r->previous < r->at && read_plain(r, &r->previous, i) &&
	       i->opcode != r->opcodes - 1;
}

/*
 * If the next instruction repeats others, sets r->repeat to the number of instructions to repeat.
 * Otherwise returns false.
 */
static bool begin_repeat(struct reader *r)
{
	if (r->at >= r->end || *r->at < r->opcodes - 1)
		return false;
	if (*r->at >= r->opcodes) {
		r->repeat = *r->at++ - r->opcodes;
		return true;
	}
	r->at++;
	r->repeat = (uint32_t)v8_number(&r->at, r->end);
	return true;
}

static bool next(struct reader *r, struct instruction *i)
{
	if (r->repeat) {
		r->repeat--;
		return read_previous(r, i);
	}
	if (!r->f->repeats || !begin_repeat(r)) {
		r->since++;
		return read_plain(r, &r->at, i);
	}
	if (!r->repeat)
		return false;
	for (; r->since; r->since--)
		if (!read_previous(r, i))
			return false;
	r->repeat--;
	return read_previous(r, i);
}

/* Reads the start of a translation. Returns the number of JavaScript frames, or 0 if invalid. */
static size_t begin(struct reader *r)
{
	const uint8_t *start = r->at;
	struct instruction i;
	int64_t frames;

	if (!next(r, &i) || i.opcode < r->f->begin || i.opcode > r->f->begin_last)
		return 0;
	if (!r->f->repeats) {
		frames = signed_of(i.operands[1]);
		return frames > 0 && frames <= V8_INLINED ? frames : 0;
	}
	/* The first operand is the distance to the start of the earlier translation, or 0. */
	if (i.operands[0] > (uint64_t)(start - r->data))
		return 0;
	r->previous = i.operands[0] ? start - i.operands[0] : NULL;
	frames = signed_of(i.operands[2]);
	return frames > 0 && frames <= V8_INLINED ? frames : 0;
}

/* Reads a frame that begins with the instruction i. Returns false if the frame is invalid. */
static bool read_frame(struct reader *r, struct instruction *i, struct v8_spot *spot)
{
	const int64_t bytecode = signed_of(i->operands[0]);
	int64_t literal = signed_of(i->operands[1]);

	if (literal < 0 || literal >= V8_NO_LITERAL || bytecode < -1 || bytecode > INT32_MAX)
		return false;
	spot->bytecode = bytecode;
	spot->builtin = i->opcode > r->f->interpreted_last;
	spot->literal = literal;
	if (!spot->builtin)
		return true;
	/* The first value of the frame is the function. */
	if (!next(r, i))
		return false;
	literal = i->opcode == r->f->literal ? signed_of(i->operands[0]) : V8_NO_LITERAL;
	if (literal < 0 || literal > V8_NO_LITERAL)
		return false;
	spot->literal = literal;
	return true;
}

size_t v8_translation_read(const struct v8_format *f, const uint8_t *data, size_t n, size_t at,
			   struct v8_spot spots[V8_INLINED])
{
	struct reader r = {.f = f, .data = data, .end = data + n};
	struct instruction i;
	size_t frames, found = 0;

	if (at >= n)
		return 0;
	r.opcodes = strlen(f->operands);
	r.at = data + at;
	frames = begin(&r);
	while (found < frames) {
		if (!next(&r, &i) || (i.opcode >= f->begin && i.opcode <= f->begin_last))
			return 0;
		if (i.opcode < f->interpreted || i.opcode > f->interpreted_last + 2)
			continue;
		if (!read_frame(&r, &i, &spots[found++]))
			return 0;
	}
	return found;
}
