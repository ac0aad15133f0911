/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Trace files. Input that begins like a trace is read unchanged. Other input is split at each byte
 * sequence 0xff 0x00. Each part becomes the body of a block with a correct checksum, so that the
 * fuzzer reaches the records. If the size of such input is odd, the first part becomes a STATE
 * block. If the size of the resulting file is odd, reading begins at the time 1 ns. All events are
 * decoded in full, as with --read-trace -v -yy -Y.
 *
 * fuzz: -max_len=4096
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "trace/format/block.h"
#include "trace/play/player.h"
#include "trace/play/trace.h"
#include "decode/core/config.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "linux/row_finder.h"
#include "stack/stack.h"
#include "syscall.h"
#include "util/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct row_finder *rows;
static struct decode_config config = {.string_limit = 64,
				      .fd_details = UINT_MAX,
				      .pid_comm = true,
				      .pid_translate = true,
				      .kvm_exits = true,
				      .namespaces = true};

static void begin(void)
{
	size_t n = (size_t)ABI_COUNT * syscall_desc_count;
	uint8_t *full = mem_alloc(n);

	memset(full, DECODE_FULL, n);
	config.per_syscall = full;
	rows = row_finder_create();
}

static void decode(const struct stop *stop)
{
	struct tcb *tcb = stop->tcb;
	struct arena arena = {0};

	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		syscall_finish(tcb);
		if (stop->unknown)
			break;
		syscall_begin(tcb, rows);
		syscall_decode_enter(tcb, &config);
		break;
	case STOP_SYSCALL_EXIT:
		if (!syscall_is_running(tcb->syscall))
			break;
		syscall_end(tcb);
		syscall_decode_exit(tcb, &config);
		syscall_finish(tcb);
		break;
	case STOP_SIGNAL:
		if (stop->has_info)
			syscall_decode_siginfo(tcb, &config, &arena, &stop->info);
		arena_reset(&arena);
		break;
	case STOP_EXITED:
	case STOP_VANISHED:
		syscall_forget(tcb);
		break;
	default:
		break;
	}
}

static void play(struct trace *t, int64_t from)
{
	struct capture *c =
		player_create(t, &(struct player_config){.from = from, .to = INT64_MAX});
	struct stop stop;

	for (;;) {
		const struct recorded_stack *stack;
		struct arch_regs regs;
		char text[64];

		capture_wait(c, &stop, NULL);
		if (stop.kind == STOP_NONE)
			break;
		if (!stop.tcb)
			continue;
		stack = c->ops->stack ? c->ops->stack(stop.tcb) : NULL;
		if (!c->ops->stack && !tcb_get_regs(stop.tcb, &regs))
			(void)memory_read_string(stop.tcb->memory, regs.align, text, sizeof(text));
		for (size_t i = 0; stack && i < stack->n; i++)
			if (!stack->frames[i].mapping)
				abort();
		decode(&stop);
	}
	while (capture_count(c)) {
		struct tcb *tcb = capture_next(c, NULL, NEWEST_FIRST);

		syscall_forget(tcb);
		capture_detach(tcb);
	}
	capture_destroy(c);
}

static void pack(struct strbuf *file, const uint8_t *data, size_t size)
{
	struct block_packer *p = block_packer_create();
	struct block_header h = {.kind = size & 1 ? BLOCK_STATE : BLOCK_EVENTS};

	while (size) {
		size_t n = 0;

		while (n + 1 < size && !(data[n] == 0xff && !data[n + 1]))
			n++;
		n = n + 1 < size ? n : size;
		block_pack(p, file, &h, data, n);
		h.sequence += n;
		h.kind = BLOCK_EVENTS;
		n = size_min(n + 2, size);
		data += n;
		size -= n;
	}
	block_packer_destroy(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf file = {0};
	struct trace *t;

	if (!rows)
		begin();
	if (size < BLOCK_MAGIC_SIZE || memcmp(data, BLOCK_MAGIC, BLOCK_MAGIC_SIZE)) {
		pack(&file, data, size);
		data = (const uint8_t *)file.data;
		size = file.len;
	}
	t = trace_of_bytes("input", data, size);
	if (t) {
		/* The time 1 lets the player seek, if a STATE block allows it. */
		play(t, size & 1);
		trace_close(t);
	}
	strbuf_deinit(&file);
	return 0;
}
