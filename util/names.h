/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of errors and signals, including those that only the kernel and tracers use. */
#ifndef TRACER_UTIL_NAMES_H
#define TRACER_UTIL_NAMES_H

#include "defs.h"

/* "ENOENT", "ERESTARTSYS"; NULL for an unknown number. */
const char *errno_name(int err);
/* "No such file or directory", the text of strerror(3) in the C locale. Never NULL. */
const char *errno_description(int err);
/* Like errno_description(), but describes for restart codes what the kernel will do. */
const char *errno_text(int err);
/* "SIGTERM", "SIGRTMIN", "SIGRT_1"; NULL for an unknown number. */
const char *signal_name(int sig);

#endif
