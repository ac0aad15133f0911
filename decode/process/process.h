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

#endif
