/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The typed result of decoding: a tree of values in the arena of an event.
 *
 * Decoders build values, and sinks render them. The kind of a value defines its meaning. The value
 * keeps its number as well, so the same tree serves text in every style (-X raw, abbrev, verbose)
 * and JSON. text_hint.h describes the details of text.
 */
#ifndef TRACER_EVENT_VALUE_H
#define TRACER_EVENT_VALUE_H

#include "defs.h"
#include "event/text_hint.h"
#include "linux/xlat.h"
#include "util/foreign.h"
#include "util/mem.h"

enum value_kind {
	/* Numbers. The value is in num, sign-extended if it is signed. */
	VALUE_INT,  /* 42, -1 */
	VALUE_UINT, /* 42 */
	VALUE_HEX,  /* 0x2a; zero is 0 */
	VALUE_OCT,  /* 052, as file modes are written */
	VALUE_ADDR, /* 0x7f…; zero is NULL */

	VALUE_ENUM,  /* num, named by table; if no name matches, hexadecimal with the table's "???"
			comment */
	VALUE_FLAGS, /* num as names of table joined by |, and the remaining bits in hexadecimal */
	VALUE_OR,    /* children joined by |: S_IFREG|0644, flags of two tables; num is the whole
			number */
	/*
	 * function(children), such as makedev(0x1, 0x3). -X raw shows extra or, if that is NULL,
	 * num in hexadecimal.
	 */
	VALUE_CALL,
	VALUE_NAME,   /* an unquoted name for num that a decoder chose, in str */
	VALUE_DEVICE, /* a device number; value_device_major() and value_device_minor() split it */
	VALUE_DATE,   /* a point in time: num seconds since 1970, plus fraction */
	/*
	 * A status of wait4(2), in num. It has at most one of the children "exited" (the exit
	 * status), "killed" and "stopped" (the signal). A child "event", the ptrace(2) event that
	 * stopped the process, may follow.
	 */
	VALUE_STATUS,
	VALUE_EXPR, /* children joined by oper; num is the result if oper is arithmetic */
	/*
	 * A network or hardware address. str has its bytes, and num its family: AF_INET, AF_INET6,
	 * or AF_PACKET for a hardware address. If the field that contains it is longer, extra is
	 * the rest of the field.
	 */
	VALUE_ADDRESS,

	VALUE_STRING, /* quoted text in str; with VALUE_F_MORE "..." follows */
	VALUE_STRUCT, /* {name=child, …}; with VALUE_F_MORE "..." is at the end */
	VALUE_ARRAY,  /* [child, …]; with VALUE_F_MORE "..." is at the end */
	VALUE_BITSET, /* [NAME NAME], the children: signals or descriptors; with VALUE_F_INVERTED
			 ~[NAME] */

	/*
	 * A descriptor; num is its number. str is its path, if -y asks for it. extra has further
	 * facts about it, and its name tells their type: device, socket, pid, signalfd, eventfd.
	 * Both may be NULL.
	 */
	VALUE_FD,
	/*
	 * The facts about a socket, as members: protocol (a text, such as TCPv6) and inode; for
	 * Internet sockets address, port, peer_address and peer_port; for netlink(7) family and
	 * portid; for unix(7) peer_inode and path. Unknown members are missing.
	 */
	VALUE_SOCKET,
	/*
	 * The facts about a device file, as members: type (a text, char or block), major and minor;
	 * for the master side of a pseudoterminal also terminal, the path of its slave.
	 */
	VALUE_DEVICE_FILE,
	VALUE_PID, /* an id in num; str is the text that -Y or --decode-pids adds, or NULL */
	/*
	 * old => new. The first child is the value at the entry, the second one that at the exit.
	 * There is only one child if they are equal, or before the exit.
	 */
	VALUE_CHANGE,
	/*
	 * Children separated by commas, without brackets: one argument that is printed like
	 * several.
	 */
	VALUE_SEQ,
	VALUE_MORE,    /* "...": something that exists but is not shown */
	VALUE_INDEXED, /* [INDEX]=ELEMENT: the first child is the index of the second */
	VALUE_PENDING  /* the last child of an open value: a placeholder until the exit */
};

/* The operators that join the terms of an expression (VALUE_EXPR). */
enum value_op {
	VALUE_OP_JOIN,	/* -TIPC_NODE_SCOPE: texts without a separator */
	VALUE_OP_TIMES, /* 8192*1024 */
	VALUE_OP_SHIFT, /* 21<<MAP_HUGE_SHIFT */
	VALUE_OP_PLUS,	/* SKF_AD_OFF+SKF_AD_CPU */
	VALUE_OP_OR,	/* NLA_F_NESTED|0x1: parts of a number, not all of which are flags */
	VALUE_OP_PER,	/* 1/30 */
	/* TCGETS or SNDCTL_TMR_TIMEBASE: alternative meanings of one number. */
	VALUE_OP_ALTERNATIVE,
	VALUE_OP_BESIDE, /* {…}0x1000: parts without a separator; JSON has them in an array */
};

/* Returns the text of the operator with its spaces; "" for VALUE_OP_JOIN and VALUE_OP_BESIDE. */
const char *value_op_text(enum value_op op);
/* Returns whether an expression with this operator has a number as its result. */
bool value_op_is_arithmetic(enum value_op op);

/* Properties of a value in addition to its kind. Hints about its text are in text_hint.h. */
enum value_flag {
	VALUE_F_MORE = 1 << 0,	     /* truncated: the tracee has more of it */
	VALUE_F_INVERTED = 1 << 1,   /* of a bitset: the children are the bits that are not set */
	VALUE_F_PATH = 1 << 2,	     /* of a string: it names a file */
	VALUE_F_DELETED = 1 << 3,    /* of a descriptor: its file was deleted */
	VALUE_F_ATFD = 1 << 4,	     /* of a descriptor: -100 is AT_FDCWD, see openat(2) */
	VALUE_F_SIGNED = 1 << 5,     /* of an enum or a name: the number is signed */
	VALUE_F_ZERO_NAMED = 1 << 6, /* of flags: zero is shown by its name in the table */
	/*
	 * An open value: the `in` of a struct arg to which the exit adds something. `out` is then
	 * the whole argument, or NULL if nothing was added. An open struct or array begins at the
	 * exit with the same children; its last child may be open itself, or become a change. An
	 * open change has only its first side.
	 */
	VALUE_F_OPEN = 1 << 7
};

/* One value. It is the child of at most one parent; `next` links the children of that parent. */
struct value {
	uint8_t kind;  /* enum value_kind */
	uint8_t width; /* bytes of the number in the tracee's ABI: 1, 2, 4, 8; 0 means 8 */
	/*
	 * For VALUE_ADDR and VALUE_MORE: -errno if the read at num failed, else 0. For VALUE_FD:
	 * -ESTALE if the facts about the descriptor were looked up after the stop, else 0.
	 */
	int16_t err;
	uint32_t flags : 8; /* enum value_flag */
	uint32_t text : 24; /* enum text_hint, for text */
	uint64_t num;
	const char *name; /* the name of this member of its parent, or NULL */
	const char
		*comment; /* shown as " / * comment * /" after the value in every style; or NULL */
	/*
	 * For FD and ADDRESS: see enum value_kind. For CALL, NAME and EXPR: what -X raw writes
	 * instead of num. For INT, UINT and STRUCT: a VALUE_DATE, if the value is a time. For
	 * STRING: the directory to which a relative path is relative, a VALUE_FD, if it was looked
	 * up. Otherwise NULL.
	 */
	const struct value *extra;
	union {
		const struct xlat *table; /* ENUM, FLAGS */
		struct {
			uint32_t fraction; /* DATE: the decimal digits after the seconds, as a
					      number */
			uint8_t digits;	   /* DATE: the number of these digits: 0, 6 or 9 */
		};
		struct {
			const char *str; /* STRING, ADDRESS (any bytes), NAME, FD, PID */
			size_t len;
			/*
			 * FD: the same descriptor with everything that queries look up about it,
			 * which sinks do not show. NULL if nothing more is known.
			 */
			const struct value *known;
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

/*
 * Functions that create a value in the arena a, which also frees it. Strings, bytes and tables are
 * kept by reference, so they must live as long as the arena. The functions never return NULL: the
 * program ends if there is no memory. The kind follows from the name: value_int() makes a
 * VALUE_INT.
 */
struct value *value_new(struct arena *a, enum value_kind kind, uint64_t num);
struct value *value_int(struct arena *a, int64_t v);
struct value *value_uint(struct arena *a, uint64_t v);
struct value *value_hex(struct arena *a, uint64_t v);
struct value *value_addr(struct arena *a, uint64_t v);
/*
 * The address of memory that could not be read. err is -EFAULT if the tracee could not have read it
 * either, -ENODATA if it was never captured, or another error of the engine.
 */
struct value *value_unreadable(struct arena *a, uint64_t addr, int err);
/* The end of a list whose next element, at addr, could not be read; err as above. */
struct value *value_more_at(struct arena *a, uint64_t addr, int err);
struct value *value_enum(struct arena *a, const struct xlat *x, uint64_t v);
/* Returns the name of a VALUE_ENUM in its table, or NULL. */
const char *value_enum_name(const struct value *v);
struct value *value_flags(struct arena *a, const struct xlat *x, uint64_t v);
/*
 * The charge to the arena for each byte of a string: a sink writes at most this number of bytes for
 * it.
 */
#define VALUE_STRING_CHARGE 7
struct value *value_string(struct arena *a, const void *bytes, size_t len);
/* A string with a copy of text from a trace; empty if the text is not given. */
struct value *value_foreign(struct arena *a, struct foreign f);
/* Removes a NUL at the end of a string. Only hexadecimal text shows it then (TEXT_NUL). */
void value_hide_nul(struct value *v);
struct value *value_word(struct arena *a, const char *name, uint64_t num); /* VALUE_NAME */
struct value *value_struct(struct arena *a);
struct value *value_array(struct arena *a);
struct value *value_call(struct arena *a, const char *function);
/*
 * out => Makes the change from in to out, with shallow copies of both as children. out may be NULL.
 */
struct value *value_change(struct arena *a, struct value *in, struct value *out);
struct value *value_expr(struct arena *a, enum value_op op, uint64_t num);
/* An address of len bytes, which are copied; family is AF_INET, AF_INET6 or AF_PACKET. */
struct value *value_address(struct arena *a, int family, const void *bytes, size_t len);
/*
 * Writes a VALUE_ADDRESS in the usual notation: 1.2.3.4, ::1, 52:54:00:12:34:56. Writes at most
 * size bytes including a NUL, and returns their number without the NUL. VALUE_ADDRESS_TEXT bytes
 * are enough for every address.
 */
#define VALUE_ADDRESS_MAX  255 /* the most bytes of an address that are written */
#define VALUE_ADDRESS_TEXT (3 * VALUE_ADDRESS_MAX + 1)
size_t value_address_text(const struct value *v, char *text, size_t size);
/*
 * A device number in the format of the kernel's struct stat: see gnu_dev_major(3) and
 * gnu_dev_minor(3).
 */
struct value *value_device(struct arena *a, uint64_t num);
static inline uint64_t value_device_major(const struct value *v)
{
	return ((v->num >> 8) & 0xfff) | ((v->num >> 32) & ~0xfffull);
}
static inline uint64_t value_device_minor(const struct value *v)
{
	return (v->num & 0xff) | ((v->num >> 12) & 0xffffff00);
}
/*
 * Returns those of the low 16 bits of a VALUE_STATUS that neither its kind nor its children
 * express.
 */
unsigned value_status_rest(const struct value *v);
/*
 * A date: sec seconds since 1970, and a fraction of `digits` decimal digits: 0, 6 (microseconds) or
 * 9 (nanoseconds). Returns NULL if it cannot be shown as a date: if both are zero, if the fraction
 * is a second or more, or if the year does not fit in a struct tm.
 */
struct value *value_date(struct arena *a, int64_t sec, uint64_t fraction, unsigned digits);
/*
 * Writes a VALUE_DATE in the local time zone: 2026-11-21T03:19:07.838665576+0000. Writes at most
 * VALUE_DATE_TEXT bytes including a NUL, and returns their number without the NUL; 0 if the date
 * cannot be converted.
 */
#define VALUE_DATE_TEXT 64
size_t value_date_text(const struct value *v, char text[VALUE_DATE_TEXT]);
/* [INDEX]=v: an element of an array that is shown with its index. Both become children. */
struct value *value_indexed(struct arena *a, struct value *index, struct value *v);
struct value *value_or(struct arena *a, uint64_t num);
struct value *value_plain(struct arena *a, const char *text); /* a VALUE_STRING without quotes */
struct value *value_fd(struct arena *a, int fd);
/* An open change: its first side is a copy of in, and only the exit adds the second one. */
struct value *value_changing(struct arena *a, struct value *in);
/* A placeholder at the end of an open value, for a child that is known only at the exit. */
struct value *value_pending(struct arena *a);

/*
 * A struct with copies of the members of `before`, followed by the members of `more`, which are
 * moved if `more` is a struct. before may be NULL. A member that both have becomes a change if it
 * differs or is a struct. If the one in `more` has TEXT_NAMED, its name is printed again.
 */
struct value *value_extended(struct arena *a, const struct value *before, struct value *more);

/* Append child to the children of parent and return it. The second function also sets its name. */
struct value *value_add(struct value *parent, struct value *child);
struct value *value_add_named(struct value *parent, const char *name, struct value *child);
/* Returns the child with that name, or NULL. */
const struct value *value_member(const struct value *parent, const char *name);
/* Returns the number of children. */
size_t value_count(const struct value *parent);
/* Returns whether two values have equal numbers, bytes and children, with equal names. */
bool value_equal(const struct value *a, const struct value *b);

/*
 * Splits num into the flags of a table. Calls fn for each matching row, in the order of the table,
 * and returns the bits that match no row.
 */
uint64_t value_flags_split(const struct xlat *x, uint64_t num,
			   void (*fn)(void *ctx, const struct xlat_entry *e), void *ctx);

#define value_for_each(parent, v) for (struct value *v = (parent)->child; v; v = v->next)

#endif
