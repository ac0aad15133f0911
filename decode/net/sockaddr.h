/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Socket addresses, see address_families(7) and the manual page of each family. */
#ifndef TRACER_DECODE_NET_SOCKADDR_H
#define TRACER_DECODE_NET_SOCKADDR_H

#include "decode/core/decode.h"
#include "decode/net/address.h"

/*
 * Returns the value of the sockaddr of len bytes at addr, an address in the tracee. Returns a
 * VALUE_ADDR if the sockaddr cannot be read or is too short to contain a family.
 */
struct value *decode_sockaddr(struct decoder *d, uint64_t addr, uint64_t len);

/* For tables of syscalls: shows a sockaddr of t->len bytes that the tracee passes. */
decode_fn sockaddr_arg;
/*
 * For tables of syscalls: shows a sockaddr that the kernel stores. t->len is the argument that
 * points to the length: the capacity before the call, and the length of the address after the call.
 */
decode_fn sockaddr_filled;
/*
 * For tables of syscalls: a pointer to the length of a sockaddr that the kernel stores, shown as
 * [128 => 16]. t->len is the argument that points to the sockaddr. If that argument is NULL, the
 * length is not read.
 */
decode_fn sockaddr_length;

/* A struct in_addr. n is the number that its four bytes form in the tracee's byte order. */
decode_fn sockaddr_in_addr;
/* A struct sockaddr of 16 bytes that is a member of another struct. */
extern const struct type_ops sockaddr_16;
/*
 * A struct in6_addr that is a member of another struct. It is shown as inet_pton() with the name of
 * the field.
 */
extern const struct type_ops sockaddr_in6_member;
/* The 16-byte address in a struct ifreq, see netdevice(7). */
extern const struct type_ops type_sockaddr;
#define IFREQ_ADDR MEMFN(type_sockaddr, 16)

/*
 * Shows a sockaddr whose len bytes have been read; len is at least 2. family_name is the name of
 * its first member, such as "sa_family". The string is borrowed.
 */
struct value *sockaddr_value(struct decoder *d, const uint8_t *bytes, size_t len,
			     const char *family_name);
/* The transport address in an AF_RXRPC address. transport_len is its length in bytes. */
extern const struct type_ops type_rxrpc_transport;

extern const struct type_ops type_sockaddr_arg;
#define SOCKADDR(...) TYPE(type_sockaddr_arg, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_sockaddr_filled;
#define SOCKADDR_FILLED(...) TYPE(type_sockaddr_filled, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_sockaddr_length;
#define SOCKADDR_LENGTH(...) TYPE(type_sockaddr_length, .width = W_LONG, .len = __VA_ARGS__)

#endif
