/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The raw stacks of a trace (--record-stacks=raw): stacks that are recorded as registers and stack
 * memory, and walked when the trace is read. The registers, the memory and the mappings at the
 * reported stop have the same interfaces as those of a live thread, so the same code walks both
 * kinds of stacks.
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
	struct table mappings; /* all mappings of the tables, without duplicates; indexed by hash */
	struct table tables;   /* the values are struct map_table, indexed by table number */
	struct table images;   /* the values are struct strbuf, indexed by module number */
	/* for each tid, the struct raw_image of the thread's last stop in the current block */
	struct table threads;
	struct table code; /* code recorded in the current block, indexed by process and address */
	struct table last; /* for each tgid, the value of last_table() at the process's last stop */
	VEC(struct played_perf_map) perf_maps;
	size_t count; /* total number of tables, of mappings in them, and of images */
	/*
	 * Approximate memory usage in bytes. `kept` is for data that is valid until a FORGET
	 * record, kept_in_block for data that is valid until the end of the block, perf_map_bytes
	 * for perf maps, and `listed` for the tables that higher layers keep for processes.
	 */
	size_t kept, kept_in_block, perf_map_bytes, listed;
	/* True if the following members describe the reported stop. */
	bool has;
	int error; /* -errno if the registers could not be read during recording, otherwise 0 */
	uint32_t number;	       /* number of `table` in the trace */
	const struct map_table *table; /* the mappings at the stop; NULL if unknown */
	struct raw_image *image;
	/* the registers in `image` whose values are in the record of the stop */
	struct raw_implied_regs implied;
	pid_t tgid; /* the reported id of the thread's process */
	/* The mapping whose file was last used to read code, and a descriptor of this file. */
	const struct mapping *open;
	int fd;
};

/* A process's perf map as text, in an anonymous file. */
struct played_perf_map {
	pid_t tgid;
	int fd;
	size_t bytes; /* size of the data in the file, in bytes */
};

/* Returns the approximate memory usage in bytes. */
static inline size_t played_raw_size(const struct played_raw *r)
{
	return r->kept + r->kept_in_block + r->perf_map_bytes + r->listed;
}

/* Initializes *r, and makes `stacks` open perf maps through r. chunks and stacks must outlive r. */
void played_raw_init(struct played_raw *r, struct memory *chunks, struct played_stacks *stacks);
void played_raw_deinit(struct played_raw *r);
/*
 * Frees all data that a FORGET record invalidates. Must be called together with
 * played_stacks_clear().
 */
void played_raw_clear(struct played_raw *r);
/*
 * Must be called when another block begins. Invalidates the last stacks of threads and the recorded
 * code, because both are valid only within a block.
 */
void played_raw_block(struct played_raw *r);
/* Must be called before the next stop is reported. */
static inline void played_raw_next(struct played_raw *r)
{
	r->has = false;
}

/*
 * These functions read the contents of records. `in` is positioned after the length of the record.
 * `base` is added to process ids.
 */
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
 * Returns true if the executable mappings of the process have changed since the process's last
 * stop. Each change is reported only once.
 */
bool played_raw_map_changed(struct played_raw *r, pid_t tgid);
/* Must be called when the process has ended. */
void played_raw_exited(struct played_raw *r, pid_t tgid);
/* Implements tcb_get_regs(). */
int played_raw_regs(const struct played_raw *r, struct arch_regs *regs);

#endif
