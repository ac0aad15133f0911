/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address spaces of libunwind, unw_create_addr_space(3), whose registers, memory and unwind tables
 * come from functions of ours. Only for files that are built with libunwind. It is loaded when the
 * first is made, or linked in a static binary.
 */
#ifndef TRACER_STACK_WALK_UNWIND_SPACE_H
#define TRACER_STACK_WALK_UNWIND_SPACE_H

#include <libunwind.h>
#include <stddef.h>

#include "util/library.h"

struct arch_mode;

/* A binary search table of the form that linkers put into .eh_frame_hdr: the addresses it is for.
 */
struct unwind_table {
	uint64_t start, end; /* of the pcs that it covers; end is exclusive */
	uint64_t base;	     /* what its entries are relative to */
	uint64_t entries;    /* where the first entry is, read by access_mem */
	size_t count;
};

/* libunwind exports this function but declares it in none of its headers. */
#define search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
int search_unwind_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di, unw_proc_info_t *pi,
			int need_unwind_info, void *arg);

#define LIBUNWIND_FUNCTIONS(X)                                                                     \
	X(search_unwind_table)                                                                     \
	X(unw_create_addr_space)                                                                   \
	X(unw_destroy_addr_space)                                                                  \
	X(unw_get_reg)                                                                             \
	X(unw_get_save_loc)                                                                        \
	X(unw_init_remote)                                                                         \
	X(unw_set_caching_policy)                                                                  \
	X(unw_set_reg)                                                                             \
	X(unw_step)

/* The functions of libunwind that are used here, as its header declares them. */
struct libunwind_library {
	LIBUNWIND_FUNCTIONS(LIBRARY_POINTER)
};

/*
 * What an address space asks of its user: accessors of libunwind, see unw_create_addr_space(3). arg
 * is what unw_init_remote(3) was given.
 */
struct unwind_accessors {
	int (*find_proc_info)(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need,
			      void *arg);
	int (*access_mem)(unw_addr_space_t as, unw_word_t addr, unw_word_t *value, int write,
			  void *arg);
	int (*access_reg)(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write,
			  void *arg);
	/* The bits of a return address that are a signature, and not the address. */
	unw_word_t (*ptrauth_insn_mask)(unw_addr_space_t as, void *arg);
};

struct unwind_space {
	unw_addr_space_t as;
	const struct unwind_accessors *given;
	struct libunwind_library lib;
};

/*
 * Creates an address space, which borrows given. It keeps nothing of what it has read. Returns
 * false if that fails: libunwind is not there, or does not let us give it tables.
 */
bool unwind_space_init(struct unwind_space *s, const struct unwind_accessors *given);
/* A space of zeroes is fine. */
void unwind_space_deinit(struct unwind_space *s);
/*
 * For find_proc_info: looks ip up in the table, with the other arguments as they were given.
 * Returns 0 or a negative error of libunwind.
 */
int unwind_space_search(const struct unwind_space *s, unw_word_t ip,
			const struct unwind_table *table, unw_proc_info_t *pi, int need, void *arg);

/*
 * The column of a mode of arch_native that libunwind means by one of its numbers of registers. It
 * numbers them as DWARF does, but has a number of its own for a pc that DWARF has none for.
 */
int unwind_column(const struct arch_mode *mode, unw_regnum_t reg);
/*
 * The register of a column in the frame at *c, whose code is of that mode. Returns false if it is
 * not known. arg is what unw_init_remote(3) was given.
 */
bool unwind_register(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		     unsigned column, uint64_t *value, void *arg);
/*
 * unw_step(3) to the caller of the frame at *c, with the arguments of unwind_register(). Returns a
 * positive number and the caller's pc in *pc, 0 at the end of the stack, or a negative error of
 * libunwind.
 */
int unwind_step(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		uint64_t *pc, void *arg);

#endif
