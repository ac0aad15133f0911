/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for numbers. The tables are in the files linux/xlat/NAME.def. Each file contains one or
 * more tables of the form
 *
 *	XLAT_BEGIN(open_flags)
 *	X(O_WRONLY, 0x1)
 *	X(O_CREAT, 0x40)
 *	XLAT_END(open_flags, FLAGS, "O_???")
 *
 * Values are numbers, never expressions: `make update-xlat KHEADERS=DIR` recomputes them from the
 * kernel's uapi headers, so that the headers of the build machine do not limit what is decoded.
 * Flags are printed in the order of the entries. If two entries have the same value, the first one
 * provides its name. linux/xlat.list has one line per table and explains how to add a table.
 */
#ifndef TRACER_LINUX_XLAT_H
#define TRACER_LINUX_XLAT_H

#include "defs.h"

struct xlat_entry {
	uint64_t val;
	const char *name;
};

enum xlat_kind {
	XLAT_FLAGS, /* entries are flags or fields, which match if (value & entry) == entry */
	XLAT_ENUM,  /* entries are values in any order */
	XLAT_SORTED /* entries are values in ascending order, found by binary search */
};

/*
 * The value of an entry that only hides entries with the same name in later tables. This value is
 * never looked up.
 */
#define XLAT_ABSENT UINT64_MAX

struct xlat {
	const char *name; /* name of the table */
	/*
	 * the comment for a value without a name, for example "O_???"; if NULL, there is no comment
	 */
	const char *unknown;
	enum xlat_kind kind;
	uint32_t n;
	const struct xlat_entry *entries;
};

/*
 * Returns the name of the entry that is equal to val, or NULL if there is none. The name is a
 * constant string. In a table of flags, too, the whole val must be equal to the entry. xlat_name()
 * treats a negative int and its sign-extension to 64 bits as equal. xlat_name64() compares all 64
 * bits.
 */
const char *xlat_name(const struct xlat *x, uint64_t val);
const char *xlat_name64(const struct xlat *x, uint64_t val);
/*
 * Returns the first entry with the given value, or NULL. Treats a negative int and its
 * sign-extension to 64 bits as equal. If there are several names for the value, as for some ioctl
 * requests, their entries directly follow the result.
 */
const struct xlat_entry *xlat_entry_of(const struct xlat *x, uint64_t val);
/*
 * Returns the first entry with exactly the given value. If `after` is an entry that this function
 * returned before, returns the next entry with this value. Returns NULL if there are no more
 * entries.
 */
const struct xlat_entry *xlat_next_of(const struct xlat *x, uint64_t val,
				      const struct xlat_entry *after);
/* Returns the entry with the given name in a table, or NULL. For options that accept names. */
const struct xlat_entry *xlat_find(const struct xlat *x, const char *name);
/*
 * Builds an index of a table's entries by name, in linear time. Use the index if there are many
 * lookups. The caller frees it with xlat_names_free(), which accepts NULL. The table must outlive
 * the index.
 */
struct xlat_names *xlat_names_new(const struct xlat *x);
void xlat_names_free(struct xlat_names *names);
/* Returns the entry with the given name, or NULL. */
const struct xlat_entry *xlat_names_find(const struct xlat_names *names, const char *name);
/* Returns table number `i`, or NULL after the last table. */
const struct xlat *xlat_table_at(size_t i);

#define XLAT_BEGIN(table) extern const struct xlat xlat_##table;
#define X(name, value)
#define XLAT_END(table, kind, unknown)
#include "linux/xlat_all.h"
#undef XLAT_BEGIN
#undef X
#undef XLAT_END

#endif
