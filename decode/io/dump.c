/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/io/dump.h"

#include <string.h>

#include "decode/net/net.h"
#include "decode/netlink/netlink.h"
#include "util/number_set.h"

/* Maximum number of bytes that are read from one buffer of a transfer. */
#define DUMP_MAX (16u << 20)

static struct dump *dump_new(struct decoder *d, uint64_t total, int index)
{
	struct dump *dump = arena_zalloc(d->arena, sizeof(*dump));

	*(d->ev->last_dump ? &d->ev->last_dump->next : &d->ev->dumps) = dump;
	d->ev->last_dump = dump;
	dump->total = total;
	dump->index = index;
	dump->pid = d->tid;
	return dump;
}

/*
 * Like strace 7.2, reads data in steps of this many bytes, and stops at the first step that fails.
 */
#define PIECE (64u << 10)

static void dump_add(struct decoder *d, uint64_t addr, uint64_t len, int index)
{
	struct dump *dump;
	uint8_t *bytes = NULL, *grown;
	size_t got = 0, room = 0, total;

	/*
	 * A buffer with a length of UINT64_MAX bytes does not fit into the address space, so do not
	 * dump it.
	 */
	if (index < 0 && (!len || len == UINT64_MAX))
		return;
	dump = dump_new(d, len, index);
	if (!addr)
		return;
	total = len;
	len = size_min(len, DUMP_MAX);
	while (got < len) {
		size_t n = size_min(len - got, PIECE);

		if (got + n > room) {
			room = size_min(len, 4 * room + PIECE);
			grown = arena_alloc(d->arena, room);
			if (got)
				memcpy(grown, bytes, got);
			bytes = grown;
		}
		arena_charge(d->arena, VALUE_STRING_CHARGE * n);
		if (decode_is_spent(d))
			break;
		if (decode_read(d, addr + got, bytes + got, n) < 0) {
			dump->addr = addr + got;
			dump->missing = got ? n : 0;
			break;
		}
		got += n;
	}
	dump->bytes = bytes;
	dump->len = got;
	if (got == len || decode_is_spent(d))
		dump->unseen = size_min(total, UINT64_MAX - addr) - got;
}

/*
 * Adds the data of `count` iovecs at addr, but at most `left` bytes in total. As in strace 7.2,
 * only the low 32 bits of the count matter. Nothing is added if the count is too large or if any of
 * the iovecs cannot be read. Stops at the first empty buffer.
 */
static void dump_iovec(struct decoder *d, uint64_t addr, uint64_t count, uint64_t left)
{
	unsigned word = d->abi->long_size;
	uint32_t n = count;
	uint8_t *vector = NULL;

	if (n && n <= UINT32_MAX / (2 * word))
		vector = decode_read_new(d, addr, (size_t)n * 2 * word, NULL);
	for (uint32_t i = 0; vector && i < n && left && !decode_is_spent(d); i++) {
		uint64_t base = 0, len = 0;

		memcpy(&base, vector + (size_t)i * 2 * word, word);
		memcpy(&len, vector + ((size_t)i * 2 + 1) * word, word);
		len = size_min(len, left);
		if (!len)
			return;
		left -= len;
		dump_add(d, base, len, i);
	}
}

/*
 * Adds the data of a struct msghdr, but at most `left` bytes. `vector` is the index of the msghdr
 * in the array of sendmmsg(2) or recvmmsg(2), or -1 for other calls.
 */
static void dump_msg(struct decoder *d, uint64_t addr, uint64_t left, int vector)
{
	size_t size = struct_size(d->abi, &struct_msghdr);
	struct scope scope = {.desc = &struct_msghdr, .len = size, .addr = addr};
	uint64_t iov, count;

	scope.bytes = decode_read_new(d, addr, size, NULL);
	if (!scope.bytes)
		return;
	d->scope = &scope;
	iov = decode_field(d, "msg_iov");
	count = decode_field(d, "msg_iovlen");
	d->scope = NULL;
	if (vector >= 0)
		dump_new(d, count, vector)->is_vector = true;
	dump_iovec(d, iov, count, left);
}

/*
 * Maximum number of messages that are dumped for one call. Failed calls need this limit, because
 * memory after the end of their messages is dumped, too.
 */
#define VECTORS_MAX (1u << 14)

static void dump_mmsg(struct decoder *d, uint64_t addr, uint64_t count)
{
	size_t size = struct_size(d->abi, &struct_mmsghdr);

	for (uint64_t i = 0; i < size_min(count, VECTORS_MAX); i++, addr += size) {
		const uint8_t *bytes = decode_read_new(d, addr, size, NULL);
		uint32_t len;

		if (!bytes)
			return;
		memcpy(&len, bytes + struct_size(d->abi, &struct_msghdr), sizeof(len));
		dump_msg(d, addr, len, i);
	}
}

/*
 * Returns true if a call may transfer data: its first argument is a descriptor, and its second
 * argument is the data.
 */
static bool is_transfer(const struct syscall_desc *desc)
{
	return desc->nargs >= 2 && desc->args[0].type.ops == &type_fd;
}

bool dump_is_of_sent(const struct syscall_desc *desc)
{
	const struct arg_desc *data = &desc->args[1];

	return is_transfer(desc) && (data->phase == PHASE_IN || (data->type.ops == &type_fn &&
								 data->type.fn == net_mmsg_sent));
}

void decode_dumps(struct decoder *d)
{
	const struct syscall_desc *desc = d->ev->desc;
	unsigned fd = d->ev->raw_args[0];
	uint64_t buf = d->ev->raw_args[1], len, moved = d->failed ? 0 : d->ev->base.ret;
	const struct type *t;
	bool in, wanted;

	if (!is_transfer(desc) || (int)fd < 0)
		return;
	t = &desc->args[1].type;
	in = dump_is_of_sent(desc);
	wanted = in ? d->config->dump_write && number_set_has(d->config->dump_write, fd)
		    : d->config->dump_read && number_set_has(d->config->dump_read, fd);
	if (!wanted)
		return;
	if (t->ops == &type_bytes || t->ops == &type_netlink_buffer) {
		if (in ? decode_length(d, &t->len, &len) : (len = moved))
			dump_add(d, buf, len, -1);
	} else if (t->ops == &type_array && t->elem->desc == &struct_iovec_data) {
		if (decode_length(d, &t->len, &len))
			dump_iovec(d, buf, len, UINT64_MAX);
	} else if (t->ops == &type_fn && t->fn == decode_iovec_out) {
		if (decode_length(d, &t->len, &len))
			dump_iovec(d, buf, len, moved);
	} else if (t->ops == &type_fn && t->fn == net_msg_sent) {
		dump_msg(d, buf, UINT64_MAX, -1);
	} else if (t->ops == &type_fn && t->fn == net_msg_received) {
		dump_msg(d, buf, moved, -1);
	} else if (t->ops == &type_fn && (t->fn == net_mmsg_sent || t->fn == net_mmsg_received)) {
		/*
		 * After a failed sendmmsg(2), like strace 7.2, also dumps data that was not sent,
		 * and memory after the end of the messages.
		 */
		dump_mmsg(d, buf, d->failed && in ? UINT64_MAX : moved);
	}
}
