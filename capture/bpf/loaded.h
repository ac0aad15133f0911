/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The programs of capture/bpf/kernel and their maps, as the kernel has them: loaded by libbpf, and
 * attached to where they run.
 */
#ifndef TRACER_CAPTURE_BPF_LOADED_H
#define TRACER_CAPTURE_BPF_LOADED_H

#include "capture/bpf/libbpf.h"
#include "capture/bpf/records.h"

#define LOADED_PROGRAMS 10

struct loaded {
	struct libbpf bpf;
	struct bpf_object *object;
	struct setup setup;
	/* What each program has, and what keeps it attached: descriptors, or -1. */
	int programs[LOADED_PROGRAMS], links[LOADED_PROGRAMS];
	int events[LOADED_PROGRAMS]; /* the numbers of their events; 0: tracepoints are used */
};

/*
 * The compiled programs, the bytes of an ELF file: [1] where other threads may get the CPU while a
 * program runs; of these, [1] for all descriptors.
 */
extern const struct programs_object {
	const char *bytes, *end;
} programs_objects[2][2];

/* Loads libbpf. Returns false after one message. */
bool loaded_init(struct loaded *l);
/*
 * Opens the programs, for a setup that is completed here. Sizes of maps may be set then. Returns
 * false after one message.
 */
bool loaded_open(struct loaded *l, const struct setup *setup);
/* A descriptor of a thread, by which maps know it, or -errno. */
int loaded_pidfd(pid_t tid, pid_t tgid);
/* A map by the name that it has in the programs. */
struct bpf_map *loaded_map(const struct loaded *l, const char *name);
/*
 * Creates the maps and loads the programs. Returns false after one message, or, if *no_storage is
 * set then, without one: the kernel can keep nothing with threads.
 */
bool loaded_load(struct loaded *l, bool *no_storage);
/* Attaches those that are not attached yet. Returns 0 or -errno, and then none is attached. */
int loaded_attach(struct loaded *l);
void loaded_detach(struct loaded *l);
/* Detaches them, and has the entries written that wait for their returns. */
void loaded_finish(struct loaded *l);
/* Detaches and unloads; the programs may be opened again. */
void loaded_deinit(struct loaded *l);

/*
 * How many events may have been missed, at most, as the kernel did not run a program that was
 * running already on that CPU. Whether those were of traced threads is not known.
 */
uint64_t loaded_misses(const struct loaded *l);

#endif
