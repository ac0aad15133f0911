/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes: clone, execve, wait, what they are registered with. */
#ifndef TRACER_DECODE_PROCESS_H
#define TRACER_DECODE_PROCESS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* clone(2): flags hold the exit signal; the arguments behind them depend on them. */
decode_fn decode_clone_stack;
decode_fn decode_clone_flags;
decode_fn decode_clone_tid;
decode_fn decode_clone_tls;
decode_fn decode_clone_child_tid;

/* clone3(2): struct clone_args, and what the kernel wrote through it. */
decode_fn decode_clone3_args, decode_clone3_set_tid, decode_clone3_signal, decode_clone3_tls;
bool clone3_has_set_tid(const struct decoder *d);
bool clone3_has_cgroup(const struct decoder *d);

/* execve(2) */
decode_fn decode_argv;
decode_fn decode_envp;

/* wait4(2) */
decode_fn decode_wait_status;
decode_fn decode_waited_status;
decode_fn decode_waited_rusage;

/* Ids of what a number before them tells. */
extern const struct type_case priority_ids[], ioprio_ids[], f_owner_ids[], sched_core_ids[];

/* personality(2) */
decode_fn decode_personality;
decode_fn decode_ret_personality;

/* membarrier(2), kcmp(2) */
decode_fn decode_ret_membarrier;
decode_fn decode_kcmp_idx;
decode_fn decode_kcmp_idx2, decode_kcmp_slot_fd;
decode_fn decode_pidfd_target;

/* rseq(2), set_thread_area(2) */
decode_fn decode_rseq, decode_rseq_cs, decode_rseq_cpu_id;
extern const struct type_ops type_user_desc;
#define USER_DESC MEMFN(type_user_desc, 16)

decode_fn decode_chosen_entry, decode_thread_area, decode_ldt, decode_ret_ldt, decode_waitid_id;

/* What the hatches above read of memory. */
extern const struct hatch_reads process_reads[];

extern const struct type_ops type_clone_flags;
#define CLONE_FLAGS TYPE(type_clone_flags, .width = W_LONG)

extern const struct type_ops type_personality;
#define PERSONALITY TYPE(type_personality, .width = W32)

extern const struct type_ops type_waitid_id;
#define WAITID_ID TYPE(type_waitid_id, .width = W32)

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

extern const struct type_ops type_ret_personality;
#define RET_PERSONALITY TYPE(type_ret_personality, .width = W_LONG)

extern const struct type_ops type_ret_membarrier;
#define RET_MEMBARRIER TYPE(type_ret_membarrier, .width = W_LONG)

#endif
