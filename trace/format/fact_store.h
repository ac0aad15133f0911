/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stores the last answer to each question about facts (capture/facts.h) while a trace is being
 * recorded or read.
 */
#ifndef TRACER_TRACE_FORMAT_FACT_STORE_H
#define TRACER_TRACE_FORMAT_FACT_STORE_H

#include "capture/facts.h"
#include "util/table.h"
#include "util/vec.h"

struct stored_fact {
	struct fact_question question; /* the store owns question.key */
	int error;
	unsigned count;
	int64_t numbers[FACT_NUMBERS];
	bool late;
	size_t len;
	char *bytes;	/* owned by the store; not NUL-terminated */
	uint64_t stamp; /* for use by the owner of the store; initially 0 */
};

/* The store; initially {0}. */
struct fact_store {
	struct table by_hash; /* values are indexes in `facts`, plus 1 */
	VEC(struct stored_fact) facts;
	size_t bytes; /* total size of keys and answers in bytes */
};

void fact_store_deinit(struct fact_store *s);
void fact_store_clear(struct fact_store *s);
/*
 * Returns the stored answer to q, or NULL if there is none. The result is valid until the store
 * changes.
 */
struct stored_fact *fact_store_find(const struct fact_store *s, const struct fact_question *q);
/*
 * Stores a copy of the answer a to the question q, and sets *stored to the copy. Replaces an
 * earlier answer to q. Returns true if a differs from the earlier answer, or if there was none.
 */
bool fact_store_put(struct fact_store *s, const struct fact_question *q,
		    const struct fact_answer *a, struct stored_fact **stored);
/* Returns the approximate memory usage of the store in bytes. */
static inline size_t fact_store_size(const struct fact_store *s)
{
	return s->bytes + s->facts.n * (sizeof(struct stored_fact) + 2 * sizeof(struct table_slot));
}
/* Converts a stored fact to an answer. */
void stored_fact_answer(const struct stored_fact *f, struct fact_answer *a);

#endif
