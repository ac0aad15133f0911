/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Macros and types for all files. This header declares no external symbols and holds no state. */
#ifndef TRACER_DEFS_H
#define TRACER_DEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef __bpf__ /* BPF programs are compiled without a C library */
#include <errno.h>
#include <sys/types.h>
#endif

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define attr_printf(fmt, args) __attribute__((format(printf, fmt, args)))
#define attr_noreturn	       __attribute__((noreturn))
#define attr_unused	       __attribute__((unused))
#define attr_cleanup(fn)       __attribute__((cleanup(fn)))
#define attr_must_check	       __attribute__((warn_unused_result))
/*
 * For functions that are called rarely. If they were inlined, the callers would have to save more
 * registers.
 */
#define attr_noinline __attribute__((noinline))

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define static_assert_size(type, n) _Static_assert(sizeof(type) == (n), "size of " #type)

static inline size_t size_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b)
{
	return a > b ? a : b;
}

static inline uint64_t align_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Maximum number of syscall arguments in registers. It is the same on every architecture. */
#define SYSCALL_ARGS_MAX 6

#endif
