/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An implementation of struct facts for tests. It answers from a list of known answers, which comes
 * from lines of text or from another source. If a question is not in the list, the list answers
 * with the error -ENODATA.
 */
#ifndef TRACER_TESTS_UNIT_ANSWERS_H
#define TRACER_TESTS_UNIT_ANSWERS_H

#include "capture/facts.h"
#include "util/vec.h"

/* A known answer, with its question. The members have the same meaning as in struct fact_answer. */
struct known_answer {
	struct fact_question question; /* the list owns question.key */
	int error;
	unsigned count;
	int64_t numbers[FACT_NUMBERS];
	size_t len;
	char *bytes; /* allocated and owned by the list; not NUL-terminated */
};

struct answers {
	struct facts facts; /* the interface that decoders use */
	/*
	 * If not NULL, this source answers all questions, and its answers are added to the list. If
	 * NULL, the list answers them. Borrowed.
	 */
	struct facts *source;
	VEC(struct known_answer) known;
};

/* Initializes an empty list; answers_deinit() frees it. */
void answers_init(struct answers *a, struct facts *source);
void answers_deinit(struct answers *a);
/* Forgets all answers. */
void answers_clear(struct answers *a);

/*
 * Adds the answer to q, or replaces an existing answer to the same question. Copies both q and
 * *answer.
 */
void answers_add(struct answers *a, const struct fact_question *q,
		 const struct fact_answer *answer);

/*
 * Adds an answer that is given as a line of text in one of these forms:
 *
 *     KIND [tid=N] [n=N] [of=N] [key="TEXT"] = [NUMBER]… ["BYTES"]
 *     KIND … = !ERRNO
 *
 * KIND is a name from enum fact_kind, in lower case and without FACT_. Within quotes, \" \\ \n and
 * \xHH stand for single bytes. Returns NULL on success. If the line is malformed, returns a static
 * string that describes the mistake.
 */
const char *answers_parse(struct answers *a, const char *line);

#endif
