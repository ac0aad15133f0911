/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/io/poll.h"

#include "decode/core/fd.h"
#include "decode/core/note.h"

/* Adds `of` to a note's parts, preceded by a word: "in [3]". Returns `of`. */
static struct value *add_part(struct value *parts, const char *word, struct value *of)
{
	of->text |= TEXT_WORD;
	return value_add_named(parts, word, of);
}

/*
 * Sets the note after the result of a call that waits, unless the call failed. If `ready`, the
 * result, is 0, the note is "Timeout". Otherwise the note consists of `parts`, a list of ready
 * objects, and the remaining timeout. An empty note is set only if `empty` is true. Returns NULL.
 */
static struct value *note(struct decoder *d, int64_t ready, struct value *parts, bool empty,
			  unsigned timeout_arg, const struct type *timeout)
{
	if (d->ev->base.ret_kind != RET_VALUE)
		return NULL;
	if (!ready) {
		decode_note(d, value_plain(d->arena, "Timeout"));
		return NULL;
	}
	if (timeout && decode_arg_raw(d, timeout_arg))
		add_part(parts, "left", decode_number(d, timeout, decode_arg_raw(d, timeout_arg)));
	if (parts->child || empty)
		decode_note(d, parts);
	return NULL;
}

/* ---- poll(2) ---- */

struct pollfd_bytes { /* asm-generic/poll.h */
	int32_t fd;
	int16_t events, revents;
};

/* Returns a note with the elements whose revents is not zero, such as [{fd=4, revents=POLLOUT}]. */
static struct value *ready_fds(struct decoder *d)
{
	uint64_t addr = decode_arg_raw(d, 0), n = (uint32_t)decode_arg_raw(d, 1);
	size_t limit = decode_full(d) ? DECODE_ELEMS_MAX : d->config->string_limit, shown = 0;
	struct value *v = value_array(d->arena);

	v->text |= TEXT_1KIB;
	for (uint64_t i = 0; i < n && i < DECODE_ELEMS_MAX; i++) {
		struct type type = STRUCT(pollfd_ready);
		struct pollfd_bytes p;
		struct value *fd;

		if (decode_read(d, addr + i * sizeof(p), &p, sizeof(p)) < 0) {
			value_add(v, value_addr(d->arena, addr + i * sizeof(p)));
			break;
		}
		if (!p.revents)
			continue;
		if (shown++ == limit) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		fd = value_add(
			v, decode_bytes(d, &type, addr + i * sizeof(p), (uint8_t *)&p, sizeof(p)));
		if (fd->last)
			fd->last->text |= TEXT_NO_UNKNOWN;
	}
	return v;
}

static struct value *poll_note(struct decoder *d, const struct type *timeout)
{
	struct value *parts = value_new(d->arena, VALUE_SEQ, 0), *ready;

	parts->text |= TEXT_1KIB;
	if (d->ev->base.ret_kind == RET_VALUE && d->ev->base.ret) {
		uint64_t addr = decode_arg_raw(d, 0);
		uint64_t size =
			(uint64_t)(uint32_t)decode_arg_raw(d, 1) * sizeof(struct pollfd_bytes);

		/*
		 * Add no note if the array must not be read (-e verbose=), or if it is NULL or
		 * extends beyond the end of the address space.
		 */
		if (d->mode & DECODE_NO_DEREF || !addr || addr + size <= addr)
			return NULL;
		ready = ready_fds(d);
		if (ready->child || ready->flags & VALUE_F_MORE)
			value_add_named(parts, "ready", ready)->text |= TEXT_UNNAMED;
	}
	return note(d, d->ev->base.ret, parts, false, 2, timeout);
}

struct value *note_poll(struct decoder *d, const struct type *t attr_unused, uint64_t n attr_unused)
{
	return poll_note(d, NULL);
}

struct value *note_ppoll(struct decoder *d, const struct type *t attr_unused,
			 uint64_t n attr_unused)
{
	return poll_note(d, &d->ev->desc->args[2].type);
}

/* ---- select(2) ---- */

#define FDS_MAX (1024 * 1024) /* proc_sys_fs(5): fs.nr_open */

/*
 * Shows the descriptors in an fd_set. If `ready` is not NULL, the value is for the note after the
 * result. A note shows at most *ready descriptors, without details, and their number is subtracted
 * from *ready. Returns NULL if `ready` is not NULL and the set cannot be read.
 */
static struct value *fd_set_value(struct decoder *d, uint64_t addr, int nfds, int64_t *ready)
{
	struct value *v = value_new(d->arena, VALUE_BITSET, 0);
	unsigned word = d->abi->long_size;
	uint8_t *bytes;
	size_t size;

	if (nfds > FDS_MAX)
		nfds = FDS_MAX;
	size = align_up((nfds + 7) / 8, word);
	bytes = decode_read_new(d, addr, size, NULL);
	if (!bytes)
		return ready ? NULL : value_addr(d->arena, addr);
	for (int fd = 0; fd < nfds; fd++) {
		if (!(bytes[fd / 8] >> fd % 8 & 1))
			continue;
		if (decode_is_spent(d)) {
			v->flags |= VALUE_F_MORE;
			break;
		}
		value_add(v, ready ? value_int(d->arena, fd) : decode_fd_in_set(d, fd));
		if (ready && !--*ready)
			break;
	}
	return v;
}

struct value *decode_fd_set(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int nfds = decode_arg_raw(d, 0);

	if (!n || nfds <= 0 || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	return fd_set_value(d, n, nfds, NULL);
}
const struct type_ops type_fd_set = {
	.name = "fd_set", .number = decode_fd_set, .fetch = decode_fd_set};

struct value *note_select(struct decoder *d, const struct type *t attr_unused,
			  uint64_t n attr_unused)
{
	static const char *const names[] = {"in", "out", "except"};
	struct value *parts = value_new(d->arena, VALUE_SEQ, 0);
	int nfds = decode_arg_raw(d, 0);
	bool any = false;
	int64_t left = (int)d->ev->base.ret, unseen = left;

	if (d->ev->base.ret_kind != RET_VALUE)
		return NULL;
	for (unsigned i = 0; i < ARRAY_SIZE(names) && nfds >= 0 && unseen > 0; i++) {
		uint64_t addr = decode_arg_raw(d, 1 + i);
		struct value *set = addr ? fd_set_value(d, addr, nfds, &unseen) : NULL;

		if (set && set->child) {
			any = true;
			add_part(parts, names[i], set);
		} else if (set && any) {
			/*
			 * Like strace 7.2, shows an empty set only as an additional closing bracket
			 * after the set before it.
			 */
			add_part(parts, names[i], set)->text |= TEXT_CLOSES;
		}
	}
	return note(d, left, parts, true, 4, &d->ev->desc->args[4].type);
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads poll_reads[] = {
	/*
	 * A set has one bit per descriptor. The first entry reads enough for 128 descriptors. The
	 * second entry is for larger sets. It reads one byte per descriptor, which is more than
	 * enough.
	 */
	CUSTOM(decode_fd_set, BYTES(N(16))),
	CUSTOM(decode_fd_set, BYTES(A0)),
	CUSTOM_ARG(note_poll, 0, ARRAY(STRUCT(pollfd), ARG_UINT(1))),
	CUSTOM_ARG(note_select, 1, BYTES(A0)),
	CUSTOM_ARG(note_select, 2, BYTES(A0)),
	CUSTOM_ARG(note_select, 3, BYTES(A0)),
	CUSTOM_SAME(note_select, 4),
	CUSTOM_ARG(note_ppoll, 0, ARRAY(STRUCT(pollfd), ARG_UINT(1))),
	CUSTOM_SAME(note_ppoll, 2),
	CUSTOM_ARG(note_select, 1, BYTES(N(16))),
	CUSTOM_ARG(note_select, 2, BYTES(N(16))),
	CUSTOM_ARG(note_select, 3, BYTES(N(16))),
	{0}};
