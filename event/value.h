/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The typed result of decoding: a tree of values in an event's arena.
 *
 * Decoders build values, and sinks render them. The kind of a value defines its meaning. Each value
 * also keeps its number, so the same tree can be shown as JSON and as text in every style (-X raw,
 * abbrev, verbose). text_hint.h describes the details of the text.
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
	VALUE_HEX,  /* 0x2a; zero is shown as 0 */
	VALUE_OCT,  /* 052, as for file modes */
	VALUE_ADDR, /* 0x7f…; zero is shown as NULL */

	/*
	 * the name of num in `table`; if num has no name, its hexadecimal number with the table's
	 * "???" comment
	 */
	VALUE_ENUM,
	/*
	 * the names in `table` of the flags in num, joined by |; bits without a name follow in
	 * hexadecimal
	 */
	VALUE_FLAGS,
	VALUE_OR, /* children joined by |, such as S_IFREG|0644, for flags from two tables; num
		     is the whole number */
	/*
	 * function(children), such as makedev(0x1, 0x3). -X raw shows `extra` instead. If `extra`
	 * is NULL, it shows num in hexadecimal.
	 */
	VALUE_CALL,
	VALUE_NAME,   /* an unquoted name for num, which a decoder has stored in str */
	VALUE_DEVICE, /* a device number; value_device_major() and value_device_minor() split it */
	VALUE_DATE,   /* a point in time: num seconds since 1970, plus `fraction` */
	/*
	 * A wait4(2) status in num. The value has at most one of these children: "exited" (the exit
	 * status), "killed" or "stopped" (the signal). A child "event" may follow: the ptrace(2)
	 * event that stopped the process.
	 */
	VALUE_STATUS,
	VALUE_EXPR, /* children joined by oper; num is the result if oper is arithmetic */
	/*
	 * A network or hardware address. str contains its bytes. num is its family: AF_INET,
	 * AF_INET6, or AF_PACKET for a hardware address. If the field that contains the address is
	 * longer than the address, `extra` is the whole field as bytes, which -X raw shows.
	 */
	VALUE_ADDRESS,

	VALUE_STRING, /* quoted text in str; VALUE_F_MORE adds "..." */
	VALUE_STRUCT, /* {name=child, …}; VALUE_F_MORE adds "..." at the end */
	VALUE_ARRAY,  /* [child, …]; VALUE_F_MORE adds "..." at the end */
	VALUE_BITSET, /* [NAME NAME]: the children are signals or descriptors; ~[NAME] with
			 VALUE_F_INVERTED */

	/*
	 * A descriptor with the number num. str is the path of its file if -y requests it,
	 * otherwise NULL. `extra` contains further facts about the descriptor, or is NULL. The name
	 * of `extra` is the type of these facts: device, socket, pid, signalfd or eventfd.
	 */
	VALUE_FD,
	/*
	 * Facts about a socket, as members. All sockets have protocol (a string such as TCPv6) and
	 * inode. Internet sockets have address, port, peer_address and peer_port. netlink(7)
	 * sockets have family and portid. unix(7) sockets have peer_inode and path. Unknown members
	 * are missing.
	 */
	VALUE_SOCKET,
	/*
	 * Facts about a device file, as members: type (the string char or block), major and minor.
	 * A pty master also has the member terminal, which is the path of its slave.
	 */
	VALUE_DEVICE_FILE,
	VALUE_PID, /* num is an id; str is the thread name that -Y adds to it, or NULL */
	/*
	 * old => new. The first child is the value at the entry, and the second is the value at the
	 * exit. If there is no second child, the value has not changed, or the call has not ended
	 * yet.
	 */
	VALUE_CHANGE,
	/*
	 * Children separated by commas, without brackets. A single argument with this value looks
	 * like several arguments.
	 */
	VALUE_SEQ,
	VALUE_MORE,    /* "...": more data exists but is not shown */
	VALUE_INDEXED, /* [INDEX]=ELEMENT: the first child is the index of the second */
	VALUE_PENDING  /* the last child of an open value: a placeholder that is replaced at the
			  exit */
};

/* The operators that join the terms of an expression (VALUE_EXPR). */
enum value_op {
	VALUE_OP_JOIN,	/* strings without a separator, such as -TIPC_NODE_SCOPE */
	VALUE_OP_TIMES, /* 8192*1024 */
	VALUE_OP_SHIFT, /* 21<<MAP_HUGE_SHIFT */
	VALUE_OP_PLUS,	/* SKF_AD_OFF+SKF_AD_CPU */
	VALUE_OP_OR,	/* parts of a number, some of which are not flags: NLA_F_NESTED|0x1 */
	VALUE_OP_PER,	/* 1/30 */
	/* Alternative meanings of one number: SNDCTL_TMR_TIMEBASE or TCGETS. */
	VALUE_OP_ALTERNATIVE,
	VALUE_OP_BESIDE, /* parts without a separator, such as {…}0x1000; in JSON, an array */
};

/*
 * Returns the operator as text, including spaces. Returns "" for VALUE_OP_JOIN and VALUE_OP_BESIDE.
 */
const char *value_op_text(enum value_op op);
/* Returns true if the result of an expression with this operator is a number. */
bool value_op_is_arithmetic(enum value_op op);

/*
 * Properties of a value that its kind does not determine. text_hint.h contains the properties that
 * affect only its text.
 */
enum value_flag {
	VALUE_F_MORE = 1 << 0, /* the value is truncated: the tracee's memory contains more data */
	VALUE_F_INVERTED = 1 << 1,   /* for a bitset: the children are the bits that are not set */
	VALUE_F_PATH = 1 << 2,	     /* for a string: it is the name of a file */
	VALUE_F_DELETED = 1 << 3,    /* for a descriptor: its file was deleted */
	VALUE_F_ATFD = 1 << 4,	     /* for a descriptor: -100 means AT_FDCWD, see openat(2) */
	VALUE_F_SIGNED = 1 << 5,     /* for an enum or a name: the number is signed */
	VALUE_F_ZERO_NAMED = 1 << 6, /* for flags: zero is shown as its name in the table */
	/*
	 * For `in` of a struct arg: the value may be extended at the exit. At the exit, `out`
	 * contains the whole argument, or is NULL if nothing was added. If the open value is a
	 * struct or an array, `out` begins with the same children. The last of these children may
	 * itself be open, or become a change. An open change has only its first side.
	 */
	VALUE_F_OPEN = 1 << 7
};

/* The SELinux contexts of a file, see selinux(8). */
struct secontext {
	const char *context;  /* "user:role:type" or "user:role:type:level" */
	const char *expected; /* context in the system's database; NULL if unknown or not wanted */
};

/* A value. It is the child of at most one parent. `next` links the children of a parent. */
struct value {
	uint8_t kind;  /* a value of enum value_kind */
	uint8_t width; /* size in bytes of the number in the tracee's ABI: 1, 2, 4 or 8; 0 means
			  8 */
	/*
	 * For VALUE_ADDR and VALUE_MORE: -errno if reading the memory at num failed, otherwise 0.
	 * For VALUE_FD: -ESTALE if the facts about the descriptor were looked up after the stop,
	 * otherwise 0.
	 */
	int16_t err;
	uint32_t flags : 8; /* bits of enum value_flag */
	uint32_t text : 24; /* bits of enum text_hint */
	uint64_t num;
	const char *name; /* name of the value within its parent, or NULL */
	const char
		/*
		 * a comment that is shown after the value as " / * comment * /" (text_hint.h lists
		 * exceptions), or NULL
		 */
		*comment;
	/*
	 * Depends on the kind. For FD and ADDRESS, see enum value_kind. For OR, CALL, NAME, EXPR
	 * and BITSET, the value that -X raw writes instead of num or the children. For INT, UINT
	 * and STRUCT, a VALUE_DATE if the value is a time. For STRING, the directory (a VALUE_FD)
	 * in which a relative path starts, if known. Otherwise NULL.
	 */
	const struct value *extra;
	union {
		const struct xlat *table; /* for VALUE_ENUM and VALUE_FLAGS: the names */
		struct {
			/*
			 * for VALUE_DATE: the digits after the decimal point of the seconds, as a
			 * number
			 */
			uint32_t fraction;
			uint8_t digits; /* for VALUE_DATE: the number of decimal places: 0, 6 or
					   9 */
		};
		struct {
			const char *str; /* for VALUE_STRING, _ADDRESS (arbitrary bytes), _NAME, _FD
					    and _PID */
			size_t len;
			/*
			 * For VALUE_FD: a copy with further facts for queries, which sinks do not
			 * show. NULL if no further facts are known.
			 */
			const struct value *known;
			/* for FD and STRING: contexts of the file (--secontext); NULL if unknown */
			const struct secontext *secontext;
		};
		struct {
			struct value *child, *last;
			union {
				const char *function; /* for VALUE_CALL: the name of the function */
				enum value_op oper;   /* for VALUE_EXPR: the operator */
			};
		};
	};
	struct value *next; /* the parent's next child */
};

/*
 * The bytes charged to the arena for the text of each value and of each flag: about the length of a
 * name, a number and their separators.
 */
#define VALUE_CHARGE	  24
#define VALUE_FLAG_CHARGE 16
/*
 * These functions create a value in the arena `a`. The value is freed with the arena. Strings,
 * bytes and tables are not copied, so they must live as long as the arena. The functions never
 * return NULL, because the program ends if no memory is available. The name of a function
 * determines the kind: value_int() creates a VALUE_INT.
 */
struct value *value_new(struct arena *a, enum value_kind kind, uint64_t num);
struct value *value_int(struct arena *a, int64_t v);
struct value *value_uint(struct arena *a, uint64_t v);
struct value *value_hex(struct arena *a, uint64_t v);
struct value *value_addr(struct arena *a, uint64_t v);
/*
 * Creates an address whose memory could not be read. err is -EFAULT if the tracee cannot read it
 * either, -ENODATA if it was not captured, or another error of the engine.
 */
struct value *value_unreadable(struct arena *a, uint64_t addr, int err);
/*
 * Creates the end of a list whose next element, at addr, could not be read. err has the same
 * meaning as in value_unreadable().
 */
struct value *value_more_at(struct arena *a, uint64_t addr, int err);
struct value *value_enum(struct arena *a, const struct xlat *x, uint64_t v);
/* Returns the name of a VALUE_ENUM in its table, or NULL if it has none. */
const char *value_enum_name(const struct value *v);
struct value *value_flags(struct arena *a, const struct xlat *x, uint64_t v);
/*
 * Number of bytes charged to the arena for each byte of a string: the maximum number of bytes that
 * a sink writes for it.
 */
#define VALUE_STRING_CHARGE 7
struct value *value_string(struct arena *a, const void *bytes, size_t len);
/* Creates a string with a copy of text from a trace. If the text is unset, the string is empty. */
struct value *value_foreign(struct arena *a, struct foreign f);
/*
 * If a string ends with a NUL, removes this NUL. After that, only hexadecimal output shows it
 * (TEXT_NUL).
 */
void value_hide_nul(struct value *v);
/* Creates a VALUE_NAME. */
struct value *value_word(struct arena *a, const char *name, uint64_t num);
struct value *value_struct(struct arena *a);
struct value *value_array(struct arena *a);
struct value *value_call(struct arena *a, const char *function);
/*
 * Creates the change "in => out". Its children are shallow copies of both values. out may be NULL.
 */
struct value *value_change(struct arena *a, struct value *in, struct value *out);
struct value *value_expr(struct arena *a, enum value_op op, uint64_t num);
/* Creates an address with a copy of the len bytes. family is AF_INET, AF_INET6 or AF_PACKET. */
struct value *value_address(struct arena *a, int family, const void *bytes, size_t len);
/*
 * Writes a VALUE_ADDRESS in the usual notation: 1.2.3.4, ::1, 52:54:00:12:34:56. Writes at most
 * size bytes including a NUL. Returns the length without the NUL. VALUE_ADDRESS_TEXT bytes are
 * enough for any address.
 */
#define VALUE_ADDRESS_MAX  255 /* maximum number of address bytes that are written */
#define VALUE_ADDRESS_TEXT (3 * VALUE_ADDRESS_MAX + 1)
size_t value_address_text(const struct value *v, char *text, size_t size);
/*
 * Creates a device number. num has the format of the kernel's struct stat, see gnu_dev_major(3) and
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
/* Returns those of the low 16 bits of a VALUE_STATUS that are not described by its children. */
unsigned value_status_rest(const struct value *v);
/*
 * Creates a date: `sec` seconds since 1970, plus a fraction with `digits` decimal places: 0, 6
 * (microseconds) or 9 (nanoseconds). Returns NULL if both numbers are zero, if the fraction is not
 * less than a second, or if the year does not fit in a struct tm.
 */
struct value *value_date(struct arena *a, int64_t sec, uint64_t fraction, unsigned digits);
/*
 * Writes a VALUE_DATE in the local time zone: 2026-11-21T03:19:07.838665576+0000. Writes at most
 * VALUE_DATE_TEXT bytes including a NUL. Returns the length without the NUL, or 0 if the date
 * cannot be converted.
 */
#define VALUE_DATE_TEXT 64
size_t value_date_text(const struct value *v, char text[VALUE_DATE_TEXT]);
/*
 * Creates [INDEX]=v, an array element that is shown with its index. `index` and v become its
 * children.
 */
struct value *value_indexed(struct arena *a, struct value *index, struct value *v);
struct value *value_or(struct arena *a, uint64_t num);
/* Creates a VALUE_STRING that is shown without quotes. */
struct value *value_plain(struct arena *a, const char *text);
struct value *value_fd(struct arena *a, int fd);
/*
 * Creates an open change. Its first side is a copy of `in`. The second side must be added at the
 * exit.
 */
struct value *value_changing(struct arena *a, struct value *in);
/* Creates a placeholder at the end of an open value, for a child that is known only at the exit. */
struct value *value_pending(struct arena *a);

/*
 * Creates a struct with copies of the members of `before`, which may be NULL, followed by `more`.
 * If `more` is a struct, its members are moved to the new struct. If both structs have a member
 * with the same name, and its two values differ or are structs, the member becomes a change. If the
 * member of `more` has TEXT_NAMED, its name is shown a second time.
 */
struct value *value_extended(struct arena *a, const struct value *before, struct value *more);

/* Returns true if text output shows more of a VALUE_FD than its number. */
static inline bool value_fd_has_details(const struct value *v)
{
	return v->str || v->extra || v->secontext;
}

/*
 * Append child to the children of parent, and return child. value_add_named() also sets its name.
 */
struct value *value_add(struct value *parent, struct value *child);
struct value *value_add_named(struct value *parent, const char *name, struct value *child);
/* Returns the child with this name, or NULL if there is none. */
const struct value *value_member(const struct value *parent, const char *name);
/* Returns the number of children. */
size_t value_count(const struct value *parent);
/*
 * Returns true if two values have the same kind, flags, number, contents, comment and `extra`, and
 * their children also have the same names. Ignores VALUE_F_OPEN. Either value may be NULL.
 */
bool value_equal(const struct value *a, const struct value *b);

/*
 * Splits num into the flags of a table. Calls fn() for each table entry that matches, in the order
 * of the table. Returns the bits that match no entry.
 */
uint64_t value_flags_split(const struct xlat *x, uint64_t num,
			   void (*fn)(void *ctx, const struct xlat_entry *e), void *ctx);

#define value_for_each(parent, v) for (struct value *v = (parent)->child; v; v = v->next)

#endif
