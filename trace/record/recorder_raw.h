/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks as they are recorded with --record-stacks=raw: registers, bytes of the stack, and what is
 * needed to walk them when the trace is read: where code is mapped, images of code that is in no
 * file, and perf maps. Nothing is walked.
 */
#ifndef TRACER_TRACE_RECORD_RECORDER_RAW_H
#define TRACER_TRACE_RECORD_RECORDER_RAW_H

#include "trace/format/raw_coding.h"
#include "trace/record/recorder_stacks.h"

struct file_source;
struct map_table;
struct tcb;
struct memory;
struct stop;

/* So many threads are known by their last stack. */
#define RAW_SLOTS 64

/* The last stack of a thread; void in another block than the one with that number plus one. */
struct raw_slot {
	pid_t tid;
	uint64_t block;
	struct raw_image image;
};

/* The perf map of a process, which is read on as it grows. */
struct raw_perf_map {
	pid_t tgid;
	int fd;	       /* -1: there is none so far */
	uint64_t read; /* bytes */
};

/* {0} is empty, but for limit. */
struct raw_book {
	size_t limit;		   /* bytes of a stack, a multiple of 8 */
	struct file_source *files; /* borrowed; opens perf maps */
	struct stack_book *book;   /* numbers of modules and maps; borrowed */
	struct raw_slot slots[RAW_SLOTS];
	bool taken; /* now, tid and number are of the stop that is to be written */
	pid_t tid;
	int error; /* of registers that could not be read; 0: they were */
	struct raw_image now;
	uint64_t block;	   /* number of the block that code is of, plus one */
	struct table code; /* what was written of it in that block: process and address */
	uint64_t table;	   /* id of the table that was written last */
	/* An image that is written when a stack has an address in its code. */
	struct raw_waiting_image {
		uint32_t number;      /* of its module; 0: none waits */
		uint64_t start;	      /* where that table has it; 0: nowhere */
		size_t size;	      /* bytes of it */
		uint64_t code, after; /* its code begins and ends so far behind start */
	} waiting;
	uint32_t number; /* and its number */
	struct strbuf scratch;
	VEC(struct raw_perf_map) perf_maps;
};

void raw_book_deinit(struct raw_book *b);
/* All is to be written anew, as by stack_book_forget(), which is called as well. */
void raw_book_forget(struct raw_book *b);

/* A stop whose stack is recorded; all is borrowed. */
struct raw_stop {
	struct tcb *tcb;
	struct memory *memory; /* of the thread, as it is */
	struct unwinder *unwinder;
	const struct map_table *maps; /* all that is executable */
	uint64_t block;		      /* number of the block that the stop will be in */
	uint64_t bottom; /* the thread's stack ends there, away from its innermost frame; 0: unknown
			  */
};
/*
 * Takes registers and stack of a stopped thread, and appends the records of what else is needed to
 * walk it.
 */
void raw_book_take(struct raw_book *b, struct strbuf *out, const struct raw_stop *stop);
/* How many bytes the record of what was taken may have; 0: nothing was. */
size_t raw_book_size(const struct raw_book *b);
/* Appends the record of what was taken at that stop, in a block of that number. */
void raw_book_put(struct raw_book *b, struct strbuf *out, uint64_t block, const struct stop *stop);
/* The process has ended: its id may be used again. */
void raw_book_process_ended(struct raw_book *b, pid_t tgid);

#endif
