/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs say of a descriptor, as /proc/PID/fd has it: see proc_pid_fd(5). */
#ifndef TRACER_CAPTURE_BPF_FD_PATHS_H
#define TRACER_CAPTURE_BPF_FD_PATHS_H

#include "defs.h"

struct fact_answer;
struct socket_fact;

/*
 * Answers FACT_FD_PATH (capture/facts.h) from the n bytes of a CHUNK_FD: a struct fd_head and
 * what follows it. Returns false if they do not tell: the kernel makes the path up in a way that is
 * not known here.
 */
bool fd_path_answer(const void *bytes, size_t n, struct fact_answer *a);
/* The same for FACT_FD_PROTOCOL. False: it is no socket. */
bool fd_protocol_answer(const void *bytes, size_t n, struct fact_answer *a);
/*
 * The same for FACT_SOCKET of an inode; the family is 0 if the socket has no address, or one of
 * which nothing is ever told. False: it is another file, or a socket of a family or protocol that
 * the programs know nothing of.
 */
bool fd_socket_answer(const void *bytes, size_t n, uint64_t inode, struct socket_fact *f);
/* The same for FACT_FD_INFO of a key. False: nothing is known of that key. */
bool fd_info_answer(const void *bytes, size_t n, const char *key, struct fact_answer *a);
/*
 * The same for FACT_FD_PIDFD, but both numbers are those of our pid namespace. False: it is no
 * pidfd, or it is not known whose it is, or that has no number in ours.
 */
bool fd_pidfd_answer(const void *bytes, size_t n, struct fact_answer *a);
/*
 * The same for FACT_DEVICE of a path. False: it is another file, or one that was deleted, whose
 * name may be another file's.
 */
bool fd_device_answer(const void *bytes, size_t n, const char *path, struct fact_answer *a);

#endif
