/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the table row for a call: the syscall's own row, or a variant (such as one operation of
 * fcntl). Variants are listed by name. The number of a name is looked up in the tables of
 * linux/xlat/.
 */
#ifndef TRACER_LINUX_ROW_FINDER_H
#define TRACER_LINUX_ROW_FINDER_H

#include "linux/syscall_desc.h"

/* A cache of results, because searching for variants by name is slow. */
struct row_finder;
struct row_finder *row_finder_create(void);
void row_finder_destroy(struct row_finder *f); /* f may be NULL */

/*
 * Returns the row for a call with these arguments: desc itself or one of its variants. The result
 * is valid until f is destroyed.
 */
const struct syscall_desc *row_finder_select(struct row_finder *f, const struct syscall_desc *desc,
					     const struct abi *abi, const uint64_t *args);

/*
 * Sets *value to the number that selects `row`. The number contains only those bits of the
 * selecting register that are compared. Returns false if the row does not exist in this ABI.
 */
bool variant_value(struct row_finder *f, const struct variants *v, const struct variant *row,
		   const struct abi *abi, uint64_t *value);

#endif
