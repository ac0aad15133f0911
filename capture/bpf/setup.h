/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the programs find what on this machine. */
#ifndef TRACER_CAPTURE_BPF_SETUP_H
#define TRACER_CAPTURE_BPF_SETUP_H

#include "capture/bpf/records.h"

/* Fills in what depends on the machine; the rest of *s is left as it is. */
void setup_machine(struct setup *s);

#endif
