/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conditions on the argument registers of the calls that a query can match. */
#ifndef TRACER_QUERY_REGISTERS_H
#define TRACER_QUERY_REGISTERS_H

#include "defs.h"

struct abi;
struct query;
struct syscall_desc;

/*
 * A condition on the value v of an argument register: ((v - min) & mask) <= span, and v has all of
 * `bits`.
 */
struct query_register {
	unsigned reg; /* index of the argument register */
	uint64_t mask, min, span, bits;
};

/*
 * The conditions for one syscall. Every call of this syscall that the query can match meets all of
 * them.
 */
struct query_registers {
	struct query_register of[SYSCALL_ARGS_MAX];
	size_t n;
};

/*
 * Fills in the conditions for the syscall with the kernel's number `nr` in the ABI. The number must
 * be known (abi_row()), and it must not be another ABI's number (abi_is_foreign()). The conditions
 * hold for all variants of the syscall. They do not hold for a syscall whose arguments are shown as
 * raw numbers (-e raw=).
 */
void query_registers(const struct query *q, const struct abi *abi, uint64_t nr,
		     struct query_registers *registers);

#endif
