/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The libbpf functions that the engine uses. The library is loaded when the engine is created
 * (util/library.h).
 */
#ifndef TRACER_CAPTURE_BPF_LIBBPF_H
#define TRACER_CAPTURE_BPF_LIBBPF_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "util/library.h"

#define LIBBPF_FUNCTIONS(X)                                                                        \
	X(bpf_iter_create)                                                                         \
	X(bpf_link_create)                                                                         \
	X(bpf_map_create)                                                                          \
	X(bpf_map_delete_elem)                                                                     \
	X(bpf_map_get_next_key)                                                                    \
	X(bpf_map_lookup_elem)                                                                     \
	X(bpf_map_update_batch)                                                                    \
	X(bpf_map_update_elem)                                                                     \
	X(bpf_map__fd)                                                                             \
	X(bpf_map__set_autocreate)                                                                 \
	X(bpf_map__set_initial_value)                                                              \
	X(bpf_map__set_inner_map_fd)                                                               \
	X(bpf_map__set_max_entries)                                                                \
	X(bpf_obj_get_info_by_fd)                                                                  \
	X(bpf_object__close)                                                                       \
	X(bpf_object__find_map_by_name)                                                            \
	X(bpf_object__find_program_by_name)                                                        \
	X(bpf_object__load)                                                                        \
	X(bpf_object__next_program)                                                                \
	X(bpf_object__open_mem)                                                                    \
	X(bpf_prog_test_run_opts)                                                                  \
	X(bpf_program__fd)                                                                         \
	X(bpf_program__set_autoload)                                                               \
	X(bpf_program__set_flags)                                                                  \
	X(bpf_program__set_log_buf)                                                                \
	X(bpf_raw_tracepoint_open)                                                                 \
	X(libbpf_num_possible_cpus)                                                                \
	X(libbpf_set_print)

struct libbpf {
	LIBBPF_FUNCTIONS(LIBRARY_POINTER)
};

/*
 * Loads the library and finds its functions. Returns false, without printing a message, if the
 * library or one of the functions is missing.
 */
bool libbpf_load(struct libbpf *bpf);

#endif
