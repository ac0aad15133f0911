/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Limits the memory for data from tracees' files, and the time for reading the data. A tracee
 * determines which files it maps. These files can be sparse and larger than memory, and there can
 * be thousands of them. All caches of an unwinder share one budget.
 *
 * Memory: a cache asks the budget before it grows. The bytes for a file are charged to that file
 * (elf_file_charge()). When the budget is nearly used up, the unwinder drops all cached data of
 * files. The data is read again when needed.
 *
 * Time: reading new data uses up a time allowance. Each captured stack adds 5 ms to the allowance.
 * At first, the allowance is full, so that the files that a program loads at its start are read
 * without delay.
 */
#ifndef TRACER_STACK_FILES_BUDGET_H
#define TRACER_STACK_FILES_BUDGET_H

#include "defs.h"

#define BUDGET_BYTES	  (256u << 20)
#define BUDGET_FILE_BYTES (128u << 20) /* limit for one file, in bytes */

/*
 * A budget for reading tracees' files. budget_begin(), budget_end(), budget_expired() and
 * budget_has_room() accept NULL as a budget without limits.
 */
struct budget {
	uint64_t bytes;	     /* bytes in use */
	int64_t ns;	     /* time left in the allowance, in ns */
	uint64_t began;	     /* start of the current read, in ns of CLOCK_MONOTONIC */
	uint64_t read_limit; /* time limit for the current read, in ns */
	unsigned depth;	     /* nesting depth of budget_begin() */
};

void budget_init(struct budget *b);
/* Adds time to the allowance. Must be called once for each captured stack. */
void budget_credit(struct budget *b);
/*
 * Starts a read of new data; budget_end() ends it. Returns false if no time is left. In this case,
 * the caller must neither read the data nor call budget_end().
 */
bool budget_begin(struct budget *b) attr_must_check;
void budget_end(struct budget *b);
/*
 * Returns true if the current read has used up its time and must stop. A call is cheap, because the
 * C library reads the clock through the vdso.
 */
bool budget_expired(const struct budget *b);
/* Returns true if the budget allows `bytes` more bytes. */
bool budget_has_room(const struct budget *b, uint64_t bytes);

#endif
