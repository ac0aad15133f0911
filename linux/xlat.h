/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for numbers. The tables are the files linux/xlat/NAME.def; each holds
 * one or more tables of the form
 *
 *	XLAT_BEGIN(open_flags)
 *	X(O_WRONLY, 0x1)
 *	X(O_CREAT, 0x40)
 *	XLAT_END(open_flags, FLAGS, "O_???")
 *
 * Values are numbers, never expressions: `make update-xlat KHEADERS=DIR`
 * recomputes them from the kernel's uapi headers, so that the headers of the
 * build machine do not limit what is decoded. The order of the rows is the
 * order in which flags are printed, and of two rows with one value the first
 * names it. linux/xlat.list has a line per table and explains how to add one.
 */
#ifndef TRACER_LINUX_XLAT_H
#define TRACER_LINUX_XLAT_H

#include "defs.h"

struct xlat_entry {
	uint64_t val;
	const char *name;
};

enum xlat_kind {
	XLAT_FLAGS, /* rows are bits or fields, matched if (value & row) == row */
	XLAT_ENUM,  /* rows are values in any order */
	XLAT_SORTED /* rows are values in ascending order, found by bisection */
};

/*
 * The value of a row that only hides the row of the same name in later tables. No number that is
 * looked up has this value.
 */
#define XLAT_ABSENT UINT64_MAX

struct xlat {
	const char *name;    /* of the table */
	const char *unknown; /* shown for a value without a name, "O_???"; NULL prints nothing */
	enum xlat_kind kind;
	uint32_t n;
	const struct xlat_entry *entries;
};

/*
 * Returns the name of val, a constant string, or NULL. In a table of flags, too, the row must equal
 * val. xlat_name() finds a negative int whether val is its 32 bits or its sign-extension to 64
 * bits; xlat_name64() compares all 64 bits.
 */
const char *xlat_name(const struct xlat *x, uint64_t val);
const char *xlat_name64(const struct xlat *x, uint64_t val);
/*
 * Returns the first row of that value, or NULL. If several names share it (ioctl requests), their
 * rows follow.
 */
const struct xlat_entry *xlat_entry_of(const struct xlat *x, uint64_t val);
/*
 * Returns the first row of exactly that value. If `after` is a row that this function has returned,
 * returns the next one; NULL after the last.
 */
const struct xlat_entry *xlat_next_of(const struct xlat *x, uint64_t val,
				      const struct xlat_entry *after);
/* Returns the row of that name in a table, or NULL; for options that accept names. */
const struct xlat_entry *xlat_find(const struct xlat *x, const char *name);
/*
 * An index of a table's rows by name, for many lookups, built in linear time. The caller frees it
 * with xlat_names_free(), which accepts NULL; the table must outlive it.
 */
struct xlat_names *xlat_names_new(const struct xlat *x);
void xlat_names_free(struct xlat_names *names);
/* Returns the row called name, or NULL. */
const struct xlat_entry *xlat_names_find(const struct xlat_names *names, const char *name);
/* Returns the table of that name, or NULL; for tests and --list options. */
const struct xlat *xlat_table(const char *name);
/* Returns the i-th table, or NULL after the last one. */
const struct xlat *xlat_table_at(size_t i);

#define XLAT_BEGIN(table) extern const struct xlat xlat_##table;
#define X(name, value)
#define XLAT_END(table, kind, unknown)
#include "linux/xlat_all.h"
#undef XLAT_BEGIN
#undef X
#undef XLAT_END

#endif
