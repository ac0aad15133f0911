/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tamper/vdso.h"

#include <elf.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "linux/arch/arch.h"

/*
 * The kernel limits arguments and environment to 6 MiB (fs/exec.c), so the pointers to them take
 * less than that.
 */
#define VECTOR_MAX (6u << 20)
#define CHUNK	   4096u

/* The words of the new program's stack, read one after the other. */
struct words {
	struct memory *memory;
	uint64_t at, end; /* addresses: of the next word, and of the last one that may be read */
	unsigned size;	  /* bytes of a word: 4 or 8 */
	uint64_t from;	  /* where bytes were read from */
	size_t got;
	uint8_t bytes[CHUNK];
};

/* Reads the next word. Returns false where memory, or what may be read of it, ends. */
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

/* Reads on to the word after the next zero. */
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
 * Where the stack pointer of a new program points to, there are argc, argv, NULL, the environment,
 * NULL and the auxiliary vector, in words of the program's ABI. A program of x32 has registers of
 * 8 bytes and words of 4. It is recognised by argc, which does not need more than 4 bytes.
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
