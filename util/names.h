/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of errors and signals, including errors that only the kernel and tracers see. */
#ifndef TRACER_UTIL_NAMES_H
#define TRACER_UTIL_NAMES_H

#include "defs.h"

/* Returns the name of an error, such as "ENOENT" or "ERESTARTSYS", or NULL if it is unknown. */
const char *errno_name(int err);
/*
 * Returns the text of strerror(3) in the C locale: "No such file or directory". Never returns NULL.
 */
const char *errno_description(int err);
/*
 * Like errno_description(), but with its own texts for restart codes, such as "To be restarted if
 * SA_RESTART is set".
 */
const char *errno_text(int err);
/*
 * Returns the name of a signal, such as "SIGTERM", "SIGRTMIN" or "SIGRT_1", or NULL if it is
 * unknown.
 */
const char *signal_name(int sig);

#endif
