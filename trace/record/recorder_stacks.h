/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks as records (records.h): each stack once, as frames in modules, whatever process and
 * address they are mapped at.
 */
#ifndef TRACER_TRACE_RECORD_RECORDER_STACKS_H
#define TRACER_TRACE_RECORD_RECORDER_STACKS_H

#include "trace/format/records.h"
#include "util/strbuf.h"
#include "util/table.h"
#include "util/vec.h"

struct mapping;
struct stack;
struct unwinder;

/* A stack or a module that was written down: what was written, but for its number. */
struct noted {
	size_t at, n; /* in text */
	uint32_t number;
};

/* {0} is empty. */
struct stack_book {
	struct table by_hash; /* values are indexes of notes, plus one */
	VEC(struct noted) notes;
	struct strbuf text;
	uint32_t stacks, modules, maps; /* the last numbers given out */
	size_t mapped;			/* mappings in all maps */
	uint32_t first_module;		/* those before it are void */
	struct strbuf scratch, module;
};

void stack_book_deinit(struct stack_book *b);
/* Whether there is too much of it, and forgetting all. */
bool stack_book_full(const struct stack_book *b);
void stack_book_forget(struct stack_book *b);
/* Appends the records that say that the next stop has this stack. */
void stack_book_put(struct stack_book *b, struct strbuf *out, struct unwinder *u, struct stack *s);

/*
 * The number of what is written as these bytes; if it is new, the next one of *last, and then
 * *is_new is set.
 */
uint32_t stack_book_number(struct stack_book *b, const struct strbuf *bytes, uint32_t *last,
			   bool *is_new);
/* Appends a record that is a number and those bytes, which may be NULL. */
void stack_book_put_record(struct strbuf *out, enum record_type type, uint32_t number,
			   const struct strbuf *bytes);
/* The number of a module, whose record is appended if it is new. build_id may be NULL. */
uint32_t stack_book_module(struct stack_book *b, struct strbuf *out, struct mapping *m,
			   const char *build_id);

#endif
