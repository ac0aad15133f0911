/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An implementation of struct facts that answers from a list of known answers. The list is filled
 * by recording what another source answers, from a file, or by a test. A question that is not in
 * the list gets the error -ENODATA.
 */
#ifndef TRACER_CAPTURE_ANSWERS_H
#define TRACER_CAPTURE_ANSWERS_H

#include "capture/facts.h"
#include "util/vec.h"

/* One entry of the list; the fields are those of struct fact_answer. */
struct known_answer {
	struct fact_question question; /* the list owns its key */
	int error;
	unsigned count;
	int64_t numbers[FACT_NUMBERS];
	size_t len;
	char *bytes; /* owned by the list; not terminated */
};

struct answers {
	struct facts facts; /* pass this one to decoders */
	/*
	 * Each question goes to this source first, and its answer goes into the list. NULL: the
	 * list alone answers. Borrowed.
	 */
	struct facts *source;
	VEC(struct known_answer) known;
};

/* Begins with an empty list; answers_deinit() frees it. */
void answers_init(struct answers *a, struct facts *source);
void answers_deinit(struct answers *a);
/* Forgets all answers. */
void answers_clear(struct answers *a);

/* Adds the answer to q, or replaces the one that the list has. Copies both. */
void answers_add(struct answers *a, const struct fact_question *q,
		 const struct fact_answer *answer);

/*
 * Adds an answer that is written as a line of text:
 *
 *	KIND [tid=N] [n=N] [of=N] [key="TEXT"] = [NUMBER]… ["BYTES"]
 *	KIND … = !ERRNO
 *
 * KIND is the name of an enum fact_kind in lower case without FACT_. Within quotes \" \\ \n and
 * \xHH stand for single bytes. Returns NULL, or a static text that says what is wrong.
 */
const char *answers_parse(struct answers *a, const char *line);

#endif
