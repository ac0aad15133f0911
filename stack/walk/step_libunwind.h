/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libunwind as a stepper: one step at a time, with our registers, our view of memory, and call
 * frame information that was checked and rewritten before (cfi_record.h), because it trusts what
 * it reads. It sees mappings through mmap_cache.c only, and knows the machine's widest mode only.
 */
#ifndef TRACER_STACK_STEP_LIBUNWIND_H
#define TRACER_STACK_STEP_LIBUNWIND_H

#include "defs.h"

struct libunwind;

/* Whether the libunwind that tracer was built with can be used so. */
bool libunwind_works(void);
/* For struct walk; NULL where it does not work. */
struct libunwind *libunwind_create(void);
void libunwind_destroy(struct libunwind *u); /* NULL is fine */

#endif
