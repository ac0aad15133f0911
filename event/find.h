/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions that find values of an event by name, and convert them to a number, a string or a set
 * of flags. Queries, summaries and output formats use these functions, so they do not depend on how
 * an event stores its values.
 */
#ifndef TRACER_EVENT_FIND_H
#define TRACER_EVENT_FIND_H

#include "event/event.h"

enum found {
	FOUND_NOTHING, /* the event has no such value */
	FOUND_LATER,   /* not known before the call ends */
	FOUND	       /* the value was found; functions with a parameter v have set *v to it */
};

/*
 * Finds the argument with this name. `ended` must be true if the call has returned, so that
 * arguments that the kernel fills in are known.
 */
enum found event_argument(const struct event *e, const char *name, bool ended,
			  const struct value **v);
/* Returns the argument with index i, or NULL if it is not known yet. */
const struct value *event_argument_at(const struct event *e, unsigned i, bool ended);

/* Returns true if the call is execve(2) or execveat(2). */
bool event_is_execve(const struct syscall_event *e);

/* Returns true if all arguments of the call are known at its entry. */
bool event_has_all(const struct syscall_event *e);

/*
 * Find a member of the struct *v by name, or an element of the array *v by index. If the result is
 * FOUND, *v is set to the member or element; otherwise, *v is unchanged.
 */
enum found value_find_member(const struct value **v, const char *name, bool ended);
enum found value_find_element(const struct value **v, uint64_t index, bool ended);

/*
 * Returns the first descriptor among the arguments of a call, or NULL if there is none. This can be
 * the descriptor of a directory, as in openat(2). AT_FDCWD is not a descriptor.
 */
const struct value *event_descriptor(const struct syscall_event *e, bool ended);
/*
 * Gets the number of bytes that a call transferred; 0 if the call failed or has not ended. Returns
 * false if calls of this kind do not transfer bytes.
 */
bool event_bytes(const struct event *e, uint64_t *bytes);
/*
 * Returns true if syscalls with this name transfer bytes and their result is the number of these
 * bytes.
 */
bool event_moves_bytes(const char *name);

/*
 * An integer type that can store every value, from negative numbers to UINT64_MAX. Aligned to 8
 * bytes, because arenas do not support larger alignments.
 */
typedef __int128 value_number __attribute__((aligned(8)));
static inline value_number value_number_min(value_number a, value_number b)
{
	return a < b ? a : b;
}
static inline value_number value_number_max(value_number a, value_number b)
{
	return a > b ? a : b;
}
/*
 * Reads a value as an integer and stores it in *n. For a change, reads the new value. For an array
 * of one element or a call with one argument, such as htons(80), reads that element or argument.
 * Returns false if the value is not a number, such as a string, a struct, another array, a bitset
 * or a network address. Sets *bits to 0 if the value is signed, otherwise to the value's width in
 * bits. Before an unsigned value is compared with a negative number, the number must be converted
 * to that width.
 */
bool value_as_number(const struct value *v, value_number *n, unsigned *bits);
/* Reads a value as the id of a process or thread. Returns 0 if v is NULL or not an id. */
pid_t value_as_id(const struct value *v);
/*
 * Reads a value as a string: sets *text to its bytes and *len to their number. Only strings, names
 * (VALUE_NAME) and network addresses can be read. An address is written to buf in the usual
 * notation, and *text points to buf. Returns false for any other value.
 */
bool value_as_text(const struct value *v, char buf[VALUE_ADDRESS_TEXT], const char **text,
		   size_t *len);

/* The number of a constant in a particular table. */
struct constant_value {
	const struct xlat *table;
	uint64_t num;
};
struct constant {
	const char *name;
	uint64_t num; /* the number to use if `values` has no element for the table */
	size_t n;
	const struct constant_value *values;
};
/*
 * Returns the constant's number in the table that contains the names for v. Returns c->num if there
 * is no such table, or if the constant has no number for it.
 */
uint64_t constant_number(const struct constant *c, const struct value *v);
/* Returns true if a value equals the constant, has it as a flag, or is a set that contains it. */
bool value_has(const struct value *v, const struct constant *c);

/* Facts about a descriptor. */
struct descriptor_facts {
	const char *path;
	size_t path_len;
	const char *kind; /* such as "file", "pipe", "socket" or "eventpoll"; NULL if unknown */
	size_t kind_len;
	const struct value *socket; /* a VALUE_SOCKET, or NULL */
};
void value_descriptor_facts(const struct value *fd, struct descriptor_facts *f);

struct strbuf;

/*
 * Appends the peer of a call to b: "127.0.0.1:80", "[::1]:80", or the path of a UNIX socket. The
 * peer is taken from a socket address among the arguments or, if there is none, from the call's
 * descriptor. If address_only is true, the port is omitted. Returns FOUND_NOTHING if the call has
 * no peer.
 */
enum found event_peer(const struct syscall_event *e, bool ended, bool address_only,
		      struct strbuf *b);
/*
 * Gets the port of the peer, which is found as in event_peer(). Returns FOUND_NOTHING if the peer
 * has no port.
 */
enum found event_peer_port(const struct syscall_event *e, bool ended, uint64_t *port);

#endif
