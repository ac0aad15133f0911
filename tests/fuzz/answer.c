/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replies with source locations, as from a namer process that a malicious file controls.
 *
 * fuzz: -max_len=512
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stack/namer/namer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/*
	 * Use a copy of exactly the size of the input, so that the sanitizer detects reads beyond
	 * its end.
	 */
	char *bytes = malloc(size + !size);
	struct namer_location p;
	unsigned sum = 0;
	size_t at = 0;

	memcpy(bytes, data, size);
	while (namer_parse_location(bytes, size, &at, &p)) {
		for (size_t i = 0; i < p.symbol_len; i++)
			sum += p.symbol[i];
		for (size_t i = 0; i < p.file_len; i++)
			sum += p.file[i];
	}
	free(bytes);
	return at > size || sum == UINT32_MAX ? -1 : 0;
}
