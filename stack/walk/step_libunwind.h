/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stepper (stepper.h) that uses libunwind. It makes one step at a time, with the registers and
 * the memory of our walk. libunwind trusts call frame information, so it gets only information that
 * was checked and rewritten (cfi_record.h). The stepper supports only the machine's widest mode.
 */
#ifndef TRACER_STACK_WALK_STEP_LIBUNWIND_H
#define TRACER_STACK_WALK_STEP_LIBUNWIND_H

#include "defs.h"

struct libunwind;

/* Whether libunwind is available and supports what this stepper needs. Loads libunwind. */
bool libunwind_works(void);
/* Frees the member libunwind of struct walk, which the first step creates. u may be NULL. */
void libunwind_destroy(struct libunwind *u);

#endif
