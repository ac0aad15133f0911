/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The typed result of decoding: a tree of values in an event's arena.
 *
 * Decoders build values, sinks render them. A kind says what a value is; its
 * number stays beside what it means, so that one tree serves text in every style
 * (-X raw, abbrev, verbose) and JSON alike. How text looks is in text_hint.h.
 */
#ifndef TRACER_EVENT_VALUE_H
#define TRACER_EVENT_VALUE_H

#include "defs.h"
#include "event/text_hint.h"
#include "linux/xlat.h"
#include "util/foreign.h"
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
	/* function(children): makedev(0x1, 0x3). -X raw shows extra, or num in hexadecimal. */
	VALUE_CALL,
	VALUE_NAME,   /* a word that a decoder chose for num: str, not quoted */
	VALUE_DEVICE, /* a device, num: value_device_major(), value_device_minor() */
	VALUE_DATE,   /* a point in time: num seconds since 1970, and fraction of the next one */
	/*
	 * What wait4(2) tells of a child, num. At most one child says which: "exited" has its exit
	 * status, "killed" or "stopped" the signal; "event" may follow, the ptrace(2) event that
	 * stopped it.
	 */
	VALUE_STATUS,
	VALUE_EXPR, /* children joined by oper; num is the result if that is arithmetic */
	/*
	 * A network or hardware address: its bytes in str, its family in num (AF_INET, AF_INET6;
	 * AF_PACKET: hardware). If the field that holds it has more bytes, extra is those.
	 */
	VALUE_ADDRESS,

	VALUE_STRING, /* quoted text: str; with VALUE_F_MORE "..." follows */
	VALUE_STRUCT, /* {name=child, …}; with VALUE_F_MORE "..." is at the end */
	VALUE_ARRAY,  /* [child, …]; with VALUE_F_MORE "..." is at the end */
	VALUE_BITSET, /* [NAME NAME], the children: signals, fds; with VALUE_F_INVERTED ~[NAME] */

	/*
	 * A descriptor, num. str is its path if -y asks for it, and extra is what else is known of
	 * it, whose name says what it is: device, socket, pid, signalfd, eventfd. Both may be NULL.
	 */
	VALUE_FD,
	/*
	 * What a socket is, as members: protocol (a text, TCPv6), inode; of the Internet address,
	 * port, peer_address and peer_port; of netlink(7) family and portid; of unix(7) peer_inode
	 * and path. Of what is not known the members are missing.
	 */
	VALUE_SOCKET,
	/*
	 * What a device file is, as members: type (a text, char or block), major, minor; of the
	 * master side of a pseudoterminal the path of its slave, terminal.
	 */
	VALUE_DEVICE_FILE,
	VALUE_PID, /* an id, num; str is what -Y or --decode-pids adds, or NULL */
	/*
	 * First child at entry => second child at exit. There is only one child if they are equal,
	 * or at the entry, when the second is not known yet.
	 */
	VALUE_CHANGE,
	/* Children separated by commas, without brackets: one argument that prints as several. */
	VALUE_SEQ,
	VALUE_MORE,    /* "...": something that is there but is not shown */
	VALUE_INDEXED, /* [INDEX]=ELEMENT: the first child is the index of the second */
	VALUE_PENDING  /* the last child of an open value: only the exit will tell it */
};

/* What joins the terms of an expression (VALUE_EXPR). */
enum value_op {
	VALUE_OP_JOIN,	      /* -TIPC_NODE_SCOPE: one text after another */
	VALUE_OP_TIMES,	      /* 8192*1024 */
	VALUE_OP_SHIFT,	      /* 21<<MAP_HUGE_SHIFT */
	VALUE_OP_PLUS,	      /* SKF_AD_OFF+SKF_AD_CPU */
	VALUE_OP_OR,	      /* NLA_F_NESTED|0x1: parts of a number that are not all flags */
	VALUE_OP_PER,	      /* 1/30 */
	VALUE_OP_ALTERNATIVE, /* TCGETS or SNDCTL_TMR_TIMEBASE: what one number stands for */
	VALUE_OP_BESIDE,      /* {…}0x1000: parts that nothing separates, and no text either */
};

/* How the operator is written, with its spaces; "" for VALUE_OP_JOIN. */
const char *value_op_text(enum value_op op);
/* Whether the result of an expression with this operator is a number. */
bool value_op_is_arithmetic(enum value_op op);

/* What a value means beside its kind. How it looks in text is text_hint.h's. */
enum value_flag {
	VALUE_F_MORE = 1 << 0,	     /* truncated: there was more of it */
	VALUE_F_INVERTED = 1 << 1,   /* of a bitset: the children are the bits that are not set */
	VALUE_F_PATH = 1 << 2,	     /* of a string: names a file */
	VALUE_F_DELETED = 1 << 3,    /* of an fd: its file has no name any more */
	VALUE_F_ATFD = 1 << 4,	     /* of an fd: -100 is AT_FDCWD, openat(2) */
	VALUE_F_SIGNED = 1 << 5,     /* of an enum, a name: the number has a sign */
	VALUE_F_ZERO_NAMED = 1 << 6, /* of flags: zero is looked up in the table as well */
	/*
	 * An open value, of struct arg's in: the exit will tell more of this argument. arg.out is
	 * then all of the argument, or NULL if nothing was added. A struct or array that is open
	 * begins at the exit with the same children; the last of them may be open itself, or become
	 * a change. Of a change that is open, only the first side is known.
	 */
	VALUE_F_OPEN = 1 << 7
};

/* One value. It is a child of one parent at most: next links the children of that parent. */
struct value {
	uint8_t kind;  /* enum value_kind */
	uint8_t width; /* bytes of the number in the tracee's ABI: 1, 2, 4, 8; 0 means 8 */
	/*
	 * With VALUE_ADDR and VALUE_MORE: -errno of the read at num that failed; 0: none did. With
	 * VALUE_FD: -ESTALE if what it is was asked later than at the stop, else 0.
	 */
	int16_t err;
	uint32_t flags : 8; /* enum value_flag */
	uint32_t text : 24; /* enum text_hint, for text */
	uint64_t num;
	const char *name; /* as a member of its parent, or NULL */
	const char
		*comment; /* shown as " / * comment * /" after the value in every style; or NULL */
	/*
	 * Of FD and ADDRESS: see there. Of CALL, NAME, EXPR: what -X raw writes for num. Of INT,
	 * UINT, STRUCT: a VALUE_DATE, if it is that time. Of STRING, a relative path: the directory
	 * that it is relative to, a VALUE_FD, if that was asked for. Or NULL.
	 */
	const struct value *extra;
	union {
		const struct xlat *table; /* ENUM, FLAGS */
		struct {
			uint32_t fraction; /* DATE: decimal digits after the seconds */
			uint8_t digits;	   /* DATE: how many: 0, 6 or 9 */
		};
		struct {
			const char *str; /* STRING, ADDRESS (any bytes), NAME, FD, PID */
			size_t len;
			/*
			 * FD: the same descriptor with all that queries ask about it, which sinks
			 * do not show; or NULL, if nothing is known beyond what is shown.
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
 * Functions that make a value: it is in the arena a, and lives as long. Strings, bytes and tables
 * are kept by reference, so that they must live as long too. They never return NULL: the program
 * ends if there is no memory. Each is of the kind of its name: value_int() makes a VALUE_INT.
 */
struct value *value_new(struct arena *a, enum value_kind kind, uint64_t num);
struct value *value_int(struct arena *a, int64_t v);
struct value *value_uint(struct arena *a, uint64_t v);
struct value *value_hex(struct arena *a, uint64_t v);
struct value *value_addr(struct arena *a, uint64_t v);
/*
 * Of what lies at addr and could not be read: -EFAULT, the tracee could not have read it itself;
 * -ENODATA, it was never captured; or another error of the engine.
 */
struct value *value_unreadable(struct arena *a, uint64_t addr, int err);
/* The end of a list whose next element lies at addr and could not be read; err as above. */
struct value *value_more_at(struct arena *a, uint64_t addr, int err);
struct value *value_enum(struct arena *a, const struct xlat *x, uint64_t v);
/* The name that a VALUE_ENUM has in its table, or NULL. */
const char *value_enum_name(const struct value *v);
struct value *value_flags(struct arena *a, const struct xlat *x, uint64_t v);
/* Each byte of a string is charged to the arena: that many bytes at most become of it in a sink. */
#define VALUE_STRING_CHARGE 7
struct value *value_string(struct arena *a, const void *bytes, size_t len);
/* A string of text that a trace chose, which is copied; if it is not given, the string is empty. */
struct value *value_foreign(struct arena *a, struct foreign f);
/* If the last byte of a string is a NUL, takes it off: only hexadecimal text shows it (TEXT_NUL).
 */
void value_hide_nul(struct value *v);
struct value *value_word(struct arena *a, const char *name, uint64_t num); /* VALUE_NAME */
struct value *value_struct(struct arena *a);
struct value *value_array(struct arena *a);
struct value *value_call(struct arena *a, const char *function);
/* in => out. Both become children, or are copied if they are children of another value already. */
struct value *value_change(struct arena *a, struct value *in, struct value *out);
struct value *value_expr(struct arena *a, enum value_op op, uint64_t num);
/* An address of len bytes, which are copied; family is AF_INET, AF_INET6 or AF_PACKET. */
struct value *value_address(struct arena *a, int family, const void *bytes, size_t len);
/*
 * Writes a VALUE_ADDRESS as people do: 1.2.3.4, ::1, 52:54:00:12:34:56. Writes at most size bytes
 * and a NUL, and returns their number without the NUL; VALUE_ADDRESS_TEXT is enough for all.
 */
#define VALUE_ADDRESS_MAX  255 /* bytes of an address; of a longer one the first are written */
#define VALUE_ADDRESS_TEXT (3 * VALUE_ADDRESS_MAX + 1)
size_t value_address_text(const struct value *v, char *text, size_t size);
/* A device as the kernel's struct stat has it: gnu_dev_major(3), gnu_dev_minor(3). */
struct value *value_device(struct arena *a, uint64_t num);
static inline uint64_t value_device_major(const struct value *v)
{
	return ((v->num >> 8) & 0xfff) | ((v->num >> 32) & ~0xfffull);
}
static inline uint64_t value_device_minor(const struct value *v)
{
	return (v->num & 0xff) | ((v->num >> 12) & 0xffffff00);
}
/* The low 16 bits of a VALUE_STATUS of which neither its kind nor its children tell. */
unsigned value_status_rest(const struct value *v);
/*
 * sec seconds since 1970, and a fraction with so many decimal digits: 0, 6 (microseconds) or 9
 * (nanoseconds). NULL if that is no date to be shown: both are zero, the fraction is a second or
 * more, or the year has no number in a struct tm.
 */
struct value *value_date(struct arena *a, int64_t sec, uint64_t fraction, unsigned digits);
/*
 * Writes a VALUE_DATE in the local time zone: 2026-11-21T03:19:07.838665576+0000. Writes at most
 * VALUE_DATE_TEXT bytes and a NUL, and returns their number without the NUL; 0 if it has no text.
 */
#define VALUE_DATE_TEXT 64
size_t value_date_text(const struct value *v, char text[VALUE_DATE_TEXT]);
/* [INDEX]=v: an element of an array that is shown with its index. Both become children. */
struct value *value_indexed(struct arena *a, struct value *index, struct value *v);
struct value *value_or(struct arena *a, uint64_t num);
struct value *value_plain(struct arena *a, const char *text); /* a VALUE_STRING without quotes */
struct value *value_fd(struct arena *a, int fd);
/* A change whose second side only the exit will tell: an open value. A copy of in is its child. */
struct value *value_changing(struct arena *a, struct value *in);
/* The place of a child that only the exit will tell, at the end of an open value. */
struct value *value_pending(struct arena *a);

/*
 * A struct of the members of before, which are copied, followed by those of more, which become its
 * children if more is a struct. before may be NULL. A member that both have becomes a change if it
 * is another now or a struct; if the one of more has TEXT_NAMED, its name is printed again.
 */
struct value *value_extended(struct arena *a, const struct value *before, struct value *more);

/* Appends child to the children of parent, and returns child; with a name for it, or without. */
struct value *value_add(struct value *parent, struct value *child);
struct value *value_add_named(struct value *parent, const char *name, struct value *child);
/* The child of that name, or NULL. */
const struct value *value_member(const struct value *parent, const char *name);
/* The number of children. */
size_t value_count(const struct value *parent);
/* Whether two values say the same: numbers, bytes, children and their names. */
bool value_equal(const struct value *a, const struct value *b);

/*
 * Splits num into the flags of a table, in the table's order: calls fn for each row that matches,
 * and returns the bits that no row has.
 */
uint64_t value_flags_split(const struct xlat *x, uint64_t num,
			   void (*fn)(void *ctx, const struct xlat_entry *e), void *ctx);

#define value_for_each(parent, v) for (struct value *v = (parent)->child; v; v = v->next)

#endif
