/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/counts.h"

#include <stdlib.h>
#include <string.h>

#include "capture/bpf/tables.h"
#include "capture/wants.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "util/mem.h"

unsigned counts_by(unsigned wanted)
{
	return (wanted & (WANTED_BY_PROCESS | WANTED_BY_PROGRAM) ? COUNT_BY_PROCESS : 0) |
	       (wanted & WANTED_BY_PROGRAM ? COUNT_BY_PROGRAM : 0) |
	       (wanted & WANTED_BY_THREAD ? COUNT_BY_THREAD : 0) |
	       (wanted & WANTED_BY_ERROR ? COUNT_BY_ERROR : 0) |
	       (wanted & WANTED_OCTAVES ? COUNT_OCTAVES : 0);
}

void counts_init(struct counts *c, const struct loaded *loaded, bool repeated)
{
	*c = (struct counts){.loaded = loaded};
	thread_counts_init(&c->threads, loaded, repeated);
	if (!loaded->setup.counts)
		return;
	c->cpus = loaded->bpf.libbpf_num_possible_cpus();
	c->of = mem_zalloc((size_t)c->cpus * sizeof(*c->of));
}

void counts_deinit(struct counts *c)
{
	free(c->of);
	thread_counts_deinit(&c->threads);
}

static void add(struct capture_counts *sum, const struct call_count *n)
{
	if (!n->calls)
		return;
	time_sum_add(&sum->wall, n->wall, !sum->calls);
	time_sum_add(&sum->cpu, n->cpu, !sum->calls);
	sum->calls += n->calls;
	sum->errors += n->errors;
	sum->bytes += n->bytes;
}

/*
 * Adds to *sum the counts of all CPUs for the entry `call` of the table of calls. Used if calls are
 * counted only by syscall number (setup.count_by is 0). Returns false if no calls of this entry
 * were counted.
 */
static bool read_call(struct counts *c, uint32_t call, struct capture_counts *sum)
{
	const struct loaded *l = c->loaded;

	if (l->bpf.bpf_map_lookup_elem(l->bpf.bpf_map__fd(loaded_map(l, "counts")), &call, c->of))
		return false;
	for (int cpu = 0; cpu < c->cpus; cpu++)
		add(sum, &c->of[cpu]);
	return sum->calls;
}

static bool next_key(struct counts *c, struct capture_counts *sum)
{
	const struct loaded *l = c->loaded;
	const int map = l->bpf.bpf_map__fd(loaded_map(l, "keyed_counts"));

	while (!l->bpf.bpf_map_get_next_key(map, c->has_key ? &c->key : NULL, &c->key)) {
		c->has_key = true;
		*sum = (struct capture_counts){.abi = c->key.call / CALLS_OF_ABI,
					       .nr = c->key.call % CALLS_OF_ABI,
					       .tgid = (pid_t)c->key.tgid,
					       .tid = (pid_t)c->key.tid,
					       .error = (int)c->key.error,
					       .execs = c->key.execs,
					       .octaves = c->keyed.octaves,
					       .noctaves = COUNT_OCTAVES_N};
		if (!l->bpf.bpf_map_lookup_elem(map, &c->key, &c->keyed) && c->keyed.sums.calls) {
			add(sum, &c->keyed.sums);
			return true;
		}
	}
	return false;
}

bool counts_next(struct counts *c, struct capture_counts *sum)
{
	if (loaded_counts_by_thread(c->loaded))
		return thread_counts_next(&c->threads, sum);
	if (c->loaded->setup.count_by)
		return next_key(c, sum);
	while (c->next < CALLS - 1) {
		const uint32_t i = c->next++, abi = i / CALLS_OF_ABI;

		*sum = (struct capture_counts){.abi = abi, .nr = i % CALLS_OF_ABI};
		if (abis[abi].arch == arch_native && read_call(c, i, sum))
			return true;
	}
	return false;
}
