/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A mistake that was found in a query. */
#ifndef TRACER_QUERY_ERROR_H
#define TRACER_QUERY_ERROR_H

#include "defs.h"

/* The size of a buffer for the reason why a regular expression or a path pattern is invalid. */
#define QUERY_WHY 256

struct query_error {
	char *message; /* describes the mistake without its position; freed by the caller */
	/* the correct word that the user probably meant, or NULL; freed by the caller */
	char *meant;
	size_t start, len; /* position of the mistake in the expression, in bytes */
};

#endif
