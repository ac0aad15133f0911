/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Address families with members that the field tables cannot describe. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "decode/net/address.h"
#include "decode/net/sockaddr_family.h"

struct value *sockaddr_number_and_name(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct xlat *x = t->names;
	struct value *v =
		x->kind == XLAT_FLAGS ? value_flags(d->arena, x, n) : value_enum(d->arena, x, n);

	v->width = decode_width(d->abi, t->width);
	v->text |= TEXT_BOTH;
	return v;
}

struct value *sockaddr_hex8(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_hex(d->arena, n);

	v->width = 1;
	v->text |= TEXT_PADDED;
	return v;
}

struct value *sockaddr_hex_bytes(struct decoder *d, const uint8_t *bytes, size_t len)
{
	struct value *v = value_array(d->arena);

	for (size_t i = 0; i < len; i++)
		value_add(v, sockaddr_hex8(d, NULL, bytes[i]));
	return v;
}

static struct value *short_hex_bytes(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return sockaddr_hex_bytes(d, bytes, len);
}
const struct type_ops type_short_hex_bytes = {.name = "short_hex_bytes", .memory = short_hex_bytes};

struct value *sockaddr_htonl_hex(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_call(d->arena, "htonl");

	v->num = n;
	v->text |= TEXT_ALWAYS;
	value_add(v, value_hex(d->arena, ntohl(n)));
	return v;
}

/*
 * Unless the flags contain XDP_SHARED_UMEM, the kernel ignores the number, so it is not shown as a
 * descriptor.
 */
struct value *sockaddr_xdp_fd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (decode_field(d, "sxdp_flags") & 1)
		return decode_fd(d, (int)n);
	return n ? value_hex(d->arena, n) : NULL;
}

/*
 * Shows the remaining bytes of the address as a string. If they contain no NUL, the last byte is
 * not shown.
 */
static struct value *chars_left(struct decoder *d, const struct type *t attr_unused,
				uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	size_t n = strnlen((const char *)bytes, len);
	bool more = n == len;
	struct value *v = value_string(d->arena, bytes, n - more);

	if (more)
		v->flags |= VALUE_F_MORE;
	return v;
}
const struct type_ops type_chars_left = {.name = "chars_left", .memory = chars_left};

static struct value *service_name(struct decoder *d, const struct type *t attr_unused,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return value_string(d->arena, bytes, size_min(len, decode_field(d, "service_name_len")));
}
const struct type_ops type_nfc_service_name = {.name = "nfc_service_name", .memory = service_name};

static struct value *mac_memory(struct decoder *d, const struct type *t attr_unused,
				uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return decode_mac(d, bytes, len);
}
const struct type_ops type_sockaddr_mac = {.name = "mac", .memory = mac_memory};

static struct value *bdaddr_memory(struct decoder *d, const struct type *t,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v = decode_mac(d, bytes, len);

	v->text |= t->n ? TEXT_PLAIN | TEXT_ONE_WORD : TEXT_PLAIN;
	return v;
}
const struct type_ops type_sockaddr_bdaddr = {.name = "bdaddr", .memory = bdaddr_memory};

/* ---- TIPC ---- */

static const struct type range = STRUCT(tipc_addr_range), name = STRUCT(tipc_addr_name),
			 id = STRUCT(tipc_addr_id);
const struct type_case tipc_addrs[] = {{1, &range}, {2, &name}, {3, &id}, {0, NULL}};

/* Shows a scope. Programs negate the scope to withdraw a name: -TIPC_NODE_SCOPE. */
struct value *sockaddr_tipc_scope(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int scope = (int8_t)n;
	struct value *v;

	if (scope >= 0)
		return value_enum(d->arena, &xlat_tipc_scopes, scope);
	v = value_expr(d->arena, VALUE_OP_JOIN, scope);
	v->text |= TEXT_ALWAYS | TEXT_STYLED;
	value_add(v, value_plain(d->arena, "-"));
	/* Like strace 7.2, calculates with 8 bits, so that the negative of -128 is -128. */
	value_add(v, value_enum(d->arena, &xlat_tipc_scopes,
				scope == INT8_MIN ? (uint32_t)scope : (uint32_t)-scope));
	return v;
}

/* ---- Bluetooth ---- */

static struct value *htobs(struct decoder *d, struct value *v)
{
	struct value *call = value_call(d->arena, "htobs");

	call->num = v->num;
	call->text |= TEXT_ALWAYS;
	value_add(call, v);
	return call;
}

struct value *sockaddr_htobs(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return htobs(d, value_uint(d->arena, n));
}

/*
 * Shows a dynamically assigned number relative to its range: the name of the start of the range,
 * plus an offset.
 */
static struct value *from_start(struct decoder *d, const struct xlat *x, uint64_t n, uint64_t start)
{
	struct value *v;

	if (xlat_name(x, n) || !start) {
		v = value_enum(d->arena, x, n);
		v->text |= TEXT_PLAIN;
		return v;
	}
	v = value_expr(d->arena, VALUE_OP_PLUS, n);
	v->extra = value_hex(d->arena, n);
	v->text |= TEXT_STYLED;
	value_add(v, value_enum(d->arena, x, start));
	value_add(v, value_uint(d->arena, n - start));
	return v;
}

struct value *sockaddr_l2_psm(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct xlat *x = &xlat_l2_psms;

	/* the ranges begin at L2CAP_PSM_DYN_START and L2CAP_PSM_LE_DYN_START */
	return htobs(d, from_start(d, x, n,
				   n >= 0x1001		    ? 0x1001
				   : n >= 0x80 && n <= 0xff ? 0x80
							    : 0));
}

struct value *sockaddr_l2_cid(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return htobs(d, from_start(d, &xlat_l2_cids, n, n >= 0x40 /* _DYN_START */ ? 0x40 : 0));
}

/* ---- AX.25 ---- */

enum { CALL_SIZE = 7, AX25_SIZE = 16, DIGIPEATERS_MAX = 8 };

/*
 * Sets text to a callsign in a form such as "VK3ABC-3", or to "" if it contains characters that are
 * not allowed in a comment. Returns true if the callsign can be reconstructed from the text. In
 * memory, a callsign consists of six characters and a station number, each shifted left by one bit
 * (AX.25 2.2, section 3.12).
 */
static bool callsign_text(const uint8_t *bytes, char text[16])
{
	size_t n = 0;
	bool plain = true, ended = false;

	for (size_t i = 0; i < CALL_SIZE - 1; i++) {
		char c = bytes[i] >> 1;

		plain &= !(bytes[i] & 1);
		if (c < ' ' || c == 0x7f || c == '*' || c == '/') {
			text[0] = '\0';
			return false;
		}
		ended |= c == ' ';
		if (c != ' ')
			plain &= !ended && ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
		text[i] = c;
		if (c != ' ')
			n = i + 1;
	}
	snprintf(text + n, 16 - n, "-%u", bytes[CALL_SIZE - 1] >> 1 & 15);
	plain &= !(bytes[CALL_SIZE - 1] & ~0x1e);
	if (strncmp(text, "-0", 2))
		return plain && n;
	/* Like strace 7.2, shows a callsign without characters and number as "*". */
	memcpy(text, "*", 2);
	return plain && !n;
}

static struct value *callsign(struct decoder *d, const uint8_t *bytes)
{
	struct value *raw = value_struct(d->arena), *v = value_string(d->arena, bytes, CALL_SIZE);
	char text[16];
	bool plain = callsign_text(bytes, text);

	v->text |= TEXT_HEX_STRING;
	value_add_named(raw, "ax25_call", v);
	if (!plain) {
		raw->comment = text[0] ? arena_strdup(d->arena, text) : NULL;
		return raw;
	}
	v = value_expr(d->arena, VALUE_OP_JOIN, 0);
	v->extra = raw;
	value_add(v, value_plain(d->arena, arena_strdup(d->arena, text)));
	return v;
}

static struct value *callsign_memory(struct decoder *d, const struct type *t attr_unused,
				     uint64_t addr attr_unused, const uint8_t *bytes,
				     size_t len attr_unused)
{
	return callsign(d, bytes);
}

bool sockaddr_add_ax25(struct decoder *d, struct value *v, const uint8_t *bytes, size_t len)
{
	static const struct type_ops ops = {.name = "callsign", .memory = callsign_memory};
	static const struct type call = {.ops = &ops, .len = N(CALL_SIZE)};
	const struct type calls = {.ops = &type_array, .elem = &call};
	size_t there = size_min((len - AX25_SIZE) / CALL_SIZE, DIGIPEATERS_MAX), shown;
	struct value *base = v, *digis;
	int32_t count;

	if (len < AX25_SIZE)
		return false;
	memcpy(&count, bytes + 12, sizeof(count));
	if (len > AX25_SIZE || count)
		base = value_add_named(v, "fsa_ax25", value_struct(d->arena));
	value_add_named(base, "sax25_call", callsign(d, bytes + 2));
	value_add_named(base, "sax25_ndigis", value_int(d->arena, count));
	if (base == v)
		return true;
	if (count > 0) {
		shown = size_min(size_min(count, DIGIPEATERS_MAX), there);
		digis = decode_bytes(d, &calls, 0, bytes + AX25_SIZE, shown * CALL_SIZE);
		if (shown < size_min(count, DIGIPEATERS_MAX))
			digis->flags |= VALUE_F_MORE;
		value_add_named(v, "fsa_digipeater", digis);
	}
	if (len > AX25_SIZE + there * CALL_SIZE)
		v->flags |= VALUE_F_MORE;
	return true;
}
