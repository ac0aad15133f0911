/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "uring/ops.h"

#include "uring/ring.h"
#include "util/byte_order.h"

/* The member of struct uring_sqe that contains an argument. */
enum source {
	SQE_ZERO,
	SQE_ONES, /* the value -1 instead of a member */
	SQE_FD,
	SQE_OFF,
	SQE_OFF32, /* the lower half of `off` */
	SQE_ADDR,
	SQE_LEN,
	SQE_FLAGS,
	SQE_ADDR3,
	SQE_INDEX,     /* file_index, which contains a descriptor if the request is a splice */
	SQE_ADDR_LEN,  /* the lower half of file_index, which contains addr_len */
	SQE_BUF_INDEX, /* buf_index, which may also be a group of provided buffers */
};

enum {
	/* the request can store the new file in the ring's table, in the slot file_index */
	CREATES = 1,
	CLOSES = 2, /* if file_index is not 0, it selects the file to close */
	SPLICES = 4 /* file_index is the descriptor to read from */
};

static const struct op {
	int16_t row;
	/*
	 * The row for requests with neither an offset nor flags. 0 if all requests have the same
	 * row.
	 */
	int16_t at_position;
	uint8_t args[SYSCALL_ARGS_MAX];
	uint8_t special;
} ops[] = {
	/* In the order of enum io_uring_op in linux/io_uring.h. */
	{ROW_io_uring_nop, 0, {SQE_FLAGS}, 0},
	{ROW_preadv2, ROW_readv, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_FLAGS}, 0},
	{ROW_pwritev2, ROW_writev, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_FLAGS}, 0},
	{ROW_fsync, 0, {SQE_FD}, 0},
	{ROW_io_uring_read_fixed, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_BUF_INDEX}, 0},
	{ROW_io_uring_write_fixed, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_BUF_INDEX}, 0},
	{ROW_io_uring_poll_add, 0, {SQE_FD, SQE_FLAGS}, 0},
	{ROW_io_uring_poll_remove, 0, {SQE_ADDR, SQE_OFF, SQE_FLAGS}, 0},
	{ROW_sync_file_range, 0, {SQE_FD, SQE_OFF, SQE_LEN, SQE_FLAGS}, 0},
	{ROW_sendmsg, 0, {SQE_FD, SQE_ADDR, SQE_FLAGS}, 0},
	{ROW_recvmsg, 0, {SQE_FD, SQE_ADDR, SQE_FLAGS}, 0},
	{ROW_io_uring_timeout, 0, {SQE_ADDR, SQE_OFF32, SQE_FLAGS}, 0},
	{ROW_io_uring_timeout_remove, 0, {SQE_ADDR, SQE_FLAGS}, 0},
	{ROW_accept4, 0, {SQE_FD, SQE_ADDR, SQE_OFF, SQE_FLAGS}, CREATES},
	{ROW_io_uring_async_cancel, 0, {SQE_ADDR, SQE_FD, SQE_FLAGS}, 0},
	{ROW_io_uring_link_timeout, 0, {SQE_ADDR, SQE_FLAGS}, 0},
	{ROW_connect, 0, {SQE_FD, SQE_ADDR, SQE_OFF}, 0},
	{ROW_fallocate, 0, {SQE_FD, SQE_LEN, SQE_OFF, SQE_ADDR}, 0},
	{ROW_openat, 0, {SQE_FD, SQE_ADDR, SQE_FLAGS, SQE_LEN}, CREATES},
	{ROW_close, 0, {SQE_FD}, CLOSES},
	{ROW_io_uring_files_update, 0, {SQE_ADDR, SQE_LEN, SQE_OFF32}, 0},
	{ROW_statx, 0, {SQE_FD, SQE_ADDR, SQE_FLAGS, SQE_LEN, SQE_OFF}, 0},
	{ROW_pread64, ROW_read, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF}, 0},
	{ROW_pwrite64, ROW_write, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF}, 0},
	{ROW_fadvise64, 0, {SQE_FD, SQE_OFF, SQE_LEN, SQE_FLAGS}, 0},
	{ROW_madvise, 0, {SQE_ADDR, SQE_LEN, SQE_FLAGS}, 0},
	{ROW_sendto, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_FLAGS, SQE_OFF, SQE_ADDR_LEN}, 0},
	{ROW_recvfrom, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_FLAGS}, 0},
	{ROW_openat2, 0, {SQE_FD, SQE_ADDR, SQE_OFF, SQE_LEN}, CREATES},
	{ROW_epoll_ctl, 0, {SQE_FD, SQE_LEN, SQE_OFF32, SQE_ADDR}, 0},
	{ROW_io_uring_splice,
	 0,
	 {SQE_INDEX, SQE_ADDR, SQE_FD, SQE_OFF, SQE_LEN, SQE_FLAGS},
	 SPLICES},
	{ROW_io_uring_provide_buffers, 0, {SQE_ADDR, SQE_LEN, SQE_FD, SQE_OFF32, SQE_BUF_INDEX}, 0},
	{ROW_io_uring_remove_buffers, 0, {SQE_FD, SQE_BUF_INDEX}, 0},
	{ROW_tee, 0, {SQE_INDEX, SQE_FD, SQE_LEN, SQE_FLAGS}, SPLICES},
	{ROW_shutdown, 0, {SQE_FD, SQE_LEN}, 0},
	{ROW_renameat2, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_FLAGS}, 0},
	{ROW_unlinkat, 0, {SQE_FD, SQE_ADDR, SQE_FLAGS}, 0},
	{ROW_mkdirat, 0, {SQE_FD, SQE_ADDR, SQE_LEN}, 0},
	{ROW_symlinkat, 0, {SQE_ADDR, SQE_FD, SQE_OFF}, 0},
	{ROW_linkat, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_FLAGS}, 0},
	{ROW_io_uring_msg_ring, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_FLAGS}, 0},
	{ROW_fsetxattr, 0, {SQE_FD, SQE_ADDR, SQE_OFF, SQE_LEN, SQE_FLAGS}, 0},
	{ROW_setxattr, 0, {SQE_ADDR3, SQE_ADDR, SQE_OFF, SQE_LEN, SQE_FLAGS}, 0},
	{ROW_fgetxattr, 0, {SQE_FD, SQE_ADDR, SQE_OFF, SQE_LEN}, 0},
	{ROW_getxattr, 0, {SQE_ADDR3, SQE_ADDR, SQE_OFF, SQE_LEN}, 0},
	{ROW_socket, 0, {SQE_FD, SQE_OFF, SQE_LEN}, CREATES},
	{ROW_io_uring_uring_cmd, 0, {SQE_FD, SQE_OFF32, SQE_ADDR, SQE_LEN}, 0},
	{ROW_io_uring_send_zc, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_FLAGS, SQE_OFF, SQE_ADDR_LEN}, 0},
	{ROW_io_uring_sendmsg_zc, 0, {SQE_FD, SQE_ADDR, SQE_FLAGS}, 0},
	{ROW_io_uring_read_multishot, 0, {SQE_FD, SQE_OFF}, 0},
	{ROW_waitid, 0, {SQE_LEN, SQE_FD, SQE_OFF, SQE_INDEX}, 0},
	{ROW_futex_wait, 0, {SQE_ADDR, SQE_OFF, SQE_ADDR3, SQE_FD}, 0},
	{ROW_futex_wake, 0, {SQE_ADDR, SQE_ADDR3, SQE_OFF32, SQE_FD}, 0},
	{ROW_futex_waitv, 0, {SQE_ADDR, SQE_LEN}, 0},
	{ROW_io_uring_fixed_fd_install, 0, {SQE_FD, SQE_FLAGS}, 0},
	{ROW_ftruncate, 0, {SQE_FD, SQE_OFF}, 0},
	{ROW_bind, 0, {SQE_FD, SQE_ADDR, SQE_OFF}, 0},
	{ROW_listen, 0, {SQE_FD, SQE_LEN}, 0},
	{ROW_io_uring_recv_zc, 0, {SQE_FD, SQE_LEN}, 0},
	{ROW_epoll_wait, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_ONES}, 0},
	{ROW_io_uring_readv_fixed, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_BUF_INDEX}, 0},
	{ROW_io_uring_writev_fixed, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_BUF_INDEX}, 0},
	{ROW_pipe2, 0, {SQE_ADDR, SQE_FLAGS}, CREATES},
};

static const struct op unknown = {
	ROW_io_uring_unknown, 0, {SQE_FD, SQE_ADDR, SQE_LEN, SQE_OFF, SQE_FLAGS}, 0};

#define OP_FSYNC	   3
#define FSYNC_DATASYNC	   1u
#define SPLICE_FD_IN_FIXED (1u << 31)
#define NO_OFFSET	   UINT64_MAX

#define WHOLE(member)                                                                              \
	{                                                                                          \
		offsetof(struct uring_sqe, member), sizeof(((struct uring_sqe *)0)->member)        \
	}

static const struct uring_place places_of[] = {
	[SQE_ZERO] = {0, 0},
	[SQE_ONES] = {0, 0},
	[SQE_FD] = WHOLE(fd),
	[SQE_OFF] = WHOLE(off),
	[SQE_OFF32] = {offsetof(struct uring_sqe, off), 4},
	[SQE_ADDR] = WHOLE(addr),
	[SQE_LEN] = WHOLE(len),
	[SQE_FLAGS] = WHOLE(op_flags),
	[SQE_ADDR3] = WHOLE(addr3),
	[SQE_INDEX] = WHOLE(file_index),
	[SQE_ADDR_LEN] = {offsetof(struct uring_sqe, file_index), 2},
	[SQE_BUF_INDEX] = WHOLE(buf_index),
};

static const struct op *op_of(uint8_t opcode)
{
	return opcode < ARRAY_SIZE(ops) ? &ops[opcode] : &unknown;
}

unsigned uring_places(uint8_t opcode, struct uring_place places[SYSCALL_ARGS_MAX])
{
	const struct op *op = op_of(opcode);

	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		places[i] = places_of[op->args[i]];
	return (unsigned)op->row;
}

static uint64_t member(const struct uring_sqe *sqe, enum source from)
{
	const struct uring_place *place = &places_of[from];

	if (from == SQE_ONES)
		return UINT64_MAX;
	if (from == SQE_FD)
		return (uint64_t)(int64_t)sqe->fd;
	return load_uint((const char *)sqe + place->offset, place->size,
			 __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static void set_slot(struct uring_call *c, int arg, uint32_t slot)
{
	c->fixed_arg = arg;
	c->slot = slot;
	/* The slot does not belong to a descriptor of the process. */
	c->args[arg] = UINT64_MAX;
}

struct uring_call uring_call_of(const struct uring_sqe *sqe)
{
	const struct op *op = op_of(sqe->opcode);
	struct uring_call c = {.row = (unsigned)op->row, .opcode = sqe->opcode, .fixed_arg = -1};

	if (op->at_position && sqe->off == NO_OFFSET && !sqe->op_flags)
		c.row = (unsigned)op->at_position;
	if (sqe->opcode == OP_FSYNC && sqe->op_flags & FSYNC_DATASYNC)
		c.row = ROW_fdatasync;
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		c.args[i] = member(sqe, (enum source)op->args[i]);
	c.direct = op->special & CREATES && sqe->file_index;
	c.new_slot = sqe->file_index - 1;
	if (op->special & CLOSES && sqe->file_index)
		set_slot(&c, 0, sqe->file_index - 1);
	else if (op->special & SPLICES && sqe->op_flags & SPLICE_FD_IN_FIXED)
		set_slot(&c, 0, sqe->file_index);
	for (int i = 0; sqe->flags & URING_SQE_FIXED_FILE && i < SYSCALL_ARGS_MAX; i++)
		if (op->args[i] == SQE_FD && c.fixed_arg < 0)
			set_slot(&c, i, (uint32_t)sqe->fd);
	return c;
}

bool uring_has_row(unsigned row)
{
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].row == (int)row ||
		    (ops[i].at_position && ops[i].at_position == (int)row))
			return true;
	return row == ROW_fdatasync || row == ROW_io_uring_unknown;
}
