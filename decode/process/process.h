/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes: clone(2), execve(2), wait4(2), rseq(2) and similar calls. */
#ifndef TRACER_DECODE_PROCESS_PROCESS_H
#define TRACER_DECODE_PROCESS_PROCESS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/*
 * Arguments of clone(2) whose meaning depends on the flags. decode_clone_tid shows parent_tid,
 * where the kernel may store a pidfd instead.
 */
decode_fn decode_clone_stack;
decode_fn decode_clone_tid;
decode_fn decode_clone_tls;
decode_fn decode_clone_child_tid;

/*
 * For clone3(2): struct clone_args, its fields, and the values that the kernel stores through its
 * pointers.
 */
decode_fn decode_clone3_args_entry, decode_clone3_args_exit;
decode_fn decode_clone3_set_tid, decode_clone3_signal, decode_clone3_tls;

/*
 * For execve(2): the array of arguments, and the environment. Without -v, only the number of the
 * environment variables is shown.
 */
decode_fn decode_argv;
decode_fn decode_envp;

/* A status word of wait4(2). */
decode_fn decode_wait_status;
/* The status and usage that wait4(2) stores if it reports a child. */
decode_fn decode_waited_status;
decode_fn decode_waited_rusage;

/*
 * For SWITCH(). personality_query is for the argument of personality(2). The others are for ids;
 * another argument or field specifies the kind of id.
 */
extern const struct type_case personality_query[], waitid_ids[], priority_ids[], ioprio_ids[],
	f_owner_ids[], sched_core_ids[];

decode_fn decode_ret_membarrier; /* the result of membarrier(2) */
/* Arguments of kcmp(2). The meaning of idx1 and idx2 depends on the argument `type`. */
decode_fn decode_kcmp_idx;
decode_fn decode_kcmp_idx2, decode_kcmp_slot_fd;
/* The argument of pidfd_getfd(2) that is a descriptor of the pidfd's process. */
decode_fn decode_pidfd_target;

/* The struct rseq of rseq(2), and its fields. */
decode_fn decode_rseq, decode_rseq_cs, decode_rseq_cpu_id;
/* The struct user_desc of set_thread_area(2). */
extern const struct type_ops type_user_desc;
#define USER_DESC MEMFN(type_user_desc, 16)

/*
 * The struct user_desc of get_thread_area(2), the number of the entry that set_thread_area(2) has
 * chosen, and the buffer and result of modify_ldt(2).
 */
decode_fn decode_thread_area_entry, decode_thread_area_exit;
decode_fn decode_chosen_entry, decode_ldt, decode_ret_ldt;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads process_reads[];

extern const struct type_ops type_kcmp_idx;
#define KCMP_IDX TYPE(type_kcmp_idx, .width = W_LONG)

extern const struct type_ops type_kcmp_idx2;
#define KCMP_IDX2 TYPE(type_kcmp_idx2, .width = W_LONG)

extern const struct type_ops type_pidfd_target;
#define PIDFD_TARGET TYPE(type_pidfd_target, .width = W32)

extern const struct type_ops type_argv;
#define ARGV TYPE(type_argv, .width = W_LONG)

extern const struct type_ops type_envp;
#define ENVP TYPE(type_envp, .width = W_LONG)

extern const struct type_ops type_ret_membarrier;
#define RET_MEMBARRIER TYPE(type_ret_membarrier, .width = W_LONG)

#endif
