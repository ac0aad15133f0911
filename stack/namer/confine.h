/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restricts the namer's process to what it needs. */
#ifndef TRACER_STACK_NAMER_CONFINE_H
#define TRACER_STACK_NAMER_CONFINE_H

#include "defs.h"

/*
 * Confines the calling process, which was just forked. It keeps only one descriptor, sock; the
 * result is the new number of sock. The process gets its own session, no privileges, and limits of
 * memory, CPU time, stack and file size. A seccomp(2) filter allows it only to compute and to read
 * and write open descriptors: it cannot open files, create processes or use the network. It does
 * not dump core, and other processes cannot inspect it. Returns -1 on failure; then the process
 * must exit.
 */
int namer_confine(int sock);

#endif
