/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A tracee that does not exist: memory made up by the test, one thread, one syscall. */
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
	uint8_t *bytes; /* what it holds */
};

/* Memory is size bytes from base on; the rest cannot be read. */
void fake_init(struct fake *f, uint64_t base, void *bytes, size_t size);
void fake_deinit(struct fake *f);

/* Enters syscall name of x86_64 with args; its values are those of the entry. */
struct syscall_event *fake_enter(struct fake *f, const char *name, const uint64_t *args);
/* Ends it with ret (-errno: an error). */
void fake_exit(struct fake *f, int64_t ret);
/* Its arguments, as the text output has them: "3, \"abc\", 3". */
const char *fake_text(struct fake *f, struct strbuf *out);

#endif
