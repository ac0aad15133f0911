/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replaces step_libunwind.c in builds without libunwind. The stepper refuses every frame.
 */
#include "stack/walk/step_libunwind.h"

#include "stack/walk/stepper.h"

bool libunwind_works(void)
{
	return false;
}

void libunwind_destroy(struct libunwind *u attr_unused)
{
}

static enum outcome step(struct walk *w, struct walk_state *s, struct elf_file *f attr_unused,
			 uint64_t addr attr_unused)
{
	return walk_refused(w, STACK_UNSUPPORTED, s->pc);
}

const struct stepper stepper_libunwind = {.step = step, .whole = true};
