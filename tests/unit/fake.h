/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A fake tracee for tests of decoding: one thread that makes one syscall, with memory supplied by
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
	uint8_t *bytes; /* the contents of the memory */
};

/* The fake memory covers `size` bytes from `base` on. All other addresses are unreadable. */
void fake_init(struct fake *f, uint64_t base, void *bytes, size_t size);
void fake_deinit(struct fake *f);

/* Enters the x86_64 syscall `name` with args and decodes the entry. */
struct syscall_event *fake_enter(struct fake *f, const char *name, const uint64_t *args);
/* Ends the syscall with the result `ret` (an error if it is -errno) and decodes the exit. */
void fake_exit(struct fake *f, int64_t ret);
/* The arguments of the syscall as the text output shows them: "3, \"abc\", 3". */
const char *fake_text(struct fake *f, struct strbuf *out);

#endif
