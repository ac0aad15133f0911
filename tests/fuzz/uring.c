/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The queues of an io_uring, whose memory the tracee writes. The input begins with the parameters
 * of the ring and the addresses of its mappings. The rest is the memory, at BASE. The memory
 * changes between reads, because another thread of a tracee could also change it.
 *
 * fuzz: -max_len=8192
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/memory.h"
#include "uring/ops.h"
#include "uring/ring.h"

#define BASE	 UINT64_C(0x10000)
#define ROUNDS	 4
#define CALL_MAX 4096u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	struct uring_params params;
	struct uring_maps maps;
	struct uring_layout layout;
};

struct changing {
	struct memory memory;
	uint8_t *bytes;
	size_t size;
	unsigned reads;
};

static unsigned taken;

static ssize_t read_some(struct memory *m, uint64_t addr, void *buf, size_t n)
{
	struct changing *c = container_of(m, struct changing, memory);

	if (addr < BASE || addr - BASE >= c->size)
		return -EFAULT;
	n = size_min(n, c->size - (addr - BASE));
	memcpy(buf, c->bytes + (addr - BASE), n);
	c->bytes[c->reads++ * 37 % c->size]++;
	return (ssize_t)n;
}

static const struct memory_ops ops = {.read_some = read_some};

static void take_sqe(void *ctx, uint32_t at, const struct uring_sqe *sqe)
{
	const struct uring_call call = uring_call_of(sqe);

	(void)ctx;
	(void)at;
	taken++;
	if (call.fixed_arg >= SYSCALL_ARGS_MAX || !uring_has_row(call.row))
		abort();
}

static void take_cqe(void *ctx, const struct uring_cqe *cqe)
{
	(void)ctx;
	(void)cqe;
	taken++;
}

static void use(struct uring_ring *r, struct memory *m)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint32_t max = CALL_MAX, head;

		taken = 0;
		if (uring_read_submissions(r, m, CALL_MAX, take_sqe, NULL) > CALL_MAX ||
		    taken > CALL_MAX)
			abort();
		taken = 0;
		uring_read_completions(r, m, &max, take_cqe, NULL);
		if (max > CALL_MAX || taken > CALL_MAX - max)
			abort();
		if (uring_read_head(r, m, &head) && r->sq_next - head > URING_SQ_MAX)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct changing c = {.memory.ops = &ops};
	struct uring_ring r;
	struct input in;

	if (size <= sizeof(in))
		return 0;
	memcpy(&in, data, offsetof(struct input, maps.sqpoll));
	in.maps.sqpoll = data[offsetof(struct input, maps.sqpoll)] & 1;
	memcpy(&in.layout, data + offsetof(struct input, layout), sizeof(in.layout));
	c.size = size - sizeof(in);
	c.bytes = malloc(c.size);
	memcpy(c.bytes, data + sizeof(in), c.size);
	if (!uring_ring_init(&r, &in.params, &in.maps))
		use(&r, &c.memory);
	if (!uring_ring_find(&r, &c.memory, &in.maps, &in.layout))
		use(&r, &c.memory);
	free(c.bytes);
	return 0;
}
