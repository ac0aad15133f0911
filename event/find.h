/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading the values of an event: finding one by name, and taking it as a number, a text or a set
 * of flags. Queries, summaries and formats read events through these functions, so that none of
 * them needs to know how an event keeps its values.
 */
#ifndef TRACER_EVENT_FIND_H
#define TRACER_EVENT_FIND_H

#include "event/event.h"

enum found {
	FOUND_NOTHING, /* the event has no such value */
	FOUND_LATER,   /* the value, or whether there is one, is known when the call has ended */
	FOUND	       /* *v is set */
};

/*
 * Finds the argument called name. ended: the call has returned, so that an argument that the kernel
 * fills in is known.
 */
enum found event_argument(const struct event *e, const char *name, bool ended,
			  const struct value **v);
/* The i-th argument as far as it is known, or NULL. */
const struct value *event_argument_at(const struct event *e, unsigned i, bool ended);

/* Whether each argument that the call has at its entry is known there. */
bool event_has_all(const struct syscall_event *e);

/* Finds a member of a struct by name, or an element of an array by index, in *v. */
enum found value_find_member(const struct value **v, const char *name, bool ended);
enum found value_find_element(const struct value **v, uint64_t index, bool ended);

/*
 * The first descriptor among the arguments of a call, whatever its name. A directory that a path is
 * relative to is not one of them. Returns NULL if there is none.
 */
const struct value *event_descriptor(const struct syscall_event *e, bool ended);
/* The number of bytes that a call moved. Returns false if it is not a call that moves bytes. */
bool event_bytes(const struct event *e, uint64_t *bytes);
/* Whether calls of this name move bytes, and return how many. */
bool event_moves_bytes(const char *name);

/*
 * An integer of any type that a value has: negative, or as large as UINT64_MAX. It is aligned as
 * memory of arenas is.
 */
typedef __int128 value_number __attribute__((aligned(8)));
/*
 * Reads a value as an integer: a number, a constant, flags, a descriptor, an id, an address in
 * memory. A change is what the value became. Returns false if the value is something else.
 * *bits is the number of bits of an unsigned value, in whose width a negative number means the
 * value with the same bits; 0 if the value is signed.
 */
bool value_as_number(const struct value *v, value_number *n, unsigned *bits);
/*
 * Reads a value as text: a string, or an address of a network in the usual notation, which is
 * written to buf. Returns false if the value is something else.
 */
bool value_as_text(const struct value *v, char buf[VALUE_ADDRESS_TEXT], const char **text,
		   size_t *len);

/* One constant: a name, and its numbers by table. */
struct constant_value {
	const struct xlat *table;
	uint64_t num;
};
struct constant {
	const char *name;
	uint64_t num; /* used if no table of the list names the value */
	size_t n;
	const struct constant_value *values;
};
/* The number of a constant where the table of v names the value. */
uint64_t constant_number(const struct constant *c, const struct value *v);
/* Whether a value has a flag, is the constant, or is a set that the constant is in. */
bool value_has(const struct value *v, const struct constant *c);

/* What is known of a descriptor; the path is NULL where it is not known. */
struct descriptor_facts {
	const char *path;
	size_t path_len;
	const char *kind; /* "file", "pipe", "socket", "eventpoll", …; NULL if it is not known */
	size_t kind_len;
	const struct value *socket; /* a VALUE_SOCKET, or NULL */
};
void value_descriptor_facts(const struct value *fd, struct descriptor_facts *f);

/*
 * Appends what a call is connected to: "127.0.0.1:80", "[::1]:80", the path of a UNIX socket. That
 * is the peer of the descriptor fd, or an address among the arguments. address_only: without the
 * port. Returns false if the call has no peer.
 */
struct strbuf;
enum found event_peer(const struct syscall_event *e, bool ended, bool address_only,
		      struct strbuf *b);
/* The port of the peer. */
enum found event_peer_port(const struct syscall_event *e, bool ended, uint64_t *port);

#endif
