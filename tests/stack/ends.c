/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks that cannot be walked to their end, and a very deep stack that can be walked to its end.
 */
#include "truth.h"

#include <sys/mman.h>
#include <sys/resource.h>

static volatile int sink;

static NOINLINE int deep(int n)
{
	if (n)
		return deep(n - 1) + sink;
	check_more(getenv("LIMITED") ? "!too many stack frames" : "^deep");
	return 0;
}

/*
 * The locations of the saved frame pointer and the return address, as offsets from the frame
 * pointer in longs.
 */
#ifdef __riscv
#define AT_FP -2
#define AT_RA -1
#else
#define AT_FP 0
#define AT_RA 1
#endif

#define FRAME(name, body)                                                                          \
	static NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void name(void)         \
	{                                                                                          \
		TRUTH;                                                                             \
		unsigned long *fp = __builtin_frame_address(0), ra = fp[AT_RA], bp = fp[AT_FP];    \
                                                                                                   \
		body;                                                                              \
		fp[AT_RA] = ra;                                                                    \
		fp[AT_FP] = bp;                                                                    \
	}

/* Records the expected stack, then runs `how` to corrupt the real stack before the syscall. */
#define BROKEN(how, reason)                                                                        \
	do {                                                                                       \
		int n;                                                                             \
                                                                                                   \
		truth_names[0] = truth_names[truth_depth - 1];                                     \
		int depth = truth_depth;                                                           \
		truth_depth = 1;                                                                   \
		n = truth_note(reason);                                                            \
		truth_depth = depth;                                                               \
		how;                                                                               \
		__asm__ volatile("" ::: "memory");                                                 \
		TRUTH_FCHDIR(n);                                                                   \
		__asm__ volatile("" ::: "memory");                                                 \
	} while (0)

FRAME(smashed, BROKEN(fp[AT_RA] = 0x4141414141414141, "!no executable mapping"))
FRAME(data_pointer, BROKEN(fp[AT_RA] = (unsigned long)&sink, "!no executable mapping"))

/* Calls fn on another stack. The CFI of own_stack() finds the first stack by the frame pointer. */
extern void own_stack(void *stack, void (*fn)(void));
/* A function whose CFI is circular: the caller of the frame is the same frame. */
extern void circle(int n);
/*
 * A function whose unwind rule uses the frame pointer, while the frame pointer points to an address
 * below the stack.
 */
extern void backwards(int n);
/* A function with invalid CFI: the expression for the CFA pushes nothing. */
extern void nonsense(int n);

#if defined(__aarch64__)
#define CALL                                                                                       \
	"	neg	x0, x0\n"                                                                            \
	"	sxtw	x0, w0\n"                                                                           \
	"	mov	x8, #50\n"                                                                           \
	"	svc	#0\n"

__asm__(".text\n"
	".type own_stack, %function\n"
	"own_stack:\n"
	".cfi_startproc\n"
	"	stp	x29, x30, [sp, #-16]!\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset x29, -16\n"
	".cfi_offset x30, -8\n"
	"	mov	x29, sp\n"
	".cfi_def_cfa_register x29\n"
	"	mov	sp, x0\n"
	"	blr	x1\n"
	"	mov	sp, x29\n"
	".cfi_def_cfa_register sp\n"
	"	ldp	x29, x30, [sp], #16\n"
	".cfi_def_cfa_offset 0\n"
	".cfi_restore x29\n"
	".cfi_restore x30\n"
	"	ret\n"
	".cfi_endproc\n"
	".size own_stack, .-own_stack\n"

	".type circle, %function\n"
	"circle:\n"
	".cfi_startproc\n"
	".cfi_signal_frame\n"
	".cfi_escape 0x16, 30, 2, 0x83, 0\n" /* the caller's pc is x19 + 0 */
	".cfi_escape 0x16, 31, 2, 0x8f, 0\n" /* the caller's sp is this frame's sp */
	"	mov	x9, x19\n"
	"	adr	x19, 1f\n" CALL "1:	mov	x19, x9\n"
	"	ret\n"
	".cfi_endproc\n"
	".size circle, .-circle\n"

	".type backwards, %function\n"
	"backwards:\n"
	".cfi_startproc\n"
	"	mov	x9, x29\n"
	".cfi_def_cfa x29, 16\n"
	".cfi_offset x29, -16\n"
	".cfi_offset x30, -8\n"
	"	sub	x29, sp, #256\n" CALL "	mov	x29, x9\n"
	"	ret\n"
	".cfi_endproc\n"
	".size backwards, .-backwards\n"

	".type nonsense, %function\n"
	"nonsense:\n"
	".cfi_startproc\n"
	".cfi_escape 0x0f, 1, 0x96\n" CALL "	ret\n"
	".cfi_endproc\n"
	".size nonsense, .-nonsense\n");
#elif defined __riscv
#define CALL                                                                                       \
	"	neg	a0, a0\n"                                                                            \
	"	sext.w	a0, a0\n"                                                                         \
	"	li	a7, 50\n"                                                                             \
	"	ecall\n"

__asm__(".text\n"
	".type own_stack, @function\n"
	"own_stack:\n"
	".cfi_startproc\n"
	"	addi	sp, sp, -16\n"
	".cfi_def_cfa_offset 16\n"
	"	sd	s0, 0(sp)\n"
	"	sd	ra, 8(sp)\n"
	".cfi_offset s0, -16\n"
	".cfi_offset ra, -8\n"
	"	addi	s0, sp, 16\n"
	".cfi_def_cfa s0, 0\n"
	"	mv	sp, a0\n"
	"	jalr	a1\n"
	"	addi	sp, s0, -16\n"
	".cfi_def_cfa sp, 16\n"
	"	ld	s0, 0(sp)\n"
	"	ld	ra, 8(sp)\n"
	".cfi_restore s0\n"
	".cfi_restore ra\n"
	"	addi	sp, sp, 16\n"
	".cfi_def_cfa_offset 0\n"
	"	ret\n"
	".cfi_endproc\n"
	".size own_stack, .-own_stack\n"

	".type circle, @function\n"
	"circle:\n"
	".cfi_startproc\n"
	".cfi_signal_frame\n"
	".cfi_escape 0x16, 1, 2, 0x82, 0\n" /* the caller's pc is s2 + 0 */
	".cfi_escape 0x16, 2, 2, 0x72, 0\n" /* the caller's sp is this frame's sp */
	"	mv	t1, s2\n"
	"	lla	s2, 1f\n" CALL "1:	mv	s2, t1\n"
	"	ret\n"
	".cfi_endproc\n"
	".size circle, .-circle\n"

	".type backwards, @function\n"
	"backwards:\n"
	".cfi_startproc\n"
	"	mv	t1, s0\n"
	".cfi_def_cfa s0, 0\n"
	".cfi_offset s0, -16\n"
	".cfi_offset ra, -8\n"
	"	addi	s0, sp, -256\n" CALL "	mv	s0, t1\n"
	"	ret\n"
	".cfi_endproc\n"
	".size backwards, .-backwards\n"

	".type nonsense, @function\n"
	"nonsense:\n"
	".cfi_startproc\n"
	".cfi_escape 0x0f, 1, 0x96\n" CALL "	ret\n"
	".cfi_endproc\n"
	".size nonsense, .-nonsense\n");
#else
__asm__(".text\n"
	".type own_stack, @function\n"
	"own_stack:\n"
	".cfi_startproc\n"
	"	push	%rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbp, -16\n"
	"	mov	%rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"	mov	%rdi, %rsp\n"
	"	call	*%rsi\n"
	"	leave\n"
	".cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	".cfi_endproc\n"
	".size own_stack, .-own_stack\n");

__asm__(".text\n"
	".type circle, @function\n"
	"circle:\n"
	".cfi_startproc\n"
	".cfi_signal_frame\n"
	".cfi_def_cfa %rsp, 8\n"
	".cfi_escape 0x16, 0x10, 2, 0x76, 0\n" /* the caller's pc is rbp + 0 */
	".cfi_escape 0x16, 0x07, 2, 0x77, 0\n" /* the caller's rsp is this frame's rsp */
	"	push	%rbp\n"
	"	lea	1f(%rip), %rbp\n"
	"	neg	%rdi\n"
	"	movslq	%edi, %rdi\n"
	"	mov	$81, %eax\n"
	"	add	$8, %rsp\n"
	"	syscall\n"
	"1:	sub	$8, %rsp\n"
	"	pop	%rbp\n"
	"	ret\n"
	".cfi_endproc\n"
	".size circle, .-circle\n");

__asm__(".text\n"
	".type backwards, @function\n"
	"backwards:\n"
	".cfi_startproc\n"
	"	push	%rbp\n"
	".cfi_def_cfa %rbp, 16\n"
	".cfi_offset %rbp, -16\n"
	"	lea	-256(%rsp), %rbp\n"
	"	neg	%rdi\n"
	"	movslq	%edi, %rdi\n"
	"	mov	$81, %eax\n"
	"	syscall\n"
	"	pop	%rbp\n"
	".cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	".cfi_endproc\n"
	".size backwards, .-backwards\n");

__asm__(".text\n"
	".type nonsense, @function\n"
	"nonsense:\n"
	".cfi_startproc\n"
	".cfi_escape 0x0f, 1, 0x96\n"
	"	neg	%rdi\n"
	"	movslq	%edi, %rdi\n"
	"	mov	$81, %eax\n"
	"	syscall\n"
	"	ret\n"
	".cfi_endproc\n"
	".size nonsense, .-nonsense\n");

/*
 * A function like the musl function that calls main(): it has no CFI and does not return, and its
 * frame pointer register points to zeros.
 */
extern void data_in_bp(int n);
unsigned long *zeros;
__asm__(".text\n"
	".type data_in_bp, @function\n"
	"data_in_bp:\n"
	"	push	%rbp\n"
	"	mov	zeros(%rip), %rbp\n"
	"	neg	%rdi\n"
	"	movslq	%edi, %rdi\n"
	"	mov	$81, %eax\n"
	"	syscall\n"
	"	pop	%rbp\n"
	"	pop	%rcx\n"
	"	jmp	*%rcx\n"
	".size data_in_bp, .-data_in_bp\n");
#endif

static void known(void (*fn)(int), const char *name, const char *reason)
{
	int depth = truth_depth, n;

	truth_names[0] = name;
	truth_depth = 1;
	n = truth_note(reason);
	truth_names[0] = "main";
	truth_depth = depth;
	fn(n);
}

/* A frame of several pages. The page with its return address is unmapped before the syscall. */
static NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void on_small_stack(void)
{
	TRUTH;
	volatile char large[3 * 4096];
	unsigned long *fp = __builtin_frame_address(0);
	int n;

	large[0] = 0;
	truth_names[0] = __func__;
	truth_depth = 1;
	n = truth_note("!unreadable stack memory");
	munmap((void *)((unsigned long)&fp[1] & ~4095ul), 4096);
	TRUTH_FCHDIR(n);
	_exit(large[0]);
}

int main(void)
{
	TRUTH;
	struct rlimit rl = {RLIM_INFINITY, RLIM_INFINITY};
	char *stack;

	if (getenv("DEEP")) {
		setrlimit(RLIMIT_STACK, &rl);
		unsetenv("DEEP");
		setenv("DEEPER", "1", 1);
		execl("/proc/self/exe", "ends", NULL);
	}
	if (getenv("DEEPER")) {
		deep(atoi(getenv("DEPTH")));
		return 0;
	}
	smashed();
	data_pointer();
	known(circle, "circle", "!stack frames in a loop");
	known(backwards, "backwards", "!stack frames in a loop");
	known(nonsense, "nonsense", "!invalid unwind information");
#ifdef __x86_64__
	unsigned long none[4] = {0};

	zeros = none;
	known(data_in_bp, "data_in_bp", "!no unwind information");
	zeros = NULL;
#endif
	check();
	stack = mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
/* On aarch64, the return address is next to sp, in a page that the function still needs. */
#ifndef __aarch64__
	own_stack(stack + 14 * 4096 - 64, on_small_stack);
#endif
	return 0;
}
