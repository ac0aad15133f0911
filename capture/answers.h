/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Facts as a list of questions and their answers: recorded while somebody else is asked, answered
 * again later, or made up by a test. A question that is not in the list gets -ENODATA.
 */
#ifndef TRACER_CAPTURE_ANSWERS_H
#define TRACER_CAPTURE_ANSWERS_H

#include "capture/facts.h"
#include "util/vec.h"

struct known_answer {
	struct fact_question question; /* its key is the list's own copy */
	int error;
	unsigned count; /* of numbers */
	int64_t numbers[FACT_NUMBERS];
	size_t len;
	char *bytes; /* the list's own; no NUL behind them */
};

struct answers {
	struct facts facts; /* what decoding is given */
	/* Who is asked first, each time anew; what it says goes into the list. NULL: nobody. */
	struct facts *source;
	VEC(struct known_answer) known;
};

void answers_init(struct answers *a, struct facts *source);
void answers_deinit(struct answers *a);
/* Forgets all answers. */
void answers_clear(struct answers *a);

/* Adds an answer, or replaces the one to that question. All is copied. */
void answers_add(struct answers *a, const struct fact_question *q,
		 const struct fact_answer *answer);

/*
 * The same from a line of text, as traces of what was asked and cases of tests have it:
 *
 *	KIND [tid=N] [n=N] [of=N] [key="TEXT"] = [NUMBER]… ["BYTES"]
 *	KIND … = !ERRNO
 *
 * KIND is the name of the enum without FACT_, in small letters; in quotes \" \\ \n and \xHH stand
 * for bytes. NULL, or what is wrong with it.
 */
const char *answers_parse(struct answers *a, const char *line);

#endif
