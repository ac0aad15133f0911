/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values of memory mapping that take more than one table, or more than one number. */
#ifndef TRACER_DECODE_MM_H
#define TRACER_DECODE_MM_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* MAP_PRIVATE|MAP_ANONYMOUS|21<<MAP_HUGE_SHIFT: mmap(2) */
decode_fn decode_mmap_flags;
/* The same exponent of two in memfd_create(2). */
decode_fn decode_memfd_flags;
/* mremap(2): the new address counts. */
/* An offset of mmap2(2), in pages of 4 KiB: shown in bytes. */
decode_fn decode_page_offset;
/* A byte a page of the second argument: mincore(2) */
decode_fn decode_mincore, decode_pages_status, decode_nodemask_filled;
/* MPOL_BIND|MPOL_F_STATIC_NODES: set_mempolicy(2) */
decode_fn decode_mempolicy;
/* A bit mask of nodes, of the type's length in bits plus one. */
decode_fn decode_nodemask;
/* A node, or -ENOENT: move_pages(2) */
decode_fn decode_page_status;

/* What the hatches above read of memory. */
extern const struct hatch_reads mm_reads[];

extern const struct type_ops type_mmap_flags;
#define MMAP_FLAGS TYPE(type_mmap_flags, .width = W_LONG)

extern const struct type_ops type_memfd_flags;
#define MEMFD_FLAGS TYPE(type_memfd_flags, .width = W32)

extern const struct type_ops type_mempolicy;
#define MEMPOLICY(w) TYPE(type_mempolicy, .width = (w))

extern const struct type_ops type_page_offset;
#define PAGE_OFFSET TYPE(type_page_offset, .width = W64)

extern const struct type_ops type_nodemask;
#define NODEMASK(...) TYPE(type_nodemask, .width = W_LONG, .len = __VA_ARGS__)

#endif
