/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The little type information that the kernel wants of us: what a value of the map of threads is,
 * and what the functions of programs are called.
 */
#ifndef TRACER_CAPTURE_BPF_TYPES_H
#define TRACER_CAPTURE_BPF_TYPES_H

/* Ids in the BTF that types_load() loads. */
enum {
	TYPE_INT = 1,
	TYPE_THREAD,   /* struct thread_state */
	TYPE_POINTER,  /* to void */
	TYPE_PROGRAM_, /* prototypes of functions */
	TYPE_STEP_,
	TYPE_PROGRAM, /* a program's first function: int f(void *) */
	TYPE_STEP,    /* a function for bpf_loop(): int f(int, void *) */
	TYPE_STACK,   /* another one, */
	TYPE_FD,      /* and another; */
	TYPE_BODY     /* what a program does while no other thread can get its CPU: f(void *) */
};

/* A descriptor, or -errno. */
int types_load(void);

#endif
