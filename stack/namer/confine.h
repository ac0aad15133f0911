/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes from the namer's process all that it does not need. */
#ifndef TRACER_STACK_NAMER_CONFINE_H
#define TRACER_STACK_NAMER_CONFINE_H

#include "defs.h"

/*
 * Leaves the calling process, which has just been forked, with one descriptor, sock, whose new
 * number is returned, and with whatever comes by it. It gets a session of its own, no privileges,
 * bounds on memory, processor time, stack and the size of files, and a seccomp(2) filter that lets
 * it compute, read and write what is open, and nothing else: it can open no file, make no process,
 * and reach no network. It leaves no core, and no other process may look into it. Returns -1 if
 * that cannot be had; the process must end then.
 */
int namer_confine(int sock);

#endif
