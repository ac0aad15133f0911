/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The code that the kernel maps into 32-bit processes, "[vdso]": the same in all of them. A process
 * that has ended cannot be read any more, and we have another one.
 */
#ifndef TRACER_CAPTURE_BPF_NARROW_VDSO_H
#define TRACER_CAPTURE_BPF_NARROW_VDSO_H

#include "stack/files/map_source.h"

/*
 * Its bytes, *n of them, to be freed by the caller; own is where our own vdso is. NULL: there is
 * none, or the kernel does not show it.
 */
uint8_t *narrow_vdso_read(struct map_range own, size_t *n);

#endif
