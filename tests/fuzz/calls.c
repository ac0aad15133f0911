/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes any syscall with any registers and any memory. The input is an 8-byte header, 6 bytes for
 * each of the six arguments and for the result, and then the memory contents. An argument is either
 * a number or an address in that memory, possibly one past its end.
 *
 * fuzz: -max_len=4096
 */
#include "decoding.h"

#define HEAD   8
#define NUMBER 6
/* Larger than the syscall numbers of all ABIs and the call numbers of socketcall(2) and ipc(2). */
#define NUMBERS 600

static uint64_t number(const uint8_t *p, size_t size)
{
	uint32_t low;

	memcpy(&low, p + 2, sizeof(low));
	switch (p[0] % 8) {
	case 0:
		return low;
	case 1:
		return -(uint64_t)low;
	case 2:
		return (uint64_t)low << p[1] % 64;
	case 3:
		return low % 64;
	case 4:
		return DECODING_BASE + size - low % 64;
	default:
		return DECODING_BASE + (size ? low % size : 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t head = HEAD + (SYSCALL_ARGS_MAX + 1) * NUMBER;
	struct decoding_call call;
	uint16_t nr;

	if (size < head)
		return 0;
	size -= head;
	memcpy(&nr, data + 4, sizeof(nr));
	call = (struct decoding_call){.abi = data[0],
				      .mode = data[1],
				      .config = data[2],
				      .fact = data[3],
				      .nr = nr % NUMBERS};
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		call.args[i] = number(data + HEAD + i * NUMBER, size);
	call.ret = (int64_t)number(data + HEAD + SYSCALL_ARGS_MAX * NUMBER, size);
	decoding_run(&call, data + head, size);
	return 0;
}
