/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Answers questions about a descriptor (capture/facts.h) from the data that the BPF programs have
 * recorded. The answers are the same as those from /proc/PID/fd and /proc/PID/fdinfo, see
 * proc_pid_fd(5).
 */
#ifndef TRACER_CAPTURE_BPF_FD_PATHS_H
#define TRACER_CAPTURE_BPF_FD_PATHS_H

#include "defs.h"

struct fact_answer;
struct socket_fact;

/*
 * Answers the question FACT_FD_PATH from the contents of a CHUNK_FD (records.h), which have n
 * bytes. Returns false if the contents are incomplete, or if the kernel generates this path in a
 * way that is not implemented here.
 */
bool fd_path_answer(const void *bytes, size_t n, struct fact_answer *a);
/*
 * Answers FACT_FD_PROTOCOL from a CHUNK_FD. Returns false if the descriptor is not a socket, or if
 * the protocol was not recorded.
 */
bool fd_protocol_answer(const void *bytes, size_t n, struct fact_answer *a);
/*
 * Answers FACT_SOCKET for the given inode from a CHUNK_FD. Sets f->family to 0 if the socket has no
 * address, or if sock_diag(7) does not report the addresses of its protocol. Returns false if the
 * descriptor is not a socket with this inode, if the socket's family is unsupported, or if its
 * protocol is SCTP.
 */
bool fd_socket_answer(const void *bytes, size_t n, uint64_t inode, struct socket_fact *f);
/*
 * Answers FACT_FD_INFO for the given key from a CHUNK_FD. Returns false if the value was not
 * recorded.
 */
bool fd_info_answer(const void *bytes, size_t n, const char *key, struct fact_answer *a);
/*
 * Answers FACT_FD_PIDFD from a CHUNK_FD, with both ids in our pid namespace. If the process has
 * ended, the ids are -1 and 0. Returns false if the descriptor is not a pidfd, or if its process is
 * unknown or has no id in our namespace.
 */
bool fd_pidfd_answer(const void *bytes, size_t n, struct fact_answer *a);
/*
 * Answers FACT_DEVICE for the given path from a CHUNK_FD. The answer is -ENOENT if the file is not
 * a device. Returns false if the descriptor refers to another file. Also returns false if the file
 * was deleted, because the path may now belong to another file.
 */
bool fd_device_answer(const void *bytes, size_t n, const char *path, struct fact_answer *a);

#endif
