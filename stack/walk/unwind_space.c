/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "stack/walk/unwind_space.h"

#ifdef HAVE_DWARF_SEARCH_UNWIND_TABLE
/* libunwind exports this function but declares it in none of its headers. */
#define search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
int search_unwind_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di, unw_proc_info_t *pi,
			int need_unwind_info, void *arg);

bool unwind_space_works(void)
{
	return true;
}
#else
bool unwind_space_works(void)
{
	return false;
}

static int search_unwind_table(unw_addr_space_t as attr_unused, unw_word_t ip attr_unused,
			       unw_dyn_info_t *di attr_unused, unw_proc_info_t *pi attr_unused,
			       int need attr_unused, void *arg attr_unused)
{
	return -UNW_ENOINFO;
}
#endif

int unwind_space_search(unw_addr_space_t as, unw_word_t ip, const struct unwind_table *table,
			unw_proc_info_t *pi, int need, void *arg)
{
	unw_dyn_info_t di = {.format = UNW_INFO_FORMAT_REMOTE_TABLE,
			     .start_ip = table->start,
			     .end_ip = table->end};

	di.u.rti.segbase = table->base;
	di.u.rti.table_data = table->entries;
	/* In words of the machine; an entry is two numbers of 32 bits. */
	di.u.rti.table_len = table->count * 8 / sizeof(unw_word_t);
	return search_unwind_table(as, ip, &di, pi, need, arg);
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

unw_addr_space_t unwind_space_create(const unw_accessors_t *given)
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
	};
	unw_addr_space_t as = unw_create_addr_space(&accessors, 0);

	if (as)
		unw_set_caching_policy(as, UNW_CACHE_NONE);
	return as;
}
