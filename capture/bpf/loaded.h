/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The BPF programs of capture/bpf/kernel and their maps, which are loaded through libbpf. */
#ifndef TRACER_CAPTURE_BPF_LOADED_H
#define TRACER_CAPTURE_BPF_LOADED_H

#include "capture/bpf/libbpf.h"
#include "capture/bpf/records.h"

#define LOADED_PROGRAMS 10

struct loaded {
	struct libbpf bpf;
	struct bpf_object *object;
	struct setup setup;
	/* Descriptors of the programs and of their attachments, or -1. */
	int programs[LOADED_PROGRAMS], links[LOADED_PROGRAMS];
	/* Ids of the tracefs events that the programs are attached to; 0 for a raw tracepoint. */
	int events[LOADED_PROGRAMS];
};

/*
 * The compiled programs, as the bytes of ELF files. The first index is 1 for kernels on which
 * programs can be preempted. The second index is 1 for programs that record all kinds of
 * descriptors, and 0 for those that record only sockets.
 */
extern const struct programs_object {
	const char *bytes, *end;
} programs_objects[2][2];

/* Loads libbpf. Returns false after one message. */
bool loaded_init(struct loaded *l);
/*
 * Opens the programs with the given setup, and fills in its machine-dependent members. The sizes of
 * maps may be set between this call and loaded_load(). Returns false after one message.
 */
bool loaded_open(struct loaded *l, const struct setup *setup);
/* Returns a pidfd of a thread or -errno. The pidfd is the thread's key in maps. */
int loaded_pidfd(pid_t tid, pid_t tgid);
/* Returns the map with this name. */
struct bpf_map *loaded_map(const struct loaded *l, const char *name);
/*
 * Creates the maps and loads the programs. Returns false after one message on failure. If the
 * kernel does not support task storage, returns false without a message and sets *no_storage.
 */
bool loaded_load(struct loaded *l, bool *no_storage);
/*
 * Attaches the programs that are not attached yet. Returns 0. On failure, detaches all programs and
 * returns -errno.
 */
int loaded_attach(struct loaded *l);
void loaded_detach(struct loaded *l);
/* Detaches the programs, and makes each CPU write its pending entry. */
void loaded_finish(struct loaded *l);
/* Detaches and unloads the programs. They can be opened again. */
void loaded_deinit(struct loaded *l);

/*
 * Returns the number of events that may have been missed because a program was already running on
 * their CPU. The count includes events of threads that are not traced.
 */
uint64_t loaded_misses(const struct loaded *l);

#endif
