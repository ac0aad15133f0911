/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The types of arguments and struct fields in the tables of linux/. A type consists of a decoder
 * (struct type_ops) and its parameters. It converts a number, or bytes of the tracee's memory, to a
 * value.
 *
 * Objects of some types are in memory: strings, structs and arrays. An argument of such a type is a
 * pointer to the object, as in C. A field of such a type is the object itself. A field that is a
 * pointer to the object has the type PTR(type).
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
 * Widths of numbers. The values of W8 to W64 are widths in bytes. The other values are codes for
 * widths that depend on the ABI. decode_width() converts them to bytes.
 */
enum {
	W8 = 1,
	W16 = 2,
	W32 = 4,
	W64 = 8,
	W_LONG = 16,	/* a long or a pointer: abi->long_size */
	W_KLONG = 32,	/* __kernel_long_t: abi->klong_size, which is wider than a long on x32 */
	W_OLD_DEV = 64, /* __kernel_old_dev_t: abi->old_dev_size */
};

/*
 * The source of a length or a count. Conditions and SWITCH() also use this for other numbers. An
 * argument number is the index of an argument register, starting at 0.
 */
enum length_from {
	LEN_NONE,    /* no length: the data extends to the end of the enclosing memory */
	LEN_CONST,   /* the constant n */
	LEN_ARG,     /* argument n, as unsigned long */
	LEN_ARG32,   /* argument n, as int; if it is negative, there is no length */
	LEN_ARG_U32, /* argument n, as unsigned int */
	LEN_RET,     /* the syscall's result */
	LEN_FIELD,   /* the field with the name `field` in the struct that contains this type */
	LEN_DEREF    /* the int to which argument n points, read during decoding */
};

struct length {
	uint8_t from;
	union {
		uint64_t n;
		const char *field;
	};
};

/* Lengths for the tables of linux/, named after the members of enum length_from. */
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
 * Decoders. A decode_fn decodes the number n, which comes from a register or field and has been
 * extended to 64 bits. A decode_memory_fn decodes len bytes that were read from addr. t is the type
 * of the argument, field or result. Both return a value in d->arena. The decoders of some types may
 * return NULL to show nothing.
 */
typedef struct value *decode_fn(struct decoder *d, const struct type *t, uint64_t n);
typedef struct value *decode_memory_fn(struct decoder *d, const struct type *t, uint64_t addr,
				       const uint8_t *bytes, size_t len);

/*
 * The operations of a type. At least one of `number`, `memory` and `fetch` must be set. Any other
 * member may be NULL.
 */
struct type_ops {
	const char *name; /* such as "string"; used in messages about errors in the tables */
	/* Decodes a number from a register, or from a field of width t->width. */
	decode_fn *number;
	/* Decodes an object from bytes that were read from the tracee's memory. */
	decode_memory_fn *memory;
	/*
	 * Decodes an object at address n. Used if the size of the object is not known before it has
	 * been read, as for strings.
	 */
	decode_fn *fetch;
	/* For PHASE_BOTH: true if the decoder itself determines what to show at exit. */
	bool both;
	/*
	 * For types of netlink attributes: true if `memory` also accepts an attribute that is not
	 * completely readable. It then shows the readable elements, and the address of the first
	 * element that is not completely readable.
	 */
	bool partial;
	/* For types of results: true if decoding the result may add a note after it. */
	bool notes;
	/* For a type that stands for several types: returns the type that applies. */
	const struct type *(*choose)(const struct decoder *d, const struct type *t);
	/*
	 * Return the size in memory and the alignment, in bytes. If NULL, decode_size() and
	 * decode_align() use their defaults (decode/core/decode.h).
	 */
	size_t (*size)(const struct abi *abi, const struct type *t);
	size_t (*align)(const struct abi *abi, const struct type *t);
};

/* A type with its parameters. It is constant. The macros below create it. */
struct type {
	const struct type_ops *ops;
	uint8_t width;	/* for a number: its width, W_* */
	bool is_signed; /* true if the number is sign-extended from its width */
	uint32_t flags; /* bits of enum type_flag */
	union {		/* ops determines which of these members is used */
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
	union { /* a further parameter; ops determines which of these members is used */
		/*
		 * With TYPE_F_SIZED: the minimum size in bytes. A shorter struct is shown as an
		 * address or, with TYPE_F_SELF, only with its size.
		 */
		uint64_t min;
		uint64_t max; /* capacity, or maximum number of elements that are shown */
		uint64_t n;
		/*
		 * A second type. In SWITCH(), the type for numbers without a case; in BY_ABI(), the
		 * type for compat ABIs; in BY_PHASE(), the type at exit. In FN_X(), a parameter of
		 * the function.
		 */
		const struct type *other;
		const struct xlat *names;	 /* names of the numbers, or of the array indexes */
		const struct struct_desc *shape; /* the struct that `fn` reads */
		const char *text;		 /* a name, or a comment that is shown */
	};
};

enum type_flag {
	TYPE_F_SPLIT = 1 << 0, /* a 64-bit argument; it occupies two registers in ABIs that split
				  such arguments */
	TYPE_F_AT = 1 << 1,    /* a descriptor that may be AT_FDCWD */
	TYPE_F_PATH = 1 << 2,  /* a string that names a file: -s never shortens it, and calls with
				  such an argument belong to %file */
	TYPE_F_NUL = 1 << 3, /* for characters: end at the first NUL; for bytes: omit a final NUL */
	TYPE_F_HEX = 1 << 4, /* bytes are printed with \x escapes */
	TYPE_F_SIZED = 1 << 5, /* an extensible struct, whose size in bytes is `len` */
	TYPE_F_DATE =
		1 << 6, /* seconds, or a struct of seconds and a fraction; shown with the date */
	/*
	 * An array is shown as an address if any part of it is unreadable. -s never shortens bytes
	 * in a struct.
	 */
	TYPE_F_WHOLE = 1 << 7,
	TYPE_F_DESC = 1 << 8, /* a custom decoder for an object whose size is the size of the struct
				 `desc` */
	TYPE_F_ZERO = 1 << 9, /* flags with a name for the value zero */
	TYPE_F_SELF = 1 << 10,	  /* a struct whose first 32 bits are its size in bytes */
	TYPE_F_PAGE = 1 << 11,	  /* with TYPE_F_SIZED: shown as an address if longer than a page */
	TYPE_F_MEANING = 1 << 12, /* with TYPE_F_DATE: the date is omitted with -X raw */
	TYPE_F_ALL = 1 << 13,	  /* an array that -s does not shorten */
	TYPE_F_DECIMAL = 1 << 14, /* an enum whose numbers are shown in decimal, without a comment,
				     if they have no name */
	TYPE_F_RESULT = 1 << 15,  /* for a result, see RESULT() */
	/*
	 * an argument that is passed in two registers, even if it would fit into one, unless the
	 * ABI has whole_offset
	 */
	TYPE_F_HALVES = 1 << 16,
	/* BY_FORM(): selects the first type if x86_forms is set, regardless of compat */
	TYPE_F_FORM = 1 << 17,
	TYPE_F_LONG = 1 << 18, /* BY_LONG(): selects the first type if a long has 64 bits */
	/* a long whose upper bits are ignored if the register is wider */
	TYPE_F_NARROW = 1 << 19
};

/* TYPE(operations, further members of struct type) is a helper for the macros below. */
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
 * Arguments that strace 7.2 truncates to the width of the program's long. On x32, this is half the
 * width of a register.
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
/*
 * A byte offset that is passed in two registers, or in one if abi->whole_offset is set; see
 * preadv2(2).
 */
#define LOFF_HALVES                                                                                \
	TYPE(type_int, .width = W64, .is_signed = true, .flags = TYPE_F_SPLIT | TYPE_F_HALVES)
#define HEX8	 NUM_(hex, W8, false)
#define HEX16	 NUM_(hex, W16, false)
#define HEX32	 NUM_(hex, W32, false)
#define HEX64	 TYPE(type_hex, .width = W64, .flags = TYPE_F_SPLIT)
#define HEXLONG	 NUM_(hex, W_LONG, false)
#define HEXKLONG NUM_(hex, W_KLONG, false)
#define ADDR	 NUM_(addr, W_LONG, false)
#define ADDR64	 NUM_(addr, W64, false)
#define KADDR	 NUM_(addr, W_KLONG, false)
#define FD	 NUM_(fd, W32, true)
#define ATFD	 TYPE(type_fd, .width = W32, .is_signed = true, .flags = TYPE_F_AT)
#define PID	 NUM_(pid, W32, true)  /* the id of a thread */
#define TGID	 NUM_(tgid, W32, true) /* the id of a process */
#define PGID	 NUM_(pgid, W32, true)
#define SID	 NUM_(sid, W32, true)
/* The id of a process, or a negated id of a process group, as in kill(2). */
#define PID_OR_PGID NUM_(pid_or_group, W32, true)
#define UID	    NUM_(uid, W32, false) /* (uid_t)-1 is shown as -1 */
#define GID	    NUM_(uid, W32, false)
#define UID16	    NUM_(uid, W16, false)
#define SIGNO	    NUM_(signo, W32, true)
#define ERRNO	    NUM_(errno, W32, true) /* an errno, such as ENOENT; 0 is shown as 0 */
/* A field with the result of an operation, such as 4096 or (on failure) -ENOENT. */
#define FAILURE	  NUM_(failure, W32, true)
#define FAILURE64 NUM_(failure, W64, true)
/* A numeric result, followed by its name if the table contains one. */
#define RET_NAMED(x) TYPE(type_ret_named, .width = W32, .is_signed = true, .xlat = &xlat_##x)
#define DEV32	     NUM_(dev, W32, false) /* shown as makedev(0x8, 0x1) */
#define DEV64	     NUM_(dev, W64, false)
#define OLD_DEV	     NUM_(dev, W_OLD_DEV, false)
#define MODE	     NUM_(mode, W32, false) /* shown as S_IFREG|0644 */
#define MODE16	     NUM_(mode, W16, false)
#define UMODE	     NUM_(umode, W32, false) /* shown as 0644 */
#define UMODE16	     NUM_(umode, W16, false)
#define KLONG	     NUM_(int, W_KLONG, true) /* __kernel_long_t: 64 bits on x32 */
#define KULONG	     NUM_(uint, W_KLONG, false)
#define TIME	     NUM_(int, W_KLONG, true)
/* A time in seconds since 1970, followed by the date. */
#define DATE TYPE(type_int, .width = W_KLONG, .is_signed = true, .flags = TYPE_F_DATE)

/* A time in seconds since 1970, as an unsigned 64-bit number; followed by the date. */
#define UDATE64 TYPE(type_uint, .width = W64, .flags = TYPE_F_DATE)

/* ---- named numbers; 32 bits wide unless the macro's name contains another width ---- */
#define ENUM_(x, w, s) TYPE(type_enum, .width = (w), .is_signed = (s), .xlat = &xlat_##x)
#define FLAGS_(x, w)   TYPE(type_flags, .width = (w), .xlat = &xlat_##x)
/*
 * Named numbers. Unlike with ENUM(), a number without a name is shown in decimal and without a
 * comment.
 */
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
/* Flags in a 64-bit argument that some ABIs pass in two registers. */
#define FLAGS_SPLIT64(x) TYPE(type_flags, .width = W64, .xlat = &xlat_##x, .flags = TYPE_F_SPLIT)
/* Flags with a name for zero, such as PROT_NONE. */
#define FLAGS0_(x, w) TYPE(type_flags, .width = (w), .xlat = &xlat_##x, .flags = TYPE_F_ZERO)
#define FLAGS0(x)     FLAGS0_(x, W32)
#define FLAGS0LONG(x) FLAGS0_(x, W_LONG)

/* ---- numbers with special values ---- */
/*
 * A number that is shown as name_ if it is equal to value_, otherwise as another type: IPC_PRIVATE
 * or 0x1.
 */
#define NAMED(value_, name_, ...)                                                                  \
	TYPE(type_named, .width = W_LONG, .len = N(value_), .text = (name_), ELEM_(__VA_ARGS__))

/* A part of a number: some of its bits. For the rows, see linux/part_rows.h. */
struct part {
	/* the bits of the part; 0 for all bits that are not in an earlier part that is shown */
	uint64_t mask;
	uint64_t is;   /* without a type, the part is shown if its bits have this value */
	uint8_t shift; /* before decoding, the bits are shifted right by this number */
	bool set;      /* if true, the part is shown only if one of its bits is set */
	bool named;    /* if true, the part is shown only if its type's table names the bits */
	bool times;    /* if true, the part is shown as NUMBER<<name or, without a name, as
			  NUMBER<<shift */
	bool or_else;  /* with `set`: if true, the part is also shown if no earlier part has been
			  shown */
	bool always;   /* if true, the part is always shown, even if `set` is true */
	bool lone; /* if true and no other part is shown, the value is this part itself, not a list
		      with one part */
	bool lone_zero; /* like `lone`, but applies only if the whole number is zero */
	uint32_t text;	/* hints (event/text_hint.h) that apply if other parts are also shown */
	const char *name;
	const struct type *type;
	/* The type in ABIs without maps_low, or NULL if it is the same as `type`. */
	const struct type *elsewhere;
};

/* The way in which parts are combined. */
struct parts_style {
	/*
	 * The name of a function whose arguments are the parts. NULL if the parts are joined by |.
	 */
	const char *function;
	uint32_t text, flags;	/* flags of the whole value: enum text_hint and value_flag */
	const struct type *raw; /* type of the whole number with -X raw; NULL for hexadecimal */
	bool open; /* true if the parts are flags of open(2), whose values depend on the ABI */
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

/* Determines which results have a note. */
enum note_when {
	NOTE_ALWAYS,
	NOTE_SET, /* results that are not zero */
	/* results that have a name in the note's type, or that contain a flag with a name */
	NOTE_NAMED
};

/* A numeric result, followed by its meaning as a note: 0x1 (flags FD_CLOEXEC). */
struct result_note {
	struct type type; /* the note is the result decoded as this type */
	uint8_t when;	  /* a value of enum note_when */
	bool decimal;	  /* true if the result is shown in decimal, not in hexadecimal */
	uint32_t text;	  /* hints for the note (event/text_hint.h) */
	const char *name; /* word that precedes the note, or NULL */
};
#define RESULT_NOTE(...)                                                                           \
	TYPE(type_result_note, .width = W_LONG, .note = &(const struct result_note){__VA_ARGS__})

/* A result, followed by its meaning unless -X raw is given: 0x4 (IOPRIO_PRIO_VALUE(…)). */
#define RET_MEANING(type_, ...)                                                                    \
	RESULT_NOTE(type_, .text = TEXT_ALWAYS | TEXT_COMMENT_READS, __VA_ARGS__)
/* A result, followed by a note with the names of its flags if table x contains any of them. */
#define RET_FLAGS(x) RESULT_NOTE(FLAGSLONG(x), NOTE_NAMED, .text = TEXT_ALWAYS | TEXT_COMMENT_READS)
#define RET_ENUM(x)  RESULT_NOTE(ENUMLONG(x), NOTE_NAMED, .decimal = true, .text = TEXT_ALWAYS)
#define RET_SIGNO    RESULT_NOTE(SIGNO, NOTE_NAMED, .decimal = true, .text = TEXT_ALWAYS)

/* ---- memory ---- */
#define PATH TYPE(type_string, .flags = TYPE_F_PATH) /* NUL-terminated file name */
#define STR  TYPE(type_string)			     /* a NUL-terminated string, shortened by -s */
/* A string that ends at a NUL or after n_ bytes. Shortened by -s. */
#define STR_IN(n_) TYPE(type_string, .len = N(n_))
#define BYTES(...) TYPE(type_bytes, .len = __VA_ARGS__) /* a buffer of the given length */
/* A buffer of the given length in bytes. If its last byte is a NUL, that byte is not shown. */
#define NULBYTES(...) TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_NUL)
/* A buffer of the given length in bytes, shown with \x escapes. */
#define HEXBYTES(...) TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_HEX)
/*
 * An array of characters in a struct. It is shown up to the first NUL. If there is no NUL, all
 * characters except the last one are shown, followed by "...".
 */
#define CHARS(n_) TYPE(type_chars, .len = N(n_), .flags = TYPE_F_NUL)
/*
 * An array of characters in a struct. It has space for max_ characters, but only the given number
 * of them is shown.
 */
#define CHARS_IN(max_, ...) TYPE(type_chars, .len = __VA_ARGS__, .flags = TYPE_F_NUL, .max = (max_))
#define RAWCHARS(n_)	    TYPE(type_chars, .len = N(n_))
#define HEXCHARS(n_)	    TYPE(type_chars, .len = N(n_), .flags = TYPE_F_HEX)
#define STRUCT(s)	    TYPE(type_struct, .desc = &struct_##s)
/* A struct that contains seconds and tv_usec or tv_nsec, followed by the date. */
#define STRUCT_DATE(s) TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_DATE)
/*
 * An extensible struct, which becomes longer in newer kernels. The last parameter, such as A1, is
 * the length in bytes that the tracee passes. If this length is less than min_, the address is
 * shown. STRUCT_GROWS_PAGE() also shows the address if the length is more than a page.
 */
#define STRUCT_GROWS(s, min_, ...)                                                                 \
	TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_SIZED, .len = __VA_ARGS__,          \
	     .min = (min_))
#define STRUCT_GROWS_PAGE(s, min_, ...)                                                            \
	TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_SIZED | TYPE_F_PAGE,                \
	     .len = __VA_ARGS__, .min = (min_))
/* An extensible struct whose first field is its own size in bytes, a 32-bit number. */
#define STRUCT_SELF(s, min_)                                                                       \
	TYPE(type_struct, .desc = &struct_##s, .flags = TYPE_F_SIZED | TYPE_F_SELF, .min = (min_))
#define ELEM_(...) .elem = &(const struct type)__VA_ARGS__
/*
 * ARRAY(type, count) is shown as [a, b]. In a struct, the count must be a constant N(); see also
 * ARRAY_IN().
 */
#define ARRAY(type_, ...) TYPE(type_array, ELEM_(type_), .len = __VA_ARGS__)
/* An array of n_ elements. If any part of the array is unreadable, its address is shown instead. */
#define ARRAY_WHOLE(type_, n_) TYPE(type_array, ELEM_(type_), .len = N(n_), .flags = TYPE_F_WHOLE)
/* Like ARRAY_WHOLE(), but all elements are shown, regardless of -s. */
#define ARRAY_TUPLE(type_, n_)                                                                     \
	TYPE(type_array, ELEM_(type_), .len = N(n_), .flags = TYPE_F_WHOLE | TYPE_F_ALL)
/* An array of n_ elements in a struct. -s does not shorten it. */
#define ARRAY_ALL(type_, n_) TYPE(type_array, ELEM_(type_), .len = N(n_), .flags = TYPE_F_ALL)
/*
 * An array of bytes in a struct. It has space for max_ bytes, but only the given number of them,
 * such as FIELD(n), is shown.
 */
#define BYTES_IN(max_, ...)                                                                        \
	TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_WHOLE, .max = (max_))
#define HEXBYTES_IN(max_, ...)                                                                     \
	TYPE(type_bytes, .len = __VA_ARGS__, .flags = TYPE_F_HEX | TYPE_F_WHOLE, .max = (max_))
/*
 * In a struct: an array with space for max_ elements, but only the given number of them is shown.
 * As an argument or in PTR(): an array of the given length. At most max_ elements are shown.
 */
#define ARRAY_IN(type_, max_, ...) TYPE(type_array, ELEM_(type_), .len = __VA_ARGS__, .max = (max_))
/* An array that follows a struct and is not included in the struct's size. */
#define TRAILING(type_, ...) TYPE(type_trailing, ELEM_(type_), .len = __VA_ARGS__)
/* Like TRAILING(), but at most max_ elements are shown. */
#define TRAILING_IN(type_, max_, ...)                                                              \
	TYPE(type_trailing, ELEM_(type_), .len = __VA_ARGS__, .max = (max_))
#define TRAILING_BYTES(...) TYPE(type_trailing, .len = __VA_ARGS__)
/*
 * A pointer, shown as the object that it points to. A number is shown in brackets: [5]. If the
 * object cannot be read, the address is shown.
 */
#define PTR(...)   TYPE(type_ptr, .width = W_LONG, ELEM_(__VA_ARGS__))
#define PTR64(...) TYPE(type_ptr, .width = W64, ELEM_(__VA_ARGS__))
/* A signal set of the given length in bytes. */
#define SIGSET(...) TYPE(type_sigset, .len = __VA_ARGS__)

/* ---- custom decoders, for data that the types above cannot describe ---- */
/*
 * FN(f): the function f creates the value from the number in a register or field. Variants of this
 * macro set the width of the number, or pass a parameter (a length or another type) to f in its
 * type t. With FN0, the number occupies no space in a struct.
 */
#define FN(f) TYPE(type_fn, .width = W_LONG, .fn = (f))
/*
 * Like FN(), for a result that is either a descriptor or a plain number, depending on the
 * arguments. f must not add a note.
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
/* An object that has size_ bytes in every ABI. The function `memory` of ops_ decodes it. */
#define MEMFN(ops_, size_) TYPE(ops_, .len = N(size_))

/* Like MEMFN(), for an object that is as large as struct s in the tracee's ABI. */
#define STRUCTFN(ops_, s) TYPE(ops_, .desc = &struct_##s, .flags = TYPE_F_DESC)

/*
 * A field or argument whose type depends on another number: SWITCH(cases, default, FIELD(x)). The
 * type is `default` if the number has no case. A case with the type NULL ends the list.
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

/* The first type; in compat ABIs (see struct abi), the second type. */
#define BY_ABI(type64_, type32_)                                                                   \
	TYPE(type_by_abi, ELEM_(type64_), .other = &(const struct type)type32_)

/* The first type in ABIs with x86_forms, otherwise the second type. */
#define BY_FORM(x86_, generic_)                                                                    \
	TYPE(type_by_abi, ELEM_(x86_), .other = &(const struct type)generic_, .flags = TYPE_F_FORM)

/* The first type in ABIs whose long has 64 bits, otherwise the second type. */
#define BY_LONG(type64_, type32_)                                                                  \
	TYPE(type_by_abi, ELEM_(type64_), .other = &(const struct type)type32_,                    \
	     .flags = TYPE_F_LONG)

/* The first type at entry, the second type at exit. */
#define BY_PHASE(in_, out_) TYPE(type_by_phase, ELEM_(in_), .other = &(const struct type)out_)

/* Custom decoders with one function for each phase: f_entry() and f_exit(). */
#define FN_BOTH(f) BY_PHASE(FN(f##_entry), FN(f##_exit))

/*
 * The type of a missing argument, and of the result of a call that never returns, such as exit(),
 * which is shown as "= ?".
 */
#define NONE TYPE(type_none)

/* ---- conditions, which determine whether a struct field or an argument exists ---- */
enum condition_how {
	CONDITION_IS,	  /* the number is one of the values */
	CONDITION_BIT,	  /* at least one bit is set both in the number and in one of the values */
	CONDITION_ABOVE,  /* the number is greater than the value */
	CONDITION_ROW,	  /* the call's index in syscall_descs has this value */
	CONDITION_EITHER, /* at least one of two other conditions holds */
	CONDITION_BOTH,	  /* two other conditions both hold */
	CONDITION_FULL,	  /* true if -v is given */
	CONDITION_EXIT,	  /* true at exit */
	CONDITION_FAILED, /* true at exit if the call has failed */
	CONDITION_NEVER
};

/* The numbers that correspond to the names in a condition. They are looked up when first used. */
struct condition_values {
	bool known;
	unsigned n;
	uint64_t value[16];
};

struct condition;
/*
 * A pointer to a condition. It is in a struct, so that WHEN() and similar macros, which initialize
 * a member `when`, can also be used for the two conditions of EITHER().
 */
struct when {
	const struct condition *when;
};

struct condition {
	uint8_t how;	  /* a value of enum condition_how */
	bool unless;	  /* true to invert the condition */
	struct length of; /* the source of the number that is compared */
	uint64_t mask;	  /* the bits of the number that are compared, or 0 for all bits */
	/* The table that contains the names of the values, or NULL if the values are numbers. */
	const struct xlat *table;
	const char *names; /* for example "FF_RUMBLE, FF_PERIODIC" or "1, 2" */
	struct condition_values *values;
	struct when first, second; /* the two conditions of EITHER and BOTH */
};

/* clang-format off */
#define CONDITION_(how_, ...) \
	.when = &(const struct condition){.how = CONDITION_##how_, __VA_ARGS__}
#define VALUES_(n) .names = n, .values = &(struct condition_values){0}
/* clang-format on */
/*
 * WHEN(of, table, names…): true if the number from `of`, a length such as FIELD(type), has one of
 * these names in the table. UNLESS(): true if the number has none of these names.
 */
#define WHEN(of_, x, ...) CONDITION_(IS, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
#define UNLESS(of_, x, ...)                                                                        \
	CONDITION_(IS, .unless = true, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
/* True if the number is one of the given values. UNLESS_N(): true if it is not one of them. */
#define WHEN_N(of_, ...)   CONDITION_(IS, .of = of_, VALUES_(#__VA_ARGS__))
#define UNLESS_N(of_, ...) CONDITION_(IS, .unless = true, .of = of_, VALUES_(#__VA_ARGS__))
/*
 * True if the number contains any of the flags with these names in the table. UNLESS_ANY(): true if
 * it contains none of these flags.
 */
#define WHEN_ANY(of_, x, ...) CONDITION_(BIT, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
#define UNLESS_ANY(of_, x, ...)                                                                    \
	CONDITION_(BIT, .unless = true, .of = of_, .table = &xlat_##x, VALUES_(#__VA_ARGS__))
/* True if any of the given bits is set in the number. UNLESS_BIT(): true if none of them is set. */
#define WHEN_BIT(of_, bits)   CONDITION_(BIT, .of = of_, VALUES_(#bits))
#define UNLESS_BIT(of_, bits) CONDITION_(BIT, .unless = true, .of = of_, VALUES_(#bits))
/*
 * True if the number's bits in the mask `bits` are equal to one of the values. UNLESS_PART(): true
 * if they are not.
 */
#define WHEN_PART(of_, bits, ...) CONDITION_(IS, .of = of_, .mask = (bits), VALUES_(#__VA_ARGS__))
#define UNLESS_PART(of_, bits, ...)                                                                \
	CONDITION_(IS, .unless = true, .of = of_, .mask = (bits), VALUES_(#__VA_ARGS__))
/* WHEN_SET(): true if the number is not zero. WHEN_ZERO(): true if the number is zero. */
#define WHEN_SET(of_)  CONDITION_(IS, .unless = true, .of = of_, VALUES_("0"))
#define WHEN_ZERO(of_) CONDITION_(IS, .of = of_, VALUES_("0"))
/* True if the number is greater than n. */
#define WHEN_ABOVE(of_, n) CONDITION_(ABOVE, .of = of_, VALUES_(#n))
/* True if the syscall has the given name. UNLESS_CALL(): true if it has another name. */
#define WHEN_CALL(name)	  CONDITION_(ROW, .of = N(ROW_##name))
#define UNLESS_CALL(name) CONDITION_(ROW, .unless = true, .of = N(ROW_##name))
/*
 * Combinations of two conditions. NEITHER() is the inverse of EITHER(), and NOT_BOTH() is the
 * inverse of BOTH_OF().
 */
#define EITHER(a, b)	 CONDITION_(EITHER, .first = {a}, .second = {b})
#define NEITHER(a, b)	 CONDITION_(EITHER, .unless = true, .first = {a}, .second = {b})
#define BOTH_OF(a, b)	 CONDITION_(BOTH, .first = {a}, .second = {b})
#define NOT_BOTH(a, b)	 CONDITION_(BOTH, .unless = true, .first = {a}, .second = {b})
#define WHEN_FULL	 CONDITION_(FULL) /* true if -v is given */
#define WHEN_ABBREVIATED CONDITION_(FULL, .unless = true)
#define WHEN_EXIT	 CONDITION_(EXIT)   /* true at exit */
#define WHEN_FAILED	 CONDITION_(FAILED) /* true at exit if the call has failed */
#define WHEN_NO_ERROR	 CONDITION_(FAILED, .unless = true)
#define NEVER		 CONDITION_(NEVER) /* the field occupies space in memory but is never shown */

/* ---- structs ---- */
enum field_flag {
	FIELD_F_VERBOSE = 1 << 0, /* shown only with -v; otherwise replaced by "..." */
	FIELD_F_HIDDEN = 1 << 1,  /* padding: occupies space but is never shown */
	FIELD_F_NONZERO = 1 << 2, /* shown only if it is not zero (for reserved fields) */
	FIELD_F_UNNAMED = 1 << 3, /* the field's name is not shown */
	FIELD_F_SAME = 1 << 4,	  /* a union member at the same offset as the previous field */
	FIELD_F_OUT = 1 << 5,	  /* set by the kernel: shown only at exit */
	FIELD_F_IN = 1 << 6,	  /* shown only at entry */
	FIELD_F_WITH = 1 << 7, /* for attributes of bpf(2): shown if the previous field is shown */
	/* a struct or array that may be incomplete; the available bytes are shown */
	FIELD_F_PART = 1 << 8,
	/*
	 * with PHASE_BOTH: the last field that is shown at entry. At exit, its new value is shown
	 * after the old one: 4 => 2
	 */
	FIELD_F_CHANGES = 1 << 9,
	/* .align applies only in ABIs in which struct epoll_event is packed */
	FIELD_F_PACKED = 1 << 11,
	FIELD_F_AGAIN = 1 << 10 /* with FIELD_F_CHANGES: the name is shown again: 4 => count=2 */
};

struct field {
	const char *name;
	struct type type;
	uint16_t flags; /* bits of enum field_flag */
	/*
	 * 1 + byte offset, for a field whose offset does not follow from the previous field;
	 * otherwise 0
	 */
	uint16_t at;
	uint8_t align; /* alignment in bytes; 0 for the usual alignment of the type */
	/*
	 * The field is shown only if both `when` and `cond` hold. Either may be NULL. While they
	 * are evaluated, d->scope is the field's struct.
	 */
	const struct condition *when;
	bool (*cond)(const struct decoder *d); /* for conditions that `when` cannot express */
};

struct struct_layout; /* the offsets of the fields in one ABI */
struct struct_desc {
	const char *name;
	const struct field *fields;
	unsigned nfields;
	struct struct_layout **layouts; /* indexed by ABI index; each is created when first used */
};

/*
 * Declares the structs. The rows of linux/structs/NAME.def define them, using the macros of
 * linux/struct_rows.h.
 */
#define STRUCT_NAME(s) extern const struct struct_desc struct_##s;
#include "linux/struct_names.h"

#endif
