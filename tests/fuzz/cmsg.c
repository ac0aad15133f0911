/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes a message with an address, a vector and control messages, as sent or as received. The
 * input is two bytes of options, a struct msghdr, and the data that its pointers refer to.
 *
 * fuzz: -max_len=2048
 */
#include <sys/socket.h>

#include "decoding.h"

/*
 * The input contains offsets instead of pointers. Converts an offset to a pointer into the memory.
 */
static void *inside(const void *offset, size_t size)
{
	return (void *)(DECODING_BASE + (uintptr_t)offset % size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct decoding_call call = {.abi = ABI_X86_64};
	struct msghdr *head;
	uint8_t *memory;

	if (size < 2 + sizeof(*head))
		return 0;
	call.mode = data[0] & DECODE_FULL;
	call.config = data[1];
	call.fact = data[0] >> 2;
	call.nr = abi_number(&abis[ABI_X86_64], data[0] & 2 ? ROW_recvmsg : ROW_sendmsg);
	data += 2;
	size -= 2;
	memory = malloc(size);
	memcpy(memory, data, size);
	head = (struct msghdr *)memory;
	head->msg_name = inside(head->msg_name, size);
	head->msg_iov = inside(head->msg_iov, size);
	head->msg_control = inside(head->msg_control, size);
	call.args[0] = 3;
	call.args[1] = DECODING_BASE;
	call.ret = 100;
	decoding_run(&call, memory, size);
	free(memory);
	return 0;
}
