/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records properties of files other than their names: socket addresses, device numbers, counters of
 * eventfds, signals of signalfds, processes of pidfds, and slaves of pty masters.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_FD_KINDS_H
#define TRACER_CAPTURE_BPF_KERNEL_FD_KINDS_H

#include "capture/bpf/kernel/common.bpf.h"

/* From the kernel's headers. */
#define AF_UNIX	    1
#define AF_INET	    2
#define AF_INET6    10
#define AF_NETLINK  16
#define S_IFMT	    0170000
#define S_IFCHR	    0020000
#define S_IFBLK	    0060000
#define TTYAUX	    5 /* TTYAUX_MAJOR of linux/major.h */
#define SUN_PATH_AT 2 /* offset in bytes of sun_path in struct sockaddr_un */

/* The device number of /dev/ptmx, which creates a terminal when it is opened, see pty(7). */
#define RDEV_PTMX (TTYAUX << 20 | 2)

/* -- sockets ------------------------------------------------------------------- */

/* Returns the inode of a socket. */
static __always_inline uint64_t inode_of_sock(struct sock *sk)
{
	struct socket_alloc *alloc;
	struct socket *socket;

	if (bpf_core_field_exists(sk->sk_ino))
		return BPF_CORE_READ(sk, sk_ino);
	socket = BPF_CORE_READ(sk, sk_socket);
	if (!socket)
		return 0;
	alloc = (void *)((char *)socket - bpf_core_field_offset(struct socket_alloc, socket));
	return BPF_CORE_READ(alloc, vfs_inode.i_ino);
}

static __always_inline void describe_unix(struct fd_socket *to, struct unix_sock *sk)
{
	struct sock *peer = BPF_CORE_READ(sk, peer);

	to->peer_inode = peer ? inode_of_sock(peer) : 0;
}

static __always_inline void describe_inet(struct fd_socket *to, struct sock *sk, bool wide)
{
	to->port = BPF_CORE_READ(sk, __sk_common.skc_num);
	to->peer_port = BPF_CORE_READ(sk, __sk_common.skc_dport);
	if (!wide) {
		bpf_core_read(to->address, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(to->peer, 4, &sk->__sk_common.skc_daddr);
	} else if (bpf_core_field_exists(sk->__sk_common.skc_v6_daddr)) {
		/* Kernels without IPv6 lack this member. */
		bpf_core_read(to->address, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(to->peer, 16, &sk->__sk_common.skc_v6_daddr);
	}
}

static __always_inline void describe_netlink(struct fd_socket *to, struct sock *sk)
{
	to->port = BPF_CORE_READ(sk, sk_protocol);
	bpf_core_read(to->address, 4, &((struct netlink_sock *)sk)->portid);
}

/*
 * Records the addresses of a file's socket. Returns the struct sock, or NULL if the file has none
 * (for example, because it was opened with O_PATH).
 */
static __always_inline struct sock *describe_socket(struct fd_head *head, struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);
	struct fd_socket *to = &head->socket;
	uint16_t family;

	if (!sk)
		return NULL;
	family = BPF_CORE_READ(sk, __sk_common.skc_family);
	to->family = family;
	if (family == AF_UNIX && bpf_core_field_exists(struct unix_sock, peer))
		describe_unix(to, (struct unix_sock *)sk);
	else if (family == AF_NETLINK && bpf_core_field_exists(struct netlink_sock, portid))
		describe_netlink(to, sk);
	else if (family == AF_INET || family == AF_INET6)
		describe_inet(to, sk, family == AF_INET6);
	else
		to->family = 0;
	return sk;
}

/* Appends the address of an AF_UNIX socket to the chunk. */
static __always_inline void append_unix_address(struct scratch *s, struct fd_head *head,
						struct unix_sock *sk)
{
	struct unix_address *address = BPF_CORE_READ(sk, addr);
	uint64_t used = s->used, n;

	if (!address)
		return;
	if (!bounded(used, RECORD_FULL))
		return;
	n = (uint32_t)BPF_CORE_READ(address, len) - SUN_PATH_AT;
	bpf_probe_read_kernel(s->record + used, UNIX_PATH_ROOM,
			      (const char *)address +
				      bpf_core_field_offset(struct unix_address, name) +
				      SUN_PATH_AT);
	if (n > UNIX_PATH_ROOM)
		return;
	head->path_len = n;
	s->used = used + n;
}

/* -- other files --------------------------------------------------------------- */

/* Records the mode of an inode and, for a device file, its device number. */
static __always_inline void describe_mode(struct fd_head *head, struct inode *inode)
{
	const uint16_t mode = BPF_CORE_READ(inode, i_mode);

	head->mode = mode;
	if ((mode & S_IFMT) == S_IFCHR || (mode & S_IFMT) == S_IFBLK)
		head->rdev = BPF_CORE_READ(inode, i_rdev);
}

/*
 * Records the pid that a pidfd's process has in tracer's pid namespace, or -1 if the process has
 * ended.
 */
static __always_inline void describe_pidfd(struct fd_special *to, struct pid *pid)
{
	to->known = 1;
	to->number = BPF_CORE_READ(pid, tasks[0].first) ? (int32_t)our_id(pid) : -1;
}

static __always_inline void describe_eventfd(struct fd_special *to, struct eventfd_ctx *ctx)
{
	to->value = BPF_CORE_READ(ctx, count);
	to->flags = BPF_CORE_READ(ctx, flags);
	to->number = BPF_CORE_READ(ctx, id);
	to->known = 1;
}

static __always_inline void describe_signalfd(struct fd_special *to, struct signalfd_ctx *ctx)
{
	to->value = kernel_word((const char *)ctx +
				bpf_core_field_offset(struct signalfd_ctx, sigmask));
	to->known = 1;
}

/* Records the number of a pty master's slave. `file` is an open /dev/ptmx. */
static __always_inline void describe_terminal(struct fd_special *to, struct file *file)
{
	struct tty_file_private *data = BPF_CORE_READ(file, private_data);
	struct tty_struct *tty = BPF_CORE_READ(data, tty);

	/* There is no terminal if the descriptor was opened with O_PATH. */
	if (!tty)
		return;
	to->number = BPF_CORE_READ(tty, index);
	to->known = 1;
}

/* Returns the first eight bytes of a string as a number. */
#define START_OF(name)                                                                             \
	((uint64_t)(name)[0] | (uint64_t)(name)[1] << 8 | (uint64_t)(name)[2] << 16 |              \
	 (uint64_t)(name)[3] << 24 | (uint64_t)(name)[4] << 32 | (uint64_t)(name)[5] << 40 |       \
	 (uint64_t)(name)[6] << 48 | (uint64_t)(name)[7] << 56)

/* Records the properties of an anonymous file. The name of such a file identifies its kind. */
static __always_inline void describe_anonymous(struct fd_special *to, struct file *file,
					       struct dentry *dentry)
{
	void *data = BPF_CORE_READ(file, private_data);
	const uint64_t start = kernel_word(BPF_CORE_READ(dentry, d_name.name));

	/* There is no data if the descriptor was opened with O_PATH. */
	if (!data)
		return;
	if (start == START_OF("[eventfd]"))
		describe_eventfd(to, data);
	else if (start == START_OF("[signalfd]"))
		describe_signalfd(to, data);
	else if (start == START_OF("[pidfd]\0")) /* for kernels before Linux 6.9 */
		describe_pidfd(to, data);
}

/* Records the properties of an anonymous file, a pidfd or a pty master. */
static __always_inline void describe_special(struct fd_head *head, struct file *file,
					     struct inode *inode, struct dentry *dentry)
{
	if (head->magic == MAGIC_ANON_INODES)
		describe_anonymous(&head->special, file, dentry);
	else if (head->magic == MAGIC_PIDS)
		describe_pidfd(&head->special, BPF_CORE_READ(inode, i_private));
	else if (head->rdev == RDEV_PTMX)
		describe_terminal(&head->special, file);
}

#endif
