/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the syscalls listed in a string, one per line, in the syntax of tests/decode/call.h: a name
 * and up to six arguments, without a result, options or facts. Lines that begin with # are
 * comments.
 *
 * Addresses are the same in every run. If CALLS_I386 is defined, the syscalls are i386 syscalls,
 * made through gate_32().
 */
#ifndef TRACER_TESTS_CALLS_H
#define TRACER_TESTS_CALLS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "e2e.h"
#include "../decode/call.c"
#include "../decode/gates.h"

#define CALLS_MAX 400

static void call_make(uint64_t nr, const uint64_t *args)
{
	uint64_t gate[7] = {nr};

	memcpy(gate + 1, args, 6 * sizeof(*args));
#ifdef CALLS_I386
	gate_32(gate);
#else
	gate_64(gate);
#endif
}

/* Makes all syscalls of a script and exits. */
static void calls_run(const char *script)
{
	static struct {
		uint64_t nr, args[6];
	} calls[CALLS_MAX];
	static struct call c;
	uint64_t arena = CALL_ARENA;
	size_t count = 0;

	mmap((void *)CALL_ARENA, CALL_ARENA_SIZE, PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (const char *p = script; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		char line[2048];

		if (*p == '#' || *p == '\n')
			continue;
#ifdef CALLS_I386
		snprintf(line, sizeof(line), "i386 %.*s = 0", (int)strcspn(p, "\n"), p);
#else
		snprintf(line, sizeof(line), "%.*s = 0", (int)strcspn(p, "\n"), p);
#endif
		if (call_parse(&c, line, arena) || count == CALLS_MAX) {
			fprintf(stderr, "%s: %s\n", line, c.error);
			_exit(1);
		}
		for (unsigned i = 0; i < c.nblocks; i++) {
			void *page = (void *)c.blocks[i].addr;

			mprotect(page, c.blocks[i].size, PROT_READ | PROT_WRITE);
			memcpy(page, c.blocks[i].entry, c.blocks[i].size);
			arena = c.blocks[i].addr + c.blocks[i].size + CALL_PAGE;
		}
		calls[count].nr = c.nr;
		memcpy(calls[count++].args, c.args, sizeof(c.args));
		call_release(&c);
	}
	trace_from_here();
	for (size_t i = 0; i < count; i++)
		call_make(calls[i].nr, calls[i].args);
	_exit(0);
}

#endif
