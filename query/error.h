/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A mistake that was found in a query. */
#ifndef TRACER_QUERY_ERROR_H
#define TRACER_QUERY_ERROR_H

#include "defs.h"

struct query_error {
	char *message; /* describes the mistake without its position; freed by the caller */
	/* the correct word that the user probably meant, or NULL; freed by the caller */
	char *meant;
	size_t start, len; /* position of the mistake in the expression, in bytes */
};

#endif
