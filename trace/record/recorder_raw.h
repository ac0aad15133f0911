/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records raw stacks (--record-stacks=raw): the registers, the stack memory, and everything else
 * that is needed to walk the stacks later. This includes mappings of code, images of code that is
 * not in a file, and perf maps. Nothing is walked during recording.
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

/* The last stack of a thread. It is valid only in the block with the number `block` - 1. */
struct raw_slot {
	pid_t tid;
	uint64_t block;
	struct raw_image image;
};

/* The perf map of a process. The file is read again when it has grown. */
struct raw_perf_map {
	pid_t tgid;
	int fd;	       /* -1 if the file has not been found yet */
	uint64_t read; /* number of bytes read so far */
};

/* Initially, all members except limit, files and index must be 0. */
struct raw_writer {
	size_t limit;		   /* maximum number of stack bytes to record; a multiple of 8 */
	struct file_source *files; /* borrowed; opens perf maps */
	struct stack_index *index; /* assigns the numbers of modules and maps; borrowed */
	struct raw_slot slots[RAW_SLOTS];
	bool taken; /* true if the current stop's stack has been copied; `now`, tid and number
		       describe the copy */
	pid_t tid;
	int error; /* -errno if reading the registers failed, otherwise 0 */
	struct raw_image now;
	uint64_t block;	   /* number of the block that contains the code in `code`, plus one */
	struct table code; /* code written in that block, by process and address */
	uint64_t table;	   /* id of the map table that was written last */
	/*
	 * An image that has not been written yet, because no stack has contained an address in its
	 * code.
	 */
	struct raw_waiting_image {
		uint32_t number; /* number of the image's module; 0 if there is no such image */
		/*
		 * start address of the image in the map table `table`; 0 if that table does not
		 * contain the image
		 */
		uint64_t start;
		size_t size;	      /* size of the image in bytes */
		uint64_t code, after; /* offsets in the image at which its code begins and ends */
	} waiting;
	uint32_t number; /* number of the record that contains the mappings of `table` */
	struct strbuf scratch;
	VEC(struct raw_perf_map) perf_maps;
};

void raw_writer_deinit(struct raw_writer *b);
/*
 * Forgets which data has been written, so that the records of the next stops contain all their data
 * again. Must be called together with stack_index_forget().
 */
void raw_writer_forget(struct raw_writer *b);

/* A stop whose stack is recorded. All pointers are borrowed. */
struct raw_stop {
	struct tcb *tcb;
	struct memory *memory; /* the thread's live memory */
	struct unwinder *unwinder;
	const struct map_table *maps; /* all executable mappings */
	uint64_t block;		      /* number of the block that will contain the stop */
	uint64_t bottom; /* end (highest address) of the thread's stack, where its first function
			    started; 0 if unknown */
};
/*
 * Copies the registers and the stack of a stopped thread. Appends to *out the records of all other
 * data that is needed to walk this stack.
 */
void raw_writer_take(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop);
/*
 * Returns the maximum size in bytes of the record that raw_writer_put() will write, or 0 if it will
 * write none.
 */
size_t raw_writer_size(const struct raw_writer *b);
/*
 * Appends the record of the stack that was copied at `stop`. `block` is the number of the block to
 * which the record is appended.
 */
void raw_writer_put(struct raw_writer *b, struct strbuf *out, uint64_t block,
		    const struct stop *stop);
/* Must be called when a process has ended, because another process may get its id. */
void raw_writer_process_ended(struct raw_writer *b, pid_t tgid);

#endif
