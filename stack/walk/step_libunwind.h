/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stepper (stepper.h) that uses libunwind for one step at a time, with our walk's registers and
 * memory. libunwind trusts call frame information, so it gets only information that has been
 * checked and rewritten (cfi_record.h). The stepper supports only the machine's widest mode.
 */
#ifndef TRACER_STACK_WALK_STEP_LIBUNWIND_H
#define TRACER_STACK_WALK_STEP_LIBUNWIND_H

#include "defs.h"

struct libunwind;

/*
 * Loads libunwind. Returns true if it is available and supports everything that this stepper needs.
 */
bool libunwind_works(void);
/*
 * Frees the member `libunwind` of struct walk. The first step of the stepper has created it. u may
 * be NULL.
 */
void libunwind_destroy(struct libunwind *u);

#endif
