/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records the files that descriptors refer to: the inode, the file system, and the names in the
 * file's path. Names are recorded from the last name up to our root directory, across mounts. If
 * the file is not below our root directory (for example, in another mount namespace), names are
 * recorded up to the root of its mount namespace, as in /proc.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_FDS_H
#define TRACER_CAPTURE_BPF_KERNEL_FDS_H

#include "capture/bpf/kernel/fd_kinds.bpf.h"

/*
 * True if all kinds of files are recorded, false if only sockets are recorded. The programs that
 * record only sockets load faster, because they use fewer types of the kernel.
 */
#ifdef PATHS
#define ALL_FILES true
#else
#define ALL_FILES false
#endif

#define NAME_ROOM 256
#define AT_FDCWD  (-100) /* from fcntl.h */

/* Returns the chunk of the current descriptor, or NULL if the record has no space. */
static __always_inline struct chunk_head *fd_chunk(struct scratch *s)
{
	return chunk_at(s, s->fd_chunk, RECORD_FULL);
}

/*
 * Starts the chunk of the next descriptor and sets *n to the descriptor's number. Returns NULL if
 * there are no more descriptors or not enough space.
 */
static __always_inline struct chunk_head *begin_fd(struct scratch *s, uint32_t *n)
{
	const uint64_t next = s->fd_next;
	struct chunk_head *h;

	if (next >= s->fd_count)
		return NULL;
	s->fd_next++;
	*n = s->fds[masked(next, FDS_MAX)].n;
	s->fd_chunk = s->used;
	h = fd_chunk(s);
	if (!h)
		return NULL;
	begin_chunk(h, *n, -EBADF, CHUNK_FD);
	s->used += sizeof(*h);
	s->names = 0;
	return h;
}

/*
 * Returns the file of a descriptor of the current process, or NULL if the descriptor is not open.
 */
static __always_inline struct file *find_file(uint32_t n)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);

	if (n >= BPF_CORE_READ(table, max_fds))
		return NULL;
	return (struct file *)kernel_word(BPF_CORE_READ(table, fd) + n);
}

static __always_inline void clear_head(struct fd_head *head)
{
	head->inode = head->magic = head->dname = head->hashed = 0;
	*(volatile uint64_t *)&head->rdev = 0;
	*(volatile uint64_t *)&head->socket = 0;
}
_Static_assert(offsetof(struct fd_head, rdev) % 8 == 0 &&
		       offsetof(struct fd_head, socket) == offsetof(struct fd_head, rdev) + 8,
	       "rdev, mode and path_len are one word");

/* Records the inode number, the mode and the file system of an inode. */
static __always_inline void describe_inode(struct fd_head *head, struct inode *inode)
{
	head->inode = BPF_CORE_READ(inode, i_ino);
	describe_mode(head, inode);
	head->magic = BPF_CORE_READ(inode, i_sb, s_magic);
}

/* Appends the name of a dentry. Returns false if there is no space for it. */
static __always_inline bool append_name(struct scratch *s, struct dentry *dentry)
{
	uint64_t used = s->used;
	long n;

	if (!bounded(used, RECORD_FULL))
		return false;
	n = bpf_probe_read_kernel_str(s->record + used, NAME_ROOM,
				      BPF_CORE_READ(dentry, d_name.name));
	if (n <= 0)
		return false;
	s->used = used + (uint64_t)n;
	s->names++;
	return true;
}

/*
 * Sets the size of the current descriptor's chunk. Returns false if the record had no space for the
 * chunk.
 */
static __always_inline bool finish_fd(struct scratch *s)
{
	struct chunk_head *h = fd_chunk(s);

	s->dentry = 0;
	if (!h)
		return false;
	h->size = s->used - s->fd_chunk - sizeof(*h);
	s->used = (s->used + 7) & ~7u;
	return true;
}

/* -- sockets only -------------------------------------------------------------- */

/*
 * Callback of bpf_loop(): records the next descriptor. Writes no chunk if the descriptor is not a
 * socket.
 */
static int socket_step(uint32_t index attr_unused, struct scratch **ctx)
{
	struct scratch *s = *ctx;
	struct chunk_head *h;
	struct fd_head *head;
	struct inode *inode;
	struct file *file;
	uint32_t n;

	h = begin_fd(s, &n);
	if (!h)
		return 1;
	head = (struct fd_head *)(h + 1);
	file = find_file(n);
	clear_head(head);
	inode = file ? BPF_CORE_READ(file, f_inode) : NULL;
	if (inode)
		describe_inode(head, inode);
	if (head->magic != MAGIC_SOCKETS) {
		s->used = s->fd_chunk;
		return 0;
	}
	describe_socket(head, file);
	/*
	 * The kernel generates the paths of sockets, so record only the name of the dentry, which
	 * is the name of the protocol.
	 */
	head->dname = 1;
	s->used += sizeof(*head);
	append_name(s, BPF_CORE_READ(file, f_path.dentry));
	return !finish_fd(s);
}

/* -- all files ----------------------------------------------------------------- */

/* Records a file's properties other than its names. */
static __always_inline void describe(struct scratch *s, struct fd_head *head, struct file *file,
				     struct dentry *dentry)
{
	struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;
	const struct dentry_operations *operations;
	struct sock *sk = NULL;

	clear_head(head);
	if (inode) {
		describe_inode(head, inode);
		if (head->magic == MAGIC_SOCKETS)
			sk = describe_socket(head, file);
		describe_special(head, file, inode, dentry);
	}
	operations = BPF_CORE_READ(dentry, d_op);
	if (operations)
		head->dname = (uint64_t)BPF_CORE_READ(operations, d_dname);
	head->hashed = (uint64_t)BPF_CORE_READ(dentry, d_hash.pprev);
	s->used += sizeof(*head);
	if (sk && head->socket.family == AF_UNIX)
		append_unix_address(s, head, (struct unix_sock *)sk);
	s->dentry = (uint64_t)dentry;
}

/*
 * Starts to record the next descriptor: records its properties, and finds the last name of its
 * path. Returns 1 if there are no more descriptors or not enough space, otherwise 0.
 */
static __always_inline int next_fd(struct scratch *s)
{
	struct chunk_head *h;
	struct dentry *dentry = NULL;
	struct file *file = NULL;
	uint32_t n;

	h = begin_fd(s, &n);
	if (!h)
		return 1;
	if ((int32_t)n == AT_FDCWD) {
		struct task_struct *task = bpf_get_current_task_btf();

		s->mnt = (uint64_t)BPF_CORE_READ(task, fs, pwd.mnt);
		dentry = BPF_CORE_READ(task, fs, pwd.dentry);
	} else {
		file = find_file(n);
		if (file) {
			s->mnt = (uint64_t)BPF_CORE_READ(file, f_path.mnt);
			dentry = BPF_CORE_READ(file, f_path.dentry);
		}
	}
	if (dentry)
		describe(s, (struct fd_head *)(h + 1), file, dentry);
	return 0;
}

/*
 * Records one name of the path and moves on to its parent directory. Paths are recorded from the
 * last name to the first. Returns 1 if the record has no space, otherwise 0.
 */
static __always_inline int next_name(struct scratch *s, struct dentry *dentry)
{
	struct vfsmount *mnt = (struct vfsmount *)s->mnt;
	struct dentry *parent;

	if ((uint64_t)dentry == own.root_dentry && (uint64_t)mnt == own.root_mnt)
		return !finish_fd(s);
	if (BPF_CORE_READ(mnt, mnt_root) == dentry) {
		/*
		 * The root of a mount has been reached. The path continues at the directory on
		 * which the mount is mounted.
		 */
		const uint64_t inside = bpf_core_field_offset(struct mount, mnt);
		struct mount *mount = (struct mount *)((char *)mnt - inside);
		struct mount *above = BPF_CORE_READ(mount, mnt_parent);

		if (above == mount || !above)
			return !finish_fd(s);
		s->mnt = (uint64_t)above + inside;
		s->dentry = (uint64_t)BPF_CORE_READ(mount, mnt_mountpoint);
		return 0;
	}
	parent = BPF_CORE_READ(dentry, d_parent);
	/* A file that is in no directory, such as a pipe, has a name but no parent. */
	if (parent == dentry) {
		if (!s->names && !append_name(s, dentry))
			return 1;
		return !finish_fd(s);
	}
	if (!append_name(s, dentry))
		return 1;
	s->dentry = (uint64_t)parent;
	return 0;
}

/* Returns the byte that contains bit number `bit` in the union of the three sets of select(2). */
static __always_inline uint64_t set_byte(const struct scratch *s, uint64_t bit)
{
	const uint64_t at = masked(bit / 8, FD_BITS_MAX / 8);

	return s->fd_sets[0][at] | s->fd_sets[1][at] | s->fd_sets[2][at];
}

/*
 * Examines the next bit of the sets. If the bit is set, adds the descriptor with that number to
 * s->fds. If the whole byte is 0, skips the byte. Returns false if there are no more bits.
 */
static __always_inline bool take_from_sets(struct scratch *s)
{
	const uint64_t bit = s->fd_bit, count = s->fd_count;
	uint64_t byte;

	if (bit >= s->fd_bits)
		return false;
	byte = set_byte(s, bit);
	s->fd_bit = (byte ? bit : bit | 7) + 1;
	if (!(byte >> (bit & 7) & 1))
		return true;
	if (count >= FDS_MAX) {
		s->fd_bits = 0;
		return true;
	}
	s->fd_count = count + 1;
	s->fds[masked(count, FDS_MAX)].n = bit;
	return true;
}

/*
 * Callback of bpf_loop(): examines the next bit of the sets, starts to record the next descriptor,
 * or records the next name in its path.
 */
static int path_step(uint32_t index attr_unused, struct scratch **ctx)
{
	struct scratch *s = *ctx;

	if (s->dentry)
		return next_name(s, (struct dentry *)s->dentry);
	return take_from_sets(s) ? 0 : next_fd(s);
}

/* -- finding descriptors -------------------------------------------------------- */

/*
 * Maximum number of iterations of bpf_loop() in record_fds(). Enough for the names and mounts in
 * paths of usual length, and for the bits of the call's descriptor sets.
 */
#define FD_STEPS (2 * FD_BITS_MAX)

/*
 * Records the first `count` descriptors in s->fds, and the descriptors in the first `bits` bits of
 * s->fd_sets. Descriptors that do not fit into the record or into FD_STEPS iterations are left out.
 */
static __always_inline void record_fds(struct scratch *s, uint64_t count, uint64_t bits)
{
	struct scratch *ctx = s;

	s->fd_count = count;
	s->fd_next = 0;
	s->fd_bit = 0;
	s->fd_bits = bits;
	s->dentry = 0;
	if (ALL_FILES)
		bpf_loop(FD_STEPS, path_step, &ctx, 0);
	else
		bpf_loop(FD_STEPS, socket_step, &ctx, 0);
	if (s->dentry)
		s->used = s->fd_chunk;
}

/* Records the descriptors in the arguments whose bits are set in `args`. */
static __always_inline void append_fds_of_args(struct scratch *s, uint64_t args)
{
	uint64_t count = 0;

#pragma unroll
	for (int i = 0; i < SYSCALL_ARGS_MAX; i++) {
		if (args >> i & 1)
			s->fds[masked(count++, FDS_MAX)].n = s->args[i];
	}
	record_fds(s, count, 0);
}

/* Records up to FDS_MAX descriptors from the array of struct pollfd that an argument points to. */
static __always_inline void append_pollfds(struct scratch *s, uint64_t arg)
{
	uint64_t count = (uint32_t)arg_of(s, arg + 1);

	if (!bounded(count, FDS_MAX))
		count = FDS_MAX;
	if (!bpf_probe_read_user(s->fds, count * sizeof(s->fds[0]), (const void *)arg_of(s, arg)))
		record_fds(s, count, 0);
}

/*
 * Records the descriptors in the three sets of select(2). A set that is missing or cannot be read
 * counts as empty.
 */
static __always_inline void append_fd_sets(struct scratch *s)
{
	uint64_t bits = (uint32_t)s->args[0];

	if (bits > INT32_MAX)
		return;
	if (!bounded(bits, FD_BITS_MAX))
		bits = FD_BITS_MAX;
#pragma unroll
	for (int i = 0; i < 3; i++)
		bpf_probe_read_user(s->fd_sets[i], (bits + 7) / 8, (const void *)s->args[i + 1]);
	record_fds(s, 0, bits);
}

/* Records the descriptors that are arguments of the call, or for which the call waits. */
static __always_inline void append_fds(struct scratch *s, uint32_t fds)
{
	const uint32_t pollfds = fds >> WANTED_POLLFDS_SHIFT & WANTED_POLLFDS_MASK;

	if (fds & (WANTED_RESULT - 1))
		append_fds_of_args(s, fds);
	if (!ALL_FILES || fds & (WANTED_RESULT - 1))
		return;
	/*
	 * If a call has descriptors in sets or in an array, none of its arguments is itself a
	 * descriptor.
	 */
	if (fds & WANTED_FD_SETS)
		append_fd_sets(s);
	else if (pollfds)
		append_pollfds(s, pollfds - 1);
}

/* Records the descriptor that the call returns, or the two descriptors that it stores in memory. */
static __always_inline void append_new_fds(struct scratch *s, uint32_t fds, int64_t result)
{
	const uint64_t pair = fds >> WANTED_PAIR_SHIFT & WANTED_PAIR_MASK;

	if (fds & WANTED_RESULT) {
		if (result < 0)
			return;
		s->fds[0].n = (uint32_t)result;
		record_fds(s, 1, 0);
	} else if (pair && !result) {
		if (bpf_probe_read_user(s->fds, 2 * sizeof(int32_t),
					(const void *)arg_of(s, pair - 1)))
			return;
		s->fds[1].n = s->fds[0].events;
		record_fds(s, 2, 0);
	}
}

#endif
