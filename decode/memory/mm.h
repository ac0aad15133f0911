/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory: mmap(2), mincore(2), memory policies, and NUMA nodes. */
#ifndef TRACER_DECODE_MEMORY_MM_H
#define TRACER_DECODE_MEMORY_MM_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* The offset of mmap2(2). It is in units of 4096 bytes, but is shown in bytes. */
decode_fn decode_page_offset;
/*
 * Data that the kernel stores: for mincore(2), one byte per page; for move_pages(2), one int per
 * page; for get_mempolicy(2), a set of nodes.
 */
decode_fn decode_mincore, decode_pages_status, decode_nodemask_filled;
/* The mode of set_mempolicy(2) with its flags, such as MPOL_BIND|MPOL_F_STATIC_NODES. */
decode_fn decode_mempolicy;
/* A bit mask of NUMA nodes. As in mbind(2), t->len is the number of bits plus one. */
decode_fn decode_nodemask;
/* An int that move_pages(2) stores: a node number, or a negative errno such as -ENOENT. */
decode_fn decode_page_status;

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads mm_reads[];

extern const struct type_ops type_mempolicy;
#define MEMPOLICY(w) TYPE(type_mempolicy, .width = (w))

extern const struct type_ops type_page_offset;
#define PAGE_OFFSET TYPE(type_page_offset, .width = W64)

extern const struct type_ops type_nodemask;
#define NODEMASK(...) TYPE(type_nodemask, .width = W_LONG, .len = __VA_ARGS__)

#endif
