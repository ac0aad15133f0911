/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A mistake in an expression. */
#ifndef TRACER_QUERY_ERROR_H
#define TRACER_QUERY_ERROR_H

#include "defs.h"

struct query_error {
	char *message; /* describes the mistake but not its place; to be freed by the caller */
	char *meant;   /* the word that was probably meant, or NULL; to be freed by the caller */
	size_t start, len; /* the place of the mistake in the text, in bytes */
};

#endif
