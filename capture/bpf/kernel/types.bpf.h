/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the members of kernel structures that the programs use. libbpf finds the offsets of the
 * members in the running kernel (CO-RE), so only their names and types must be correct here. Some
 * of the members do not exist in all kernels or on all machines. Each structure adds a millisecond
 * to the start-up time, because libbpf searches all types of the kernel for it.
 */
#ifndef TRACER_CAPTURE_BPF_KERNEL_TYPES_H
#define TRACER_CAPTURE_BPF_KERNEL_TYPES_H

#include "defs.h"

/* Types that bpf/bpf_helpers.h needs. */
typedef uint8_t __u8;
typedef int8_t __s8;
typedef uint16_t __u16;
typedef int16_t __s16;
typedef uint32_t __u32;
typedef int32_t __s32;
typedef uint64_t __u64;
typedef int64_t __s64;
typedef uint16_t __be16;
typedef uint32_t __be32;
typedef uint32_t __wsum;

/* From linux/bpf.h. */
enum {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_CGROUP_ARRAY = 8,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29
};
enum { BPF_ANY = 0, BPF_NOEXIST = 1 };
enum { BPF_F_NO_PREALLOC = 1 << 0, BPF_F_MMAPABLE = 1 << 10 };
enum { BPF_RB_NO_WAKEUP = 1 << 0 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 << 0 };

#include <bpf/bpf_helpers.h>

#include <bpf/bpf_core_read.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hlist_head {
	void *first;
};
struct pid {
	unsigned int level;
	struct hlist_head tasks[1];
	struct upid {
		int nr;
		void *ns;
	} numbers[1]; /* one element for each level */
};

struct mm_struct {
	unsigned long start_stack;
};
struct sigpending {
	struct {
		unsigned long sig[1];
	} signal;
};
struct signal_struct {
	int group_exit_code;
	unsigned int flags;
	struct sigpending shared_pending;
};
struct thread_info {
	uint32_t status;
	unsigned int preempt_count; /* this member does not exist on x86 */
};
struct thread_struct {
	unsigned long fsbase; /* on x86: the address of the thread-local variables */
	struct {
		unsigned long tp_value; /* the same on aarch64 */
	} uw;
};
struct sched_info {
	unsigned long pcount;
};
struct task_struct {
	struct thread_info thread_info;
	void *stack;
	struct mm_struct *mm;
	unsigned int flags;
	unsigned int __state;
	int exit_code;
	int pid, tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	uint64_t stime;
	uint64_t start_time;
	struct fs_struct *fs;
	struct files_struct *files;
	struct signal_struct *signal;
	struct sigpending pending;
	struct {
		unsigned long sig[1];
	} blocked;
	char comm[16];
	unsigned long sas_ss_sp;
	size_t sas_ss_size;
	void *bpf_storage;
	void *io_uring;
	struct sched_info sched_info;
	struct thread_struct thread;
};
struct bpf_perf_event_data {
	uint64_t addr;
};
struct seq_file;
struct bpf_iter_meta {
	struct seq_file *seq;
};
struct bpf_iter__bpf_map_elem {
	struct bpf_iter_meta *meta;
	void *key, *value;
};
struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

/* -- files ------------------------------------------------------------------- */

struct dentry_operations {
	void *d_dname;
};
struct qstr {
	const unsigned char *name;
};
struct hlist_bl_node {
	void *pprev;
};
struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	const struct dentry_operations *d_op;
};
struct vfsmount {
	struct dentry *mnt_root;
};
struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};
struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};
struct fs_struct {
	struct path root, pwd;
};
struct super_block {
	unsigned long s_magic;
};
struct inode {
	uint16_t i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	uint32_t i_rdev;
	void *i_private;
};
struct file {
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
};
struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};
struct files_struct {
	struct fdtable *fdt;
};

/* -- files without names --------------------------------------------------------- */

struct in6_addr {
	uint8_t bytes[16];
};
struct sock_common {
	uint32_t skc_daddr, skc_rcv_saddr;
	uint16_t skc_dport, skc_num;
	unsigned short skc_family;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
};
struct socket {
	struct sock *sk;
};
struct sock {
	struct sock_common __sk_common;
	struct socket *sk_socket;
	uint16_t sk_protocol;
	unsigned long sk_ino; /* exists only in newer kernels */
};
struct socket_alloc {
	struct socket socket;
	struct inode vfs_inode;
};
struct netlink_sock {
	uint32_t portid;
};
struct sockaddr_un {
	char sun_path[1];
};
struct unix_address {
	int len;
	struct sockaddr_un name[1];
};
struct unix_sock {
	struct unix_address *addr;
	struct sock *peer;
};
struct eventfd_ctx {
	uint64_t count;
	unsigned int flags;
	int id;
};
struct signalfd_ctx {
	struct {
		unsigned long sig[1];
	} sigmask;
};
struct tty_struct {
	int index;
};
struct tty_file_private {
	struct tty_struct *tty;
};

/* -- io_urings ----------------------------------------------------------------- */

struct io_ring_ctx {
	unsigned int flags;
	unsigned int compat : 1;
	uint32_t *sq_array;
	struct io_uring_sqe *sq_sqes;
	unsigned int cached_sq_head, sq_entries;
};
struct io_cqe {
	uint64_t user_data;
};
struct io_kiocb {
	struct io_cqe cqe;
	struct io_ring_ctx *ctx;
};
struct io_uring_cqe {
	uint64_t user_data;
	int32_t res;
	uint32_t flags;
};

#pragma clang attribute pop

#endif
