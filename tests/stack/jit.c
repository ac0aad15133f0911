/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Code made at run time, with frame pointers, named in /tmp/perf-PID.map as it goes. */
#include "truth.h"

#include <sys/mman.h>
#include <sys/stat.h>

typedef void callback(void);

static char name[64];

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

/* A function with a frame of some n bytes that calls its argument. Returns its size. */
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

static void told(FILE *map, const void *at, size_t size, const char *what)
{
	fprintf(map, "%lx %zx %s\n", (unsigned long)at, size, what);
	fflush(map);
}

static NOINLINE void run(void *code, const char *what)
{
	TRUTH;
	truth_names[truth_depth++] = what;
	((void (*)(callback *))code)(leaf);
	truth_depth--;
}

int main(int argc, char **argv)
{
	TRUTH;
	unsigned char *code;
	FILE *map;
	size_t n;

	check();
	if (argc > 1 && (mkdir(argv[1], 0755), chdir(argv[1]), chroot(".")))
		return 77;
	mkdir("/tmp", 01777);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	map = fopen(name, "w");
	code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	n = emit(code, 0x20);
	told(map, code, n, "first one");
	run(code, "first one");
	n = emit(code + 256, 0x40);
	told(map, code + 256, n, "second");
	run(code + 256, "second");
	/* The first is replaced by a larger one. */
	n = emit(code + 4, 0x60);
	told(map, code + 4, n, "replaced");
	run(code + 4, "replaced");
	for (int i = 0; i < 1000; i++) {
		char what[32];

		snprintf(what, sizeof(what), "other%d", i);
		told(map, code + 4096 + i, 1, what);
	}
	run(code + 256, "second");
	fclose(map);
	unlink(name);
	check();
	return 0;
}
