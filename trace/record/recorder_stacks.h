/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Encodes walked stacks as records (records.h). Each stack is written only once. The addresses of
 * frames are relative to modules, so the record does not depend on the process or on load
 * addresses.
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
 * A stack, module or map table that has been written. `text` in struct stack_index contains its
 * record, without the number of the record.
 */
struct written_record {
	size_t at, n; /* offset and length in bytes of the record in `text` */
	uint32_t number;
};

/*
 * An index of the stacks, modules and map tables that have been written to the trace. It assigns a
 * number to each of them. Initially {0}.
 */
struct stack_index {
	struct table by_hash; /* values are indexes in `written`, plus 1 */
	VEC(struct written_record) written;
	struct strbuf text;
	uint32_t stacks, modules, maps; /* the most recently assigned numbers */
	size_t mapped;			/* total number of mappings in all map tables that were
					   written */
	uint32_t first_module;		/* modules with smaller numbers have become invalid */
	struct strbuf scratch, module;
};

void stack_index_deinit(struct stack_index *b);
/* Returns true if the index is full. In this case, stack_index_forget() must be called. */
bool stack_index_full(const struct stack_index *b);
void stack_index_forget(struct stack_index *b);
/* Appends the records that make s the stack of the next stop in the trace. */
void stack_index_put(struct stack_index *b, struct strbuf *out, struct unwinder *u,
		     struct stack *s);

/*
 * Returns the number of the record with these bytes. If the record is new, increments *last,
 * returns the new value, and sets *is_new to true. Otherwise does not change *is_new.
 */
uint32_t stack_index_number(struct stack_index *b, const struct strbuf *bytes, uint32_t *last,
			    bool *is_new);
/*
 * Appends a record that contains a number, followed by the contents of `bytes`, which may be NULL.
 */
void stack_index_put_record(struct strbuf *out, enum record_type type, uint32_t number,
			    const struct strbuf *bytes);
/*
 * Returns the number of a module. If the module is new, appends its record. build_id may be NULL.
 */
uint32_t stack_index_module(struct stack_index *b, struct strbuf *out, struct mapping *m,
			    const char *build_id);

#endif
