/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/fd_root.h"

#include <unistd.h>

#include "capture/bpf/sys.h"

/* A program to be run once that puts the root directory of the current thread into a map. */
static int make(struct code *c, const struct fd_offsets *o, int map)
{
	code_call(c, HELPER_CURRENT_TASK);
	code_mov(c, R9, R0);
	code_map_value(c, R6, map, 0);
	maker_read_pointer(c, AT_KEY, R9, o->fs);
	code_load(c, SIZE_8, R9, FP, AT_KEY);
	maker_read_pointer(c, AT_KEY, R9, o->root_mnt);
	code_load(c, SIZE_8, R1, FP, AT_KEY);
	code_store(c, SIZE_8, R6, offsetof(struct fd_root, mnt), R1);
	maker_read_pointer(c, AT_KEY, R9, o->root_dentry);
	code_load(c, SIZE_8, R1, FP, AT_KEY);
	code_store(c, SIZE_8, R6, offsetof(struct fd_root, dentry), R1);
	code_return(c, 0);
	return code_link(c);
}

static int run(const struct fd_offsets *o, int map)
{
	struct code code = {0};
	int err = make(&code, o, map);

	if (!err)
		err = sys_run(&code);
	code_deinit(&code);
	return err;
}

int fd_root_find(const struct fd_offsets *o, struct fd_root *root)
{
	const struct map_spec spec = {.name = "tracer_root",
				      .type = BPF_MAP_TYPE_ARRAY,
				      .key_size = sizeof(uint32_t),
				      .value_size = sizeof(*root),
				      .entries = 1};
	const uint32_t key = 0;
	int map = sys_map(&spec), err;

	if (map < 0)
		return map;
	err = run(o, map);
	if (!err)
		err = sys_map_lookup(map, &key, root);
	close(map);
	return err;
}
