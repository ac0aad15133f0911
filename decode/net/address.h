/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Network addresses and numbers, shown as calls of inet(3), byteorder(3) and if_nametoindex(3). */
#ifndef TRACER_DECODE_NET_ADDRESS_H
#define TRACER_DECODE_NET_ADDRESS_H

#include "decode/core/decode.h"

/*
 * Return the value of an IP address in network byte order, which is shown as inet_addr("1.2.3.4")
 * and inet_pton(AF_INET6, "::1", &member). member is the name of the struct's field, or NULL if
 * there is no struct.
 */
struct value *decode_inet_addr(struct decoder *d, const uint8_t bytes[4]);
struct value *decode_inet6_addr(struct decoder *d, const uint8_t bytes[16], const char *member);
/*
 * Return a value that is shown as htons(80) or htonl(0). network is the number in network byte
 * order, as it is in memory.
 */
struct value *decode_htons(struct decoder *d, uint16_t network);
struct value *decode_htonl(struct decoder *d, uint32_t network);
/*
 * Returns a value that is shown as if_nametoindex("lo"), or as a number if tracer's network
 * namespace has no interface with this index.
 */
struct value *decode_ifindex(struct decoder *d, unsigned index);
/*
 * Returns a value of n bytes for the value.extra of a call such as htons(80). With -X raw, the
 * bytes are shown instead of the call.
 */
const struct value *decode_network_bytes(struct decoder *d, const void *bytes, size_t n);
/* Returns the value of a hardware address, such as 00:1a:2b. */
struct value *decode_mac(struct decoder *d, const uint8_t *bytes, size_t len);

#endif
