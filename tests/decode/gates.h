/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How syscalls of any ABI of x86_64 are made by a 64-bit program. */
#ifndef TRACER_TESTS_DECODE_GATES_H
#define TRACER_TESTS_DECODE_GATES_H

#include <stdint.h>

/*
 * Both gates take a pointer to a number and six arguments: gate_64 for x86_64 and x32, gate_32 for
 * i386. The labels mark the addresses that seccomp sees: those after the instructions.
 */
void gate_64(const uint64_t *call);
void gate_32(const uint64_t *call);
extern const char gate_64_end[], gate_32_end[];
__asm__(".text\n"
	"gate_64: mov %rdi, %r11; mov (%r11), %rax; mov 8(%r11), %rdi; mov 16(%r11), %rsi\n"
	"mov 24(%r11), %rdx; mov 32(%r11), %r10; mov 40(%r11), %r8; mov 48(%r11), %r9\n"
	"syscall\n"
	"gate_64_end: ret\n"
	"gate_32: push %rbx; push %rbp; mov %rdi, %r11; mov (%r11), %rax; mov 8(%r11), %rbx\n"
	"mov 16(%r11), %rcx; mov 24(%r11), %rdx; mov 32(%r11), %rsi; mov 40(%r11), %rdi\n"
	"mov 48(%r11), %rbp\n"
	"int $0x80\n"
	"gate_32_end: pop %rbp; pop %rbx; ret\n");

#endif
