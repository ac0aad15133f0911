/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fake.h"

#include <linux/audit.h>
#include <string.h>
#include <unistd.h>

#include "event/words.h"
#include "linux/arch/abi.h"
#include "sinks/text/text_value.h"
#include "util/msg.h"

void fake_init(struct fake *f, uint64_t base, void *bytes, size_t size)
{
	*f = (struct fake){.config.string_limit = 32};
	f->bytes = bytes;
	f->rows = row_finder_create();
	chunks_init(&f->memory);
	f->memory.absent = -EFAULT;
	chunks_add(&f->memory, base, bytes, size);
	f->tcb.memory = &f->memory.memory;
	f->tcb.tid = f->tcb.tgid = getpid();
}

void fake_deinit(struct fake *f)
{
	syscall_forget(&f->tcb);
	row_finder_destroy(f->rows);
	chunks_deinit(&f->memory);
}

struct syscall_event *fake_enter(struct fake *f, const char *name, const uint64_t *args)
{
	struct syscall_event *ev;
	int row = syscall_desc_find(name);

	if (row < 0)
		die("no syscall %s", name);
	f->tcb.regs = (struct syscall_regs){.audit = AUDIT_ARCH_X86_64,
					    .nr = abi_number(&abis[ABI_X86_64], row)};
	memcpy(f->tcb.regs.args, args, sizeof(f->tcb.regs.args));
	syscall_finish(&f->tcb);
	ev = syscall_begin(&f->tcb, f->rows);
	syscall_decode_enter(&f->tcb, &f->config);
	return ev;
}

void fake_exit(struct fake *f, int64_t ret)
{
	f->tcb.regs.ret = ret;
	f->tcb.regs.is_error = ret < 0 && ret > -4096;
	syscall_end(&f->tcb);
	syscall_decode_exit(&f->tcb, &f->config);
}

/* Checks that an expression consists of the same words in JSON and in text output. */
static void same_in_words(const struct value *v, const char *text)
{
	struct strbuf words = {0};

	value_words(&words, v);
	if (strcmp(strbuf_str(&words), text))
		die("in words %s, as text %s", strbuf_str(&words), text);
	strbuf_deinit(&words);
}

const char *fake_text(struct fake *f, struct strbuf *out)
{
	static const struct text_config config;
	const struct syscall_event *ev = f->tcb.syscall;

	out->len = 0;
	for (unsigned i = 0; i < ev->base.nargs; i++) {
		const struct value *v =
			ev->base.args[i].out ? ev->base.args[i].out : ev->base.args[i].in;

		if (i)
			strbuf_puts(out, ", ");
		if (v) {
			size_t start = out->len;

			text_value(out, v, &config);
			if (v->kind == VALUE_EXPR)
				same_in_words(v, strbuf_str(out) + start);
		}
	}
	return strbuf_str(out);
}
