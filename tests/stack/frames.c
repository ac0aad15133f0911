/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of all kinds that compilers generate. */
#include "truth.h"

#include <alloca.h>

static volatile int sink;

static NOINLINE void small(void)
{
	TRUTH;
	check();
}

static NOINLINE int many_saved(int a, int b, int c, int d, int e, int f)
{
	TRUTH;
	int x = a * sink, y = b * sink, z = c + sink, u = d - sink, v = e ^ sink, w = f | sink;

	small();
	check();
	small();
	return x + y * z - u * v + w + a + b + c + d + e + f;
}

static NOINLINE int with_alloca(int n)
{
	TRUTH;
	volatile char *p = alloca(n * 16 + 1);

	p[0] = n;
	many_saved(1, 2, 3, 4, 5, 6);
	check();
	return p[0];
}

static NOINLINE int with_vla(int n)
{
	TRUTH;
	volatile char a[n * 8 + 1];

	a[n] = 1;
	with_alloca(n);
	check();
	return a[n];
}

static NOINLINE int aligned(int n)
{
	TRUTH;
	volatile char a[64] __attribute__((aligned(64)));
	volatile char *p = alloca(n + 1);

	a[0] = p[0] = 0;
	with_vla(n);
	check();
	return a[0] + p[0];
}

static NOINLINE int large(int n)
{
	TRUTH;
	volatile char a[100000];

	a[n] = 0;
	aligned(n);
	check();
	return a[n];
}

static NOINLINE int recurse(int n)
{
	TRUTH;
	if (n)
		return recurse(n - 1) + sink;
	large(3);
	check();
	return 0;
}

static __attribute__((noinline, noclone, cold)) void cold_one(void)
{
	TRUTH;
	check();
}

static NOINLINE int with_cold(int n)
{
	TRUTH;
	if (__builtin_expect(n == 7, 0)) {
		cold_one();
		check();
		sink++;
	}
	return sink;
}

static NOINLINE double floats(double a, double b)
{
	TRUTH;
	double c = a * b + sink;

	small();
	return c * a;
}

static NOINLINE void through_pointer(int (*fn)(int), int n)
{
	TRUTH;
	fn(n);
	check();
}

#ifdef __x86_64__
/* Pops its return address and keeps it in a register, like Go's vfork function. */
extern void popped(int n);
__asm__(".text\n"
	".type popped, @function\n"
	"popped:\n"
	".cfi_startproc\n"
	"	pop	%r8\n"
	".cfi_def_cfa_offset 0\n"
	"	neg	%edi\n"
	"	mov	$81, %eax\n"
	"	syscall\n"
	"	push	%r8\n"
	".cfi_def_cfa_offset 8\n"
	"	ret\n"
	".cfi_endproc\n"
	".size popped, .-popped\n");

static NOINLINE void calls_popped(void)
{
	TRUTH;
	int n;

	truth_names[truth_depth++] = "popped";
	n = truth_note("*");
	truth_depth--;
	popped(n);
}
#endif

int main(int argc, char **argv)
{
	TRUTH;
	(void)argv;
	through_pointer(recurse, 5);
	with_cold(argc + 6);
	through_pointer(with_cold, argc + 6);
	sink = floats(argc, 2);
#ifdef __x86_64__
	calls_popped();
#endif
	check();
	return 0;
}
