/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loaded programs of capture/bpf/kernel and their maps, managed through libbpf. */
#ifndef TRACER_CAPTURE_BPF_LOADED_H
#define TRACER_CAPTURE_BPF_LOADED_H

#include "capture/bpf/libbpf.h"
#include "capture/bpf/records.h"

#define LOADED_PROGRAMS 10

struct loaded {
	struct libbpf bpf;
	struct bpf_object *object;
	struct setup setup;
	/* descriptors of the programs and of their attachments, or -1 */
	int programs[LOADED_PROGRAMS], links[LOADED_PROGRAMS];
	int events[LOADED_PROGRAMS]; /* numbers of their events; 0: tracepoints are used */
};

/*
 * The compiled programs, bytes of an ELF file. First index 1: for kernels where programs can be
 * preempted. Second index 1: for all descriptors.
 */
extern const struct programs_object {
	const char *bytes, *end;
} programs_objects[2][2];

/* Loads libbpf. Returns false after one message. */
bool loaded_init(struct loaded *l);
/*
 * Opens the programs, for a setup that is completed here. Sizes of maps may be set afterwards.
 * Returns false after one message.
 */
bool loaded_open(struct loaded *l, const struct setup *setup);
/* Returns a descriptor of a thread, the key in maps, or -errno. */
int loaded_pidfd(pid_t tid, pid_t tgid);
/* Returns a map by its name in the programs. */
struct bpf_map *loaded_map(const struct loaded *l, const char *name);
/*
 * Creates the maps and loads the programs. Returns false after one message or, if *no_storage is
 * set, without one: the kernel does not support task storage.
 */
bool loaded_load(struct loaded *l, bool *no_storage);
/* Attaches the programs that are not attached yet. Returns 0, or -errno after detaching them. */
int loaded_attach(struct loaded *l);
void loaded_detach(struct loaded *l);
/* Detaches them, and has the entries written that wait for their returns. */
void loaded_finish(struct loaded *l);
/* Detaches and unloads; the programs may be opened again. */
void loaded_deinit(struct loaded *l);

/*
 * Returns how many events may have been missed because a program was already running on that CPU.
 * Whether they belonged to traced threads is unknown.
 */
uint64_t loaded_misses(const struct loaded *l);

#endif
