/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* System V IPC and POSIX message queues. */
#ifndef TRACER_DECODE_IPC_IPC_H
#define TRACER_DECODE_IPC_IPC_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* The flags of msgget(2) and semget(2), which include the mode. */
decode_fn decode_ipc_flags;
/* A struct shmid_ds for IPC_SET. Shows only the members that the kernel reads. */
decode_fn decode_shmid_set;
/* The struct msgbuf of msgrcv(2), whose text has t->len bytes. */
decode_fn decode_msgbuf;
/* The name of a queue, see mq_open(3). It is never shortened, although it is not a path. */
decode_fn decode_mq_name;
/*
 * The buffer and the type of a msgrcv(2) that is called through ipc(2). In version 0 of the call,
 * one argument points to a struct ipc_kludge that contains them. ipc_msg_is_unknown() is the
 * condition that this struct cannot be read, so that the type is not shown. ipc_msg_is_known() is
 * the opposite.
 */
decode_fn decode_ipc_msgp, decode_ipc_msgtyp;
bool ipc_msg_is_known(const struct decoder *d);
bool ipc_msg_is_unknown(const struct decoder *d);
/* For a semctl(2) that is called through ipc(2). The argument is a pointer to the union semun. */
decode_fn decode_semun_ds, decode_semun_info;
/*
 * The result of a shmat(2) that is called through ipc(2): the address that the kernel stores where
 * the argument `third` of ipc(2) points to.
 */
decode_fn decode_ipc_shmat_ret;

/*
 * struct ipc64_perm, and the structs that contain it (<linux/shm.h>, <linux/sem.h>, <linux/msg.h>).
 * The key and the creator are shown only after the kernel has stored them.
 */
#define IPC_PERM                                                                                   \
	BY_PHASE(STRUCTFN(type_ipc_perm_to_set, ipc_perm), STRUCTFN(type_ipc_perm, ipc_perm))
#define SHMID_DS STRUCTFN(type_shmid_ds, shmid_ds)
#define SEMID_DS BY_FORM(STRUCT(semid_ds), BY_ABI(STRUCT(semid_ds_64), STRUCT(semid_ds)))
#define MSQID_DS BY_ABI(STRUCT(msqid_ds), STRUCT(msqid_ds_32))
extern const struct type_ops type_ipc_perm_to_set, type_ipc_perm, type_shmid_ds;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads ipc_reads[];

/* A key, or IPC_PRIVATE. */
#define IPC_KEY NAMED(0, "IPC_PRIVATE", HEX32)

extern const struct type_ops type_ipc_flags;
#define IPC_FLAGS TYPE(type_ipc_flags, .width = W32)

extern const struct type_ops type_msgbuf;
#define MSGBUF(...) TYPE(type_msgbuf, .width = W_LONG, .len = __VA_ARGS__)

extern const struct type_ops type_mq_name;
#define MQ_NAME TYPE(type_mq_name, .width = W_LONG)

#endif
