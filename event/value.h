/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The typed result of decoding: a tree of values in an event's arena.
 *
 * Decoders build values, sinks render them. A kind says what a value is; its
 * number stays beside what it means, so that one tree serves text in every style
 * (-X raw, abbrev, verbose) and JSON alike. How text looks is in text_hint.h.
 */
#ifndef TRACER_VALUE_H
#define TRACER_VALUE_H

#include "defs.h"
#include "event/text_hint.h"
#include "linux/xlat.h"
#include "util/mem.h"

enum value_kind {
	/* Numbers: num holds the value, sign-extended where signed. */
	VALUE_INT,  /* 42, -1 */
	VALUE_UINT, /* 42 */
	VALUE_HEX,  /* 0x2a; zero is 0 */
	VALUE_OCT,  /* 052: file modes */
	VALUE_ADDR, /* 0x7f…; zero is NULL */

	VALUE_ENUM,  /* num named by table, else hexadecimal with the table's "???" comment */
	VALUE_FLAGS, /* num as names of table joined by |, leftover bits in hexadecimal */
	VALUE_OR,    /* children joined by |: S_IFREG|0644, flags of two tables; num is the whole */
	VALUE_CALL,  /* call(children): makedev(0x1, 0x3), htons(80); -X raw: extra, or num in
			hexadecimal */
	VALUE_NAME,  /* a bare word: FD_CLOEXEC-like constants chosen by a decoder; str, num raw */
	VALUE_EXPR,  /* children joined by oper; num is the result of arithmetic */
	/*
	 * A network or hardware address: its bytes in str, its family in num (AF_INET, AF_INET6;
	 * AF_PACKET: hardware). extra: the bytes that hold it, where they are more.
	 */
	VALUE_ADDRESS,

	VALUE_STRING, /* quoted text: str; truncated when flagged VALUE_F_MORE */
	VALUE_STRUCT, /* {name=child, …}; "..." at the end when flagged VALUE_F_MORE */
	VALUE_ARRAY,  /* [child, …]; "..." at the end when flagged VALUE_F_MORE */
	VALUE_BITSET, /* [NAME NAME]: signal sets, fd sets; with VALUE_F_INVERTED ~[NAME]; children
		       */

	/*
	 * num, and when -y asks, its path in str (or NULL), and in extra what else it is
	 * known to be (or NULL): "char 1:3", "TCP:[1.2.3.4:5->6.7.8.9:10]".
	 */
	VALUE_FD,
	VALUE_PID, /* num, with detail in str when -Y or --decode-pids asks */
	/*
	 * First child at entry => second at exit; one alone where they are equal, or at the
	 * entry, which knows no second yet.
	 */
	VALUE_CHANGE,
	VALUE_SEQ,     /* children in turn, separated like arguments: one argument that prints as
			* several; named children print "name=" as members do */
	VALUE_MORE,    /* "..." : something that was there but is not shown */
	VALUE_INDEXED, /* an element by its index: the first child is that of the second */
	VALUE_PENDING  /* the last child of an open value: only the exit will know it */
};

/* What joins the terms of an expression. */
enum value_op {
	VALUE_OP_JOIN,	      /* one after another */
	VALUE_OP_TIMES,	      /* 8192*1024 */
	VALUE_OP_SHIFT,	      /* 21<<MAP_HUGE_SHIFT */
	VALUE_OP_PLUS,	      /* SKF_AD_OFF+SKF_AD_CPU */
	VALUE_OP_OR,	      /* NLA_F_NESTED|0x1: fields, of which not all are flags */
	VALUE_OP_AND_ALSO,    /* SIGTRAP | 0x80 */
	VALUE_OP_EQUALS,      /* WEXITSTATUS(s) == 3 */
	VALUE_OP_AND,	      /* WIFEXITED(s) && WEXITSTATUS(s) == 3 */
	VALUE_OP_PER,	      /* 1/30 */
	VALUE_OP_ALTERNATIVE, /* TCGETS or SNDCTL_TMR_TIMEBASE: what one number stands for */
	VALUE_OP_WORDS,	      /* in [3] */
};

/* How the operator is written; "" for VALUE_OP_JOIN. */
const char *value_op_text(enum value_op op);
/* Whether an expression with it has a number for a result. */
bool value_op_is_arithmetic(enum value_op op);

/* What a value means beside its kind. How it looks in text is text_hint.h's. */
enum value_flag {
	VALUE_F_MORE = 1 << 0,	     /* truncated: there was more of it */
	VALUE_F_INVERTED = 1 << 1,   /* of a bitset: what is not in it */
	VALUE_F_PATH = 1 << 2,	     /* of a string: names a file */
	VALUE_F_DELETED = 1 << 3,    /* of an fd: its file has no name any more */
	VALUE_F_ATFD = 1 << 4,	     /* of an fd: -100 is AT_FDCWD, openat(2) */
	VALUE_F_SIGNED = 1 << 5,     /* of an enum, a name: the number has a sign */
	VALUE_F_ZERO_NAMED = 1 << 6, /* of flags: zero is looked up in the table as well */
	/*
	 * Of an arg's in: more of this argument will be known at the exit. Of a struct or an
	 * array: its children there begin with these, of which the last may be open in turn, or
	 * have become something else (a change). Of a change: its second side is still to come.
	 * arg.out is then all of the argument, or NULL where in says it all.
	 */
	VALUE_F_OPEN = 1 << 7
};

struct value {
	uint8_t kind;  /* enum value_kind */
	uint8_t width; /* bytes of the number in the tracee's ABI: 1, 2, 4, 8; 0 is 8 */
	int16_t err; /* errno of the read that failed; num is then the address (kind VALUE_ADDR) */
	uint32_t flags : 8; /* enum value_flag */
	uint32_t text : 24; /* enum text_hint: for sinks/text alone */
	uint64_t num;
	const char *name;    /* as a member of its parent */
	const char *comment; /* shown as " / * comment * /" after the value, in every style */
	const struct value
		*extra; /* FD: see there; CALL, NAME, EXPR: what -X raw writes for num, or NULL */
	union {
		const struct xlat *table; /* ENUM, FLAGS */
		struct {
			const char *str; /* STRING, ADDRESS (any bytes), NAME, FD, PID */
			size_t len;
		};
		struct {
			struct value *child, *last;
			union {
				const char *function; /* CALL */
				enum value_op oper;   /* EXPR */
			};
		};
	};
	struct value *next; /* the parent's next child */
};

/* All of these allocate in a; strings are kept by reference unless a name says copy. */
struct value *value_new(struct arena *a, enum value_kind kind, uint64_t num);
struct value *value_int(struct arena *a, int64_t v);
struct value *value_uint(struct arena *a, uint64_t v);
struct value *value_hex(struct arena *a, uint64_t v);
struct value *value_addr(struct arena *a, uint64_t v);
struct value *value_unreadable(struct arena *a, uint64_t addr, int err);
struct value *value_enum(struct arena *a, const struct xlat *x, uint64_t v);
/* The name of an enum's number, or NULL. */
const char *value_enum_name(const struct value *v);
struct value *value_flags(struct arena *a, const struct xlat *x, uint64_t v);
struct value *value_string(struct arena *a, const void *bytes, size_t len);
/* Takes the NUL that a string ends in out of it, if it does: only hexadecimal text shows it. */
void value_hide_nul(struct value *v);
struct value *value_word(struct arena *a, const char *name, uint64_t num); /* VALUE_NAME */
struct value *value_struct(struct arena *a);
struct value *value_array(struct arena *a);
struct value *value_call(struct arena *a, const char *function);
/* in and out are taken over; both may be seen on their own as well, as copies. */
struct value *value_change(struct arena *a, struct value *in, struct value *out);
struct value *value_expr(struct arena *a, enum value_op op, uint64_t num);
/* The len bytes of an address, which are copied. */
struct value *value_address(struct arena *a, int family, const void *bytes, size_t len);
/*
 * An address as people write it: 1.2.3.4, ::1, 52:54:00:12:34:56. Writes at most size bytes
 * and a NUL, and returns their number; VALUE_ADDRESS_TEXT is room for any.
 */
#define VALUE_ADDRESS_MAX  255 /* bytes; of more the first */
#define VALUE_ADDRESS_TEXT (3 * VALUE_ADDRESS_MAX + 1)
size_t value_address_text(const struct value *v, char *text, size_t size);
/* v, which stands at index in what holds it: [INDEX]=v. Both are taken over. */
struct value *value_indexed(struct arena *a, struct value *index, struct value *v);
struct value *value_or(struct arena *a, uint64_t num);
struct value *value_plain(struct arena *a, const char *text); /* a VALUE_STRING without quotes */
struct value *value_fd(struct arena *a, int fd);
/* in => what only the exit will know: an open value. in is taken over as a copy. */
struct value *value_changing(struct arena *a, struct value *in);
/* What only the exit will know, while all that stands before it is known. */
struct value *value_pending(struct arena *a);

/*
 * A struct of the members of before (or NULL), copied, and those of more, taken over if it is
 * one. A member of both is a change; TEXT_NAMED: its name is printed again.
 */
struct value *value_extended(struct arena *a, const struct value *before, struct value *more);

/* Appends child to parent's children (takes it over); returns child. */
struct value *value_add(struct value *parent, struct value *child);
/* The same, as member name (kept by reference). */
struct value *value_add_named(struct value *parent, const char *name, struct value *child);
/* The child called name, or NULL. */
const struct value *value_member(const struct value *parent, const char *name);
size_t value_count(const struct value *parent);
/* Whether two values say the same: numbers, bytes, children and their names. */
bool value_equal(const struct value *a, const struct value *b);

/*
 * Splits num into the names of a flags table, in the table's order: calls fn
 * for each, returns the bits no row covers.
 */
uint64_t value_flags_split(const struct xlat *x, uint64_t num,
			   void (*fn)(void *ctx, const struct xlat_entry *e), void *ctx);

#define value_for_each(parent, v) for (struct value *v = (parent)->child; v; v = v->next)

#endif
