/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machine that makes the reads of a plan, as instructions of BPF: one function, which the
 * helper bpf_loop() calls for one read, or a part of one, at a time. All that it knows is in struct
 * scratch, so the verifier has to look at it only once.
 */
#ifndef TRACER_CAPTURE_BPF_MACHINE_H
#define TRACER_CAPTURE_BPF_MACHINE_H

#include "capture/bpf/code.h"

/*
 * Appends the function, which is called with (index, pointer to the address of the scratch). ops is
 * the map of struct read_op.
 */
void machine_function(struct code *c, int ops);
/*
 * Appends the function that reads the stack, a page at a time, each as a chunk of its own. In the
 * scratch, addr and limit say where and how much.
 */
void machine_stack_function(struct code *c);

/*
 * Appends a call of the function at a label, in a program with the scratch in r6: makes the reads
 * (READS()) in register reads, for scratch.args and scratch.result. They are appended to the record
 * as chunks of that kind. Eight bytes of the program's stack at `slot` are used.
 */
void machine_run(struct code *c, unsigned function, enum reg reads, int what, int16_t slot);

#endif
