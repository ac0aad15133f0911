/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes a syscall at entry and at exit, and writes it as text and as JSON. The syscall's
 * registers, memory and facts come from the fuzzer's input.
 */
#ifndef TRACER_TESTS_FUZZ_DECODING_H
#define TRACER_TESTS_FUZZ_DECODING_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/chunks.h"
#include "capture/facts.h"
#include "decode/core/plan_types.h"
#include "linux/arch/abi.h"
#include "linux/row_finder.h"
#include "linux/syscall_desc.h"
#include "sinks/registry.h"
#include "sinks/sink.h"
#include "sinks/text/text_config.h"
#include "syscall.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Address of the syscall's memory. It is small, so that the fuzzer finds it easily. */
#define DECODING_BASE 0x10000

struct decoding_call {
	uint8_t abi;	/* index in abis */
	uint8_t mode;	/* flags of enum decode_mode */
	uint8_t config; /* bits for -yy, -y, -Y, --decode-pids=pidns, verbose constants, -s 1024, -e
			   kvm=vcpu, and read plans */
	uint8_t fact;	/* index of the answer that decoding_ask() returns for all questions */
	uint64_t nr;
	uint64_t args[SYSCALL_ARGS_MAX];
	int64_t ret;
};

static uint8_t decoding_fact;

/* Answers every question with the answer that call->fact selects. */
static void decoding_ask(struct facts *f attr_unused, const struct fact_question *q attr_unused,
			 struct fact_answer *a)
{
	static const char *const texts[] = {
		"/a/file",
		"/a/file (deleted)",
		"socket:[7]",
		"NETLINK",
		"anon_inode:[pidfd]",
		"anon_inode:[eventfd]",
		"anon_inode:[signalfd]",
		"TCPv6",
		"anon_inode:kvm-vcpu:0",
		"nl80211",
		"",
		"17",
	};
	unsigned i = decoding_fact;

	if (i % 16 == 15) {
		a->error = -ENOENT;
		return;
	}
	for (unsigned n = 0; n < FACT_NUMBERS; n++)
		fact_add_number(a, (i / 16 + n) % 21);
	fact_set_bytes(a, texts[i % ARRAY_SIZE(texts)], strlen(texts[i % ARRAY_SIZE(texts)]));
}

static struct sink *decoding_sink(const char *format, const struct text_config *text)
{
	const struct sink_config config = {.path = "/dev/null", .text = text};

	return sink_format_find(format)->create(&config);
}

static void decoding_show(struct sink *sink, struct syscall_event *ev, bool at_exit)
{
	ev->base.kind = at_exit ? EVENT_SYSCALL : EVENT_ENTER;
	sink->ops->event(sink, &ev->base);
}

/* Decodes and writes a syscall whose memory contains the `size` bytes at `data`. */
static void decoding_run(const struct decoding_call *call, const uint8_t *data, size_t size)
{
	static const struct facts_ops ops = {.ask = decoding_ask};
	static struct facts facts = {.ops = &ops};
	static struct text_config text = {.path = "/dev/null", .column = 40};
	static struct sink *sinks[2];
	static struct row_finder *rows;
	static uint8_t *modes;
	const struct abi *abi = &abis[call->abi % ABI_COUNT];
	struct decode_config config = {
		.string_limit = call->config & 32 ? 1024 : 32,
		.fd_details = call->config & 1	 ? 0xff
			      : call->config & 2 ? 1
						 : 0,
		.pid_comm = call->config & 4,
		.pid_translate = call->config & 8,
		.kvm_exits = call->config & 64,
	};
	struct tcb tcb = {.tid = 1000, .tgid = 1000, .facts = &facts};
	struct syscall_event *ev;
	struct chunks memory;

	if (!rows) {
		rows = row_finder_create();
		modes = malloc(ABI_COUNT * syscall_desc_count);
		sinks[0] = decoding_sink("text", &text);
		sinks[1] = decoding_sink("json", &text);
	}
	memset(modes, call->mode & (DECODE_FULL | DECODE_NO_DEREF | DECODE_RAW),
	       ABI_COUNT * syscall_desc_count);
	text.const_style = call->config >> 4 & 1 ? CONST_VERBOSE : CONST_ABBREV;
	config.per_syscall = modes;
	config.plans = call->config & 128 ? plans_create() : NULL;
	decoding_fact = call->fact;
	chunks_init(&memory);
	memory.absent = call->fact & 1 ? -EFAULT : -ENODATA;
	chunks_add(&memory, DECODING_BASE, data, size);
	tcb.memory = &memory.memory;
	tcb.regs.audit = abi->audit;
	tcb.regs.nr = call->nr | abi->nr_mask;
	memcpy(tcb.regs.args, call->args, sizeof(tcb.regs.args));

	ev = syscall_begin(&tcb, rows);
	syscall_decode_enter(&tcb, &config);
	for (size_t i = 0; i < ARRAY_SIZE(sinks); i++)
		decoding_show(sinks[i], ev, false);
	tcb.regs.ret = call->ret;
	tcb.regs.is_error = call->ret < 0 && call->ret >= -4095;
	syscall_end(&tcb);
	syscall_decode_exit(&tcb, &config);
	for (size_t i = 0; i < ARRAY_SIZE(sinks); i++)
		decoding_show(sinks[i], ev, true);

	syscall_forget(&tcb);
	chunks_deinit(&memory);
	if (config.plans)
		plans_destroy(config.plans);
}

#endif
