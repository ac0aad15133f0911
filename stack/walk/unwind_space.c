/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/walk/unwind_space.h"

#include "linux/arch/arch.h"

/* False: it is not there, or is a libunwind that cannot be given a table. */
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
	/* In words of the machine; an entry is two numbers of 32 bits. */
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

#ifdef HAVE_UNW_ACCESSORS_T_PTRAUTH_INSN_MASK
static unw_word_t signature_bits(unw_addr_space_t as attr_unused, void *arg attr_unused)
{
	return ~arch_native->modes->ra_mask;
}
#endif

bool unwind_space_init(struct unwind_space *s, const unw_accessors_t *given)
{
	/* libunwind copies this table. */
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
		.ptrauth_insn_mask = signature_bits,
#endif
	};

	*s = (struct unwind_space){0};
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
 * On aarch64 libunwind calls the register with the return address UNW_REG_IP, and has a number of
 * its own for the pc, which is DWARF's as well.
 */
static bool names_ra(const struct arch_mode *mode)
{
	return mode->ra != mode->pc && UNW_REG_IP == mode->ra;
}

int unwind_column(const struct arch_mode *mode, unw_regnum_t reg)
{
	return reg == UNW_REG_IP && !names_ra(mode) ? mode->pc : reg;
}

int unwind_step(const struct unwind_space *s, unw_cursor_t *c, const struct arch_mode *mode,
		unw_word_t *pc)
{
	const struct libunwind_library *lib = &s->lib;
	unw_word_t signed_pc;
	/* Only the step out of a signal frame tells the pc from the return address. */
	bool interrupted = names_ra(mode) && lib->unw_is_signal_frame(c) > 0;
	int err = lib->unw_step(c);

	if (err < 0 || (!err && !names_ra(mode)))
		return err;
	if (lib->unw_get_reg(c, interrupted ? mode->pc : UNW_REG_IP, &signed_pc) < 0)
		return err ? -UNW_EBADREG : 0;
	*pc = signed_pc & mode->ra_mask;
	/*
	 * libunwind does not know signed addresses, and it ends a stack where the frame pointer of
	 * the caller is zero, although that may be any number there. Telling it the pc helps both.
	 * That it cannot write it to the stack of the thread as well does not matter.
	 */
	if (!interrupted && names_ra(mode) && *pc && (!err || *pc != signed_pc))
		lib->unw_set_reg(c, UNW_REG_IP, *pc);
	return *pc ? 1 : 0;
}
