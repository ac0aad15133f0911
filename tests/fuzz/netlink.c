/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages to netlink sockets. The input is one byte each for the family, the mode and the options,
 * followed by the message data.
 *
 * fuzz: -max_len=2048
 */
#include "decoding.h"

#define FACT_NETLINK 3 /* index of "NETLINK" in decoding_ask() */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct decoding_call call = {0};

	if (size < 3)
		return 0;
	call.abi = data[1] & 8 ? ABI_I386 : ABI_X86_64;
	call.mode = data[1] & DECODE_FULL;
	call.config = data[2];
	/* The upper bits select the protocol of the netlink socket. */
	call.fact = (data[0] % 16) * 16 + FACT_NETLINK;
	data += 3;
	size -= 3;
	call.nr = abi_number(&abis[call.abi], ROW_sendto);
	call.args[0] = 3;
	call.args[1] = DECODING_BASE;
	call.args[2] = size;
	call.ret = (int64_t)size;
	decoding_run(&call, data, size);
	return 0;
}
