/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Syscalls, a line each: a name and up to six arguments.
 *
 *	openat -100 s:/no/such 0x42 0600
 *	writev 1 m:(qs:hello,q5) 1
 *
 * An argument is a number, or a pointer to memory that ends where its page
 * ends, so that reading too much of it fails:
 *	s:TEXT	TEXT and a NUL; u:TEXT without the NUL; %XX is a byte in hexadecimal
 *	p:N	N zero bytes
 *	m:(…)	items separated by commas: b, h, d, q and a number of 8, 16, 32, 64
 *		bits, or a letter and another pointer; *N before it repeats it; tTEXT
 *	e:	the end of a page
 * Addresses are the same in every run. Lines that begin with # are none.
 *
 * With CALLS_I386 defined, the calls are made through i386's gate, by its numbers.
 */
#ifndef TRACER_TESTS_CALLS_H
#define TRACER_TESTS_CALLS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "e2e.h"

#define CALLS_ARENA ((char *)0x10000000)
#define CALLS_PAGE  4096
#define CALLS_MAX   400

static const struct {
	const char *name;
	long nr;
} call_numbers[] = {
#define NR(nr, name) {#name, nr},
#if defined(__x86_64__) && !defined(CALLS_I386)
#include "../../linux/arch/x86_64/numbers.h"
#else
#define NR64 NR
#include "../../linux/arch/i386/numbers.h"
#endif
};

static char *call_arena = CALLS_ARENA;

/* A copy of n bytes that ends with its page. */
static char *call_memory(const void *bytes, size_t n)
{
	size_t size = (n + CALLS_PAGE - 1) / CALLS_PAGE * CALLS_PAGE;
	char *page = call_arena;

	if (!size)
		size = CALLS_PAGE;
	call_arena += size + CALLS_PAGE;
	mprotect(page, size, PROT_READ | PROT_WRITE);
	return memcpy(page + size - n, bytes, n);
}

static long call_value(const char **at);

static size_t call_items(const char **at, char *out)
{
	const char *p = *at + 1;
	size_t n = 0;

	while (*p && *p != ')') {
		int size = 8, repeat = 1;
		long v;

		if (*p == ',') {
			p++;
			continue;
		}
		if (*p == '*')
			repeat = strtol(p + 1, (char **)&p, 0);
		switch (*p++) {
		case 't':
			while (*p && *p != ',' && *p != ')')
				out[n++] = *p++;
			continue;
		case 'b':
			size = 1;
			break;
		case 'h':
			size = 2;
			break;
		case 'd':
			size = 4;
			break;
		}
		v = call_value(&p);
		for (; repeat; repeat--, n += size)
			memcpy(out + n, &v, size);
	}
	*at = *p ? p + 1 : p;
	return n;
}

static long call_value(const char **at)
{
	const char *p = *at;
	char kind = *p, *bytes, *got;
	size_t n = 0;

	if (p[0] != 'e' && p[0] != 's' && p[0] != 'u' && p[0] != 'p' && p[0] != 'm')
		return *p == '-' ? strtol(p, (char **)at, 0) : (long)strtoul(p, (char **)at, 0);
	bytes = calloc(1, 1 << 16);
	p += 2;
	switch (kind) {
	case 'e':
		break;
	case 'p':
		n = strtoul(p, (char **)&p, 0);
		break;
	case 'm':
		n = call_items(&p, bytes);
		break;
	default:
		while (*p && !strchr(" ,)\n", *p)) {
			unsigned code = *p++;

			if (code == '%') {
				sscanf(p, "%2x", &code);
				p += 2;
			}
			bytes[n++] = code;
		}
		n += kind == 's';
	}
	got = call_memory(bytes, n);
	free(bytes);
	*at = p;
	return (long)got;
}

static void call_make(long nr, const long *a)
{
#ifdef CALLS_I386
	/* The sixth argument is in ebp, which the compiler may need; so may it the red zone. */
	const long gate[] = {nr, a[5]}, *rax = gate;

	__asm__ volatile(
		"lea -128(%%rsp), %%rsp; push %%rbp; mov 8(%%rax), %%rbp; mov (%%rax), %%rax;"
		"int $0x80; pop %%rbp; lea 128(%%rsp), %%rsp"
		: "+a"(rax)
		: "b"(a[0]), "c"(a[1]), "d"(a[2]), "S"(a[3]), "D"(a[4])
		: "memory", "cc", "r8", "r9", "r10", "r11");
#else
	syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
#endif
}

/* Makes all the calls of a script and ends the program. */
static void calls_run(const char *script)
{
	static struct {
		long nr, args[6];
	} calls[CALLS_MAX];
	size_t count = 0;

	mmap(CALLS_ARENA, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (const char *p = script; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		size_t len = strcspn(p, " \n");
		long nr = -1;

		if (*p == '#' || !len)
			continue;
		for (size_t i = 0; i < sizeof(call_numbers) / sizeof(call_numbers[0]); i++)
			if (!strncmp(call_numbers[i].name, p, len) && !call_numbers[i].name[len])
				nr = call_numbers[i].nr;
		if (nr < 0 || count == CALLS_MAX) {
			fprintf(stderr, "what call is this: %.40s\n", p);
			_exit(1);
		}
		p += len;
		calls[count].nr = nr;
		for (int i = 0; i < 6; i++) {
			p += strspn(p, " ");
			if (!*p || *p == '\n')
				break;
			calls[count].args[i] = call_value(&p);
		}
		count++;
	}
	trace_from_here();
	for (size_t i = 0; i < count; i++)
		call_make(calls[i].nr, calls[i].args);
	_exit(0);
}

#endif
