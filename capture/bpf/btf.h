/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A reader of BTF, the type information that the kernel has of itself: Documentation/bpf/btf.rst of
 * Linux. It finds the ids of types and the offsets of members. All lengths are checked, so wrong
 * input is an error and nothing worse.
 */
#ifndef TRACER_CAPTURE_BPF_BTF_H
#define TRACER_CAPTURE_BPF_BTF_H

#include "defs.h"

struct btf;

/*
 * Reads the BTF in a file; the kernel's own is /sys/kernel/btf/vmlinux. Returns NULL with errno
 * set: ENOENT if the kernel has none, EINVAL if it is malformed. btf_free() frees the result.
 */
struct btf *btf_open(const char *path);
/* The same from n bytes, which are copied. Returns NULL (errno is EINVAL) if they are malformed. */
struct btf *btf_parse(const void *bytes, size_t n);
void btf_free(struct btf *b); /* NULL is fine */

/* The id of the first type of that kind (BTF_KIND_* of linux/btf.h) and name, or -ENOENT. */
int btf_find(const struct btf *b, unsigned kind, const char *name);
/* The size in bytes of the struct of that name, or -ENOENT. */
int btf_size(const struct btf *b, const char *name);
/*
 * The offset in bytes of a member of the struct called name. path names members of members behind
 * dots: "thread_info.status". Members of structs and unions without a name count as members of
 * what they are in. Returns -ENOENT if there is no such member, -EINVAL if it is a bit field.
 */
int btf_member(const struct btf *b, const char *name, const char *path);
/* The number of parameters of the function that the typedef of a pointer to it names, or -ENOENT.
 */
int btf_params(const struct btf *b, const char *name);

#endif
