/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A fake tracee for tests of decoders: one thread that makes one syscall, with memory supplied by
 * the test.
 */
#ifndef TRACER_TESTS_UNIT_FAKE_H
#define TRACER_TESTS_UNIT_FAKE_H

#include "decode/core/config.h"
#include "linux/row_finder.h"
#include "syscall.h"
#include "capture/chunks.h"
#include "capture/capture.h"
#include "util/strbuf.h"

struct fake {
	struct tcb tcb;
	struct decode_config config;
	struct row_finder *rows;
	struct chunks memory;
	uint8_t *bytes; /* contents of the memory */
};

/*
 * Initializes f. Its memory has `size` bytes, starting at the address `base`. All other addresses
 * are unreadable.
 */
void fake_init(struct fake *f, uint64_t base, void *bytes, size_t size);
void fake_deinit(struct fake *f);

/* Enters the x86_64 syscall `name` with the arguments `args`, and decodes it at entry. */
struct syscall_event *fake_enter(struct fake *f, const char *name, const uint64_t *args);
/* Ends the syscall with the result `ret` (-errno on failure), and decodes it at exit. */
void fake_exit(struct fake *f, int64_t ret);
/* Returns the syscall's arguments as the text output shows them, for example "3, \"abc\", 3". */
const char *fake_text(struct fake *f, struct strbuf *out);

#endif
