/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The syscalls: one row each in linux/syscalls/FAMILY.def,
 *
 *	SYSCALL(openat, FD, 0, IN(dirfd, ATFD), IN(pathname, PATH),
 *		IN(flags, PARTS(W32, open_flags)),
 *		IN(mode, UMODE16, WHEN_ANY(A2, open_flags, O_CREAT, __O_TMPFILE)))
 *	SYSCALL(read, SIZE, 0, IN(fd, FD), OUT(buf, BYTES(RET)), IN(count, SIZE))
 *
 * SYSCALL(name, type of the result, classes and flags, arguments…). The types are those of
 * decode/core/type.h; the names of arguments are what -N prints. A row does not contain syscall
 * numbers. linux/arch/ABI/abi.def includes lists that assign the numbers of an ABI to the names of
 * rows.
 *
 * If the value of one argument determines the meaning of the others, the syscall has variants,
 * which are rows of linux/variants/NAME.def; see struct variants below.
 */
#ifndef TRACER_LINUX_SYSCALL_DESC_H
#define TRACER_LINUX_SYSCALL_DESC_H

#include "decode/core/type.h"
#include "linux/arch/abi.h"
#include "linux/syscall_rows.h"
#include "mmap_cache.h"

/* The time at which an argument is shown. */
enum phase {
	PHASE_IN,  /* at entry */
	PHASE_OUT, /* at exit; after a failure, pointers are shown as addresses */
	/*
	 * At entry, and continued at exit. For a struct, the FIELD_F_OUT fields are added at exit:
	 * {index=1, name="eth0"}. At entry, a custom decoder (FN()) returns an open value
	 * (VALUE_F_OPEN) if the exit will add something, or NULL if there is nothing to show yet.
	 * At exit, d->before is the value that the decoder returned at entry (of a change, its
	 * first side), even if the call failed. The decoder then returns the whole argument, or
	 * NULL to add nothing.
	 */
	PHASE_BOTH,
	/*
	 * At exit, as the old and the new value: [16 => 8]. If both values are equal, only one is
	 * shown. If the value cannot be read at entry, its address is shown at entry.
	 */
	PHASE_CHANGED,
	PHASE_HOOK_ENTER, /* not an argument: type.fn is called after the IN arguments */
	PHASE_HOOK_EXIT	  /* not an argument: type.fn is called after the OUT arguments */
};

/* How the filters -P and -e trace-fds= interpret an argument at syscall entry. */
enum watch {
	/*
	 * determined by the type in a syscall's own row: an argument of type PATH is a path, and FD
	 * and ATFD are descriptors
	 */
	WATCH_BY_TYPE,
	WATCH_NONE,
	WATCH_FD,
	WATCH_PATH, /* the address of a path */
	/* the address of an array of struct pollfd; the next argument is the length of the array */
	WATCH_POLLFDS,
	/* the address of an fd_set; argument 0 of the syscall is the number of bits in the set */
	WATCH_FD_SET
};

struct arg_desc {
	const char *name;
	struct type type;
	uint8_t phase; /* a value of enum phase */
	uint8_t watch; /* a value of enum watch */
	uint8_t reg;   /* 1 + index of the argument register, or 0 for the next register */
	bool always;   /* true if decoded at exit even if the call failed */
	bool again;    /* with PHASE_BOTH: after success, shown again in full: {…} => {…} */
	/*
	 * Without `again`: at entry, only ", " and the argument's name are shown, because the value
	 * is not known yet. With `again`: at entry, the value is shown without its closing brace,
	 * which follows at exit.
	 */
	bool begun;
	/*
	 * With PHASE_OUT: the address is shown at entry if -e verbose= prevents the argument from
	 * being read.
	 */
	bool address_first;
	/*
	 * True if the argument is decoded at entry, but shown at exit, after the arguments that are
	 * known only then. As in strace, it is not coloured.
	 */
	bool saved;
	/* The argument exists only if both `when` and `cond` hold. Each may be NULL. */
	const struct condition *when;
	bool (*cond)(const struct decoder *d); /* for conditions that `when` cannot express */
};

/* clang-format off */
#define ARG_(p, n, ...) {.phase = (p), .name = n, .type = __VA_ARGS__}
/* clang-format on */
#define IN(n, ...) ARG_(PHASE_IN, #n, __VA_ARGS__)
/* an argument whose name -N does not show */
#define IN_UNNAMED(...) ARG_(PHASE_IN, "", __VA_ARGS__)
#define OUT(n, ...)	ARG_(PHASE_OUT, #n, __VA_ARGS__)
#define BOTH(n, ...)	ARG_(PHASE_BOTH, #n, __VA_ARGS__)
#define CHANGED(n, ...) ARG_(PHASE_CHANGED, #n, __VA_ARGS__)
#define ON_ENTER(f)	ARG_(PHASE_HOOK_ENTER, NULL, FN(f))
#define ON_EXIT(f)	ARG_(PHASE_HOOK_EXIT, NULL, FN(f))
/*
 * Members of struct arg_desc that may follow the type: IN(flags, FLAGS(x), AT(0)), IN(epfd, FD,
 * WATCH(NONE)).
 */
#define AT(r)	      .reg = 1 + (r)
#define ALWAYS	      .always = true
#define AGAIN	      .again = true
#define BEGUN	      .begun = true
#define SAVED	      .saved = true
#define ADDRESS_FIRST .address_first = true
#define WATCH(w)      .watch = WATCH_##w

/* Classes for -e trace=%CLASS. PATH and FD arguments also imply %file and %desc. */
enum {
	CLASS_FILE = 1 << 0,
	CLASS_DESC = 1 << 1,
	CLASS_PROCESS = 1 << 2,
	CLASS_NETWORK = 1 << 3,
	CLASS_SIGNAL = 1 << 4,
	CLASS_IPC = 1 << 5,
	CLASS_MEMORY = 1 << 6,
	CLASS_CREDS = 1 << 7,
	CLASS_CLOCK = 1 << 8,
	CLASS_PURE = 1 << 9,
	CLASS_STAT = 1 << 10,	   /* %stat */
	CLASS_LSTAT = 1 << 11,	   /* %lstat */
	CLASS_FSTAT = 1 << 12,	   /* %fstat */
	CLASS_STAT_LIKE = 1 << 13, /* %%stat: all calls of the three classes above */
	CLASS_STATFS = 1 << 14,
	CLASS_FSTATFS = 1 << 15,
	CLASS_STATFS_LIKE = 1 << 16,
	CLASS_NOT_FILE = 1 << 17,      /* has a PATH argument, but is not in %file */
	CLASS_NOT_DESC = 1 << 18,      /* has an FD argument, but is not in %desc */
	SYSCALL_F_NO_RETURN = 1 << 19, /* exit(2): the result is "?" */
	SYSCALL_F_EXECVE = 1 << 20,
	/* the ")" is shown at exit, although all arguments are shown at entry */
	SYSCALL_F_LATE = 1 << 22,
	SYSCALL_F_NO_REGS = 1 << 23, /* the arguments are not in registers, so -e raw shows none */
	SYSCALL_F_NAMED_TWICE = 1 << 24, /* -N shows the argument's name twice, as in strace 7.2 */
	MM_SHIFT = 28 /* bit position of the enum mm_change in the flags: MM(MM_MMAP) */
};
#define MM(change) ((uint32_t)(change) << MM_SHIFT)

/* The description of a syscall or of a variant of a syscall. */
struct syscall_desc {
	const char *name;
	struct type ret; /* type of the result */
	uint32_t flags;	 /* CLASS_*, SYSCALL_F_*, MM() */
	const struct arg_desc *args;
	uint8_t nargs;			 /* number of args, including hooks */
	const struct variants *variants; /* the variants of the syscall, or NULL */
};

/*
 * Variants: rows of linux/variants/NAME.def. The value of one argument register, the selecting
 * register, selects a row.
 *
 *   VARIANTS_BEGIN(fcntl, 1, &xlat_fcntl_cmds, IN(fd, FD), IN(op, ENUM(fcntl_cmds)))
 *   VARIANT(F_SETFD, INT, IN(arg, FLAGS(fd_flags)))
 *   VARIANT(F_DUPFD, FD, IN(arg, FD))
 *   VARIANTS_END(fcntl)
 *
 * VARIANTS_BEGIN(name, index of the selecting register, table with the names of its values,
 * prefix): the prefix is the list of arguments with which every row starts. VARIANTS_END(name,
 * further members of struct variants) ends the list. VARIANT(value, type of the result, arguments
 * after the prefix) is a row. A VARIANT_WHOLE has no prefix. A VARIANT_64 does not exist in compat
 * ABIs, and a VARIANT_X86 exists only in ABIs of x86 processors. VARIANT_ALSO(value, other, result,
 * …) is for a number that has two names. VARIANT_GROWS(bytes, value, result, …) is for an ioctl
 * request with a size of at least `bytes`. Values without a row use the syscall's own row.
 */
struct variant {
	const char *value_name; /* name of the number in the table variants_key.names */
	const char *also;	/* another name of that number in the table, or NULL */
	bool only_64;		/* true if the variant does not exist in compat ABIs */
	bool only_x86;		/* true if the variant exists only in ABIs with x86_forms */
	/* For VARIANT_GROWS, the minimum size of the request in bytes; 0 for other variants. */
	uint16_t grows_from;
	bool whole; /* true if key->prefix is not inserted before the arguments of `desc` */
	struct syscall_desc desc;
};

/* The parameters of VARIANTS_BEGIN. */
struct variants_key {
	unsigned reg; /* index of the selecting register, starting at 0 */
	const struct xlat *names;
	const struct arg_desc *prefix; /* the arguments with which all rows begin */
	uint8_t nprefix;
};

struct variants {
	const char *name;
	const struct variants_key *key;
	/* Selects the table in struct abi whose numbers replace those in key->names. */
	enum { NUMBERS_SAME, NUMBERS_IOCTL, NUMBERS_PTRACE } numbers;
	uint8_t shift; /* the register is shifted right by this number of bits before the lookup */
	uint64_t mask; /* the relevant bits of the register; 0 stands for 0xffffffff */
	const struct variant *rows;
	unsigned n;
};

#define SYSCALL_ARGS_(...)                                                                         \
	.args = (const struct arg_desc[]){__VA_ARGS__},                                            \
	.nargs = sizeof((const struct arg_desc[]){__VA_ARGS__}) / sizeof(struct arg_desc)

/* The rows of all syscalls, indexed by ROW_NAME of linux/syscall_rows.h. */
extern const struct syscall_desc syscall_descs[];
extern const unsigned syscall_desc_count;

/*
 * Returns the CLASS_* flags of a row, including CLASS_FILE and CLASS_DESC if its argument types
 * imply them.
 */
uint32_t syscall_desc_classes(const struct syscall_desc *desc);
/*
 * Returns how filters interpret an argument; never WATCH_BY_TYPE. For an argument without WATCH(),
 * the result is WATCH_NONE in a variant. In a syscall's own row, the result depends on the type of
 * the argument.
 */
enum watch syscall_arg_watch(const struct arg_desc *a, bool in_variant);
/* Returns the index in syscall_descs of the row with the given name, or -1. */
int syscall_desc_find(const char *name);

/* Returns the effect of the call on the process's mappings, as given by MM() in the call's row. */
static inline enum mm_change syscall_desc_mm(const struct syscall_desc *desc)
{
	return (enum mm_change)(desc->flags >> MM_SHIFT);
}

#endif
