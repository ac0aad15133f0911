/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lets a 64-bit program make syscalls of its own ABI and, on x86-64, of the i386 and x32 ABIs. */
#ifndef TRACER_TESTS_DECODE_GATES_H
#define TRACER_TESTS_DECODE_GATES_H

#include <stdint.h>

/*
 * Both functions take a pointer to a syscall number and six arguments. gate_64() makes x86_64 and
 * x32 syscalls or, on other machines, syscalls of the 64-bit ABI. gate_32() makes i386 syscalls,
 * and does nothing on other machines. gate_64_end and gate_32_end are the addresses after the
 * syscall instructions. seccomp reports these addresses as the instruction pointer.
 */
void gate_64(const uint64_t *call);
void gate_32(const uint64_t *call);
extern const char gate_64_end[], gate_32_end[];
#if defined __aarch64__
/* The labels are global, because a GOT reference to a local label would lose its offset. */
__asm__(".text\n"
	".globl gate_64, gate_64_end, gate_32, gate_32_end\n"
	"gate_64: mov x9, x0; ldp x8, x0, [x9]; ldp x1, x2, [x9, #16]; ldp x3, x4, [x9, #32]\n"
	"ldr x5, [x9, #48]\n"
	"svc #0\n"
	"gate_64_end: ret\n"
	"gate_32: nop\n"
	"gate_32_end: ret\n");
#elif defined __riscv
__asm__(".text\n"
	".globl gate_64, gate_64_end, gate_32, gate_32_end\n"
	"gate_64: mv t0, a0; ld a7, 0(t0); ld a0, 8(t0); ld a1, 16(t0); ld a2, 24(t0)\n"
	"ld a3, 32(t0); ld a4, 40(t0); ld a5, 48(t0)\n"
	"ecall\n"
	"gate_64_end: ret\n"
	"gate_32: nop\n"
	"gate_32_end: ret\n");
#else
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

#endif
