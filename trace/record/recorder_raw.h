/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks recorded with --record-stacks=raw: registers, stack memory, and everything else needed to
 * walk them later: mappings of code, images of code without a file, and perf maps. Nothing is
 * walked while recording.
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

/* Number of threads whose last stack is kept. */
#define RAW_SLOTS 64

/* The last stack of a thread; valid only in the block with that number plus one. */
struct raw_slot {
	pid_t tid;
	uint64_t block;
	struct raw_image image;
};

/* A process's perf map, which is read further as it grows. */
struct raw_perf_map {
	pid_t tgid;
	int fd;	       /* -1: not found so far */
	uint64_t read; /* bytes */
};

/* Initialise all but limit with 0. */
struct raw_book {
	size_t limit;		   /* maximum bytes of a stack, a multiple of 8 */
	struct file_source *files; /* borrowed; opens perf maps */
	struct stack_book *book;   /* numbers of modules and maps; borrowed */
	struct raw_slot slots[RAW_SLOTS];
	bool taken; /* there is a stack to write: now, tid and number belong to it */
	pid_t tid;
	int error; /* error of reading the registers; 0: none */
	struct raw_image now;
	uint64_t block;	   /* number of the block that `code` belongs to, plus one */
	struct table code; /* code written in that block, by process and address */
	uint64_t table;	   /* id of the last written table */
	/* An image that is written once a stack has an address in its code. */
	struct raw_waiting_image {
		uint32_t number;      /* number of its module; 0: none is held back */
		uint64_t start;	      /* its start in that table; 0: not mapped there */
		size_t size;	      /* its size in bytes */
		uint64_t code, after; /* start and end of its code, relative to start */
	} waiting;
	uint32_t number; /* and its number */
	struct strbuf scratch;
	VEC(struct raw_perf_map) perf_maps;
};

void raw_book_deinit(struct raw_book *b);
/* Forces everything to be written again; to be called with stack_book_forget(). */
void raw_book_forget(struct raw_book *b);

/* A stop whose stack is recorded; everything is borrowed. */
struct raw_stop {
	struct tcb *tcb;
	struct memory *memory; /* live memory of the thread */
	struct unwinder *unwinder;
	const struct map_table *maps; /* all that is executable */
	uint64_t block;		      /* number of the block that will contain the stop */
	uint64_t bottom; /* end of the thread's stack, opposite its innermost frame; 0: unknown */
};
/*
 * Copies registers and stack of a stopped thread, and appends records of everything else that is
 * needed to walk it.
 */
void raw_book_take(struct raw_book *b, struct strbuf *out, const struct raw_stop *stop);
/* Returns the maximum size of the record to write; 0: there is none. */
size_t raw_book_size(const struct raw_book *b);
/* Appends the record for that stop in the block with that number. */
void raw_book_put(struct raw_book *b, struct strbuf *out, uint64_t block, const struct stop *stop);
/* To be called when the process has ended: its id may be reused. */
void raw_book_process_ended(struct raw_book *b, pid_t tgid);

#endif
