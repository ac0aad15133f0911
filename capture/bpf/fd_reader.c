/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of programs that write down what descriptors refer to: the inode, the file system, and
 * the names that lead to a file, from the last one up to our root, through all mounts. Where that
 * is not above the file, as in another mount namespace, they go up to the root there, as /proc
 * does.
 */
#include <fcntl.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/fd_parts.h"

#define NAME_ROOM   256
#define IN_CHUNK(f) ((int16_t)(IN_SCRATCH(record) + offsetof(struct chunk_head, f)))

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
		{"fs_struct", "root.mnt", &o->root_mnt},
		{"fs_struct", "root.dentry", &o->root_dentry},
		{"file", "f_path.mnt", &o->file_mnt},
		{"file", "f_path.dentry", &o->file_dentry},
		{"file", "f_inode", &o->file_inode},
		{"inode", "i_ino", &o->inode},
		{"inode", "i_mode", &o->mode},
		{"inode", "i_rdev", &o->rdev},
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
	fd_sockets_find(kernel, o);
	fd_special_find(kernel, o);
	return 0;
}

/* r8 = the place of the chunk of this descriptor, less IN_SCRATCH(record); ends if it is too late.
 */
static void find_chunk(struct code *c, unsigned end)
{
	code_load(c, SIZE_4, R8, R6, IN_SCRATCH(fd_chunk));
	code_multiple(c, R8);
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
	fd_in_list(c, R1);
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
	fd_read_word(c, AT_VALUE, R9, o->pwd_mnt);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R6, IN_SCRATCH(mnt), R1);
	fd_read_word(c, AT_VALUE, R9, o->pwd_dentry);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
}

/* The file of descriptor r7: r7 = its dentry, and in the scratch its mount. */
static void open_file(struct code *c, const struct fd_offsets *o, unsigned next)
{
	code_call(c, HELPER_CURRENT_TASK);
	code_load(c, SIZE_8, R9, R0, o->files);
	fd_read_word(c, AT_VALUE, R9, o->fdt);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	fd_read_word(c, AT_VALUE, R9, o->max_fds);
	code_load(c, SIZE_4, R1, FP, AT_VALUE);
	code_if(c, BPF_JGE, R7, R1, next);
	fd_read_word(c, AT_VALUE, R9, o->fds);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_alu_n(c, BPF_LSH, R7, 3);
	code_alu(c, BPF_ADD, R9, R7);
	fd_read_word(c, AT_FILE, R9, 0);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	code_if_n(c, BPF_JEQ, R9, 0, next);
	fd_read_word(c, AT_VALUE, R9, o->file_mnt);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R6, IN_SCRATCH(mnt), R1);
	fd_read_word(c, AT_INODE, R9, o->file_inode);
	fd_read_word(c, AT_VALUE, R9, o->file_dentry);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
}

/* A head that says nothing yet. */
static void clear_head(struct code *c)
{
	code_store_n(c, SIZE_8, R8, IN_HEAD(inode), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(magic), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(dname), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(rdev), 0);
	code_store_n(c, SIZE_8, R8, IN_HEAD(socket.family), 0);
}

/* The number of the inode in r9, and the file system that it is in. */
static void describe_inode(struct code *c, const struct fd_offsets *o)
{
	fd_read_word(c, AT_VALUE, R9, o->inode);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(inode), R1);
	fd_describe_mode(c, o);
	fd_read_word(c, AT_VALUE, R9, o->superblock);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	fd_read_word(c, AT_VALUE, R9, o->magic);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(magic), R1);
}

/* The head is a part of the record. */
static void append_head(struct code *c)
{
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu_n(c, BPF_ADD, R1, sizeof(struct fd_head));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
}

/* What there is besides the names, of the dentry in r7. */
static void describe(const struct program_maker *m)
{
	const struct fd_offsets *o = &m->config->kernel->fd;
	struct code *c = m->c;
	unsigned plain = code_label(c), found = code_label(c);

	clear_head(c);
	code_load(c, SIZE_8, R9, FP, AT_INODE);
	code_if_n(c, BPF_JEQ, R9, 0, found);
	describe_inode(c, o);
	fd_describe_socket(c, o);
	fd_describe_special(m);
	code_place(c, found);
	fd_read_word(c, AT_VALUE, R7, o->op);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	code_if_n(c, BPF_JEQ, R9, 0, plain);
	fd_read_word(c, AT_VALUE, R9, o->dname);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(dname), R1);
	code_place(c, plain);
	fd_read_word(c, AT_VALUE, R7, o->hashed);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_store(c, SIZE_8, R8, IN_HEAD(hashed), R1);
	append_head(c);
	fd_append_address(c, o);
	code_store(c, SIZE_8, R6, IN_SCRATCH(dentry), R7);
}

/* Appends the name of the dentry in r7; goes on at full if there is no room for it. */
static void append_name(struct code *c, const struct fd_offsets *o, unsigned full)
{
	fd_read_word(c, AT_VALUE, R7, o->name);
	code_load(c, SIZE_8, R3, FP, AT_VALUE);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_if_n(c, BPF_JGT, R1, RECORD_FULL, full);
	code_alu(c, BPF_ADD, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(record));
	code_mov_n(c, R2, NAME_ROOM);
	code_call(c, HELPER_READ_KERNEL_STRING);
	code_if_n(c, BPF_JSLE, R0, 0, full);
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
	fd_read_word(c, AT_VALUE, R9, o->mount_parent);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
	code_if(c, BPF_JEQ, R7, R9, done);
	code_if_n(c, BPF_JEQ, R7, 0, done);
	code_alu_n(c, BPF_ADD, R7, o->mount);
	code_store(c, SIZE_8, R6, IN_SCRATCH(mnt), R7);
	fd_read_word(c, AT_VALUE, R9, o->mount_at);
	code_load(c, SIZE_8, R7, FP, AT_VALUE);
	code_store(c, SIZE_8, R6, IN_SCRATCH(dentry), R7);
	code_jump(c, next);
}

/* Goes on at done if the dentry in r7, in the mount in r9, is where the paths that we see begin. */
static void stop_at_root(struct code *c, const struct fd_root *root, unsigned done)
{
	unsigned below = code_label(c);

	code_mov_wide(c, R1, root->dentry);
	code_if(c, BPF_JNE, R7, R1, below);
	code_mov_wide(c, R1, root->mnt);
	code_if(c, BPF_JEQ, R9, R1, done);
	code_place(c, below);
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

/* As below, where only sockets count: what is none leaves no chunk. */
static void socket_function(const struct program_maker *m)
{
	const struct fd_offsets *o = &m->config->kernel->fd;
	struct code *c = m->c;
	unsigned end = code_label(c), none = code_label(c), done = code_label(c);

	code_load(c, SIZE_8, R6, R2, 0);
	begin_fd(c, end);
	open_file(c, o, none);
	clear_head(c);
	code_load(c, SIZE_8, R9, FP, AT_INODE);
	code_if_n(c, BPF_JEQ, R9, 0, none);
	describe_inode(c, o);
	code_if_n(c, BPF_JNE, R1, MAGIC_SOCKETS, none);
	fd_describe_socket(c, o);
	/* Sockets have no names but that of their protocol. */
	code_store_n(c, SIZE_8, R8, IN_HEAD(dname), 1);
	append_head(c);
	append_name(c, o, done);
	code_place(c, done);
	finish_fd(c, end);
	code_return(c, 0);
	code_place(c, none);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(fd_chunk));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_return(c, 0);
	code_place(c, end);
	code_return(c, 1);
}

static void path_function(const struct program_maker *m)
{
	const struct fd_offsets *o = &m->config->kernel->fd;
	struct code *c = m->c;
	unsigned end = code_label(c), next = code_label(c), name = code_label(c);
	unsigned directory = code_label(c), opened = code_label(c), done = code_label(c);
	unsigned inside = code_label(c), up = code_label(c);

	code_load(c, SIZE_8, R6, R2, 0);
	code_load(c, SIZE_8, R7, R6, IN_SCRATCH(dentry));
	code_if_n(c, BPF_JNE, R7, 0, name);
	fd_take_of_sets(c, next);
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
	describe(m);
	code_jump(c, next);

	code_place(c, name);
	code_store_n(c, SIZE_8, FP, AT_VALUE, 0);
	code_load(c, SIZE_8, R9, R6, IN_SCRATCH(mnt));
	stop_at_root(c, &m->config->root, done);
	fd_read_word(c, AT_VALUE, R9, o->mount_root);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_if(c, BPF_JNE, R1, R7, inside);
	leave_mount(c, o, next, done);
	code_place(c, inside);
	fd_read_word(c, AT_VALUE, R7, o->parent);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	/* What is in no directory has a name all the same, and nothing above it. */
	code_if(c, BPF_JNE, R9, R7, up);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(names));
	code_if_n(c, BPF_JNE, R1, 0, done);
	append_name(c, o, end);
	code_jump(c, done);
	code_place(c, up);
	append_name(c, o, end);
	code_store(c, SIZE_8, R6, IN_SCRATCH(dentry), R9);
	code_place(c, next);
	code_return(c, 0);
	code_place(c, done);
	finish_fd(c, end);
	code_return(c, 0);
	code_place(c, end);
	code_return(c, 1);
}

void maker_fd_function(const struct program_maker *m)
{
	if (m->config->fds == WANTED_PACKETS)
		socket_function(m);
	else
		path_function(m);
}
