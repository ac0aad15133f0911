/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/namespace.h"

#include "decode/core/note.h"

/* The flags of clone(2) that create namespaces, from linux/sched.h. */
static const struct {
	uint64_t flag;
	const char *
		name; /* name in /proc/PID/ns; namespaces are shown in the order of these entries */
} namespaces[] = {
	{0x02000000, "cgroup"}, {0x08000000, "ipc"},  {0x00020000, "mnt"}, {0x40000000, "net"},
	{0x20000000, "pid"},	{0x00000080, "time"}, {0x04000000, "uts"}, {0x10000000, "user"},
};

#define CSIGNAL 0xff /* the bits of clone's flags that contain a signal (linux/sched.h) */

/*
 * Returns the namespaces that the call requests, as flags of clone(2). Sets *pid to the process
 * that enters them.
 */
static uint64_t flags_of(struct decoder *d, int *pid)
{
	uint64_t flags = 0;

	*pid = d->tid;
	switch (d->ev->row) {
	case ROW_unshare:
		return decode_arg_raw(d, 0);
	case ROW_setns:
		return (uint32_t)decode_arg_raw(d, 1);
	case ROW_clone:
		flags = decode_arg_raw(d, 0) & ~(uint64_t)CSIGNAL;
		break;
	case ROW_clone3:
		if (decode_read(d, decode_arg_raw(d, 0), &flags, sizeof(flags)) < 0)
			return 0;
		break;
	default:
		return 0;
	}
	*pid = (int)d->ev->base.ret;
	return flags;
}

void decode_namespaces(struct decoder *d)
{
	struct value *list = value_new(d->arena, VALUE_SEQ, 0);
	int pid;
	uint64_t flags = flags_of(d, &pid);

	for (size_t i = 0; flags && i < ARRAY_SIZE(namespaces); i++) {
		char link[64];

		if (!(flags & namespaces[i].flag) ||
		    !fact_namespace(d->facts, pid, namespaces[i].name, link, sizeof(link)))
			continue;
		value_add(list, value_plain(d->arena, arena_printf(d->arena, "%s", link)));
	}
	if (list->child)
		decode_note(d, list);
}
