/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/walk/unwind_space.h"

#include "linux/arch/arch.h"

#ifdef LIBUNWIND_SONAME
LIBRARY_NOTE(libunwind, "libunwind", "Walk stacks with libunwind", LIBUNWIND_SONAME);
#endif

/*
 * Loads libunwind. Returns false if it is not available or cannot search a table that the caller
 * provides.
 */
static bool load(struct libunwind_library *lib)
{
#ifdef LIBUNWIND_SONAME
	static const char *const names[] = {LIBUNWIND_FUNCTIONS(LIBRARY_NAME)};

	return library_load(LIBUNWIND_SONAME, names, ARRAY_SIZE(names), lib);
#elif defined HAVE_DWARF_SEARCH_UNWIND_TABLE
	*lib = (struct libunwind_library){LIBUNWIND_FUNCTIONS(LIBRARY_LINKED)};
	return true;
#else
	return false;
#endif
}

int unwind_space_search(const struct unwind_space *s, unw_word_t ip,
			const struct unwind_table *table, unw_proc_info_t *pi, int need, void *arg)
{
	unw_dyn_info_t di = {.format = UNW_INFO_FORMAT_REMOTE_TABLE,
			     .start_ip = table->start,
			     .end_ip = table->end};

	di.u.rti.segbase = table->base;
	di.u.rti.table_data = table->entries;
	/*
	 * table_len is the size of the table in machine words. An entry consists of two 32-bit
	 * numbers.
	 */
	di.u.rti.table_len = table->count * 8 / sizeof(unw_word_t);
	return s->lib.search_unwind_table(s->as, ip, &di, pi, need, arg);
}

static void put_unwind_info(unw_addr_space_t as attr_unused, unw_proc_info_t *pi attr_unused,
			    void *arg attr_unused)
{
}

static int no_dyn_info(unw_addr_space_t as attr_unused, unw_word_t *addr attr_unused,
		       void *arg attr_unused)
{
	return -UNW_ENOINFO;
}

static int no_fpreg(unw_addr_space_t as attr_unused, unw_regnum_t reg attr_unused,
		    unw_fpreg_t *value attr_unused, int write attr_unused, void *arg attr_unused)
{
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t as attr_unused, unw_cursor_t *c attr_unused,
		     void *arg attr_unused)
{
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t as attr_unused, unw_word_t ip attr_unused,
		   char *buf attr_unused, size_t n attr_unused, unw_word_t *off attr_unused,
		   void *arg attr_unused)
{
	return -UNW_ENOINFO;
}

bool unwind_space_init(struct unwind_space *s, const struct unwind_accessors *given)
{
	/* libunwind copies this struct. */
	unw_accessors_t accessors = {
		.find_proc_info = given->find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dyn_info,
		.access_mem = given->access_mem,
		.access_reg = given->access_reg,
		.access_fpreg = no_fpreg,
		.resume = no_resume,
		.get_proc_name = no_name,
#ifdef HAVE_UNW_ACCESSORS_T_PTRAUTH_INSN_MASK
		.ptrauth_insn_mask = given->ptrauth_insn_mask,
#endif
	};

	*s = (struct unwind_space){.given = given};
	if (!load(&s->lib))
		return false;
	s->as = s->lib.unw_create_addr_space(&accessors, 0);
	if (s->as)
		s->lib.unw_set_caching_policy(s->as, UNW_CACHE_NONE);
	return s->as;
}

void unwind_space_deinit(struct unwind_space *s)
{
	if (s->as)
		s->lib.unw_destroy_addr_space(s->as);
}

/*
 * Returns true if UNW_REG_IP is the number of the return address register, as on aarch64.
 * unw_get_reg(3) nevertheless returns the frame's pc for this number, not the return address. If
 * libunwind itself needs the pc of the stopped thread, it calls access_reg() with the DWARF number
 * of the pc.
 */
static bool names_ra(const struct arch_mode *mode)
{
	return mode->ra != mode->pc && UNW_REG_IP == mode->ra;
}

int unwind_column(const struct arch_mode *mode, unw_regnum_t reg)
{
	return reg == UNW_REG_IP && !names_ra(mode) ? mode->pc : reg;
}

/*
 * Stores the saved return address in *v. Returns false if it cannot be read. unw_get_reg(3) cannot
 * be used because it would return the pc; see names_ra().
 */
static bool saved_ra(const struct unwind_space *s, unw_cursor_t *c, unw_word_t *v, void *arg)
{
	unw_save_loc_t loc;

	if (s->lib.unw_get_save_loc(c, UNW_REG_IP, &loc) < 0)
		return false;
	switch (loc.type) {
	case UNW_SLT_MEMORY:
		return s->given->access_mem(s->as, loc.u.addr, v, 0, arg) >= 0;
	case UNW_SLT_REG:
		return s->given->access_reg(s->as, loc.u.regnum, v, 0, arg) >= 0;
	default:
		return false;
	}
}

bool unwind_register(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		     unsigned column, uint64_t *value, void *arg)
{
	unw_word_t v;
	bool known = column == mode->ra && names_ra(mode)
			     ? saved_ra(s, c, &v, arg)
			     : s->lib.unw_get_reg(c, (int)column, &v) >= 0;

	if (known)
		*value = v;
	return known;
}

static uint64_t unsigned_address(const struct unwind_space *s, unw_word_t ra, void *arg)
{
	return ra & ~s->given->ptrauth_insn_mask(s->as, arg);
}

int unwind_step(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		uint64_t *pc, void *arg)
{
	unw_word_t ip;
	int err = s->lib.unw_step(c);

	if (err < 0)
		return err;
	if (err) {
		if (s->lib.unw_get_reg(c, UNW_REG_IP, &ip) < 0)
			return -UNW_EBADREG;
		*pc = unsigned_address(s, ip, arg);
		return 1;
	}
	/*
	 * On aarch64, libunwind ends the walk if the caller's frame pointer is zero. But the caller
	 * may use that register for other data, so the frame of _start() would be missing.
	 * libunwind already knows the return address here, and continues if UNW_REG_IP is set to
	 * this address. unw_set_reg(3) fails to write to the tracee's memory, but that does not
	 * matter.
	 */
	if (!names_ra(mode) || !saved_ra(s, c, &ip, arg) || !unsigned_address(s, ip, arg))
		return 0;
	*pc = unsigned_address(s, ip, arg);
	s->lib.unw_set_reg(c, UNW_REG_IP, *pc);
	return 1;
}
