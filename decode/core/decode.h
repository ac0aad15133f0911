/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface of decoders. A decoder (a struct type_ops, or the function in an FN() of the tables
 * of syscalls) converts a number or bytes to a value in the event's arena. A decoder does not print
 * and does not fail. Memory that cannot be read becomes value_unreadable(). tracer ends if it runs
 * out of memory.
 */
#ifndef TRACER_DECODE_CORE_DECODE_H
#define TRACER_DECODE_CORE_DECODE_H

#include "decode/core/budget.h"
#include "decode/core/config.h"
#include "decode/core/state.h"
#include "decode/core/type.h"
#include "event/event.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "capture/facts.h"
#include "capture/memory.h"
#include "event/value.h"

/*
 * A struct that is being decoded. The conditions and lengths of its fields can refer to other
 * fields of the struct. The values of those fields come from `bytes`.
 */
struct scope {
	const struct scope *up; /* the enclosing struct, or NULL */
	const struct struct_desc *desc;
	const uint8_t *bytes; /* `len` bytes of the struct, which were read from `addr` */
	size_t len;
	uint64_t addr;
};

/*
 * The context for decoding one stop of a thread. It does not own the data that its pointers refer
 * to.
 */
struct decoder {
	struct memory *memory; /* the calling process's memory */
	/* facts about the process's descriptors, pids and sockets; may be NULL */
	struct facts *facts;
	pid_t tid;		  /* tid of the calling thread in tracer's pid namespace */
	struct arena *arena;	  /* owns the values and their data; &ev->arena unless ev is NULL */
	struct syscall_event *ev; /* the call; NULL when a signal is decoded */
	const struct decode_config *config;
	const struct abi *abi; /* the ABI of syscall numbers and struct layouts */
	/* if ev is NULL: the ABI of the thread's last call, or NULL if unknown */
	const struct abi *thread_abi;
	uint8_t mode; /* bits of enum decode_mode */
	/* true at the exit of the call; the result is then known, and lengths can depend on it */
	bool exiting;
	/*
	 * True if the next struct has already been shown at entry. Only its fields with FIELD_F_OUT
	 * or FIELD_F_CHANGES are then shown.
	 */
	bool only_out;
	bool failed; /* at exit: true if the call has failed */
	/*
	 * Set at entry by the decoder of a PHASE_BOTH argument if the value is complete and nothing
	 * must be added at exit.
	 */
	bool entry_is_all;
	/*
	 * The kind of data that is transferred. If a message has an address, its address family
	 * determines the kind. PACKET_BY_FD means that the type of the socket determines the kind.
	 */
	enum { PACKET_BY_FD, PACKET_NETLINK, PACKET_OTHER } packet;
	const struct scope *scope;  /* the innermost struct that is being decoded, or NULL */
	unsigned depth;		    /* nesting depth of types, at most DECODE_DEPTH_MAX */
	struct decode_state *state; /* state of the decoded call; NULL if there is no call */
	/*
	 * At exit, for PHASE_BOTH and PHASE_CHANGED: the argument's value at entry; of an open
	 * change, its first side. Otherwise NULL.
	 */
	const struct value *before;
	const uint8_t *siblings; /* bytes of the netlink attributes before the current attribute */
	size_t siblings_len;	 /* length of `siblings` in bytes */
	/* The names of the commands of a message's generic netlink family, or NULL. */
	const struct xlat *genl_commands;
	/*
	 * A buffer of netlink messages that is only partly readable: nl_len bytes at nl_addr_of, an
	 * address in the tracee. Only the first nl_read bytes of nl_bytes are valid. nl_bytes is
	 * NULL if the whole buffer is readable.
	 */
	const uint8_t *nl_bytes;
	size_t nl_len, nl_read;
	uint64_t nl_addr_of;
	/*
	 * Address and negative errno of the last read that failed. The errno is 0 if no read has
	 * failed.
	 */
	uint64_t unread_addr;
	int unread_err;
	/*
	 * For an array of buffers: the number of transferred bytes that belong to the remaining
	 * buffers.
	 */
	uint64_t left;
	struct prefetch *prefetch; /* memory that was read ahead (decode/core/read.h), or NULL */
	/* the event's budget; NULL for no limits, because the value is known to be small */
	struct budget *budget;
};

/*
 * Limits per value on sizes that the tracee controls: number of bytes, number of elements, nesting
 * depth of types.
 */
#define DECODE_BYTES_MAX (1u << 20)
#define DECODE_ELEMS_MAX (1u << 16)
#define DECODE_DEPTH_MAX 16

/*
 * Returns true if the event has used up its budget. After that, no more memory is read, and lists
 * end with "...". A decoder that creates many values without reading memory must call
 * decode_is_spent() before each value.
 */
static inline bool decode_is_spent(const struct decoder *d)
{
	return d->budget && unlikely(d->arena->total >= d->budget->check_at) &&
	       budget_check(d->budget, d->arena->total, d->memory);
}

/* Returns true if everything is shown unabbreviated. */
static inline bool decode_full(const struct decoder *d)
{
	return d->mode & DECODE_FULL;
}

/* Returns the register that contains argument n (from 0). d->ev must be set. */
static inline uint64_t decode_arg_raw(const struct decoder *d, unsigned n)
{
	return d->ev->raw_args[n];
}

/*
 * Return the size in bytes of a number with the given width (W_* of decode/core/type.h) in an ABI.
 * decode_width() calls decode_width_of_code() for widths that depend on the ABI.
 */
unsigned decode_width_of_code(const struct abi *abi, unsigned code);
static inline unsigned decode_width(const struct abi *abi, unsigned width)
{
	return likely(width <= W64) ? width : decode_width_of_code(abi, width);
}
/*
 * Truncates n to the width of the type, and sign-extends the result to 64 bits if the type is
 * signed.
 */
static inline uint64_t decode_narrow(const struct decoder *d, const struct type *t, uint64_t n)
{
	unsigned unused = 64 - 8 * decode_width(d->abi, t->width);

	if (unused == 0 || unused == 64)
		return n;
	n <<= unused;
	return t->is_signed ? (uint64_t)((int64_t)n >> unused) : n >> unused;
}

/*
 * These functions decode a value of type t. decode_number() decodes the number n from a register or
 * field. For types whose objects are in memory, n is a pointer. decode_bytes() decodes len bytes
 * that were read from addr. decode_at() reads the object at addr. If addr is NULL or unreadable,
 * decode_at() returns the address as the value.
 */
struct value *decode_number(struct decoder *d, const struct type *t, uint64_t n);
struct value *decode_bytes(struct decoder *d, const struct type *t, uint64_t addr,
			   const uint8_t *bytes, size_t len);
struct value *decode_at(struct decoder *d, const struct type *t, uint64_t addr);

/* Like decode_at(), but ignores -e verbose=, as strace 7.2 does for some calls. */
struct value *decode_always(struct decoder *d, const struct type *t, uint64_t addr);

/*
 * Returns the size in bytes that an object of this type has in memory. Returns 0 if the size is
 * known only after reading, as for strings.
 */
size_t decode_size(const struct abi *abi, const struct type *t);
/* Returns the type that applies in an ABI. t must be BY_ABI(), BY_FORM() or BY_LONG(). */
const struct type *decode_type_in(const struct abi *abi, const struct type *t);
/*
 * Returns the alignment of a field of this type in bytes. It is 1 for a type whose objects are
 * decoded from memory (`memory` or `fetch` in struct type_ops), unless the type sets its own
 * alignment.
 */
size_t decode_align(const struct abi *abi, const struct type *t);
/*
 * Returns t->len if it is a constant, otherwise t->max. The unit is elements for an array, and
 * bytes for other types. The result does not depend on the ABI.
 */
size_t decode_room(const struct abi *abi, const struct type *t);

/*
 * Return the offset in bytes of the field with index `field`, and the size of the struct in bytes.
 */
size_t struct_offset(const struct abi *abi, const struct struct_desc *s, unsigned field);
size_t struct_size(const struct abi *abi, const struct struct_desc *s);
/* Returns the alignment of a struct in bytes: the largest alignment of its fields. */
size_t struct_align(const struct abi *abi, const struct struct_desc *s);
/* Returns the index of the field with the given name, or -1. */
int struct_field(const struct struct_desc *s, const char *name);
/*
 * Returns the number in field i of a struct, extended from the width of the field's type. Returns 0
 * if the field was not read.
 */
uint64_t scope_number(const struct decoder *d, const struct scope *s, unsigned i);
/*
 * Returns the unsigned integer in the n bytes (at most 8), which are in the byte order of the
 * tracee's machine.
 */
uint64_t decode_load(const struct abi *abi, const void *bytes, size_t n);

/*
 * Sets *out to a length, in bytes or elements. Returns false if there is no length. This is the
 * case for LEN_NONE, for LEN_RET at entry, for a negative int (LEN_ARG32, LEN_DEREF), and for
 * memory that cannot be read.
 */
bool decode_length(const struct decoder *d, const struct length *l, uint64_t *out);

/*
 * Returns the numbers that a condition compares with. Ends the program if the condition's table
 * does not contain all of the names, or if there are more names than the result can hold.
 */
const struct condition_values *condition_values(const struct condition *c);
/* Returns true if the condition holds for the call and the struct that d is decoding. */
bool condition_holds(const struct decoder *d, const struct condition *c);
/*
 * Returns true if both conditions, c and cond, hold, so that a field or argument exists. Either may
 * be NULL.
 */
static inline bool condition_allows(const struct decoder *d, const struct condition *c,
				    bool (*cond)(const struct decoder *d))
{
	return (!c || condition_holds(d, c)) && (!cond || cond(d));
}

/*
 * Returns the number in the field with this name, in the innermost struct that has such a field.
 * Returns 0 if no struct has it, or if the field was not read.
 */
uint64_t decode_field(const struct decoder *d, const char *field);

/*
 * These functions read exactly n bytes of the tracee's memory. They use memory that was read ahead
 * if possible. decode_read() returns 0 or -errno. decode_read_new() returns the bytes in the arena,
 * or NULL on failure. If err is not NULL, decode_read_new() sets *err to 0 or -errno.
 */
int decode_read(struct decoder *d, uint64_t addr, void *buf, size_t n);
uint8_t *decode_read_new(struct decoder *d, uint64_t addr, size_t n, int *err);

/*
 * ---- helpers for decoders: they allocate values in the arena; addresses belong to the tracee ----
 */

/* Returns the value of the NUL-terminated file name at addr, which is shown in full. */
struct value *decode_path(struct decoder *d, uint64_t addr);
/*
 * Returns the value of the NUL-terminated name in the buffer of `size` bytes at addr. At most
 * PATH_MAX bytes of the buffer are used. If the buffer contains no NUL, all bytes except the last
 * one are shown.
 */
struct value *decode_name(struct decoder *d, uint64_t addr, size_t size);
/* Returns the value of the NUL-terminated string at addr. At most `limit` bytes of it are shown. */
struct value *decode_string(struct decoder *d, uint64_t addr, size_t limit);
/*
 * Returns the value of the string in the buffer of `size` bytes at addr. The string may fill the
 * buffer without a NUL. -s shortens it.
 */
struct value *decode_string_in(struct decoder *d, uint64_t addr, size_t size);
/* Returns len bytes of the tracee's memory as a string value, which -s shortens. */
struct value *decode_buffer(struct decoder *d, uint64_t addr, uint64_t len);
/* Returns a copy of len bytes of tracer's own memory as a string value, which -s shortens. */
struct value *decode_text(struct decoder *d, const void *bytes, size_t len);
/* Returns the value of a descriptor of the tracee, with the details of -y and -yy. */
struct value *decode_fd(struct decoder *d, int fd);
/*
 * Returns the value of a pid in the tracee's pid namespace. -Y adds the names of threads and
 * processes; process groups and sessions have no names.
 */
struct value *decode_pid(struct decoder *d, enum pid_kind kind, int pid);
/*
 * Returns the value of the pid argument of kill(2): a process, or a negated process group if `pid`
 * is less than -1.
 */
struct value *decode_pid_or_group(struct decoder *d, int pid);
/*
 * Returns the value of a pid in the tracee's pid namespace. `ours` is the corresponding pid in
 * tracer's pid namespace, or 0 if unknown.
 */
struct value *decode_known_pid(struct decoder *d, int pid, pid_t ours);
/*
 * Translates a pid in the tracee's pid namespace to tracer's pid namespace. Returns 0 if unknown.
 */
pid_t decode_pid_ours(struct decoder *d, enum pid_kind kind, pid_t pid);
/* Returns the value of a signal set, such as [INT TERM]. `bytes` is a bit mask of len bytes. */
struct value *decode_sigset(struct decoder *d, const uint8_t *bytes, size_t len);
/* Returns the value of a signal number, such as SIGINT. */
struct value *decode_signo(struct decoder *d, int sig);
/*
 * Returns the value of a siginfo_t of SIGINFO_SIZE bytes in the layout of d->abi; see sigaction(2)
 * and <asm-generic/siginfo.h>. If d->ev is NULL, tracer itself got the siginfo_t from the kernel,
 * in the layout of its own ABI.
 */
#define SIGINFO_SIZE 128
struct value *decode_siginfo(struct decoder *d, const void *siginfo);

/*
 * Adds the end of a struct that newer kernels may have extended. v is the struct at addr, whose
 * first `from` bytes have been decoded. If any of the next n bytes is not zero, adds these n bytes
 * as a string. If they cannot be read, adds "???".
 */
void decode_rest(struct decoder *d, struct value *v, uint64_t addr, uint64_t from, uint64_t n);

/*
 * Decodes one field of struct s. The first len bytes of the struct were read from addr. Adds the
 * field's value to `to` and returns it. Returns NULL if the field is not within the len bytes.
 * Needed for structs whose fields are not shown in memory order.
 */
struct value *decode_member(struct decoder *d, struct value *to, const struct struct_desc *s,
			    const uint8_t *bytes, size_t len, uint64_t addr, const char *field);

#endif
