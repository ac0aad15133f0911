/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of programs that write down what descriptors refer to: the inode, the file system, and
 * the names that lead to a file, from the last one up to the root, through all mounts.
 */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/maker.h"
#include "capture/wants.h"

#define NAME_ROOM 256
#define STEPS	  512 /* names and mounts of all descriptors of a call */
#define IN_HEAD(f)                                                                                 \
	((int16_t)(IN_SCRATCH(record) + sizeof(struct chunk_head) + offsetof(struct fd_head, f)))
#define IN_CHUNK(f) ((int16_t)(IN_SCRATCH(record) + offsetof(struct chunk_head, f)))

/* The function's own stack: places for what is read of the kernel's memory. */
enum { AT_VALUE = -8, AT_FILE = -16, AT_INODE = -24 };

/* Of another socket than that of the descriptor only its struct sock is known. */
static void find_inode_of_sock(const struct btf *kernel, struct fd_offsets *o)
{
	const int inode = btf_member(kernel, "socket_alloc", "vfs_inode.i_ino");
	const int socket = btf_member(kernel, "socket_alloc", "socket");

	o->sock_inode = btf_member(kernel, "sock", "sk_ino"); /* newer kernels */
	o->sock_socket = btf_member(kernel, "sock", "sk_socket");
	o->socket_inode = inode < 0 || socket < 0 ? -1 : inode - socket;
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

int fd_offsets_find(const struct btf *kernel, struct fd_offsets *o, const char **missing)
{
	const struct {
		const char *type, *member;
		int *offset;
	} wanted[] = {
		{"task_struct", "files", &o->files},
		{"files_struct", "fdt", &o->fdt},
		{"fdtable", "max_fds", &o->max_fds},
		{"fdtable", "fd", &o->fds},
		{"task_struct", "fs", &o->fs},
		{"fs_struct", "pwd.mnt", &o->pwd_mnt},
		{"fs_struct", "pwd.dentry", &o->pwd_dentry},
		{"file", "f_path.mnt", &o->file_mnt},
		{"file", "f_path.dentry", &o->file_dentry},
		{"file", "f_inode", &o->file_inode},
		{"inode", "i_ino", &o->inode},
		{"inode", "i_sb", &o->superblock},
		{"super_block", "s_magic", &o->magic},
		{"dentry", "d_op", &o->op},
		{"dentry_operations", "d_dname", &o->dname},
		{"dentry", "d_parent", &o->parent},
		{"dentry", "d_name.name", &o->name},
		{"dentry", "d_hash.pprev", &o->hashed},
		{"vfsmount", "mnt_root", &o->mount_root},
		{"mount", "mnt", &o->mount},
		{"mount", "mnt_parent", &o->mount_parent},
		{"mount", "mnt_mountpoint", &o->mount_at},
		{"file", "private_data", &o->file_data},
		{"socket", "sk", &o->sock},
		{"sock_common", "skc_family", &o->family},
		{"sock_common", "skc_num", &o->port},
		{"sock_common", "skc_dport", &o->peer_port},
		{"sock_common", "skc_rcv_saddr", &o->address},
		{"sock_common", "skc_daddr", &o->peer},
	};

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		*wanted[i].offset = btf_member(kernel, wanted[i].type, wanted[i].member);
		if (*wanted[i].offset < 0) {
			*missing = wanted[i].member;
			return -ENOENT;
		}
	}
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
	return 0;
}

/* *(uint64_t *)(FP + at) = the word `offset` bytes into what `from` points to; 0 if it cannot be.
 */
static void read_word(struct code *c, int16_t at, enum reg from, int offset)
{
	code_mov(c, R3, from);
	code_alu_n(c, BPF_ADD, R3, offset);
	code_mov(c, R1, FP);
	code_alu_n(c, BPF_ADD, R1, at);
	code_mov_n(c, R2, 8);
	code_call(c, HELPER_READ_KERNEL);
}

/* r8 = the place of the chunk of this descriptor, less IN_SCRATCH(record); ends if it is too late.
 */
static void find_chunk(struct code *c, unsigned end)
{
	code_load(c, SIZE_4, R8, R6, IN_SCRATCH(fd_chunk));
	code_if_n(c, BPF_JGT, R8, RECORD_FULL, end);
	code_alu(c, BPF_ADD, R8, R6);
}

/* The head of the chunk of the next descriptor, whose number is in r7 then. */
static void begin_fd(struct code *c, unsigned end)
{
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(fd_next));
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(fd_count));
	code_if(c, BPF_JGE, R1, R2, end);
	code_mov(c, R2, R1);
	code_alu_n(c, BPF_ADD, R2, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_next), R2);
	code_alu_n(c, BPF_AND, R1, 7);
	code_alu_n(c, BPF_LSH, R1, 2);
	code_alu(c, BPF_ADD, R1, R6);
	code_load(c, SIZE_4, R7, R1, IN_SCRATCH(fds));
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_chunk), R1);
	find_chunk(c, end);
	code_store(c, SIZE_8, R8, IN_CHUNK(addr), R7);
	code_store_n(c, SIZE_4, R8, IN_CHUNK(size), -EBADF);
	code_store_n(c, SIZE_4, R8, IN_CHUNK(what), CHUNK_FD);
	code_alu_n(c, BPF_ADD, R1, sizeof(struct chunk_head));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(names), 0);
	for (int16_t at = AT_VALUE; at >= AT_INODE; at -= 8)
		code_store_n(c, SIZE_8, FP, at, 0);
}

/* The current directory: r7 = its dentry, and in the scratch its mount. */
static void open_directory(struct code *c, const struct fd_offsets *o)
{
	code_call(c, HELPER_CURRENT_TASK);
	code_load(c, SIZE_8, R9, R0, o->fs);
	read_word(c, AT_VALUE, R9, o->pwd_mnt);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R6, IN_SCRATCH(mnt), R1);
	read_word(c, AT_VALUE, R9, o->pwd_dentry);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
}

/* The file of descriptor r7: r7 = its dentry, and in the scratch its mount. */
static void open_file(struct code *c, const struct fd_offsets *o, unsigned next)
{
	code_call(c, HELPER_CURRENT_TASK);
	code_load(c, SIZE_8, R9, R0, o->files);
	read_word(c, AT_VALUE, R9, o->fdt);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	read_word(c, AT_VALUE, R9, o->max_fds);
	code_load(c, SIZE_4, R1, FP, AT_VALUE);
	code_if(c, BPF_JGE, R7, R1, next);
	read_word(c, AT_VALUE, R9, o->fds);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_alu_n(c, BPF_LSH, R7, 3);
	code_alu(c, BPF_ADD, R9, R7);
	read_word(c, AT_FILE, R9, 0);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	code_if_n(c, BPF_JEQ, R9, 0, next);
	read_word(c, AT_VALUE, R9, o->file_mnt);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R6, IN_SCRATCH(mnt), R1);
	read_word(c, AT_INODE, R9, o->file_inode);
	read_word(c, AT_VALUE, R9, o->file_dentry);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
}

/* What of the struct sock in r9, n bytes at an offset, goes to a place in the chunk in r8. */
static void copy_of_sock(struct code *c, int16_t to, int from, int32_t n)
{
	code_mov(c, R1, R8);
	code_alu_n(c, BPF_ADD, R1, to);
	code_mov_n(c, R2, n);
	code_mov(c, R3, R9);
	code_alu_n(c, BPF_ADD, R3, from);
	code_call(c, HELPER_READ_KERNEL);
}

/* The inode of the peer of the struct unix_sock in r9, if it has one. */
static void copy_peer(struct code *c, const struct fd_offsets *o, unsigned none)
{
	code_store_n(c, SIZE_8, R8, IN_HEAD(socket.peer_inode), 0);
	read_word(c, AT_VALUE, R9, o->unix_peer);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	if (o->sock_inode < 0) {
		read_word(c, AT_VALUE, R9, o->sock_socket);
		code_load(c, SIZE_8, R9, FP, AT_VALUE);
		code_if_n(c, BPF_JEQ, R9, 0, none);
	}
	copy_of_sock(c, IN_HEAD(socket.peer_inode),
		     o->sock_inode < 0 ? o->socket_inode : o->sock_inode, 8);
}

/* If the chunk in r8 is of a struct unix_sock, which is at AT_FILE: appends its address. */
static void append_unix_address(struct code *c, const struct fd_offsets *o)
{
	unsigned none = code_label(c);

	code_load(c, SIZE_2, R1, R8, IN_HEAD(socket.family));
	code_if_n(c, BPF_JNE, R1, AF_UNIX, none);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	read_word(c, AT_VALUE, R9, o->unix_address);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	read_word(c, AT_VALUE, R9, o->address_len);
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
	code_store(c, SIZE_2, R8, IN_HEAD(socket.path_len), R1);
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(used));
	code_alu(c, BPF_ADD, R2, R1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R2);
	code_place(c, none);
}

/*
 * If the magic number at AT_VALUE is that of sockets: the addresses of the one at AT_FILE, whose
 * struct sock is there then.
 */
static void describe_socket(struct code *c, const struct fd_offsets *o)
{
	unsigned none = code_label(c), wide = code_label(c), inet = code_label(c);
	unsigned local = code_label(c), netlink = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_if_n(c, BPF_JNE, R1, MAGIC_SOCKETS, none);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	read_word(c, AT_VALUE, R9, o->file_data);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	read_word(c, AT_VALUE, R9, o->sock);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	code_store(c, SIZE_8, FP, AT_FILE, R9);
	copy_of_sock(c, IN_HEAD(socket.family), o->family, 2);
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
		copy_of_sock(c, IN_HEAD(socket.port), o->protocol, 2);
		copy_of_sock(c, IN_HEAD(socket.address), o->portid, 4);
	}
	code_jump(c, none);

	code_place(c, inet);
	copy_of_sock(c, IN_HEAD(socket.port), o->port, 2);
	copy_of_sock(c, IN_HEAD(socket.peer_port), o->peer_port, 2);
	code_load(c, SIZE_2, R1, R8, IN_HEAD(socket.family));
	code_if_n(c, BPF_JEQ, R1, AF_INET6, wide);
	copy_of_sock(c, IN_HEAD(socket.address), o->address, 4);
	copy_of_sock(c, IN_HEAD(socket.peer), o->peer, 4);
	code_jump(c, none);
	code_place(c, wide);
	if (o->address6 >= 0 && o->peer6 >= 0) {
		copy_of_sock(c, IN_HEAD(socket.address), o->address6, 16);
		copy_of_sock(c, IN_HEAD(socket.peer), o->peer6, 16);
	}
	code_place(c, none);
}

/* What there is besides the names, of the dentry in r7. */
static void describe(struct code *c, const struct fd_offsets *o)
{
	unsigned plain = code_label(c), found = code_label(c);

	code_store_n(c, SIZE_8, R8, IN_HEAD(inode), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(magic), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(dname), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(socket.family), 0);
	code_load(c, SIZE_8, R9, FP, AT_INODE);
	code_if_n(c, BPF_JEQ, R9, 0, found);
	read_word(c, AT_VALUE, R9, o->inode);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(inode), R1);
	read_word(c, AT_VALUE, R9, o->superblock);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	read_word(c, AT_VALUE, R9, o->magic);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(magic), R1);
	describe_socket(c, o);
	code_place(c, found);
	read_word(c, AT_VALUE, R7, o->op);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, plain);
	read_word(c, AT_VALUE, R9, o->dname);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(dname), R1);
	code_place(c, plain);
	read_word(c, AT_VALUE, R7, o->hashed);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(hashed), R1);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu_n(c, BPF_ADD, R1, sizeof(struct fd_head));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	if (knows_unix(o))
		append_unix_address(c, o);
	code_store(c, SIZE_8, R6, IN_SCRATCH(dentry), R7);
}

/* Appends the name of the dentry in r7. */
static void append_name(struct code *c, const struct fd_offsets *o, unsigned done)
{
	read_word(c, AT_VALUE, R7, o->name);
	code_load(c, SIZE_8, R3, FP, AT_VALUE);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_if_n(c, BPF_JGT, R1, RECORD_FULL, done);
	code_alu(c, BPF_ADD, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(record));
	code_mov_n(c, R2, NAME_ROOM);
	code_call(c, HELPER_READ_KERNEL_STRING);
	code_if_n(c, BPF_JSLE, R0, 0, done);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu(c, BPF_ADD, R1, R0);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(names));
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(names), R1);
}

/* The dentry in r7 is the root of the mount in r9: goes on where that is mounted. */
static void leave_mount(struct code *c, const struct fd_offsets *o, unsigned next, unsigned done)
{
	code_alu_n(c, BPF_SUB, R9, o->mount);
	read_word(c, AT_VALUE, R9, o->mount_parent);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
	code_if(c, BPF_JEQ, R7, R9, done);
	code_if_n(c, BPF_JEQ, R7, 0, done);
	code_alu_n(c, BPF_ADD, R7, o->mount);
	code_store(c, SIZE_8, R6, IN_SCRATCH(mnt), R7);
	read_word(c, AT_VALUE, R9, o->mount_at);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
	code_store(c, SIZE_8, R6, IN_SCRATCH(dentry), R7);
	code_jump(c, next);
}

/* Completes the chunk. */
static void finish_fd(struct code *c, unsigned end)
{
	find_chunk(c, end);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(dentry), 0);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(fd_chunk));
	code_mov(c, R3, R1);
	code_alu(c, BPF_SUB, R3, R2);
	code_alu_n(c, BPF_SUB, R3, sizeof(struct chunk_head));
	code_store(c, SIZE_4, R8, IN_CHUNK(size), R3);
	code_alu_n(c, BPF_ADD, R1, 7);
	code_alu_n(c, BPF_AND, R1, -8);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
}

void maker_fd_function(const struct program_maker *m)
{
	const struct fd_offsets *o = &m->config->kernel->fd;
	struct code *c = m->c;
	unsigned end = code_label(c), next = code_label(c), name = code_label(c);
	unsigned directory = code_label(c), opened = code_label(c), done = code_label(c);
	unsigned inside = code_label(c), up = code_label(c);

	code_load(c, SIZE_8, R6, R2, 0);
	code_load(c, SIZE_8, R7, R6, IN_SCRATCH(dentry));
	code_if_n(c, BPF_JNE, R7, 0, name);
	begin_fd(c, end);
	code_mov_n(c, R1, AT_FDCWD);
	code_mov32(c, R1, R1);
	code_if(c, BPF_JEQ, R7, R1, directory);
	open_file(c, o, next);
	code_jump(c, opened);
	code_place(c, directory);
	open_directory(c, o);
	code_place(c, opened);
	code_if_n(c, BPF_JEQ, R7, 0, next);
	describe(c, o);
	code_jump(c, next);

	code_place(c, name);
	code_store_n(c, SIZE_8, FP, AT_VALUE, 0);
	code_load(c, SIZE_8, R9, R6, IN_SCRATCH(mnt));
	read_word(c, AT_VALUE, R9, o->mount_root);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_if(c, BPF_JNE, R1, R7, inside);
	leave_mount(c, o, next, done);
	code_place(c, inside);
	read_word(c, AT_VALUE, R7, o->parent);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	/* What is in no directory has a name all the same, and nothing above it. */
	code_if(c, BPF_JNE, R9, R7, up);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(names));
	code_if_n(c, BPF_JNE, R1, 0, done);
	append_name(c, o, done);
	code_jump(c, done);
	code_place(c, up);
	append_name(c, o, done);
	code_store(c, SIZE_8, R6, IN_SCRATCH(dentry), R9);
	code_place(c, next);
	code_return(c, 0);
	code_place(c, done);
	finish_fd(c, end);
	code_return(c, 0);
	code_place(c, end);
	code_return(c, 1);
}

/* Looks at the descriptors that are listed in the scratch. */
static void run(const struct program_maker *m)
{
	struct code *c = m->c;

	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_next), 0);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(dentry), 0);
	code_store(c, SIZE_8, FP, AT_SLOT, R6);
	code_mov_n(c, R1, STEPS);
	code_function(c, R2, m->fd);
	code_mov(c, R3, FP);
	code_alu_n(c, BPF_ADD, R3, AT_SLOT);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_LOOP);
}

void maker_append_fds(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned none = code_label(c);

	code_load(c, SIZE_8, R1, FP, AT_FDS);
	code_alu_n(c, BPF_AND, R1, WANTED_RESULT - 1);
	code_if_n(c, BPF_JEQ, R1, 0, none);
	code_mov_n(c, R2, 0);
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		unsigned other = code_label(c);

		code_mov(c, R3, R1);
		code_alu_n(c, BPF_AND, R3, 1 << i);
		code_if_n(c, BPF_JEQ, R3, 0, other);
		code_load(c, SIZE_4, R4, R6, IN_SCRATCH(args) + 8 * i);
		code_mov(c, R3, R2);
		code_alu_n(c, BPF_AND, R3, 7);
		code_alu_n(c, BPF_LSH, R3, 2);
		code_alu(c, BPF_ADD, R3, R6);
		code_store(c, SIZE_4, R3, IN_SCRATCH(fds), R4);
		code_alu_n(c, BPF_ADD, R2, 1);
		code_place(c, other);
	}
	code_store(c, SIZE_4, R6, IN_SCRATCH(fd_count), R2);
	run(m);
	code_place(c, none);
}

/* The two descriptors that an argument points to, if the call has made them. */
static void append_pair(const struct program_maker *m, unsigned none)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R7, IN_STATE(fds));
	code_alu_n(c, BPF_RSH, R1, WANTED_PAIR_SHIFT);
	code_if_n(c, BPF_JEQ, R1, 0, none);
	code_load(c, SIZE_8, R2, FP, AT_NR);
	code_if_n(c, BPF_JNE, R2, 0, none);
	code_alu_n(c, BPF_SUB, R1, 1);
	code_alu_n(c, BPF_AND, R1, 7);
	code_alu_n(c, BPF_LSH, R1, 3);
	code_alu(c, BPF_ADD, R1, R6);
	code_load(c, SIZE_8, R3, R1, IN_SCRATCH(args));
	code_mov(c, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(fds));
	code_mov_n(c, R2, 2 * sizeof(((struct scratch *)NULL)->fds[0]));
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JNE, R0, 0, none);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_count), 2);
	run(m);
}

void maker_append_new_fds(const struct program_maker *m)
{
	struct code *c = m->c;
	unsigned pair = code_label(c), none = code_label(c);

	code_load(c, SIZE_4, R1, R7, IN_STATE(fds));
	code_alu_n(c, BPF_AND, R1, WANTED_RESULT);
	code_if_n(c, BPF_JEQ, R1, 0, pair);
	code_load(c, SIZE_8, R1, FP, AT_NR);
	code_if_n(c, BPF_JSLT, R1, 0, none);
	code_store(c, SIZE_4, R6, IN_SCRATCH(fds), R1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(fd_count), 1);
	run(m);
	code_jump(c, none);
	code_place(c, pair);
	append_pair(m, none);
	code_place(c, none);
}
