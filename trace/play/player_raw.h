/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The raw stacks of a trace (--record-stacks=raw). The registers, the memory and the mappings at
 * the reported stop have the same interfaces as at a stop of a live thread, so the stacks of both
 * are walked in the same way.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_RAW_H
#define TRACER_TRACE_PLAY_PLAYER_RAW_H

#include "capture/memory.h"
#include "trace/play/player_stacks.h"
#include "trace/format/raw_coding.h"
#include "stack/files/map_source.h"

struct played_raw {
	struct memory memory;	      /* pass this to unwinders */
	struct map_source maps;	      /* pass this to unwinders */
	struct memory *chunks;	      /* other memory that was recorded for the stop; borrowed */
	struct played_stacks *stacks; /* provides modules and files; borrowed */
	struct table mappings;	      /* all mappings in the tables without duplicates, by hash */
	struct table tables;	      /* by number: a struct map_table */
	struct table images;	      /* by module number: a struct strbuf */
	struct table threads; /* by tid: the struct raw_image of the thread's last stop in the
				 current block */
	struct table code;    /* code recorded in the current block, by process and address */
	struct table last;    /* by tgid: the value of last_table() at the process's last stop */
	VEC(struct played_perf_map) perf_maps;
	size_t count; /* total number of tables, mappings in them, and images */
	/*
	 * Approximate memory usage in bytes. `kept`: data that is valid until a FORGET record.
	 * kept_in_block: data that is valid until the end of the block. perf_map_bytes: perf maps.
	 * `listed`: the processes' tables in the layers above.
	 */
	size_t kept, kept_in_block, perf_map_bytes, listed;
	/* The state of the reported stop. */
	bool has;
	int error;		       /* -errno if reading the registers failed during recording,
					  otherwise 0 */
	uint32_t number;	       /* number of `table` in the trace */
	const struct map_table *table; /* the mappings at the stop; NULL if unknown */
	struct raw_image *image;
	struct raw_implied_regs implied; /* the registers in `image` whose values are in the stop's
					    record */
	pid_t tgid;			 /* the reported id of the thread's process */
	/* The mapping from whose file code was read last, and the descriptor of this file. */
	const struct mapping *open;
	int fd;
};

/* A process's perf map as text, in an anonymous file. */
struct played_perf_map {
	pid_t tgid;
	int fd;
	size_t bytes; /* size of the file in memory, in bytes */
};

/* Returns the approximate memory usage in bytes. */
static inline size_t played_raw_size(const struct played_raw *r)
{
	return r->kept + r->kept_in_block + r->perf_map_bytes + r->listed;
}

/* Initializes r, and makes `stacks` open perf maps through it. chunks and stacks must outlive r. */
void played_raw_init(struct played_raw *r, struct memory *chunks, struct played_stacks *stacks);
void played_raw_deinit(struct played_raw *r);
/* Must be called together with played_stacks_clear(). */
void played_raw_clear(struct played_raw *r);
/*
 * To be called when another block begins. Invalidates the data about threads from the previous
 * block.
 */
void played_raw_block(struct played_raw *r);
/* To be called before the next stop is reported. */
static inline void played_raw_next(struct played_raw *r)
{
	r->has = false;
}

/* Read the contents of a record, after its length. base is added to process ids. */
void played_raw_maps(struct played_raw *r, struct cursor *in);
void played_raw_image(struct played_raw *r, struct cursor *in);
void played_raw_perf_map(struct played_raw *r, struct cursor *in, pid_t base);
void played_raw_code(struct played_raw *r, struct cursor *in, pid_t base);
void played_raw_stack(struct played_raw *r, struct cursor *in, pid_t tid, pid_t tgid);

/*
 * Sets the registers listed in r->implied from `call`, the registers in the record of the stop.
 * `call` is NULL if the stop is not the entry of a syscall.
 */
void played_raw_stop(struct played_raw *r, const struct syscall_regs *call);

/*
 * Returns true if the process's executable mappings have changed since its last stop. Each change
 * is reported only once.
 */
bool played_raw_map_changed(struct played_raw *r, pid_t tgid);
/* To be called when the process has ended. */
void played_raw_exited(struct played_raw *r, pid_t tgid);
/* Implements tcb_get_regs(). */
int played_raw_regs(const struct played_raw *r, struct arch_regs *regs);

#endif
