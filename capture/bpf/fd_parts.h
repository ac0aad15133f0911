/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the function that looks at descriptors share. Within it, r6 is the scratch, r7
 * the dentry, and r8 the place of the chunk of the descriptor, less IN_SCRATCH(record); r9 is as
 * each part says. Parts change r9 and all registers that helpers change.
 */
#ifndef TRACER_CAPTURE_BPF_FD_PARTS_H
#define TRACER_CAPTURE_BPF_FD_PARTS_H

#include "capture/bpf/maker.h"

/* A member of the struct fd_head of the chunk in r8. */
#define IN_HEAD(f)                                                                                 \
	((int16_t)(IN_SCRATCH(record) + sizeof(struct chunk_head) + offsetof(struct fd_head, f)))

/* The function's own stack: places for what is read of the kernel's memory. */
enum { AT_VALUE = -8, AT_FILE = -16, AT_INODE = -24 };

/* *(uint64_t *)(FP + at) = the word `offset` bytes into what `from` points to; 0 if it cannot be.
 */
void fd_read_word(struct code *c, int16_t at, enum reg from, int offset);
/* n bytes at an offset from what r9 points to go to a place in the chunk: see IN_HEAD(). */
void fd_copy(struct code *c, int16_t to, int from, int32_t n);

/* at = the place of element `at` of the list of descriptors, less IN_SCRATCH(fds). */
void fd_in_list(struct code *c, enum reg at);
/* While there are sets to take descriptors from: looks at a bit or more, then goes on at next. */
void fd_take_of_sets(struct code *c, unsigned next);

/* fd_sockets.c: the offsets that it needs, -1 for each that the kernel does not have; */
void fd_sockets_find(const struct btf *kernel, struct fd_offsets *o);
/*
 * if the chunk says that its file system is that of sockets: the addresses of the file at AT_FILE,
 * whose struct sock is there then;
 */
void fd_describe_socket(struct code *c, const struct fd_offsets *o);
/* what is behind the head of the chunk then: the address of a socket of AF_UNIX. */
void fd_append_address(struct code *c, const struct fd_offsets *o);

/* fd_special.c: the offsets that it needs, -1 for each that the kernel does not have; */
void fd_special_find(const struct btf *kernel, struct fd_offsets *o);
/* what kind of file the inode in r9 is, and which device; */
void fd_describe_mode(struct code *c, const struct fd_offsets *o);
/*
 * and what there is to tell of the file at AT_FILE, whose inode is at AT_INODE, if it has no name
 * or is a terminal.
 */
void fd_describe_special(const struct program_maker *m);

#endif
