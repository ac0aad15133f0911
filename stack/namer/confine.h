/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Restricts the namer process, in which third-party libraries parse tracees' files, to the
 * operations that it needs.
 */
#ifndef TRACER_STACK_NAMER_CONFINE_H
#define TRACER_STACK_NAMER_CONFINE_H

#include "defs.h"

/*
 * Confines the calling process, which must have just been forked. Closes all descriptors except
 * sock, and returns sock's new number. The process gets its own session, no privileges, and limits
 * on memory, CPU time, stack and file size. It does not dump core, and other processes cannot
 * inspect it. A seccomp(2) filter allows it only to compute and to use open descriptors: it cannot
 * open files, create processes or use the network. Returns -1 on failure. In this case, the process
 * must exit.
 */
int namer_confine(int sock);

#endif
