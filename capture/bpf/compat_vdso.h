/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the vdso of 32-bit processes, which is the same in all of them. tracer needs a copy because
 * the memory of an ended process cannot be read, and tracer's own vdso is the 64-bit one.
 */
#ifndef TRACER_CAPTURE_BPF_COMPAT_VDSO_H
#define TRACER_CAPTURE_BPF_COMPAT_VDSO_H

#include "stack/files/map_source.h"

/*
 * Returns the contents of the 32-bit vdso, and stores their size in *n. Returns NULL if there is no
 * 32-bit vdso, or if the kernel does not permit reading it. The caller frees the result. `own` is
 * the address range of tracer's own vdso.
 */
uint8_t *compat_vdso_read(struct map_range own, size_t *n);

#endif
