/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the row that serves a call: the syscall's own or that of a variant, whose number is found
 * by its name in the tables of linux/xlat/.
 */
#ifndef TRACER_LINUX_ROW_FINDER_H
#define TRACER_LINUX_ROW_FINDER_H

#include "linux/syscall_desc.h"

/* It keeps what it has found, as a variant is searched for by name. */
struct row_finder;
struct row_finder *row_finder_create(void);
void row_finder_destroy(struct row_finder *f); /* NULL is fine */

/*
 * The row that serves the call with these registers: desc itself, or one of its variants, which
 * lives as long as f.
 */
const struct syscall_desc *row_finder_select(struct row_finder *f, const struct syscall_desc *desc,
					     const struct abi *abi, const uint64_t *args);

/*
 * Sets *value to what the register of the list's key has, as far as it counts, where row serves.
 * False: the row does not exist in this ABI.
 */
bool variant_value(struct row_finder *f, const struct variants *v, const struct variant *row,
		   const struct abi *abi, uint64_t *value);

#endif
