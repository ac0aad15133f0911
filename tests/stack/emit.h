/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Emits machine code at run time, like a JIT compiler. */
#ifndef EMIT_H
#define EMIT_H

#include <string.h>

/*
 * Emits a function that has a frame pointer and a frame of at least n bytes, and that calls its
 * first argument. Returns the size of the code in bytes.
 */
static size_t emit(unsigned char *p, unsigned char n)
{
#if defined(__aarch64__)
	const unsigned size = (n + 16u) / 8;
	const unsigned code[] = {0xa9807bfd | (-size & 0x7f)
						      << 15, /* stp x29, x30, [sp, #-8 * size]! */
				 0x910003fd,		     /* mov x29, sp */
				 0xd63f0000,		     /* blr x0 */
				 0xa8c07bfd | size << 15,    /* ldp x29, x30, [sp], #8 * size */
				 0xd65f03c0};		     /* ret */
#elif defined(__riscv)
	const unsigned code[] = {0xff010113,			  /* addi sp, sp, -16 */
				 0x00813023,			  /* sd s0, 0(sp) */
				 0x00113423,			  /* sd ra, 8(sp) */
				 0x01010413,			  /* addi s0, sp, 16 */
				 0x00010113 | -(unsigned)n << 20, /* addi sp, sp, -n */
				 0x000500e7,			  /* jalr a0 */
				 0xff040113,			  /* addi sp, s0, -16 */
				 0x00013403,			  /* ld s0, 0(sp) */
				 0x00813083,			  /* ld ra, 8(sp) */
				 0x01010113,			  /* addi sp, sp, 16 */
				 0x00008067};			  /* ret */
#elif defined(__x86_64__) || defined(__i386__)
	/* push %rbp; mov %rsp,%rbp; sub $n,%rsp; call *%rdi; leave; ret */
	const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83,
				      0xec, n,	  0xff, 0xd7, 0xc9, 0xc3};
#else
#error "no code for this machine"
#endif

	memcpy(p, code, sizeof(code));
	__builtin___clear_cache((char *)p, (char *)p + sizeof(code));
	return sizeof(code);
}

#ifdef __x86_64__
/*
 * Emits a function without a frame pointer that calls its second argument, as HotSpot's C1 compiler
 * does: sub $n,%rsp; call *%rsi; add $n,%rsp; ret
 */
static size_t emit_frameless(unsigned char *p, unsigned char n)
{
	const unsigned char code[] = {0x48, 0x83, 0xec, n, 0xff, 0xd6, 0x48, 0x83, 0xc4, n, 0xc3};

	memcpy(p, code, sizeof(code));
	return sizeof(code);
}

/* Like emit_frameless(), but returns with pop %rcx; jmp *%rcx, which code analysis rejects. */
static size_t emit_undecidable(unsigned char *p, unsigned char n)
{
	const unsigned char code[] = {0x48, 0x83, 0xec, n,    0xff, 0xd6, 0x48,
				      0x83, 0xc4, n,	0x59, 0xff, 0xe1};

	memcpy(p, code, sizeof(code));
	return sizeof(code);
}
#endif

#endif
