/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads and attaches the BPF programs of capture/bpf/kernel and their maps, through libbpf. */
#ifndef TRACER_CAPTURE_BPF_LOADED_H
#define TRACER_CAPTURE_BPF_LOADED_H

#include "capture/bpf/libbpf.h"
#include "capture/bpf/map_values.h"
#include "util/strbuf.h"
#include "util/vec.h"

#define LOADED_PROGRAMS 19

struct loaded {
	struct libbpf bpf;
	struct bpf_object *object;
	struct setup setup;
	bool requests;	    /* load the programs for requests of io_urings */
	bool lists_threads; /* load the program for loaded_list_threads() */
	int refusal;	    /* if loaded_load() returns LOAD_NO_SCHED: the errno of the refusal */
	/* attachments of the program for page faults, one for each CPU that is online */
	VEC(int) faults;
	/* Descriptors of the programs and of their attachments. Unused elements are -1. */
	int programs[LOADED_PROGRAMS], links[LOADED_PROGRAMS];
	/*
	 * Ids of the tracefs events to which the programs are attached. For a raw tracepoint, the
	 * id is 0.
	 */
	int events[LOADED_PROGRAMS];
};

/*
 * The compiled programs, as the contents of ELF files. The first index is 1 for kernels on which
 * programs at tracepoints can be preempted. The second index is 1 for programs that record all
 * kinds of descriptors, and 0 for programs that record only sockets.
 */
extern const struct programs_object {
	const char *bytes, *end;
} programs_objects[2][2];

/* Loads libbpf. On failure, prints one message and returns false. */
bool loaded_init(struct loaded *l);
/*
 * Opens the programs with *setup, after filling in the machine-dependent members. The programs for
 * requests of io_urings are used only if `requests` is set. The sizes of maps may be set between
 * this call and loaded_load(). On failure, prints one message and returns false.
 */
bool loaded_open(struct loaded *l, const struct setup *setup, bool requests);
/*
 * Returns a pidfd of a thread, or -errno. The pidfd is the thread's key in the BPF map `threads`.
 */
int loaded_pidfd(pid_t tid, pid_t tgid);
/* Returns the map with this name. */
struct bpf_map *loaded_map(const struct loaded *l, const char *name);
enum load_result {
	LOAD_DONE,
	LOAD_FAILED,	 /* one message has been printed */
	LOAD_NO_STORAGE, /* the kernel does not support task storage */
	/*
	 * setup.sched or setup.wakers is set, and the kernel refuses the programs. It may accept
	 * the programs if neither is set. l->refusal is the errno.
	 */
	LOAD_NO_SCHED
};
/*
 * Creates the maps and loads the programs. If the result is neither LOAD_DONE nor LOAD_FAILED, the
 * caller may try again with other settings, after loaded_deinit() and loaded_open().
 */
enum load_result loaded_load(struct loaded *l);
/*
 * Attaches the programs that are not attached yet. Returns 0 on success. On failure, detaches all
 * programs and returns -errno.
 */
int loaded_attach(struct loaded *l);
void loaded_detach(struct loaded *l);
/*
 * Detaches the programs. If the record of a call's entry is pending on a CPU (not in the CPU's ring
 * yet), makes the CPU write this record.
 */
void loaded_finish(struct loaded *l);
/*
 * Adds the calls that are still running to the counts. May be called only if calls are counted, and
 * only once, after the programs were detached. Returns 0 or -errno.
 */
int loaded_count_running(const struct loaded *l);
/* Returns true if the map thread_counts is used instead of keyed_counts. */
bool loaded_counts_by_thread(const struct loaded *l);
/*
 * Replaces the contents of b with a struct thread_now for each traced thread. Needs
 * l->lists_threads. Returns 0 or -errno.
 */
int loaded_list_threads(const struct loaded *l, struct strbuf *b);
/*
 * Replaces the contents of b with a struct listed_count for each element of the map thread_counts.
 * May be called only if loaded_counts_by_thread() returns true. Returns 0 or -errno.
 */
int loaded_list_counts(const struct loaded *l, struct strbuf *b);
/* Detaches and unloads the programs. loaded_open() may be called again. */
void loaded_deinit(struct loaded *l);

/*
 * Returns an upper bound for the number of missed events. Events are missed because the kernel
 * skips a program that is already running on the same CPU. The count includes events of threads
 * that are not traced.
 */
uint64_t loaded_misses(const struct loaded *l);

#endif
