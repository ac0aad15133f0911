/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Input for the namer process. The input is either an 8-byte address followed by an ELF file with
 * debugging information, or a mangled name that begins with "_". For an ELF file, the namer must
 * also decompress the sections. A crash of the namer process is not an error, because this process
 * exists to contain crashes. The test checks that tracer itself is not harmed and does not wait
 * forever.
 *
 * fuzz: -max_len=8192 -detect_leaks=0
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stack/namer/namer.h"
#include "util/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demangle(struct namer *n, struct namer_file *f, const uint8_t *data, size_t size)
{
	char *name = strndup((const char *)data, size);
	struct strbuf nice = {0};

	if (namer_demangle(n, f, name, &nice) == NAMER_OK && nice.len > NAMER_NAME_MAX)
		abort();
	strbuf_deinit(&nice);
	free(name);
}

static void ask(struct namer *n, struct namer_file *f, uint64_t addr, int fd, size_t size)
{
	struct namer_location p;
	size_t unpacked, places = 0;
	uint8_t *part;

	if (namer_open(n, f, fd, -1, size) == NAMER_OK && namer_lines(n, f, addr) == NAMER_OK)
		while (namer_next_location(n, &p))
			places += p.symbol_len + p.file_len;
	if (places > NAMER_REPLY_MAX)
		abort();
	for (unsigned i = 1; i < 4; i++) {
		namer_unpack(n, f, fd, NAMER_SECTION, i, 0, 1 << 20, &part, &unpacked);
		free(part);
	}
	namer_unpack(n, f, fd, NAMER_XZ, addr % 4096, size, 1 << 20, &part, &unpacked);
	free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct namer *n;
	struct namer_file f = {0};
	uint64_t addr;
	int fd;

	if (size <= sizeof(addr))
		return 0;
	if (!n)
		n = namer_create();
	if (data[0] == '_') {
		demangle(n, &f, data, size);
	} else {
		memcpy(&addr, data, sizeof(addr));
		fd = memfd_create("input", MFD_CLOEXEC);
		if (fd < 0 || write(fd, data + sizeof(addr), size - sizeof(addr)) < 0)
			abort();
		ask(n, &f, addr, fd, size);
		close(fd);
	}
	namer_close(n, &f);
	/* After too many crashes, the namer is not restarted. */
	if (f.failed || !namer_may_start(n)) {
		namer_destroy(n);
		n = NULL;
	}
	return 0;
}
