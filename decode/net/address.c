/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/net/address.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>

const struct value *decode_network_bytes(struct decoder *d, const void *bytes, size_t n)
{
	struct value *v = value_string(d->arena, arena_alloc(d->arena, n), n);

	memcpy((void *)v->str, bytes, n);
	v->text |= TEXT_HEX_STRING;
	return v;
}

/*
 * Returns the value of a call such as htons(80), whose argument is host. network points to the same
 * number in network byte order, which has `size` bytes. With -X raw, these bytes are shown instead
 * of the call.
 */
static struct value *converted(struct decoder *d, const char *call, uint32_t host,
			       const void *network, size_t size)
{
	struct value *v = value_call(d->arena, call);

	memcpy(&v->num, network, size);
	v->extra = decode_network_bytes(d, network, size);
	value_add(v, value_uint(d->arena, host));
	return v;
}

struct value *decode_htons(struct decoder *d, uint16_t network)
{
	return converted(d, "htons", ntohs(network), &network, sizeof(network));
}

struct value *decode_htonl(struct decoder *d, uint32_t network)
{
	return converted(d, "htonl", ntohl(network), &network, sizeof(network));
}

static struct value *text(struct decoder *d, const char *s)
{
	return value_string(d->arena, arena_strdup(d->arena, s), strlen(s));
}

struct value *decode_inet_addr(struct decoder *d, const uint8_t bytes[4])
{
	return value_address(d->arena, AF_INET, bytes, 4);
}

struct value *decode_inet6_addr(struct decoder *d, const uint8_t bytes[16], const char *member)
{
	struct value *v = value_address(d->arena, AF_INET6, bytes, 16);

	v->name = member;
	if (member)
		v->text |= TEXT_UNNAMED;
	return v;
}

struct value *decode_ifindex(struct decoder *d, unsigned index)
{
	char name[IF_NAMESIZE];
	struct value *v;

	if (!index || !fact_interface(d->facts, index, name, sizeof(name)))
		return value_uint(d->arena, index);
	v = value_call(d->arena, "if_nametoindex");
	v->num = index;
	v->text |= TEXT_DECIMAL | TEXT_ONE_WORD;
	value_add(v, text(d, name));
	return v;
}

struct value *decode_mac(struct decoder *d, const uint8_t *bytes, size_t len)
{
	return value_address(d->arena, AF_PACKET, bytes, len);
}
