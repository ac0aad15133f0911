/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes walked stacks as records (records.h). Each stack is written only once. Its frames are
 * relative to modules, so the record does not depend on the process or its load addresses.
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

/*
 * A stack or module that has been written. `text` in struct stack_book contains its record, but not
 * the number of the record.
 */
struct noted {
	size_t at, n; /* offset and length in bytes of the record in `text` */
	uint32_t number;
};

/* The book; initially {0}. */
struct stack_book {
	struct table by_hash; /* values are indexes in `notes`, plus 1 */
	VEC(struct noted) notes;
	struct strbuf text;
	uint32_t stacks, modules, maps; /* the most recently assigned numbers */
	size_t mapped;			/* total number of mappings in all map tables that were
					   written */
	uint32_t first_module;		/* modules with smaller numbers have become invalid */
	struct strbuf scratch, module;
};

void stack_book_deinit(struct stack_book *b);
/* Returns true if the book is full. In this case, stack_book_forget() must be called. */
bool stack_book_full(const struct stack_book *b);
void stack_book_forget(struct stack_book *b);
/* Appends the records that make s the stack of the next stop. */
void stack_book_put(struct stack_book *b, struct strbuf *out, struct unwinder *u, struct stack *s);

/*
 * Returns the number of the record with these bytes. If the record is new, increments *last,
 * returns the new value, and sets *is_new.
 */
uint32_t stack_book_number(struct stack_book *b, const struct strbuf *bytes, uint32_t *last,
			   bool *is_new);
/*
 * Appends a record that contains a number, followed by the contents of `bytes`, which may be NULL.
 */
void stack_book_put_record(struct strbuf *out, enum record_type type, uint32_t number,
			   const struct strbuf *bytes);
/*
 * Returns the number of a module. If the module is new, appends its record. build_id may be NULL.
 */
uint32_t stack_book_module(struct stack_book *b, struct strbuf *out, struct mapping *m,
			   const char *build_id);

#endif
