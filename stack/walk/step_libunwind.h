/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stepper (stepper.h) that uses libunwind. It makes one step at a time with the registers and the
 * memory of our walk. Because libunwind trusts call frame information, it only gets what was
 * checked and rewritten before (cfi_record.h). It works for the machine's widest mode only.
 */
#ifndef TRACER_STACK_WALK_STEP_LIBUNWIND_H
#define TRACER_STACK_WALK_STEP_LIBUNWIND_H

#include "defs.h"

struct libunwind;

/* Whether there is a libunwind, and it can be used so. Loads it. */
bool libunwind_works(void);
/* Frees the field libunwind of struct walk, which the first step makes. NULL is fine. */
void libunwind_destroy(struct libunwind *u);

#endif
