/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part that writes down which device a file is, and what there is to tell of files that have no
 * names: counters of eventfds, signals of signalfds, processes of pidfds.
 */
#include <linux/major.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/fd_parts.h"

/* The other sides of terminals are made by opening this one: pty(7). */
#define RDEV_PTMX (TTYAUX_MAJOR << 20 | 2)

void fd_special_find(const struct btf *kernel, struct fd_offsets *o)
{
	o->event_count = btf_member(kernel, "eventfd_ctx", "count");
	o->event_flags = btf_member(kernel, "eventfd_ctx", "flags");
	o->event_id = btf_member(kernel, "eventfd_ctx", "id");
	o->signals = btf_member(kernel, "signalfd_ctx", "sigmask");
	o->inode_data = btf_member(kernel, "inode", "i_private");
	o->pid_threads = btf_member(kernel, "pid", "tasks");
	o->terminal = btf_member(kernel, "tty_file_private", "tty");
	o->terminal_index = btf_member(kernel, "tty_struct", "index");
}

void fd_describe_mode(struct code *c, const struct fd_offsets *o)
{
	unsigned device = code_label(c), none = code_label(c);

	fd_copy(c, IN_HEAD(mode), o->mode, 2);
	code_load(c, SIZE_2, R1, R8, IN_HEAD(mode));
	code_alu_n(c, BPF_AND, R1, S_IFMT);
	code_if_n(c, BPF_JEQ, R1, S_IFCHR, device);
	code_if_n(c, BPF_JNE, R1, S_IFBLK, none);
	code_place(c, device);
	fd_copy(c, IN_HEAD(rdev), o->rdev, 4);
	code_place(c, none);
}

/* The first eight bytes of a name, as a number. */
static uint64_t start_of(const char *name)
{
	uint64_t start;

	memcpy(&start, name, sizeof(start));
	return start;
}

static void know(struct code *c)
{
	code_store_n(c, SIZE_4, R8, IN_HEAD(special.known), 1);
}

/* r9 is the struct eventfd_ctx. */
static void describe_eventfd(struct code *c, const struct fd_offsets *o)
{
	if (o->event_count < 0 || o->event_flags < 0 || o->event_id < 0)
		return;
	fd_copy(c, IN_HEAD(special.value), o->event_count, 8);
	fd_copy(c, IN_HEAD(special.flags), o->event_flags, 4);
	fd_copy(c, IN_HEAD(special.number), o->event_id, 4);
	know(c);
}

/* r9 is the struct signalfd_ctx. */
static void describe_signalfd(struct code *c, const struct fd_offsets *o)
{
	if (o->signals < 0)
		return;
	fd_copy(c, IN_HEAD(special.value), o->signals, 8);
	know(c);
}

/* r9 is the struct file of /dev/ptmx. */
static void describe_terminal(struct code *c, const struct fd_offsets *o)
{
	unsigned none = code_label(c);

	if (o->terminal < 0 || o->terminal_index < 0)
		return;
	fd_read_word(c, AT_VALUE, R9, o->file_data);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	fd_read_word(c, AT_VALUE, R9, o->terminal);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	/* One that is opened for its path alone has no other side. */
	code_if_n(c, BPF_JEQ, R9, 0, none);
	fd_copy(c, IN_HEAD(special.number), o->terminal_index, 4);
	know(c);
	code_place(c, none);
}

/*
 * r9 is the struct pid. It has a number in our pid namespace if it has one at our level and the
 * namespace there is that of the current thread, which has one in ours.
 */
static void describe_pidfd(const struct program_maker *m)
{
	const struct kernel_offsets *k = m->config->kernel;
	const int ours = k->pid_numbers + (int)m->config->level * k->upid_size;
	struct code *c = m->c;
	unsigned done = code_label(c), there = code_label(c);

	if (k->fd.pid_threads < 0 || !k->upid_known)
		return;
	know(c);
	fd_read_word(c, AT_VALUE, R9, k->fd.pid_threads);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_if_n(c, BPF_JNE, R1, 0, there);
	code_store_n(c, SIZE_4, R8, IN_HEAD(special.number), -1);
	code_jump(c, done);
	code_place(c, there);
	fd_read_word(c, AT_VALUE, R9, k->pid_level);
	code_load(c, SIZE_4, R1, FP, AT_VALUE);
	code_if_n(c, BPF_JLT, R1, (int32_t)m->config->level, done);
	fd_copy(c, IN_HEAD(special.number), ours, 4);
	fd_read_word(c, AT_FILE, R9, ours + 8);
	code_call(c, HELPER_CURRENT_TASK);
	fd_read_word(c, AT_VALUE, R0, k->thread_pid);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	fd_read_word(c, AT_VALUE, R9, ours + 8);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_load(c, SIZE_8, R2, FP, AT_FILE);
	code_if(c, BPF_JEQ, R1, R2, done);
	code_store_n(c, SIZE_4, R8, IN_HEAD(special.number), 0);
	code_place(c, done);
}

/* What has no name in any file system, by the name that it was given: r9 is its struct file. */
static void describe_anonymous(const struct program_maker *m, unsigned done)
{
	const struct fd_offsets *o = &m->config->kernel->fd;
	struct code *c = m->c;
	unsigned eventfd = code_label(c), signalfd = code_label(c), pidfd = code_label(c);

	fd_read_word(c, AT_FILE, R9, o->file_data);
	fd_read_word(c, AT_VALUE, R7, o->name);
	code_load(c, SIZE_8, R9, FP, AT_VALUE);
	fd_read_word(c, AT_VALUE, R9, 0);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	/* One that is opened for its path alone has no data. */
	code_if_n(c, BPF_JEQ, R9, 0, done);
	code_load(c, SIZE_8, R1, FP, AT_VALUE);
	code_mov_wide(c, R2, start_of("[eventfd]"));
	code_if(c, BPF_JEQ, R1, R2, eventfd);
	code_mov_wide(c, R2, start_of("[signalfd]"));
	code_if(c, BPF_JEQ, R1, R2, signalfd);
	/* Before Linux 6.9. */
	code_mov_wide(c, R2, start_of("[pidfd]"));
	code_if(c, BPF_JEQ, R1, R2, pidfd);
	code_jump(c, done);
	code_place(c, eventfd);
	describe_eventfd(c, o);
	code_jump(c, done);
	code_place(c, signalfd);
	describe_signalfd(c, o);
	code_jump(c, done);
	code_place(c, pidfd);
	describe_pidfd(m);
	code_jump(c, done);
}

void fd_describe_special(const struct program_maker *m)
{
	const struct fd_offsets *o = &m->config->kernel->fd;
	struct code *c = m->c;
	unsigned anonymous = code_label(c), pidfd = code_label(c), done = code_label(c);

	code_load(c, SIZE_8, R1, R8, IN_HEAD(magic));
	code_if_n(c, BPF_JEQ, R1, MAGIC_ANON_INODES, anonymous);
	code_if_n(c, BPF_JEQ, R1, MAGIC_PIDS, pidfd);
	code_load(c, SIZE_4, R1, R8, IN_HEAD(rdev));
	code_if_n(c, BPF_JNE, R1, RDEV_PTMX, done);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	describe_terminal(c, o);
	code_jump(c, done);
	code_place(c, anonymous);
	code_load(c, SIZE_8, R9, FP, AT_FILE);
	describe_anonymous(m, done);
	code_place(c, pidfd);
	if (o->inode_data >= 0) {
		code_load(c, SIZE_8, R9, FP, AT_INODE);
		fd_read_word(c, AT_VALUE, R9, o->inode_data);
		code_load(c, SIZE_8, R9, FP, AT_VALUE);
		describe_pidfd(m);
	}
	code_place(c, done);
}
