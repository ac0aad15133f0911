/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tamper/vdso.h"

#include <elf.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "linux/arch/arch.h"

/*
 * The kernel limits the size of arguments and environment to 6 MiB (fs/exec.c). The pointers to
 * them need less space.
 */
#define VECTOR_MAX (6u << 20)
#define CHUNK	   4096u

/* The position in the new program's stack, which is read word by word. */
struct words {
	struct memory *memory;
	uint64_t at, end; /* address of the next word, and the address at which reading ends */
	unsigned size;	  /* bytes per word: 4 or 8 */
	uint64_t from;	  /* address of the first byte in `bytes` */
	size_t got;
	uint8_t bytes[CHUNK];
};

/* Reads the next word. Returns false at the end of readable memory or at w->end. */
static bool next_word(struct words *w, uint64_t *word)
{
	uint32_t narrow;

	if (w->at >= w->end)
		return false;
	if (w->at < w->from || w->at + w->size > w->from + w->got) {
		ssize_t got = memory_read_some(w->memory, w->at, w->bytes, sizeof(w->bytes));

		if (got < (ssize_t)w->size)
			return false;
		w->from = w->at;
		w->got = (size_t)got;
	}
	if (w->size == sizeof(narrow)) {
		memcpy(&narrow, w->bytes + (w->at - w->from), sizeof(narrow));
		*word = narrow;
	} else {
		memcpy(word, w->bytes + (w->at - w->from), sizeof(*word));
	}
	w->at += w->size;
	return true;
}

/* Skips all words up to and including the next zero word. Returns false if there is none. */
static bool skip_list(struct words *w)
{
	uint64_t word;

	do {
		if (!next_word(w, &word))
			return false;
	} while (word);
	return true;
}

/*
 * Moves to the first element of argv. Returns false if the stack cannot be read. A new program's
 * stack contains argc, argv, NULL, the environment, NULL and the auxiliary vector, in words of the
 * program's ABI. An x32 program has 8-byte registers but 4-byte words. Such a program is recognized
 * by argc, which always fits into 4 bytes.
 */
static bool begin(struct words *w, const struct tcb *tcb)
{
	struct arch_regs regs;
	uint64_t argc;

	if (tcb_get_regs(tcb, &regs))
		return false;
	w->memory = tcb->memory;
	w->at = arch_word(&regs, regs.mode->column_at[regs.mode->sp]);
	w->end = w->at + VECTOR_MAX;
	w->size = regs.mode->word;
	if (w->end < w->at || !next_word(w, &argc))
		return false;
	if (w->size == sizeof(uint64_t) && argc >> 32) {
		w->size = sizeof(uint32_t);
		w->at -= sizeof(uint32_t);
	}
	return true;
}

bool vdso_hide(struct tcb *tcb)
{
	const uint64_t ignore = AT_IGNORE;
	struct words w = {0};
	uint64_t type, value, at;

	if (!begin(&w, tcb) || !skip_list(&w) || !skip_list(&w))
		return false;
	for (;;) {
		at = w.at;
		if (!next_word(&w, &type))
			return false;
		if (type == AT_NULL)
			return true;
		if (type == AT_SYSINFO_EHDR)
			return tcb_write(tcb, at, &ignore, w.size) == (ssize_t)w.size;
		if (!next_word(&w, &value))
			return false;
	}
}
