/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/sys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/bpf/code.h"

#define LOG_MAX (1u << 20)

static int bpf(int cmd, union bpf_attr *attr)
{
	long r = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return r < 0 ? -errno : (int)r;
}

static uint64_t pointer(const void *p)
{
	return (uintptr_t)p;
}

/* The kernel takes letters, digits, '_' and '.', 15 of them. */
static void set_name(char name[BPF_OBJ_NAME_LEN], const char *from)
{
	strncpy(name, from, BPF_OBJ_NAME_LEN - 1);
}

int sys_map(const struct map_spec *spec)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = spec->type;
	attr.key_size = spec->key_size;
	attr.value_size = spec->value_size;
	attr.max_entries = spec->entries;
	attr.map_flags = spec->flags;
	attr.inner_map_fd = spec->inner;
	attr.btf_fd = spec->types.btf;
	attr.btf_key_type_id = spec->types.key;
	attr.btf_value_type_id = spec->types.value;
	set_name(attr.map_name, spec->name);
	return bpf(BPF_MAP_CREATE, &attr);
}

static int element(int cmd, int map, const void *key, const void *value, uint64_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = pointer(key);
	attr.value = pointer(value);
	attr.flags = flags;
	return bpf(cmd, &attr);
}

int sys_map_update(int map, const void *key, const void *value)
{
	return element(BPF_MAP_UPDATE_ELEM, map, key, value, BPF_ANY);
}

int sys_map_add(int map, const void *key, const void *value)
{
	return element(BPF_MAP_UPDATE_ELEM, map, key, value, BPF_NOEXIST);
}

int sys_map_update_many(int map, const void *keys, const void *values, unsigned n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.batch.map_fd = (uint32_t)map;
	attr.batch.keys = pointer(keys);
	attr.batch.values = pointer(values);
	attr.batch.count = n;
	return bpf(BPF_MAP_UPDATE_BATCH, &attr);
}

int sys_map_lookup(int map, const void *key, void *value)
{
	return element(BPF_MAP_LOOKUP_ELEM, map, key, value, 0);
}

int sys_map_delete(int map, const void *key)
{
	return element(BPF_MAP_DELETE_ELEM, map, key, NULL, 0);
}

int sys_program(const struct program_spec *spec, char *log, size_t size)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = spec->type;
	attr.expected_attach_type = spec->attach;
	attr.attach_btf_id = spec->attach_id;
	attr.insns = pointer(spec->code->insns.v);
	attr.insn_cnt = spec->code->insns.n;
	/* So that they are refused on all machines if one would refuse them. */
	attr.prog_flags = spec->code->aligned ? BPF_F_STRICT_ALIGNMENT : 0;
	/* What the kernel asks of programs that read a process's memory. */
	attr.license = pointer("GPL");
	set_name(attr.prog_name, spec->name);
	if (spec->nfunctions) {
		attr.prog_btf_fd = spec->btf;
		attr.func_info = pointer(spec->functions);
		attr.func_info_cnt = spec->nfunctions;
		attr.func_info_rec_size = sizeof(*spec->functions);
	}
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd >= 0 || !log || (fd != -EACCES && fd != -EINVAL && fd != -E2BIG))
		return fd;
	*log = 0;
	attr.log_level = 1;
	attr.log_size = LOG_MAX;
	attr.log_buf = pointer(calloc(1, LOG_MAX));
	if (attr.log_buf) {
		const char *text = (const char *)(uintptr_t)attr.log_buf;
		int again = bpf(BPF_PROG_LOAD, &attr);
		size_t len = strnlen(text, LOG_MAX - 1);

		if (again >= 0)
			close(again);
		strncpy(log, text + (len >= size ? len - size + 1 : 0), size - 1);
		log[size - 1] = 0;
		free((void *)(uintptr_t)attr.log_buf);
	}
	return fd;
}

int sys_program_run(int program)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = program;
	err = bpf(BPF_PROG_TEST_RUN, &attr);
	return err < 0 ? err : (int)attr.test.retval;
}

int sys_run(const struct code *code)
{
	const struct program_spec spec = {
		.name = "tracer_once", .type = BPF_PROG_TYPE_RAW_TRACEPOINT, .code = code};
	int fd = sys_program(&spec, NULL, 0), result;

	if (fd < 0)
		return fd;
	result = sys_program_run(fd);
	close(fd);
	return result;
}

int sys_program_misses(int program, uint64_t *misses)
{
	struct bpf_prog_info info;
	union bpf_attr attr;
	int err;

	memset(&info, 0, sizeof(info));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = program;
	attr.info.info_len = sizeof(info);
	attr.info.info = pointer(&info);
	err = bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
	*misses = err < 0 ? 0 : info.recursion_misses;
	return err;
}

int sys_attach(int program)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int sys_btf(const void *bytes, size_t n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = pointer(bytes);
	attr.btf_size = n;
	return bpf(BPF_BTF_LOAD, &attr);
}
