/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libunwind address spaces (unw_create_addr_space(3)) with tracer's own accessors for registers,
 * memory and unwind tables. Include this header only in files that are built with libunwind.
 * Creating the first address space loads libunwind, unless it is linked in statically.
 */
#ifndef TRACER_STACK_WALK_UNWIND_SPACE_H
#define TRACER_STACK_WALK_UNWIND_SPACE_H

#include <libunwind.h>
#include <stddef.h>

#include "util/library.h"

struct arch_mode;

/*
 * A binary search table in .eh_frame_hdr format, and the addresses that it covers.
 */
struct unwind_table {
	uint64_t start, end; /* the pcs that the table covers; end is exclusive */
	uint64_t base;	     /* the entries are relative to this address */
	uint64_t entries;    /* address of the first entry; the entries are read with access_mem */
	size_t count;
};

/* libunwind exports this function, but none of its headers declares it. */
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

/*
 * Pointers to the libunwind functions used here, with the types that libunwind's header declares.
 */
struct libunwind_library {
	LIBUNWIND_FUNCTIONS(LIBRARY_POINTER)
};

/*
 * The accessors that the user of an address space provides, as for unw_create_addr_space(3). arg is
 * the argument of unw_init_remote(3).
 */
struct unwind_accessors {
	int (*find_proc_info)(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need,
			      void *arg);
	int (*access_mem)(unw_addr_space_t as, unw_word_t addr, unw_word_t *value, int write,
			  void *arg);
	int (*access_reg)(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write,
			  void *arg);
	/* Returns a mask of the bits of a return address that are a signature. */
	unw_word_t (*ptrauth_insn_mask)(unw_addr_space_t as, void *arg);
};

struct unwind_space {
	unw_addr_space_t as;
	const struct unwind_accessors *given;
	struct libunwind_library lib;
};

/*
 * Creates an address space. Borrows `given`. Turns libunwind's caching off. Returns false if
 * libunwind is not available or cannot search a table that the caller provides.
 */
bool unwind_space_init(struct unwind_space *s, const struct unwind_accessors *given);
/* Frees the address space. s may be zeroed. */
void unwind_space_deinit(struct unwind_space *s);
/*
 * An implementation of find_proc_info that looks up ip in the table. Returns 0 or a negative
 * libunwind error.
 */
int unwind_space_search(const struct unwind_space *s, unw_word_t ip,
			const struct unwind_table *table, unw_proc_info_t *pi, int need, void *arg);

/*
 * Converts a libunwind register number to a column of arch_native. libunwind uses DWARF numbers,
 * and a number of its own for the pc if DWARF has none.
 */
int unwind_column(const struct arch_mode *mode, unw_regnum_t reg);
/*
 * Gets the value of a column's register in the frame at *c, whose code is in the given mode.
 * Returns false if the value is not known. arg is the argument of unw_init_remote(3).
 */
bool unwind_register(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		     unsigned column, uint64_t *value, void *arg);
/*
 * Calls unw_step(3) to step from the frame at *c to its caller. c, mode and arg are as for
 * unwind_register(). On success, returns a positive number and stores the caller's pc in *pc.
 * Returns 0 at the end of the stack, or a negative libunwind error.
 */
int unwind_step(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		uint64_t *pc, void *arg);

#endif
