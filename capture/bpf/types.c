/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/types.h"

#include <linux/btf.h>
#include <string.h>

#include "capture/bpf/records.h"
#include "capture/bpf/sys.h"

#define INFO(kind, n) ((uint32_t)(kind) << 24 | (n))

/* Offsets in strings[]. */
enum {
	NAME_INT = 1,
	NAME_THREAD = 5,
	NAME_PROGRAM = 12,
	NAME_STEP = 20,
	NAME_STACK = 25,
	NAME_CTX = 31,
	NAME_FD = 35,
	NAME_BODY = 38
};
static const char strings[] = "\0int\0thread\0program\0step\0stack\0ctx\0fd\0body";

/* Documentation/bpf/btf.rst of Linux. */
static const struct {
	struct btf_type integer;
	uint32_t integer_bits;
	struct btf_type thread;
	struct btf_type pointer;
	struct btf_type program_proto;
	struct btf_param program_params[1];
	struct btf_type step_proto;
	struct btf_param step_params[2];
	struct btf_type program, step, stack, fd, body;
} types = {
	.integer = {NAME_INT, INFO(BTF_KIND_INT, 0), {.size = 4}},
	.integer_bits = BTF_INT_SIGNED << 24 | 32,
	.thread = {NAME_THREAD, INFO(BTF_KIND_STRUCT, 0), {.size = sizeof(struct thread_state)}},
	.pointer = {0, INFO(BTF_KIND_PTR, 0), {.type = 0}},
	.program_proto = {0, INFO(BTF_KIND_FUNC_PROTO, 1), {.type = TYPE_INT}},
	.program_params = {{NAME_CTX, TYPE_POINTER}},
	.step_proto = {0, INFO(BTF_KIND_FUNC_PROTO, 2), {.type = TYPE_INT}},
	.step_params = {{NAME_INT, TYPE_INT}, {NAME_CTX, TYPE_POINTER}},
	.program = {NAME_PROGRAM, INFO(BTF_KIND_FUNC, BTF_FUNC_GLOBAL), {.type = TYPE_PROGRAM_}},
	.step = {NAME_STEP, INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC), {.type = TYPE_STEP_}},
	.stack = {NAME_STACK, INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC), {.type = TYPE_STEP_}},
	.fd = {NAME_FD, INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC), {.type = TYPE_STEP_}},
	.body = {NAME_BODY, INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC), {.type = TYPE_PROGRAM_}},
};

int types_load(void)
{
	struct {
		struct btf_header head;
		uint8_t types[sizeof(types)];
		char strings[sizeof(strings)];
	} __attribute__((packed)) btf = {.head = {.magic = BTF_MAGIC,
						  .version = BTF_VERSION,
						  .hdr_len = sizeof(struct btf_header),
						  .type_len = sizeof(types),
						  .str_off = sizeof(types),
						  .str_len = sizeof(strings)}};

	memcpy(btf.types, &types, sizeof(types));
	memcpy(btf.strings, strings, sizeof(strings));
	return sys_btf(&btf, sizeof(btf));
}
