/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What decoders work with. A decoder (struct type_ops, or a function of FN() in a row, called a
 * hatch) gets a number or bytes and returns a value in the arena of the event. It never prints and
 * never fails: memory that cannot be read becomes value_unreadable(), and a program without memory
 * ends.
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

/* A struct that is being decoded: fields may depend on other fields of it. */
struct scope {
	const struct scope *up; /* the struct that this one is inside of, or NULL */
	const struct struct_desc *desc;
	const uint8_t *bytes; /* len bytes of it, which were read at addr */
	size_t len;
	uint64_t addr;
};

/* The context in which one stop of a thread is decoded. It owns nothing of what it points to. */
struct decoder {
	struct memory *memory;	  /* of the process that makes the call */
	struct facts *facts;	  /* of its descriptors, pids and sockets; NULL: none are known */
	pid_t tid;		  /* the thread that makes the call, in our pid namespace */
	struct arena *arena;	  /* values and what they point to; &ev->arena if there is an ev */
	struct syscall_event *ev; /* the call; NULL: a signal is decoded, not a call */
	const struct decode_config *config;
	const struct abi *abi;	      /* by which numbers and structs are laid out */
	const struct abi *thread_abi; /* without ev: of the thread's last call, or NULL */
	uint8_t mode;		      /* bits of enum decode_mode */
	bool exiting;		      /* the result is known, and lengths may depend on it */
	bool only_out; /* the next struct is continued: only its FIELD_F_OUT fields are shown */
	bool failed;   /* with exiting: the call returned an error */
	/* At the entry of PHASE_BOTH, set by a decoder: the exit will add nothing to its value. */
	bool entry_is_all;
	/*
	 * Whether the data of the message being decoded are netlink messages, told by the message's
	 * address; PACKET_BY_FD: that did not tell, the socket's descriptor does.
	 */
	enum { PACKET_BY_FD, PACKET_NETLINK, PACKET_OTHER } packet;
	const struct scope *scope;  /* the innermost struct being decoded, or NULL */
	unsigned depth;		    /* of nested types, at most DECODE_DEPTH_MAX */
	struct decode_state *state; /* of the call; NULL if no call is decoded */
	/* At exit: what the argument was at entry, for PHASE_BOTH and PHASE_CHANGED; else NULL. */
	const struct value *before;
	const uint8_t *siblings; /* netlink attributes in front of the one being decoded */
	size_t siblings_len;	 /* in bytes */
	/* The commands of the generic netlink family that a message describes, or NULL. */
	const struct xlat *genl_commands;
	/*
	 * A buffer of netlink messages of which only a part could be read: nl_len bytes at the
	 * address nl_addr_of, the first nl_read of which are valid. NULL: all could be read.
	 */
	const uint8_t *nl_bytes;
	size_t nl_len, nl_read;
	uint64_t nl_addr_of;
	/* Where the last read failed, and why, -errno; an error of 0: none has. */
	uint64_t unread_addr;
	int unread_err;
	uint64_t left;		   /* bytes of data that the buffers still to come share */
	struct prefetch *prefetch; /* what was read ahead (decode/core/read.h), or NULL */
	struct budget *budget;	   /* what is left for the event; NULL: what is decoded is small */
};

/* Limits on what a tracee can make us read or build for one value: bytes, elements, nested types.
 */
#define DECODE_BYTES_MAX (1u << 20)
#define DECODE_ELEMS_MAX (1u << 16)
#define DECODE_DEPTH_MAX 16

/*
 * Whether the event has taken all that one may: then nothing more is read, and lists end in "...".
 * Whoever makes many values without reading asks before each.
 */
static inline bool decode_is_spent(const struct decoder *d)
{
	return d->budget && unlikely(d->arena->total >= d->budget->look_at) &&
	       budget_look(d->budget, d->arena->total, d->memory);
}

/* Whether everything is to be shown, unabbreviated. */
static inline bool decode_full(const struct decoder *d)
{
	return d->mode & DECODE_FULL;
}

/* The content of the register of argument n, which counts from 0. There has to be an ev. */
static inline uint64_t decode_arg_raw(const struct decoder *d, unsigned n)
{
	return d->ev->raw_args[n];
}

/* The bytes of a width, W_* of decode/core/type.h, in an ABI; the first function is for codes. */
unsigned decode_width_of_code(const struct abi *abi, unsigned code);
static inline unsigned decode_width(const struct abi *abi, unsigned width)
{
	return likely(width <= W64) ? width : decode_width_of_code(abi, width);
}
/* n cut to the width of the type, and extended to 64 bits by its sign. */
static inline uint64_t decode_narrow(const struct decoder *d, const struct type *t, uint64_t n)
{
	unsigned unused = 64 - 8 * decode_width(d->abi, t->width);

	if (unused == 0 || unused == 64)
		return n;
	n <<= unused;
	return t->is_signed ? (uint64_t)((int64_t)n >> unused) : n >> unused;
}

/*
 * The value of type t. decode_number(): of a register or field that holds n, which for things that
 * live in memory is a pointer. decode_bytes(): of len bytes that were read from addr. decode_at():
 * of what lies at addr, which is read; the address itself if it is NULL or cannot be read.
 */
struct value *decode_number(struct decoder *d, const struct type *t, uint64_t n);
struct value *decode_bytes(struct decoder *d, const struct type *t, uint64_t addr,
			   const uint8_t *bytes, size_t len);
struct value *decode_at(struct decoder *d, const struct type *t, uint64_t addr);

/* Like decode_at(), even for calls that -e verbose= shows with addresses; strace 7.2 has such. */
struct value *decode_anyway(struct decoder *d, const struct type *t, uint64_t addr);

/*
 * The bytes that a type takes in memory: what its operations say, else those of its number; of a
 * hatch that decodes memory its length, if that is constant. 0 if that shows only when it is read,
 * as for strings.
 */
size_t decode_size(const struct abi *abi, const struct type *t);
/* Which of its two types a BY_ABI(), BY_FORM() or BY_LONG() stands for in an ABI. */
const struct type *decode_type_in(const struct abi *abi, const struct type *t);
/* The multiple of bytes that the address of a type's field is; 1 for a hatch that decodes memory.
 */
size_t decode_align(const struct abi *abi, const struct type *t);
/* The constant length of a type, or what it has room for: bytes or elements, in every ABI. */
size_t decode_room(const struct abi *abi, const struct type *t);

/* The offset of a field, by its index, and the size of a struct, in bytes in this ABI. */
size_t struct_offset(const struct abi *abi, const struct struct_desc *s, unsigned field);
size_t struct_size(const struct abi *abi, const struct struct_desc *s);
/* The multiple of bytes that the address of a struct is: the largest of its fields. */
size_t struct_align(const struct abi *abi, const struct struct_desc *s);
/* The index of the field of that name, or -1. */
int struct_field(const struct struct_desc *s, const char *name);
/* The number in field i of a struct, of its type's width; 0 if the field was not read. */
uint64_t scope_number(const struct decoder *d, const struct scope *s, unsigned i);
/* The unsigned number in n bytes of a tracee's memory, at most 8, in the byte order of its machine.
 */
uint64_t decode_load(const struct abi *abi, const void *bytes, size_t n);

/* Sets *out to a length, in bytes or elements. False: it is LEN_NONE, or could not be read. */
bool decode_length(const struct decoder *d, const struct length *l, uint64_t *out);

/* The numbers that a condition compares with; ends the program if its table lacks a name of them.
 */
const struct condition_values *condition_values(const struct condition *c);
/* Whether a condition holds for the call, and the struct, that d is decoding. */
bool condition_holds(const struct decoder *d, const struct condition *c);
/* Whether a field or argument is there: c and cond, which both may be NULL, both say so. */
static inline bool condition_allows(const struct decoder *d, const struct condition *c,
				    bool (*cond)(const struct decoder *d))
{
	return (!c || condition_holds(d, c)) && (!cond || cond(d));
}

/* The number in a field, by its name, of the struct being decoded; 0 if the field was not read. */
uint64_t decode_field(const struct decoder *d, const char *field);

/*
 * Reads exactly n bytes of the tracee, from what was read ahead where possible; 0 or -errno. The
 * second returns them in the arena, or NULL with *err set, unless err is NULL.
 */
int decode_read(struct decoder *d, uint64_t addr, void *buf, size_t n);
uint8_t *decode_read_new(struct decoder *d, uint64_t addr, size_t n, int *err);

/* ---- building blocks for hatches; a value is in the arena, addresses are the tracee's ---- */

/* A NUL-terminated file name, shown whole. */
struct value *decode_path(struct decoder *d, uint64_t addr);
/*
 * A NUL-terminated name in a buffer of size bytes, at most PATH_MAX. Without a NUL all bytes but
 * the last are shown.
 */
struct value *decode_name(struct decoder *d, uint64_t addr, size_t size);
/* A NUL-terminated string, of which at most limit bytes are shown. */
struct value *decode_string(struct decoder *d, uint64_t addr, size_t limit);
/* A string in a buffer of size bytes, which may end without a NUL; shortened by -s. */
struct value *decode_string_in(struct decoder *d, uint64_t addr, size_t size);
/* len bytes of the tracee's memory as a string; shortened by -s. */
struct value *decode_buffer(struct decoder *d, uint64_t addr, uint64_t len);
/* len bytes of our memory, which are copied, as a string; shortened by -s. */
struct value *decode_text(struct decoder *d, const void *bytes, size_t len);
/* A descriptor of the tracee, with what -y and -yy tell of it. */
struct value *decode_fd(struct decoder *d, int fd);
/* A pid as the tracee calls it; -Y names threads and processes, but not groups and sessions. */
struct value *decode_pid(struct decoder *d, enum pid_kind kind, int pid);
/* A pid as kill(2) takes it: a process, or if less than -1 a group, negated. */
struct value *decode_pid_or_group(struct decoder *d, int pid);
/* A pid whose number in our own pid namespace is known: ours; 0 if it is not known after all. */
struct value *decode_known_pid(struct decoder *d, int pid, pid_t ours);
/* The number in our pid namespace of what the tracee calls pid; 0 if it is not known. */
pid_t decode_pid_ours(struct decoder *d, enum pid_kind kind, pid_t pid);
/* A set of signals, a bit mask of len bytes: [INT TERM]. */
struct value *decode_sigset(struct decoder *d, const uint8_t *bytes, size_t len);
/* The number of a signal: SIGINT. */
struct value *decode_signo(struct decoder *d, int sig);
/*
 * A siginfo_t, SIGINFO_SIZE bytes laid out as in d->abi: sigaction(2), <asm-generic/siginfo.h>. If
 * d->ev is NULL, it is one that the kernel gave to tracer itself, in tracer's own ABI.
 */
#define SIGINFO_SIZE 128
struct value *decode_siginfo(struct decoder *d, const void *siginfo);

/*
 * Adds to v, a struct at addr of which `from` bytes are known, the n bytes after those, unless
 * they are all zero. Only those within one page are looked at.
 */
void decode_rest(struct decoder *d, struct value *v, uint64_t addr, uint64_t from, uint64_t n);

/*
 * Adds to `to` the value of a field, by its name, of a struct s whose first len bytes were read
 * from addr; returns that value. For structs that are not shown in the order of memory.
 */
struct value *decode_member(struct decoder *d, struct value *to, const struct struct_desc *s,
			    const uint8_t *bytes, size_t len, uint64_t addr, const char *field);

#endif
