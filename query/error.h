/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is wrong with an expression. */
#ifndef TRACER_QUERY_ERROR_H
#define TRACER_QUERY_ERROR_H

#include "defs.h"

struct query_error {
	char *message;	   /* without the place; to be freed */
	char *meant;	   /* what the word was probably meant to be, or NULL; to be freed */
	size_t start, len; /* the place in the text, in bytes */
};

#endif
