/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code with frame pointers, generated at run time. Each function is added to /tmp/perf-PID.map
 * before it runs.
 */
#include "emit.h"
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

static void publish(FILE *map, const void *at, size_t size, const char *what)
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

#ifdef __x86_64__
static const char *ending = "*";

static NOINLINE void innermost(void)
{
	TRUTH;
	check_more(ending);
}

/*
 * Calls `framed`, which has a frame pointer. It calls `code`, which has no frame pointer and calls
 * innermost().
 */
static NOINLINE void through(unsigned char *framed, unsigned char *code, const char *what)
{
	TRUTH;
	truth_names[truth_depth++] = "second";
	truth_names[truth_depth++] = what;
	((void (*)(void *, callback *))framed)(code, innermost);
	truth_depth -= 2;
}

/*
 * A walk that follows only frame pointers would skip the callers of code without a frame pointer.
 */
static NOINLINE void run_frameless(unsigned char *code, FILE *map)
{
	TRUTH;
	unsigned char *frameless = code + 3072, *undecidable = code + 3200;
	const char *names[2];
	int depth;

	publish(map, frameless, emit_frameless(frameless, 0x18), "frameless");
	publish(map, undecidable, emit_undecidable(undecidable, 0x28), "undecidable");
	/* Call the code several times, because the unwinder caches its results. */
	for (int i = 0; i < 4; i++)
		through(code + 256, frameless, "frameless");
	/* The walk ends in the code "undecidable", which has called innermost(). */
	ending = "!no unwind information";
	depth = truth_depth;
	memcpy(names, truth_names, sizeof(names));
	truth_depth = 0;
	((void (*)(void *, callback *))(code + 256))(undecidable, innermost);
	truth_depth = depth;
	memcpy(truth_names, names, sizeof(names));
}
#endif

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
	publish(map, code, n, "first one");
	run(code, "first one");
	n = emit(code + 256, 0x40);
	publish(map, code + 256, n, "second");
	run(code + 256, "second");
	/* A larger function replaces the first function in the same memory. */
	n = emit(code + 4, 0x60);
	publish(map, code + 4, n, "replaced");
	run(code + 4, "replaced");
	for (int i = 0; i < 1000; i++) {
		char what[32];

		snprintf(what, sizeof(what), "other%d", i);
		publish(map, code + 4096 + i, 1, what);
	}
	run(code + 256, "second");
#ifdef __x86_64__
	run_frameless(code, map);
#endif
	fclose(map);
	unlink(name);
	check();
	return 0;
}
