/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What decoders work with. A decoder (type_ops, or a row's escape hatch) gets a
 * number or bytes and returns a value; it never prints, never asks in which
 * phase it runs and never fails: memory that cannot be read becomes
 * value_unreadable().
 */
#ifndef TRACER_DECODE_DECODE_H
#define TRACER_DECODE_DECODE_H

#include "decode/core/config.h"
#include "decode/core/type.h"
#include "event/event.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "capture/facts.h"
#include "capture/memory.h"
#include "event/value.h"

/* The struct that is being decoded, for fields that depend on others of it. */
struct scope {
	const struct scope *up;
	const struct struct_desc *desc;
	const uint8_t *bytes;
	size_t len;
	uint64_t addr;
};

/* Context of one syscall's decoding. */
struct decoder {
	struct memory *memory; /* of the process that makes the call */
	struct facts *facts;   /* about the world it lives in; NULL: none are known */
	pid_t tid;	       /* who makes it, as we call it */
	struct arena *arena;   /* = &ev->arena; values and whatever they point to */
	struct syscall_event *ev;
	const struct decode_config *config;
	const struct abi *abi;
	const struct abi *thread_abi; /* without ev: of the thread's last call, or NULL */
	uint8_t mode;		      /* enum decode_mode */
	bool exiting;		      /* the result is known; for lengths that hang on it */
	bool only_out; /* the next struct is continued: only its FIELD_F_OUT fields are shown */
	bool failed;   /* with exiting: it is an error */
	/* What the name of the message being decoded tells of its data; none: the descriptor does.
	 */
	enum { PACKET_BY_FD, PACKET_NETLINK, PACKET_OTHER } packet;
	const struct scope *scope;
	unsigned depth; /* of nesting, bounded */
	const struct value
		*before;	 /* at exit: what the same argument was at entry (BOTH, CHANGED) */
	const uint8_t *siblings; /* netlink attributes before the one being decoded */
	size_t siblings_len;	 /* their bytes */
	/* The commands of the generic netlink family that is told of, or NULL. */
	const struct xlat *genl_commands;
	const uint8_t *nl_bytes; /* a buffer of netlink messages that is not wholly readable */
	size_t nl_len, nl_read;	 /* its bytes, and those of them that were read */
	uint64_t nl_addr_of;
	uint64_t left;		   /* bytes of data that array elements still to come share */
	struct prefetch *prefetch; /* memory read ahead in one call, or NULL */
};

/* Limits on what a tracee can make us read or build for one value. */
#define DECODE_BYTES_MAX (1u << 20)
#define DECODE_ELEMS_MAX (1u << 16)
#define DECODE_DEPTH_MAX 16

static inline bool decode_full(const struct decoder *d)
{
	return d->mode & DECODE_FULL;
}

static inline uint64_t decode_arg_raw(const struct decoder *d, unsigned n)
{
	return d->ev->raw_args[n];
}

/* A number as its width and sign say. */
uint64_t decode_narrow(const struct decoder *d, const struct type *t, uint64_t n);
unsigned decode_width(const struct abi *abi, unsigned width); /* bytes of a W_* */

/* The value of a type whose register or field holds n (a pointer for things in memory). */
struct value *decode_number(struct decoder *d, const struct type *t, uint64_t n);
/* The value of a type that lies at addr, of which len bytes have been read. */
struct value *decode_bytes(struct decoder *d, const struct type *t, uint64_t addr,
			   const uint8_t *bytes, size_t len);
/* The value of a type that lies at addr: reads it. Unreadable or NULL: the address. */
struct value *decode_at(struct decoder *d, const struct type *t, uint64_t addr);

/* The same even where -e verbose= asks for addresses, as strace 7.2 does it in places. */
struct value *decode_anyway(struct decoder *d, const struct type *t, uint64_t addr);

/* Bytes a type takes in memory, 0 if that shows only when it is read. */
size_t decode_size(const struct abi *abi, const struct type *t);

/* Offset of a field, by index; the whole size at index nfields. */
size_t struct_offset(const struct abi *abi, const struct struct_desc *s, unsigned field);
size_t struct_size(const struct abi *abi, const struct struct_desc *s);

/* A length in bytes or elements; false: it has none (LEN_NONE), or it could not be read. */
bool decode_length(const struct decoder *d, const struct length *l, uint64_t *out);

/* The numbers that a condition compares with; ends the program if its table has no such name. */
const struct condition_values *condition_values(const struct condition *c);
bool condition_holds(const struct decoder *d, const struct condition *c);
/* Whether a field or an argument with that condition, or NULL, and function, or NULL, is there. */
static inline bool condition_allows(const struct decoder *d, const struct condition *c,
				    bool (*cond)(const struct decoder *d))
{
	return (!c || condition_holds(d, c)) && (!cond || cond(d));
}

/* A plain number of the struct being decoded, by field name; 0 if it lies outside what was read. */
uint64_t decode_field(const struct decoder *d, const char *field);

/* Reads of the tracee: exactly n bytes (0 or -errno), from what was read ahead where possible. */
int decode_read(struct decoder *d, uint64_t addr, void *buf, size_t n);
/* n bytes in the arena, or NULL (and *err, if not NULL). */
uint8_t *decode_read_new(struct decoder *d, uint64_t addr, size_t n, int *err);

/* ---- building blocks for escape hatches ---- */
struct value *decode_path(struct decoder *d, uint64_t addr); /* NUL-terminated file name */
/* A NUL-terminated name in size bytes, up to PATH_MAX: all but the last of them without a NUL. */
struct value *decode_name(struct decoder *d, uint64_t addr, size_t size);
struct value *decode_string(struct decoder *d, uint64_t addr,
			    size_t limit); /* NUL-terminated, at most limit shown */
/* A NUL-terminated string in size bytes, with or without its NUL, shortened by -s. */
struct value *decode_string_in(struct decoder *d, uint64_t addr, size_t size);
struct value *decode_buffer(struct decoder *d, uint64_t addr,
			    uint64_t len); /* bytes, shortened by -s */
struct value *decode_text(struct decoder *d, const void *bytes,
			  size_t len); /* bytes in hand, shortened by -s */
struct value *decode_fd(struct decoder *d, int fd);
/* Groups and sessions have no names. */
struct value *decode_pid(struct decoder *d, enum pid_kind kind, int pid);
/* A process, or below -1 minus a group, as in kill(2). */
struct value *decode_pid_or_group(struct decoder *d, int pid);
/* A pid that stands for what we call ours (0: not known), whatever the tracee calls it. */
struct value *decode_known_pid(struct decoder *d, int pid, pid_t ours);
/* What we call what the tracee calls pid; 0: not known. */
pid_t decode_pid_ours(struct decoder *d, enum pid_kind kind, pid_t pid);
struct value *decode_dev(struct decoder *d, uint64_t dev);
struct value *decode_sigset(struct decoder *d, const uint8_t *bytes, size_t len);
struct value *decode_signo(struct decoder *d, int sig);
/*
 * A siginfo_t of d->abi's layout (the whole of it: SIGINFO_SIZE bytes). Without
 * a syscall (d->ev NULL) it is one that the kernel gave us: d->abi is then ours.
 */
#define SIGINFO_SIZE 128
struct value *decode_siginfo(struct decoder *d, const void *siginfo);

/*
 * Adds the n bytes at addr + from, which lie behind what is known of a struct, unless
 * they are all zero: a page at most of it counts.
 */
void decode_rest(struct decoder *d, struct value *v, uint64_t addr, uint64_t from, uint64_t n);

/* A struct whose display is not its memory order: adds a field's value from bytes by name. */
struct value *decode_member(struct decoder *d, struct value *to, const struct struct_desc *s,
			    const uint8_t *bytes, size_t len, uint64_t addr, const char *field);

#endif
