/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The syscalls: one row each in linux/syscalls/FAMILY.def,
 *
 *	SYSCALL(openat, FD, 0, IN(dirfd, ATFD), IN(pathname, PATH), IN(flags, FN(open_flags)),
 *		IN(mode, UMODE, WHEN_ANY(ARG(2), open_flags, O_CREAT, __O_TMPFILE)))
 *	SYSCALL(read, SIZE, 0, IN(fd, FD), OUT(buf, BYTES(RET)), IN(count, SIZE))
 *
 * SYSCALL(name, type of the result, classes and flags, arguments…); the types
 * are those of decode/core/type.h, the argument names what -N prints. Numbers per
 * ABI are in linux/ABI/numbers.h, joined by name.
 *
 * A syscall whose arguments hang on the value of one of them has variants,
 * rows of linux/variants/NAME.def; see below.
 */
#ifndef TRACER_LINUX_SYSCALL_DESC_H
#define TRACER_LINUX_SYSCALL_DESC_H

#include "decode/core/type.h"
#include "linux/arch/abi.h"
#include "linux/syscall_rows.h"
#include "mmap_cache.h"

/* When an argument is shown. */
enum phase {
	PHASE_IN,  /* at entry */
	PHASE_OUT, /* at exit; where the call failed, what has to be read is an address */
	/*
	 * At entry, and at exit gone on with. Of a struct, its FIELD_F_OUT fields follow:
	 * {index=1, name="eth0"}. A function says at entry by VALUE_F_OPEN that more will
	 * follow, or returns NULL, as there is nothing to show yet; at exit, whatever the
	 * result, it finds what it returned in d->before and returns all of the argument, or
	 * NULL where nothing is to be added.
	 */
	PHASE_BOTH,
	/*
	 * What it was at entry and what has become of it, at exit: [16 => 8], or one alone
	 * where they are equal. An address is shown at entry.
	 */
	PHASE_CHANGED,
	PHASE_HOOK_ENTER, /* no argument: type.fn is called after the IN arguments */
	PHASE_HOOK_EXIT /* no argument: type.fn is called after the OUT arguments, for notes on the
			   result */
};

/* What -P and -e trace-fds= see in an argument, at the entry, whatever shows it. */
enum watch {
	WATCH_BY_TYPE, /* of a syscall's own row: a path of PATH, a descriptor of FD and ATFD */
	WATCH_NONE,
	WATCH_FD,
	WATCH_PATH,    /* the address of one */
	WATCH_POLLFDS, /* the address of an array of struct pollfd, whose length comes next */
	WATCH_FD_SET   /* the address of an fd_set; argument 0 says how many bits it has */
};

struct arg_desc {
	const char *name;
	struct type type;
	uint8_t phase;
	uint8_t watch;
	uint8_t reg; /* 1 + register; 0: the next one */
	bool always; /* of what the exit shows: whatever the result */
	bool again; /* of BOTH: if the call succeeds, all of it once more at exit: {…} => {…} */
	/*
	 * Of one that is known at the exit: ", " and its name are shown at the entry.
	 * Of one that is shown again: its brace is closed at the exit.
	 */
	bool begun;
	/* The argument exists only if these say so, where there are any. */
	const struct condition *when;
	bool (*cond)(const struct decoder *d); /* what no condition can say */
};

/* clang-format off */
#define ARG_(p, n, ...) {.phase = (p), .name = n, .type = __VA_ARGS__}
/* clang-format on */
#define IN(n, ...)	ARG_(PHASE_IN, #n, __VA_ARGS__)
#define IN_UNNAMED(...) ARG_(PHASE_IN, "", __VA_ARGS__) /* -N shows no name */
#define OUT(n, ...)	ARG_(PHASE_OUT, #n, __VA_ARGS__)
#define BOTH(n, ...)	ARG_(PHASE_BOTH, #n, __VA_ARGS__)
#define CHANGED(n, ...) ARG_(PHASE_CHANGED, #n, __VA_ARGS__)
#define ON_ENTER(f)	ARG_(PHASE_HOOK_ENTER, NULL, FN(f))
#define ON_EXIT(f)	ARG_(PHASE_HOOK_EXIT, NULL, FN(f))
/* After the type: IN(flags, FLAGS(x), AT(0)), OUT(argp, STRUCT(x), BEGUN). */
#define AT(r)  .reg = 1 + (r)
#define ALWAYS .always = true
#define AGAIN  .again = true
#define BEGUN  .begun = true

/* Behind the type as well: IN(epfd, FD, WATCH(NONE)). */
#define WATCH(w) .watch = WATCH_##w

/* Classes, for -e trace=%CLASS. %file and %desc follow from PATH and FD arguments too. */
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
	CLASS_STAT_LIKE = 1 << 13, /* %%stat: these and the stat family around them */
	CLASS_STATFS = 1 << 14,
	CLASS_FSTATFS = 1 << 15,
	CLASS_STATFS_LIKE = 1 << 16,
	CLASS_NOT_FILE = 1 << 17,      /* has a PATH, but is not in %file */
	CLASS_NOT_DESC = 1 << 18,      /* has an FD, but is not in %desc */
	SYSCALL_F_NO_RETURN = 1 << 19, /* exit: the result is "?" */
	SYSCALL_F_EXECVE = 1 << 20,
	SYSCALL_F_LATE = 1 << 22,    /* unfinished until its exit, though all arguments are IN */
	SYSCALL_F_NO_REGS = 1 << 23, /* its arguments are in no register: none with -e raw */
	SYSCALL_F_NAMED_TWICE = 1 << 24, /* as strace 7.2 has it: -N names its argument again */
	MM_SHIFT = 28			 /* enum mm_change above it: MM(MM_MMAP) */
};
#define MM(change) ((uint32_t)(change) << MM_SHIFT)

struct syscall_desc {
	const char *name;
	struct type ret;
	uint32_t flags;
	const struct arg_desc *args;
	uint8_t nargs; /* rows of args, hooks included */
	const struct variants *variants;
};

/*
 * Variants: rows of linux/variants/NAME.def.
 *
 *	VARIANTS_BEGIN(fcntl, 1, &xlat_fcntl_cmds, IN(fd, FD), IN(op, ENUM(fcntl_cmds)))
 *	VARIANT(F_GETFD, FN(ret_fd_flags))
 *	VARIANT(F_DUPFD, FD, IN(arg, FD))
 *	VARIANTS_END(fcntl)
 *
 * VARIANTS_BEGIN(name, register that selects, table its values are named in, the
 * arguments that every row begins with); VARIANTS_END(name, further members of
 * struct variants). VARIANT(value, result, further arguments). VARIANT_WHOLE does
 * not begin with them, VARIANT_64 is none of compat ABIs, VARIANT_ALSO(value, other, result,
 * …) is of a number that has another name as well, VARIANT_GROWS(bytes, value, result, …) of
 * ioctl requests in any size from so many bytes on. A value that no row has: the
 * syscall's own row serves.
 */
struct variant {
	const char *value_name; /* the table says which number it is */
	const char *also;	/* what else the table calls that number, or NULL */
	bool only_64;		/* not of compat ABIs */
	uint16_t grows_from; /* of ioctl(2): bytes from which on its argument counts; 0: as named */
	bool whole;	     /* its arguments are all of them */
	struct syscall_desc desc;
};

/* What VARIANTS_BEGIN says. */
struct variants_key {
	unsigned reg;
	const struct xlat *names;
	const struct arg_desc *prefix; /* what the rows' arguments begin with */
	uint8_t nprefix;
};

struct variants {
	const char *name;
	const struct variants_key *key;
	bool ioctls;   /* the numbers are those of abi->ioctls */
	uint8_t shift; /* of the register: names are for what is above it */
	uint64_t mask; /* of the register; 0 is 0xffffffff */
	const struct variant *rows;
	unsigned n;
	struct variant_index *index; /* ABI_COUNT of them, or one for all; made when first used */
};

/* The rows of a list, sorted by the value of the register. */
struct variant_index {
	const struct variant **sorted;
	uint64_t *values;
	const struct syscall_desc **descs; /* with their prefix, made when first used, or NULL */
	unsigned n;
	unsigned *growing; /* ngrowing of sorted, those that grow */
	unsigned ngrowing;
};

#define SYSCALL_ARGS_(...)                                                                         \
	.args = (const struct arg_desc[]){__VA_ARGS__},                                            \
	.nargs = sizeof((const struct arg_desc[]){__VA_ARGS__}) / sizeof(struct arg_desc)

extern const struct syscall_desc syscall_descs[];
extern const unsigned syscall_desc_count;

/* Classes of a row, with what its argument types imply: CLASS_FILE, CLASS_DESC. */
uint32_t syscall_desc_classes(const struct syscall_desc *desc);
/* What is watched in an argument, never WATCH_BY_TYPE: a variant's row must say it of itself. */
enum watch syscall_arg_watch(const struct arg_desc *a, bool in_variant);
/* The row that serves these arguments of an ABI: desc itself, or one of its variants. */
const struct syscall_desc *syscall_desc_select(const struct syscall_desc *desc,
					       const struct abi *abi, const uint64_t *args);
/* The rows of an ABI, by value. */
const struct variant_index *syscall_variants(const struct variants *v, const struct abi *abi);
/* The row called name, or -1. */
int syscall_desc_find(const char *name);

static inline enum mm_change syscall_desc_mm(const struct syscall_desc *desc)
{
	return (enum mm_change)(desc->flags >> MM_SHIFT);
}

#endif
