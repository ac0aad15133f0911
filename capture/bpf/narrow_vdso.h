/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The code "[vdso]" that the kernel maps into 32-bit processes, the same in all of them. It cannot
 * be read from a process that has ended, and our own vdso is different.
 */
#ifndef TRACER_CAPTURE_BPF_NARROW_VDSO_H
#define TRACER_CAPTURE_BPF_NARROW_VDSO_H

#include "stack/files/map_source.h"

/*
 * Returns its bytes, *n of them, which the caller frees; own is our own vdso. NULL if there is none
 * or the kernel does not reveal it.
 */
uint8_t *narrow_vdso_read(struct map_range own, size_t *n);

#endif
