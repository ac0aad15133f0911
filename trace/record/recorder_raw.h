/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks recorded with --record-stacks=raw: registers, stack memory, and everything else needed to
 * walk them later. That is the mappings of code, images of code without a file, and perf maps.
 * Nothing is walked while recording.
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

/* The number of threads whose last stack is kept. */
#define RAW_SLOTS 64

/* The last stack of a thread. It is valid only in the block whose number is block - 1. */
struct raw_slot {
	pid_t tid;
	uint64_t block;
	struct raw_image image;
};

/* A process's perf map. It is read further as it grows. */
struct raw_perf_map {
	pid_t tgid;
	int fd;	       /* -1 if the file was not found so far */
	uint64_t read; /* number of bytes read so far */
};

/* Set all members except limit, files and book to 0. */
struct raw_book {
	size_t limit;		   /* maximum number of stack bytes to record; a multiple of 8 */
	struct file_source *files; /* borrowed; opens perf maps */
	struct stack_book *book;   /* numbers of modules and maps; borrowed */
	struct raw_slot slots[RAW_SLOTS];
	bool taken; /* a stack is ready to be written: now, tid and number describe it */
	pid_t tid;
	int error; /* -errno if reading the registers failed, else 0 */
	struct raw_image now;
	uint64_t block;	   /* number of the block that `code` belongs to, plus one */
	struct table code; /* code written in that block, by process and address */
	uint64_t table;	   /* id of the last written table */
	/* An image that is written only when a stack contains an address in its code. */
	struct raw_waiting_image {
		uint32_t number; /* number of its module; 0 if there is no such image */
		uint64_t start;	 /* its start in the table `table`; 0 if it is not mapped there */
		size_t size;	 /* its size in bytes */
		uint64_t code, after; /* start and end of its code, relative to its start */
	} waiting;
	uint32_t number; /* number in records of the mappings with the id `table` */
	struct strbuf scratch;
	VEC(struct raw_perf_map) perf_maps;
};

void raw_book_deinit(struct raw_book *b);
/*
 * Forgets what was written, so that it is written again. Must be called together with
 * stack_book_forget().
 */
void raw_book_forget(struct raw_book *b);

/* A stop whose stack is recorded. Everything is borrowed. */
struct raw_stop {
	struct tcb *tcb;
	struct memory *memory; /* live memory of the thread */
	struct unwinder *unwinder;
	const struct map_table *maps; /* all executable mappings */
	uint64_t block;		      /* number of the block that will contain the stop */
	uint64_t bottom; /* the high end of the thread's stack, where its first function started; 0
			    if unknown */
};
/*
 * Copies the registers and the stack of a stopped thread, and appends records of everything else
 * that is needed to walk it.
 */
void raw_book_take(struct raw_book *b, struct strbuf *out, const struct raw_stop *stop);
/* Returns the maximum size of the record that raw_book_put() will write; 0 if there is none. */
size_t raw_book_size(const struct raw_book *b);
/* Appends the record with the copied stack to the block with this number, for `stop`. */
void raw_book_put(struct raw_book *b, struct strbuf *out, uint64_t block, const struct stop *stop);
/* Must be called when a process has ended, because its id may be reused. */
void raw_book_process_ended(struct raw_book *b, pid_t tgid);

#endif
