/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Provides the data that a stack walk needs in addition to the stack memory: the registers, and the
 * mappings at the time of the record.
 */
#include <string.h>

#include "capture/bpf/engine_state.h"
#include "capture/bpf/mmaps.h"
#include "capture/bpf/privilege.h"
#include "capture/bpf/records.h"
#include "capture/bpf/spaces.h"
#include "capture/bpf/stack_parts.h"
#include "linux/arch/arch.h"
#include "util/msg.h"

/*
 * Returns a mask of the address bits that are not part of a pointer signature, see address_mask in
 * struct capture. The kernel reports this mask only for stopped threads. The result is therefore
 * derived from the address of our own stack, which is in the upper half of the address range.
 */
static uint64_t address_mask(void)
{
	const uintptr_t high = (uintptr_t)__builtin_frame_address(0);

	return arch_native->signature_set ? UINT64_MAX >> __builtin_clzll(high) : 0;
}

bool bpf_engine_open_stacks(struct bpf_engine *e)
{
	e->mmaps = mmaps_open(kernel_cpus(e->kernel));
	if (!e->mmaps) {
		privilege_explain_perf(errno, "reports mappings for stacks");
		return false;
	}
	e->parts = stack_parts_create(kernel_buffers(e->kernel));
	e->capture.address_mask = address_mask();
	e->live_maps = e->capture.maps;
	e->spaces = spaces_create(e->live_maps, e->mmaps, &e->threads);
	stream_files_init(&e->files, e->capture.files, &e->threads);
	image_init(&e->image, &e->memory, e->spaces, &e->files.source, e->live_maps, &e->late);
	e->image.sleeper.procfs = e->capture.procfs;
	e->capture.maps = spaces_source(e->spaces);
	e->capture.files = &e->files.source;
	return true;
}

void bpf_engine_close_stacks(struct bpf_engine *e)
{
	unsigned unknown;

	if (!e->mmaps)
		return;
	unknown = spaces_unknown(e->spaces);
	if (unknown)
		msg("--engine=bpf: the mappings of %u process%s were temporarily unknown, so some "
		    "stacks may end too early",
		    unknown, unknown == 1 ? "" : "es");
	e->capture.maps = e->live_maps;
	e->capture.files = e->files.live;
	image_deinit(&e->image);
	spaces_destroy(e->spaces);
	stack_parts_destroy(e->parts);
	mmaps_close(e->mmaps);
	e->mmaps = NULL;
}

void bpf_engine_read_mapped(struct bpf_engine *e, uint64_t now)
{
	if (e->mmaps)
		mmaps_refill(e->mmaps, now);
}

void bpf_engine_apply_mapped(struct bpf_engine *e, uint64_t time)
{
	struct mmap_event event;

	while (mmaps_next(e->mmaps, time, &event)) {
		switch (event.kind) {
		case MMAP_MAPPED:
			spaces_map(e->spaces, event.tgid, event.time, &event.mapping, event.late);
			break;
		case MMAP_EXEC:
			spaces_exec(e->spaces, event.tgid, event.late);
			break;
		case MMAP_LOST:
			spaces_invalidate(e->spaces);
			break;
		}
	}
	spaces_advance(e->spaces, time);
}

int bpf_engine_get_regs(const struct tcb *tcb, struct arch_regs *regs)
{
	const struct bpf_engine *e = bpf_engine_of(tcb->capture);

	if (!e->regs || e->image.tid != tcb->tid)
		return e->old_call ? -ENOENT : -ENODATA;
	if (!arch_regs_of_kernel(regs, e->regs + 1, (size_t)e->regs->size))
		return -EINVAL;
	/* On some machines, struct pt_regs does not contain the thread pointer. */
	if (e->image.sleeper.area)
		arch_set_thread_pointer(regs, e->image.sleeper.area);
	return 0;
}
