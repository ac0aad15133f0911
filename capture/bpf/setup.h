/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Determines the machine-dependent settings of the programs. */
#ifndef TRACER_CAPTURE_BPF_SETUP_H
#define TRACER_CAPTURE_BPF_SETUP_H

#include "capture/bpf/map_values.h"

/* Fills in the members that depend on the machine. The other members of *s are not changed. */
void setup_machine(struct setup *s);

/*
 * Returns the audit value (AUDIT_ARCH_*) of the compat ABIs that this machine's kernel supports, or
 * 0 if it supports none.
 */
uint32_t setup_compat_audit(void);

#endif
