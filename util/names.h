/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of errors and signals, including those that only the kernel and tracers use. */
#ifndef TRACER_UTIL_NAMES_H
#define TRACER_UTIL_NAMES_H

#include "defs.h"

/* "ENOENT", "ERESTARTSYS"; NULL for a number that has none. */
const char *errno_name(int err);
/* "No such file or directory", as strerror(3) has it in the C locale. Never NULL. */
const char *errno_description(int err);
/* The same, but for restart codes it says what the kernel will do. */
const char *errno_text(int err);
/* "SIGTERM", "SIGRTMIN", "SIGRT_1"; NULL for a number that has none. */
const char *signal_name(int sig);

#endif
