/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part that writes down which addresses sockets have. */
#include <sys/socket.h>
#include <sys/un.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/fd_parts.h"

/* Of another socket than that of the descriptor only its struct sock is known. */
static void find_inode_of_sock(const struct btf *kernel, struct fd_offsets *o)
{
	const int inode = btf_member(kernel, "socket_alloc", "vfs_inode.i_ino");
	const int socket = btf_member(kernel, "socket_alloc", "socket");

	o->sock_inode = btf_member(kernel, "sock", "sk_ino"); /* newer kernels */
	o->sock_socket = btf_member(kernel, "sock", "sk_socket");
	o->socket_inode = inode < 0 || socket < 0 ? -1 : inode - socket;
}

void fd_sockets_find(const struct btf *kernel, struct fd_offsets *o)
{
	/* A kernel may be without IPv6, or have AF_UNIX in a module. */
	o->address6 = btf_member(kernel, "sock_common", "skc_v6_rcv_saddr");
	o->peer6 = btf_member(kernel, "sock_common", "skc_v6_daddr");
	o->protocol = btf_member(kernel, "sock", "sk_protocol");
	o->portid = btf_member(kernel, "netlink_sock", "portid");
	o->unix_peer = btf_member(kernel, "unix_sock", "peer");
	o->unix_address = btf_member(kernel, "unix_sock", "addr");
	o->address_len = btf_member(kernel, "unix_address", "len");
	o->address_bytes = btf_member(kernel, "unix_address", "name");
	find_inode_of_sock(kernel, o);
}

static bool knows_unix(const struct fd_offsets *o)
{
	return o->unix_peer >= 0 && o->unix_address >= 0 && o->address_len >= 0 &&
	       o->address_bytes >= 0 &&
	       (o->sock_inode >= 0 || (o->sock_socket >= 0 && o->socket_inode >= 0));
}

static bool knows_netlink(const struct fd_offsets *o)
{
	return o->protocol >= 0 && o->portid >= 0;
}

/* The inode of the peer of the struct unix_sock in r9, if it has one. */
static void copy_peer(struct code *c, const struct fd_offsets *o, unsigned none)
{
	code_store_n(c, SIZE_8, R8, IN_HEAD(socket.peer_inode), 0);
	fd_read_word(c, AT_VALUE, R9, o->unix_peer);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	if (o->sock_inode < 0) {
		fd_read_word(c, AT_VALUE, R9, o->sock_socket);
		code_load(c, SIZE_8, R9, FP, AT_VALUE);
		code_if_n(c, BPF_JEQ, R9, 0, none);
	}
	fd_copy(c, IN_HEAD(socket.peer_inode), o->sock_inode < 0 ? o->socket_inode : o->sock_inode,
		8);
}

void fd_append_address(struct code *c, const struct fd_offsets *o)
{
	unsigned none = code_label(c);

	if (!knows_unix(o))
		return;
	code_load(c, SIZE_8, R1, R8, IN_HEAD(magic));
	code_if_n(c, BPF_JNE, R1, MAGIC_SOCKETS, none);
	code_load(c, SIZE_2, R1, R8, IN_HEAD(socket.family));
	code_if_n(c, BPF_JNE, R1, AF_UNIX, none);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	fd_read_word(c, AT_VALUE, R9, o->unix_address);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	fd_read_word(c, AT_VALUE, R9, o->address_len);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_if_n(c, BPF_JGT, R1, RECORD_FULL, none);
	code_alu(c, BPF_ADD, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(record));
	code_mov_n(c, R2, UNIX_PATH_ROOM);
	code_mov(c, R3, R9);
	code_alu_n(c, BPF_ADD, R3, o->address_bytes + (int)offsetof(struct sockaddr_un, sun_path));
	code_call(c, HELPER_READ_KERNEL);
	code_load(c, SIZE_4, R1, FP, AT_VALUE);
	code_alu_n(c, BPF_SUB, R1, offsetof(struct sockaddr_un, sun_path));
	code_if_n(c, BPF_JGT, R1, UNIX_PATH_ROOM, none);
	code_store(c, SIZE_2, R8, IN_HEAD(path_len), R1);
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(used));
	code_alu(c, BPF_ADD, R2, R1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R2);
	code_place(c, none);
}

void fd_describe_socket(struct code *c, const struct fd_offsets *o)
{
	unsigned none = code_label(c), wide = code_label(c), inet = code_label(c);
	unsigned local = code_label(c), netlink = code_label(c);

	code_load(c, SIZE_8, R1, R8, IN_HEAD(magic));
	code_if_n(c, BPF_JNE, R1, MAGIC_SOCKETS, none);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	fd_read_word(c, AT_VALUE, R9, o->file_data);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	fd_read_word(c, AT_VALUE, R9, o->sock);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	code_store(c, SIZE_8, FP, AT_FILE, R9);
	fd_copy(c, IN_HEAD(socket.family), o->family, 2);
	code_load(c, SIZE_2, R1, R8, IN_HEAD(socket.family));
	if (knows_unix(o))
		code_if_n(c, BPF_JEQ, R1, AF_UNIX, local);
	if (knows_netlink(o))
		code_if_n(c, BPF_JEQ, R1, AF_NETLINK, netlink);
	code_if_n(c, BPF_JEQ, R1, AF_INET, inet);
	code_if_n(c, BPF_JEQ, R1, AF_INET6, inet);
	code_store_n(c, SIZE_2, R8, IN_HEAD(socket.family), 0);
	code_jump(c, none);

	code_place(c, local);
	if (knows_unix(o))
		copy_peer(c, o, none);
	code_jump(c, none);
	code_place(c, netlink);
	if (knows_netlink(o)) {
		fd_copy(c, IN_HEAD(socket.port), o->protocol, 2);
		fd_copy(c, IN_HEAD(socket.address), o->portid, 4);
	}
	code_jump(c, none);

	code_place(c, inet);
	fd_copy(c, IN_HEAD(socket.port), o->port, 2);
	fd_copy(c, IN_HEAD(socket.peer_port), o->peer_port, 2);
	code_load(c, SIZE_2, R1, R8, IN_HEAD(socket.family));
	code_if_n(c, BPF_JEQ, R1, AF_INET6, wide);
	fd_copy(c, IN_HEAD(socket.address), o->address, 4);
	fd_copy(c, IN_HEAD(socket.peer), o->peer, 4);
	code_jump(c, none);
	code_place(c, wide);
	if (o->address6 >= 0 && o->peer6 >= 0) {
		fd_copy(c, IN_HEAD(socket.address), o->address6, 16);
		fd_copy(c, IN_HEAD(socket.peer), o->peer6, 16);
	}
	code_place(c, none);
}
