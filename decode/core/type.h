/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The types of arguments and struct fields, used in the rows of linux/. A type is a decoder (struct
 * type_ops) plus parameters; it turns a number or bytes of the tracee's memory into a value.
 *
 * As an argument, a type that lives in memory (strings, structs, arrays) means a pointer to it, as
 * in C. As a field it means the object itself, in place; a pointer to it is PTR(type).
 */
#ifndef TRACER_DECODE_CORE_TYPE_H
#define TRACER_DECODE_CORE_TYPE_H

#include "defs.h"
#include "linux/xlat.h"
#include "event/value.h"

struct abi;
struct decoder;
struct nlattr_table;
struct parts;
struct result_note;
struct struct_desc;
struct type;
struct variants;

/*
 * Widths of numbers. W8 to W64 are bytes; W_LONG, W_KLONG and W_OLD_DEV are codes for widths that
 * follow from the ABI, which decode_width() turns into bytes.
 */
enum {
	W8 = 1,
	W16 = 2,
	W32 = 4,
	W64 = 8,
	W_LONG = 16,	/* long, and a pointer: abi->long_size */
	W_KLONG = 32,	/* __kernel_long_t: abi->klong_size, wider than a long on x32 */
	W_OLD_DEV = 64, /* __kernel_old_dev_t: abi->old_dev_size */
};

/*
 * The source of a length or a count. Conditions and SWITCH() use it for other numbers, too. An
 * argument here is a register, counted from 0.
 */
enum length_from {
	LEN_NONE,    /* not given: up to the end of the enclosing memory */
	LEN_CONST,   /* n */
	LEN_ARG,     /* argument n, as unsigned long */
	LEN_ARG32,   /* argument n, as int; if negative, there is no length */
	LEN_ARG_U32, /* argument n, as unsigned int */
	LEN_RET,     /* the syscall's result */
	LEN_FIELD,   /* field `field` of the struct this type is in */
	LEN_DEREF    /* the int that argument n points to, read during decoding */
};

struct length {
	uint8_t from;
	union {
		uint64_t n;
		const char *field;
	};
};

/* Lengths in rows, named after the members of enum length_from. */
/* clang-format off */
#define LEN_(from_, ...) {.from = LEN_##from_, __VA_ARGS__}
/* clang-format on */
#define A0	      LEN_(ARG, .n = 0)
#define A1	      LEN_(ARG, .n = 1)
#define A2	      LEN_(ARG, .n = 2)
#define A3	      LEN_(ARG, .n = 3)
#define A4	      LEN_(ARG, .n = 4)
#define A5	      LEN_(ARG, .n = 5)
#define ARG_INT(arg)  LEN_(ARG32, .n = (arg))
#define ARG_UINT(arg) LEN_(ARG_U32, .n = (arg))
#define RET	      LEN_(RET)
#define N(count)      LEN_(CONST, .n = (count))
#define FIELD(f)      LEN_(FIELD, .field = #f)
#define DEREF(arg)    LEN_(DEREF, .n = (arg))

/*
 * Decoders. decode_fn decodes a number n, which is a register or field extended to 64 bits.
 * decode_memory_fn decodes len bytes that were read from addr. t is the type in the row. Both
 * return a value in d->arena. Some types may return NULL, and nothing is shown.
 */
typedef struct value *decode_fn(struct decoder *d, const struct type *t, uint64_t n);
typedef struct value *decode_memory_fn(struct decoder *d, const struct type *t, uint64_t addr,
				       const uint8_t *bytes, size_t len);

/*
 * The operations of a type. Either `number` is set, or `memory`, `fetch` or both of these. Any
 * other member may be NULL.
 */
struct type_ops {
	const char *name; /* such as "string", for messages about wrong rows */
	/* Decodes a number: a register, or a field t->width wide. */
	decode_fn *number;
	/* Decodes an object in the tracee's memory from bytes that were read. */
	decode_memory_fn *memory;
	/*
	 * Decodes an object at address n whose size is known only after reading, such as a string.
	 */
	decode_fn *fetch;
	/* With PHASE_BOTH: the type itself decides what the exit shows. */
	bool both;
	/*
	 * For types of netlink attributes: `memory` accepts bytes whose end could not be read. It
	 * shows the readable ones, then the address where the unreadable ones begin.
	 */
	bool partial;
	/* For types of results: decoding the result may add a note after it. */
	bool notes;
	/* For a type that stands for several types: returns the one that applies now. */
	const struct type *(*choose)(const struct decoder *d, const struct type *t);
	/*
	 * Size in memory and alignment, in bytes. If NULL, decode_size() and decode_align()
	 * determine them (decode/core/decode.h).
	 */
	size_t (*size)(const struct abi *abi, const struct type *t);
	size_t (*align)(const struct abi *abi, const struct type *t);
};

/* A type with its parameters, constant. Rows create it with the macros below. */
struct type {
	const struct type_ops *ops;
	uint8_t width;	/* of a number: W_* */
	bool is_signed; /* the number is sign-extended from its width */
	uint32_t flags; /* bits of enum type_flag */
	union {		/* ops decides which one is used */
		const struct xlat *xlat;
		const struct struct_desc *desc;
		const struct type *elem;
		decode_fn *fn;
		const struct type_case *cases;
		struct nlattr_table *attrs;
		const struct parts *parts;
		const struct result_note *note;
	};
	struct length len;
	union { /* a further parameter; ops decides which one is used */
		/* with TYPE_F_SIZED: a struct with fewer bytes is shown as an address */
		uint64_t min;
		uint64_t max; /* capacity, or maximum number of shown elements */
		uint64_t n;
		/*
		 * A second type: of SWITCH() for numbers without a case, of BY_ABI() in compat
		 * ABIs, of BY_PHASE() at exit. For FN_X(), a parameter of the function.
		 */
		const struct type *other;
		const struct xlat *names; /* names of the numbers or indexes that are shown */
		const struct struct_desc *shape; /* the struct that fn reads */
		const char *text;		 /* a name, or a comment to show */
	};
};

enum type_flag {
	TYPE_F_SPLIT = 1 << 0, /* 64-bit argument: two registers where the ABI splits it */
	TYPE_F_AT = 1 << 1,    /* an fd that may be AT_FDCWD */
	TYPE_F_PATH = 1 << 2,  /* a string that names a file: never shortened, counts as %file */
	TYPE_F_NUL = 1 << 3,   /* characters: end at the first NUL; bytes: a final NUL is omitted */
	TYPE_F_HEX = 1 << 4,   /* bytes: printed with \x escapes */
	TYPE_F_SIZED = 1 << 5, /* a struct that may grow; len is its size in bytes */
	TYPE_F_DATE = 1 << 6,  /* seconds, or a struct of seconds and a fraction: with the date */
	/* an array: an address if any part is unreadable; bytes in a struct: -s does not apply */
	TYPE_F_WHOLE = 1 << 7,
	TYPE_F_DESC = 1 << 8,	  /* a hatch for an object as large as the struct desc */
	TYPE_F_ZERO = 1 << 9,	  /* flags whose table names zero */
	TYPE_F_SELF = 1 << 10,	  /* a struct whose first 32 bits are its size in bytes */
	TYPE_F_PAGE = 1 << 11,	  /* with TYPE_F_SIZED: an address if it is longer than a page */
	TYPE_F_MEANING = 1 << 12, /* with TYPE_F_DATE: the date is omitted with -X raw */
	TYPE_F_ALL = 1 << 13,	  /* an array that -s does not shorten */
	TYPE_F_DECIMAL = 1 << 14, /* an enum: a number without a name is decimal, with no comment */
	TYPE_F_RESULT = 1 << 15,  /* of a result: see RESULT() */
	/* two registers, even if one would be wide enough, unless the ABI has whole_offset */
	TYPE_F_HALVES = 1 << 16,
	/* BY_FORM(): chooses the first type if x86_forms is set, regardless of compat */
	TYPE_F_FORM = 1 << 17,
	TYPE_F_LONG = 1 << 18, /* BY_LONG(): chooses the first type if a long has 64 bits */
	/* a long: if the register is wider, its upper bits are ignored */
	TYPE_F_NARROW = 1 << 19
};

/* TYPE(operations, further members of struct type). The macros below use it. */
/* clang-format off */
#define TYPE(ops_, ...) {.ops = &(ops_), __VA_ARGS__}
/* clang-format on */

/* ---- numbers ---- */
#define NUM_(ops_, w, s) TYPE(type_##ops_, .width = (w), .is_signed = (s))
#define INT		 NUM_(int, W32, true)
#define UINT		 NUM_(uint, W32, false)
#define LONG		 NUM_(int, W_LONG, true)
#define ULONG		 NUM_(uint, W_LONG, false)
#define SIZE		 ULONG
/*
 * Arguments that strace 7.2 truncates to the width of the program's long: on x32, to half a
 * register.
 */
#define NARROW_LONG  TYPE(type_int, .width = W_LONG, .is_signed = true, .flags = TYPE_F_NARROW)
#define NARROW_ULONG TYPE(type_uint, .width = W_LONG, .flags = TYPE_F_NARROW)
#define S8	     NUM_(int, W8, true)
#define S16	     NUM_(int, W16, true)
#define S32	     INT
#define S64	     TYPE(type_int, .width = W64, .is_signed = true, .flags = TYPE_F_SPLIT)
#define U8	     NUM_(uint, W8, false)
#define U16	     NUM_(uint, W16, false)
#define U32	     UINT
#define U64	     TYPE(type_uint, .width = W64, .flags = TYPE_F_SPLIT)
#define LOFF	     S64
/* An offset in bytes in two registers, or in one if abi->whole_offset: preadv2(2). */
#define LOFF_HALVES                                                                                \
	TYPE(type_int, .width = W64, .is_signed = true, .flags = TYPE_F_SPLIT | TYPE_F_HALVES)
#define HEX8	    NUM_(hex, W8, false)
#define HEX16	    NUM_(hex, W16, false)
#define HEX32	    NUM_(hex, W32, false)
#define HEX64	    TYPE(type_hex, .width = W64, .flags = TYPE_F_SPLIT)
#define HEXLONG	    NUM_(hex, W_LONG, false)
#define HEXKLONG    NUM_(hex, W_KLONG, false)
#define ADDR	    NUM_(addr, W_LONG, false)
#define ADDR64	    NUM_(addr, W64, false)
#define KADDR	    NUM_(addr, W_KLONG, false)
#define FD	    NUM_(fd, W32, true)
#define ATFD	    TYPE(type_fd, .width = W32, .is_signed = true, .flags = TYPE_F_AT)
#define PID	    NUM_(pid, W32, true)  /* a thread */
#define TGID	    NUM_(tgid, W32, true) /* a process */
#define PGID	    NUM_(pgid, W32, true)
#define SID	    NUM_(sid, W32, true)
#define PID_OR_PGID NUM_(pid_or_group, W32, true) /* as kill(2) takes them */
#define UID	    NUM_(uid, W32, false)	  /* -1 is shown as such */
#define GID	    NUM_(uid, W32, false)
#define UID16	    NUM_(uid, W16, false)
#define SIGNO	    NUM_(signo, W32, true)
#define ERRNO	    NUM_(errno, W32, true) /* ENOENT; zero is 0 */
/* A field with the result of an operation, a negative errno on failure: -ENOENT, 4096. */
#define FAILURE	  NUM_(failure, W32, true)
#define FAILURE64 NUM_(failure, W64, true)
/* Of a result: a number, followed by its name if the table has one. */
#define RET_NAMED(x) TYPE(type_ret_named, .width = W32, .is_signed = true, .xlat = &xlat_##x)
#define DEV32	     NUM_(dev, W32, false) /* makedev(0x8, 0x1) */
#define DEV64	     NUM_(dev, W64, false)
#define OLD_DEV	     NUM_(dev, W_OLD_DEV, false)
#define MODE	     NUM_(mode, W32, false) /* S_IFREG|0644 */
#define MODE16	     NUM_(mode, W16, false)
#define UMODE	     NUM_(umode, W32, false) /* 0644 */
#define UMODE16	     NUM_(umode, W16, false)
#define KLONG	     NUM_(int, W_KLONG, true) /* __kernel_long_t: 64 bits on x32 */
#define KULONG	     NUM_(uint, W_KLONG, false)
#define TIME	     NUM_(int, W_KLONG, true)
/* Seconds since 1970, followed by the date. */
#define DATE TYPE(type_int, .width = W_KLONG, .is_signed = true, .flags = TYPE_F_DATE)

/* An unsigned 64-bit number of seconds since 1970, followed by the date. */
#define UDATE64 TYPE(type_uint, .width = W64, .flags = TYPE_F_DATE)

/* ---- named numbers, 32 bits wide unless the macro's name has another width ---- */
#define ENUM_(x, w, s) TYPE(type_enum, .width = (w), .is_signed = (s), .xlat = &xlat_##x)
#define FLAGS_(x, w)   TYPE(type_flags, .width = (w), .xlat = &xlat_##x)
/* Named numbers, in decimal if they have no name: UINT64_MAX, 17. */
#define UENUM_(x, w) TYPE(type_enum, .width = (w), .xlat = &xlat_##x, .flags = TYPE_F_DECIMAL)
#define UENUM(x)     UENUM_(x, W32)
#define UENUM64(x)   UENUM_(x, W64)
#define ENUM(x)	     ENUM_(x, W32, false)
#define ENUM8(x)     ENUM_(x, W8, false)
#define ENUM16(x)    ENUM_(x, W16, false)
#define ENUM64(x)    ENUM_(x, W64, false)
#define ENUMLONG(x)  ENUM_(x, W_LONG, false)
#define FLAGS(x)     FLAGS_(x, W32)
#define FLAGS8(x)    FLAGS_(x, W8)
#define FLAGS16(x)   FLAGS_(x, W16)
#define FLAGS64(x)   FLAGS_(x, W64)
#define FLAGSLONG(x) FLAGS_(x, W_LONG)
/* Flags in a 64-bit argument, which some ABIs pass in two registers. */
#define FLAGS_SPLIT64(x) TYPE(type_flags, .width = W64, .xlat = &xlat_##x, .flags = TYPE_F_SPLIT)
/* Flags whose table names zero: PROT_NONE. */
#define FLAGS0_(x, w) TYPE(type_flags, .width = (w), .xlat = &xlat_##x, .flags = TYPE_F_ZERO)
#define FLAGS0(x)     FLAGS0_(x, W32)
#define FLAGS0LONG(x) FLAGS0_(x, W_LONG)

/* ---- numbers of several meanings ---- */
/* Shows the number value_ by name, and all other numbers as another type: IPC_PRIVATE, 0x1. */
#define NAMED(value_, name_, ...)                                                                  \
	TYPE(type_named, .width = W_LONG, .len = N(value_), .text = (name_), ELEM_(__VA_ARGS__))

/* A part of a number: some of its bits. See linux/part_rows.h. */
struct part {
	uint64_t mask;	/* the bits, or 0 for all bits that no shown part before has */
	uint64_t is;	/* without a type: the part is shown if the bits have this value */
	uint8_t shift;	/* number of bits by which they are shifted right before decoding */
	bool set;	/* shown only if one of the bits is set */
	bool named;	/* shown only if the type's table has a name for them */
	bool times;	/* shown as NUMBER<<name, or NUMBER<<shift without a name */
	bool or_else;	/* with `set`: also shown if no part before it is */
	bool always;	/* shown in any case; overrides `set` */
	bool lone;	/* if no other part is shown, the value is this part alone */
	bool lone_zero; /* like `lone`, but only if the whole number is zero */
	uint32_t text;	/* hints (event/text_hint.h), used only if other parts are shown, too */
	const char *name;
	const struct type *type;
	const struct type
		/*
		 * the type in ABIs without maps_low, or NULL if it is the same there
		 */
		*elsewhere;
};

/* How the parts are combined. */
struct parts_style {
	/* Name of a function whose arguments are the parts. If NULL, the parts are joined by |. */
	const char *function;
	uint32_t text, flags;	/* of the whole value: enum text_hint, enum value_flag */
	const struct type *raw; /* type of the whole number with -X raw, or NULL for hexadecimal */
	bool open;		/* the parts are flags of open(2), which differ by ABI */
};

struct parts {
	const struct parts_style *style;
	const struct part *rows;
	unsigned n;
};
#define PARTS(w, p) TYPE(type_parts, .width = (w), .parts = &parts_##p)

#define PARTS_BEGIN(p, ...) extern const struct parts parts_##p;
#define PARTS_END(p)
#define PART(...)
#define PART_SET(...)
#define PART_NAMED(...)
#define PART_IS(...)
#define PART_BY(...)
#define REST(...)
#include "linux/parts.def"
#undef PARTS_BEGIN
#undef PARTS_END
#undef PART
#undef PART_SET
#undef PART_NAMED
#undef PART_IS
#undef PART_BY
#undef REST

/* Which results get a note. */
enum note_when {
	NOTE_ALWAYS,
	NOTE_SET,  /* those that are not zero */
	NOTE_NAMED /* those for which the note's type has a name, or a name for one of the flags */
};

/* A numeric result followed by its meaning: 0x1 (flags FD_CLOEXEC). */
struct result_note {
	struct type type; /* the note is the result, decoded as this type */
	uint8_t when;	  /* enum note_when */
	bool decimal;	  /* the result is decimal, not hexadecimal */
	uint32_t text;	  /* hints of the note (event/text_hint.h) */
	const char *name; /* word before the note, or NULL */
};
#define RESULT_NOTE(...)                                                                           \
	TYPE(type_result_note, .width = W_LONG, .note = &(const struct result_note){__VA_ARGS__})

/* The meaning of the result, omitted with -X raw: 0x4 (IOPRIO_PRIO_VALUE(…)). */
#define RET_MEANING(type_, ...)                                                                    \
	RESULT_NOTE(type_, .text = TEXT_ALWAYS | TEXT_COMMENT_READS, __VA_ARGS__)
/* The result with a note of its flags, or of its name, if table x has one. */
#define RET_FLAGS(x) RESULT_NOTE(FLAGSLONG(x), NOTE_NAMED, .text = TEXT_ALWAYS | TEXT_COMMENT_READS)
#define RET_ENUM(x)  RESULT_NOTE(ENUMLONG(x), NOTE_NAMED, .decimal = true, .text = TEXT_ALWAYS)
#define RET_SIGNO    RESULT_NOTE(SIGNO, NOTE_NAMED, .decimal = true, .text = TEXT_ALWAYS)

/* ---- memory ---- */
#define PATH TYPE(type_string, .flags = TYPE_F_PATH) /* NUL-terminated file name */
#define STR  TYPE(type_string)			     /* NUL-terminated, shortened by -s */
/* A string of at most n_ bytes, which may end without a NUL; shortened by -s. */
#define STR_IN(n_) TYPE(type_string, .len = N(n_))
#define BYTES(...) TYPE(type_bytes, .len = __VA_ARGS__) /* a buffer of the given length */
/* A buffer of the given length. If its last byte is a NUL, that byte is not shown. */
#define NULBYTES(...) TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_NUL)
/* A buffer of the given length, shown with \x escapes. */
#define HEXBYTES(...) TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_HEX)
/* An array of characters inside a struct, to its NUL or its end. */
#define CHARS(n_) TYPE(type_chars, .len = N(n_), .flags = TYPE_F_NUL)
/* An array of max_ characters inside a struct, of which the given length is in use. */
#define CHARS_IN(max_, ...) TYPE(type_chars, .len = __VA_ARGS__, .flags = TYPE_F_NUL, .max = (max_))
#define RAWCHARS(n_)	    TYPE(type_chars, .len = N(n_))
#define HEXCHARS(n_)	    TYPE(type_chars, .len = N(n_), .flags = TYPE_F_HEX)
#define STRUCT(s)	    TYPE(type_struct, .desc = &struct_##s)
/* A struct of seconds and tv_usec or tv_nsec, followed by the date. */
#define STRUCT_DATE(s) TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_DATE)
/*
 * A struct that grows with new kernels. Its length in bytes, as passed by the tracee, is the last
 * parameter, such as A1. If it is below min_, the struct is shown as an address;
 * STRUCT_GROWS_PAGE() does so also if it is longer than a page.
 */
#define STRUCT_GROWS(s, min_, ...)                                                                 \
	TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_SIZED, .len = __VA_ARGS__,          \
	     .min = (min_))
#define STRUCT_GROWS_PAGE(s, min_, ...)                                                            \
	TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_SIZED | TYPE_F_PAGE,                \
	     .len = __VA_ARGS__, .min = (min_))
/* A struct that grows with new kernels. Its first field, of 32 bits, is its size in bytes. */
#define STRUCT_SELF(s, min_)                                                                       \
	TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_SIZED | TYPE_F_SELF, .min = (min_))
#define ELEM_(...) .elem = &(const struct type)__VA_ARGS__
/* ARRAY(type, count): [a, b]. Inside a struct, the count must be a constant N(); see ARRAY_IN(). */
#define ARRAY(type_, ...) TYPE(type_array, ELEM_(type_), .len = __VA_ARGS__)
/* An array of n_ elements. If any part of it is unreadable, it is shown as an address. */
#define ARRAY_WHOLE(type_, n_) TYPE(type_array, ELEM_(type_), .len = N(n_), .flags = TYPE_F_WHOLE)
/* Like ARRAY_WHOLE(), but all elements are shown, regardless of -s. */
#define ARRAY_TUPLE(type_, n_)                                                                     \
	TYPE(type_array, ELEM_(type_), .len = N(n_), .flags = TYPE_F_WHOLE | TYPE_F_ALL)
/* An array of n_ elements in a struct, not shortened by -s. */
#define ARRAY_ALL(type_, n_) TYPE(type_array, ELEM_(type_), .len = N(n_), .flags = TYPE_F_ALL)
/* In a struct: an array of max_ bytes, of which the given length, such as FIELD(n), is in use. */
#define BYTES_IN(max_, ...)                                                                        \
	TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_WHOLE, .max = (max_))
#define HEXBYTES_IN(max_, ...)                                                                     \
	TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_HEX | TYPE_F_WHOLE, .max = (max_))
/*
 * In a struct: an array of max_ elements, of which the given length is in use. As an argument or in
 * PTR(): an array of the given length, of which at most max_ elements are shown.
 */
#define ARRAY_IN(type_, max_, ...) TYPE(type_array, ELEM_(type_), .len = __VA_ARGS__, .max = (max_))
/* At the end of a struct: an array that is not included in the size of the struct. */
#define TRAILING(type_, ...) TYPE(type_trailing, ELEM_(type_), .len = __VA_ARGS__)
/* Like TRAILING(), but at most max_ elements are shown. */
#define TRAILING_IN(type_, max_, ...)                                                              \
	TYPE(type_trailing, ELEM_(type_), .len = __VA_ARGS__, .max = (max_))
#define TRAILING_BYTES(...) TYPE(type_trailing, .len = __VA_ARGS__)
/*
 * A pointer, shown as its target. A target that is a number is shown in brackets: [5]. If the
 * target cannot be read, the address is shown.
 */
#define PTR(...)   TYPE(type_ptr, .width = W_LONG, ELEM_(__VA_ARGS__))
#define PTR64(...) TYPE(type_ptr, .width = W64, ELEM_(__VA_ARGS__))
/* A signal set of the given length in bytes. */
#define SIGSET(...) TYPE(type_sigset, .len = __VA_ARGS__)

/* ---- hatches: functions for data that the types above cannot describe ---- */
/*
 * FN(f): function f makes the value from the number in a register or field. The variants give the
 * width of the number (FN0: it occupies no space in a struct), or pass f a parameter in its type t:
 * a length or another type.
 */
#define FN(f) TYPE(type_fn, .width = W_LONG, .fn = (f))
/*
 * Like FN(), for a result. The arguments decide whether it is a descriptor or a plain number, and f
 * adds no note.
 */
#define RESULT(f)	 TYPE(type_fn, .width = W_LONG, .fn = (f), .flags = TYPE_F_RESULT)
#define FNKLONG(f)	 TYPE(type_fn, .width = W_KLONG, .fn = (f))
#define FN0(f)		 TYPE(type_fn, .fn = (f))
#define FN16(f)		 TYPE(type_fn, .width = W16, .fn = (f))
#define FN8(f)		 TYPE(type_fn, .width = W8, .fn = (f))
#define FN32(f)		 TYPE(type_fn, .width = W32, .fn = (f))
#define FN64(f)		 TYPE(type_fn, .width = W64, .fn = (f))
#define FN_LEN(f, ...)	 TYPE(type_fn, .width = W_LONG, .fn = (f), .len = __VA_ARGS__)
#define FN_LEN64(f, ...) TYPE(type_fn, .width = W64, .fn = (f), .len = __VA_ARGS__)
#define FN_X(f, ...)	 TYPE(type_fn, .width = W_LONG, .fn = (f), .other = __VA_ARGS__)
/* An object of size_ bytes in every ABI, decoded by the function `memory` of ops_. */
#define MEMFN(ops_, size_) TYPE(ops_, .len = N(size_))

/* The same for an object as large as struct s in the tracee's ABI. */
#define STRUCTFN(ops_, s) TYPE(ops_, .desc = &struct_##s, .flags = TYPE_F_DESC)

/*
 * A field or argument whose type depends on another number: SWITCH(cases, default, FIELD(x)). If
 * the number has no case, the type is `default`. A case with the type NULL ends the list.
 */
struct type_case {
	uint64_t value;
	const struct type *type;
};
/* clang-format off */
#define CASE(v, ...) {(v), &(const struct type)__VA_ARGS__}
/* clang-format on */
#define SWITCH(cases_, default_, ...)                                                              \
	TYPE(type_switch, .cases = (cases_), .other = &(const struct type)default_,                \
	     .len = __VA_ARGS__)

/* The operations of the types above. */
extern const struct type_ops type_int, type_uint, type_hex, type_addr, type_fd, type_pid, type_tgid,
	type_pgid, type_sid, type_pid_or_group, type_uid, type_signo, type_errno, type_failure,
	type_ret_named, type_named, type_parts, type_result_note, type_dev, type_mode, type_umode,
	type_enum, type_flags, type_string, type_bytes, type_chars, type_struct, type_array,
	type_ptr, type_sigset, type_fn, type_switch, type_by_abi, type_by_phase, type_trailing,
	type_none;

/* Two types: the second one for compat ABIs (struct abi), the first one for all others. */
#define BY_ABI(type64_, type32_)                                                                   \
	TYPE(type_by_abi, ELEM_(type64_), .other = &(const struct type)type32_)

/* Two types: the first one for ABIs with x86_forms, the second one for all others. */
#define BY_FORM(x86_, generic_)                                                                    \
	TYPE(type_by_abi, ELEM_(x86_), .other = &(const struct type)generic_, .flags = TYPE_F_FORM)

/* Two types: the first one for ABIs whose programs have a 64-bit long, the second for others. */
#define BY_LONG(type64_, type32_)                                                                  \
	TYPE(type_by_abi, ELEM_(type64_), .other = &(const struct type)type32_,                    \
	     .flags = TYPE_F_LONG)

/* One type at entry, another at exit. */
#define BY_PHASE(in_, out_) TYPE(type_by_phase, ELEM_(in_), .other = &(const struct type)out_)

/* A function for each phase: f_entry() and f_exit(). */
#define FN_BOTH(f) BY_PHASE(FN(f##_entry), FN(f##_exit))

/* No argument, or no result: exit(), "= ?". */
#define NONE TYPE(type_none)

/* ---- conditions: whether a field of a struct, or an argument, exists ---- */
enum condition_how {
	CONDITION_IS,	  /* the number is one of the values */
	CONDITION_BIT,	  /* the number and one of the values have a bit in common */
	CONDITION_ABOVE,  /* the number is more than the value */
	CONDITION_ROW,	  /* the call is the row with this index */
	CONDITION_EITHER, /* at least one of two other conditions holds */
	CONDITION_BOTH,	  /* two other conditions hold */
	CONDITION_FULL,	  /* -v is given */
	CONDITION_EXIT,	  /* at exit */
	CONDITION_FAILED, /* at exit, and the call failed */
	CONDITION_NEVER
};

/* The numbers of the names in a condition. They are looked up at first use. */
struct condition_values {
	bool known;
	unsigned n;
	uint64_t value[16];
};

struct condition;
/* Holds a condition that is part of another one. The macros below initialize its only member. */
struct when {
	const struct condition *when;
};

struct condition {
	uint8_t how;	  /* enum condition_how */
	bool unless;	  /* inverts the condition */
	struct length of; /* the number to compare */
	uint64_t mask;	  /* relevant bits of the number, or 0 for all */
	/* Table of the values' names, or NULL if the values are numbers. */
	const struct xlat *table;
	const char *names; /* "FF_RUMBLE, FF_PERIODIC" or "1, 2" */
	struct condition_values *values;
	struct when first, second; /* of EITHER and BOTH */
};

/* clang-format off */
#define CONDITION_(how_, ...) \
	.when = &(const struct condition){.how = CONDITION_##how_, __VA_ARGS__}
#define VALUES_(n) .names = n, .values = &(struct condition_values){0}
/* clang-format on */
/*
 * WHEN(of, table, names…): true if the number `of`, a length such as FIELD(type), has one of these
 * names in the table. UNLESS(): true if it has none of them.
 */
#define WHEN(of_, x, ...) CONDITION_(IS, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
#define UNLESS(of_, x, ...)                                                                        \
	CONDITION_(IS, .unless = true, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
/* True if the number is one of these unnamed values; UNLESS: if it is none of them. */
#define WHEN_N(of_, ...)   CONDITION_(IS, .of = of_, VALUES_(#__VA_ARGS__))
#define UNLESS_N(of_, ...) CONDITION_(IS, .unless = true, .of = of_, VALUES_(#__VA_ARGS__))
/* True if the number has one of these flags of the table; UNLESS: if it has none of them. */
#define WHEN_ANY(of_, x, ...) CONDITION_(BIT, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
#define UNLESS_ANY(of_, x, ...)                                                                    \
	CONDITION_(BIT, .unless = true, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
/* True if the number has one of these unnamed bits; UNLESS: if it has none of them. */
#define WHEN_BIT(of_, bits)   CONDITION_(BIT, .of = of_, VALUES_(#bits))
#define UNLESS_BIT(of_, bits) CONDITION_(BIT, .unless = true, .of = of_, VALUES_(#bits))
/* True if the bits in the mask `bits` equal one of the numbers; UNLESS: if they equal none. */
#define WHEN_PART(of_, bits, ...) CONDITION_(IS, .of = of_, .mask = (bits), VALUES_(#__VA_ARGS__))
#define UNLESS_PART(of_, bits, ...)                                                                \
	CONDITION_(IS, .unless = true, .of = of_, .mask = (bits), VALUES_(#__VA_ARGS__))
/* WHEN_SET(): true if the number is not zero. WHEN_ZERO(): true if it is zero. */
#define WHEN_SET(of_)  CONDITION_(IS, .unless = true, .of = of_, VALUES_("0"))
#define WHEN_ZERO(of_) CONDITION_(IS, .of = of_, VALUES_("0"))
/* True if the number is greater than n. */
#define WHEN_ABOVE(of_, n) CONDITION_(ABOVE, .of = of_, VALUES_(#n))
/* True if the syscall is the one of this name; UNLESS: if it is another. */
#define WHEN_CALL(name)	  CONDITION_(ROW, .of = N(ROW_##name))
#define UNLESS_CALL(name) CONDITION_(ROW, .unless = true, .of = N(ROW_##name))
/*
 * Combinations of two conditions, each written as above. NEITHER() is the inverse of EITHER(), and
 * NOT_BOTH() that of BOTH_OF().
 */
#define EITHER(a, b)	 CONDITION_(EITHER, .first = {a}, .second = {b})
#define NEITHER(a, b)	 CONDITION_(EITHER, .unless = true, .first = {a}, .second = {b})
#define BOTH_OF(a, b)	 CONDITION_(BOTH, .first = {a}, .second = {b})
#define NOT_BOTH(a, b)	 CONDITION_(BOTH, .unless = true, .first = {a}, .second = {b})
#define WHEN_FULL	 CONDITION_(FULL) /* with -v */
#define WHEN_ABBREVIATED CONDITION_(FULL, .unless = true)
#define WHEN_EXIT	 CONDITION_(EXIT)   /* at exit */
#define WHEN_FAILED	 CONDITION_(FAILED) /* at exit, if the call failed */
#define WHEN_NO_ERROR	 CONDITION_(FAILED, .unless = true)
#define NEVER		 CONDITION_(NEVER) /* occupies its place in memory but is never shown */

/* ---- structs ---- */
enum field_flag {
	FIELD_F_VERBOSE = 1 << 0, /* shown only if unabbreviated; otherwise replaced by "..." */
	FIELD_F_HIDDEN = 1 << 1,  /* padding: takes up space but is never shown */
	FIELD_F_NONZERO = 1 << 2, /* shown only when not zero (reserved fields) */
	FIELD_F_UNNAMED = 1 << 3, /* its name is not shown */
	FIELD_F_SAME = 1 << 4,	  /* at the previous field's offset: the next member of a union */
	FIELD_F_OUT = 1 << 5,	  /* set by the kernel: shown only at exit */
	FIELD_F_IN = 1 << 6,	  /* shown only at entry */
	FIELD_F_WITH = 1 << 7,	  /* attributes of bpf(2): shown if the previous field is */
	FIELD_F_PART = 1 << 8, /* a struct or array of which only the available bytes are shown */
	/* with PHASE_BOTH: the last field shown at entry; the exit adds its new value: 4 => 2 */
	FIELD_F_CHANGES = 1 << 9,
	FIELD_F_PACKED = 1 << 11, /* .align applies only if struct epoll_event is packed */
	FIELD_F_AGAIN = 1 << 10	  /* with FIELD_F_CHANGES: the name is repeated, 4 => count=2 */
};

struct field {
	const char *name;
	struct type type;
	uint16_t flags; /* bits of enum field_flag */
	uint16_t at;	/* 1 + offset in bytes, if shown out of order; 0 if it follows the previous
			   field */
	uint8_t align;	/* in bytes; 0 if the field is aligned as usual for its type */
	/*
	 * The field is shown only if `when` and `cond` both hold; each may be NULL. Both are
	 * evaluated with the field's struct as d->scope.
	 */
	const struct condition *when;
	bool (*cond)(const struct decoder *d); /* for conditions that `when` cannot express */
};

struct struct_layout; /* the offsets of the fields in one ABI */
struct struct_desc {
	const char *name;
	const struct field *fields;
	unsigned nfields;
	struct struct_layout **layouts; /* by index of ABI, each created at first use */
};

/*
 * The structs are rows of linux/structs/NAME.def, written with the macros of linux/struct_rows.h.
 * Here each one is only declared.
 */
#define STRUCT_BEGIN(s) extern const struct struct_desc struct_##s;
#define STRUCT_END(s)
#define F(n, ...)
#define FV(n, ...)
#define FNZ(n, ...)
#define PAD(n, ...)
#define FU(n, ...)
#define FP(n, ...)
#define FUV(n, ...)
#define FO(n, ...)
#define FOV(n, ...)
#define FI(n, ...)
#define FW(n, ...)
#define FOW(n, ...)
#define FC(n, ...)
#define FCN(n, ...)
#include "linux/structs_all.h"
#undef STRUCT_BEGIN
#undef STRUCT_END
#undef F
#undef FV
#undef FNZ
#undef PAD
#undef FU
#undef FP
#undef FUV
#undef FO
#undef FOV
#undef FI
#undef FW
#undef FOW
#undef FC
#undef FCN

#endif
