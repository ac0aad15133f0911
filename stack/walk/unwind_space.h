/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces of libunwind, unw_create_addr_space(3), whose registers, memory and unwind tables
 * come from functions of ours. Only for files that are built with libunwind.
 */
#ifndef TRACER_STACK_WALK_UNWIND_SPACE_H
#define TRACER_STACK_WALK_UNWIND_SPACE_H

#include <libunwind.h>
#include <stddef.h>

#include "defs.h"

/* A binary search table of the form that linkers put into .eh_frame_hdr: the addresses it is for.
 */
struct unwind_table {
	uint64_t start, end; /* of the pcs that it covers; end is exclusive */
	uint64_t base;	     /* what its entries are relative to */
	uint64_t entries;    /* where the first entry is, read by access_mem */
	size_t count;
};

/* Whether the libunwind that tracer was built with lets us give it such a table. */
bool unwind_space_works(void);
/*
 * Creates an address space in which only find_proc_info, access_mem and access_reg of given are
 * used. It keeps nothing of what it has read. NULL if that fails; the caller frees it with
 * unw_destroy_addr_space(3).
 */
unw_addr_space_t unwind_space_create(const unw_accessors_t *given);
/*
 * For find_proc_info: looks ip up in the table, with the other arguments as they were given.
 * Returns 0 or a negative error of libunwind; -UNW_ENOINFO where unwind_space_works() is false.
 */
int unwind_space_search(unw_addr_space_t as, unw_word_t ip, const struct unwind_table *table,
			unw_proc_info_t *pi, int need, void *arg);

#endif
