/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of a trace that were recorded as registers and bytes (--record-stacks=raw), as an engine
 * for live threads has them: registers, memory and mappings, so that they are walked as any others.
 * They are those of the stop that is reported.
 */
#ifndef TRACER_TRACE_PLAY_PLAYER_RAW_H
#define TRACER_TRACE_PLAY_PLAYER_RAW_H

#include "capture/memory.h"
#include "trace/play/player_stacks.h"
#include "trace/format/raw_coding.h"
#include "stack/files/map_source.h"

struct played_raw {
	struct memory memory;	      /* the memory to give to unwinders */
	struct map_source maps;	      /* the mappings to give to unwinders */
	struct memory *chunks;	      /* what else was recorded at the stop; borrowed */
	struct played_stacks *stacks; /* has modules and files; borrowed */
	struct table mappings;	      /* by hash: each that some table has, once */
	struct table tables;	      /* struct map_table by number */
	struct table images;	      /* by number of module: struct strbuf */
	struct table threads;	      /* by tid: struct raw_image of the last stop in the block */
	struct table code;	      /* by process and address: bytes in the block */
	struct table last;	      /* by tgid: struct last_table of the last stop, packed */
	VEC(struct played_perf_map) perf_maps;
	size_t count; /* of tables and images, and of what all tables have */
	/* Bytes of memory that is taken, about: until all is forgotten, until the block ends, by
	 * perf maps, and by the tables that the layers above have of processes. */
	size_t kept, kept_in_block, perf_map_bytes, listed;
	/* Of the stop that is reported. */
	bool has;
	int error; /* of registers that could not be read; 0: they were */
	uint32_t number;
	const struct map_table *table; /* NULL: not known */
	struct raw_image *image;
	struct raw_untold untold; /* registers of it that come with the stop */
	pid_t tgid;		  /* the thread's process, as it is reported */
	/* The file that code was read from last. */
	const struct mapping *open;
	int fd;
};

/* The text of a perf map, in a file without a name. */
struct played_perf_map {
	pid_t tgid;
	int fd;
	size_t bytes; /* of memory that it takes */
};

/* Bytes of memory that all takes, about. */
static inline size_t played_raw_size(const struct played_raw *r)
{
	return r->kept + r->kept_in_block + r->perf_map_bytes + r->listed;
}

/* Has stacks open perf maps as well; both must outlive r. */
void played_raw_init(struct played_raw *r, struct memory *chunks, struct played_stacks *stacks);
void played_raw_deinit(struct played_raw *r);
/* What played_stacks_clear() is called for holds for this as well. */
void played_raw_clear(struct played_raw *r);
/* Another block begins: what was known of threads in the one before is void. */
void played_raw_block(struct played_raw *r);
/* The stop that was reported is over. */
static inline void played_raw_next(struct played_raw *r)
{
	r->has = false;
}

/* Take what the records have behind their length; base is added to ids of processes. */
void played_raw_maps(struct played_raw *r, struct cursor *in);
void played_raw_image(struct played_raw *r, struct cursor *in);
void played_raw_perf_map(struct played_raw *r, struct cursor *in, pid_t base);
void played_raw_code(struct played_raw *r, struct cursor *in, pid_t base);
void played_raw_stack(struct played_raw *r, struct cursor *in, pid_t tid, pid_t tgid);

/* The stop that the stack belongs to. call is NULL if the stop is not one of a syscall. */
void played_raw_stop(struct played_raw *r, const struct syscall_regs *call);

/*
 * Whether the mappings of the process's code changed since its last stop. Returns true once per
 * change.
 */
bool played_raw_map_changed(struct played_raw *r, pid_t tgid);
/* The process has ended. */
void played_raw_exited(struct played_raw *r, pid_t tgid);
/* As tcb_get_regs(). */
int played_raw_regs(const struct played_raw *r, struct arch_regs *regs);

#endif
