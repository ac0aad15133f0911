/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/kernel.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/bpf/counts.h"
#include "capture/bpf/heap.h"
#include "capture/bpf/loaded.h"
#include "capture/bpf/order.h"
#include "capture/bpf/privilege.h"
#include "capture/bpf/tables.h"
#include "capture/wants.h"
#include "util/msg.h"

/* default limit in bytes for the buffers of all CPUs together */
#define BUFFERS_MAX (256u << 20)
/*
 * limit in bytes for one buffer if no stacks are recorded; large buffers delay the start, because
 * the kernel clears them then
 */
#define BUFFER_MAX    (16u << 20)
#define BUFFER_STACKS (32u << 20) /* limit in bytes for one buffer if stacks are recorded */
#define BUFFER_MIN    (1u << 20)
/*
 * Limits for the total size of the stores of all rings for calls (struct ring) if stacks are
 * recorded: a size in bytes, and a divisor of the machine's memory size. The smaller limit is used,
 * but at least BUFFERS_MAX.
 */
#define STORES_STACKS (1u << 30)
#define STORES_PART   8
#define BUFFER_EVENTS (512u << 10) /* size in bytes of the ring for everything except syscalls */
/*
 * Size in bytes of the ring for everything except syscalls if context switches are recorded in this
 * ring, too.
 */
#define BUFFER_SCHED (4u << 20)
/* maximum size in bytes of the memory to which the contents of an event ring are moved */
#define STORE_EVENTS  (16u << 20)
#define THREADS_BY_ID 65536 /* maximum number of threads in a map that is indexed by id */

struct kernel {
	struct kernel_config config;
	unsigned cpus;
	size_t buffer_size;
	size_t store_size; /* limit in bytes for the store of a ring (the memory to which the ring's
			      contents are moved when the ring fills up), see ring_open() */
	bool by_id; /* true if the state of threads is in a map that is indexed by their ids */
	enum wanted_sched sched;
	bool wakers; /* as in struct setup */
	int threads; /* the programs' map of threads */
	/* The struct scratch of each CPU, SCRATCH_STRIDE bytes apart; read-only. */
	const uint8_t *scratch;
	/* the rings of all buffers; each buffer has one for calls and one for everything else */
	struct ring *rings;
	struct order *order;
	struct loaded loaded;
	struct counts counts;
};

/* Time in nanoseconds after which a CPU's writes are certainly visible to all other CPUs. */
#define SETTLE_NS 10000
/*
 * A time in nanoseconds. kernel_settled() ignores a record that has been pending on its CPU for
 * longer than this time.
 */
#define WAIT_MAX_NS 20000000
/* Maximum number of attempts to read the time of a record while a CPU is about to set it. */
#define SINCE_TRIES 1000

_Static_assert(RECORD_GROUPS_MAX == CAPTURE_GROUPS_MAX, "records.h knows no other headers");
_Static_assert(sizeof(((struct scratch *)NULL)->record) + BPF_RINGBUF_HDR_SZ <= RING_RECORD_MAX,
	       "as ring.h says");

#define SCRATCH_STRIDE align_up(sizeof(struct scratch), 8)

static size_t round_to_power(size_t n)
{
	size_t power = BUFFER_MIN;

	while (power < n && power < 1u << 30)
		power *= 2;
	return power;
}

/*
 * Returns the size in bytes of each of `rings` rings: `most`, or less if all rings together would
 * exceed `all` bytes, but not less than BUFFER_MIN.
 */
static size_t ring_size(unsigned rings, size_t most, size_t all)
{
	size_t size = most;

	while (size > BUFFER_MIN && size * rings > all)
		size /= 2;
	return size;
}

/*
 * Returns the limit in bytes for the total size of the stores of all rings for calls. If stacks are
 * recorded, the limit is high, because stacks are large, and walking a stack takes longer than
 * recording it. Only memory that is needed is allocated.
 */
static size_t stores_max(const struct kernel *k)
{
	const size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);

	if (!k->config.stack_size)
		return BUFFERS_MAX;
	return size_max(size_min(STORES_STACKS, pages / STORES_PART * page), BUFFERS_MAX);
}

/*
 * Chooses the sizes of the rings and of their stores. A store is memory to which the contents of a
 * ring are moved when the ring fills up. If the user has set a size, rings have no store.
 */
static void choose_sizes(struct kernel *k)
{
	k->store_size = 0;
	if (k->config.buffer_size) {
		k->buffer_size = round_to_power(k->config.buffer_size);
		return;
	}
	k->buffer_size = ring_size(kernel_buffers(k),
				   k->config.stack_size ? BUFFER_STACKS : BUFFER_MAX, BUFFERS_MAX);
	k->store_size = ring_size(kernel_buffers(k), STORES_STACKS, stores_max(k));
}

/* -- maps ------------------------------------------------------------------- */

static int map_of(const struct kernel *k, const char *name)
{
	return k->loaded.bpf.bpf_map__fd(loaded_map(&k->loaded, name));
}

/* Maps `size` bytes of the memory of a BPF map. Returns NULL with errno set on failure. */
static void *share_map(const struct kernel *k, const char *name, size_t size, int protection)
{
	void *shared = mmap(NULL, size, protection, MAP_SHARED, map_of(k, name), 0);

	return shared == MAP_FAILED ? NULL : shared;
}

/* Copies `size` bytes to the start of a map. Returns 0 or -errno. */
static int fill_map(const struct kernel *k, const char *name, size_t size, const void *values)
{
	const size_t len = align_up(size, sysconf(_SC_PAGESIZE));
	void *shared = share_map(k, name, len, PROT_READ | PROT_WRITE);

	if (!shared)
		return -errno;
	memcpy(shared, values, size);
	munmap(shared, len);
	return 0;
}

static int fill_variants(const struct kernel *k, const struct tables *t)
{
	__u32 n = t->variants.n;

	if (!n)
		return 0;
	return k->loaded.bpf.bpf_map_update_batch(map_of(k, "variants"), t->keys.v, t->variants.v,
						  &n, NULL);
}

/*
 * For each buffer, creates the ring k->rings[2 * buffer + first]. Stores the descriptors of these
 * rings in `fds`. Returns 0 or -errno.
 */
static int open_rings(struct kernel *k, unsigned first, size_t size, size_t store, int *fds)
{
	for (unsigned buffer = 0; buffer < kernel_buffers(k); buffer++) {
		struct ring *ring = &k->rings[2 * buffer + first];
		int err;

		fds[buffer] = k->loaded.bpf.bpf_map_create(BPF_MAP_TYPE_RINGBUF, "tracer_ring", 0,
							   0, (__u32)size, NULL);
		if (fds[buffer] < 0)
			return fds[buffer];
		err = ring_open(ring, fds[buffer], size, store);
		ring->serial = !first;
		if (err)
			return err;
	}
	return 0;
}

/* Stores rings in a BPF map of rings. Returns 0 or -errno. */
static int fill_rings(const struct kernel *k, const char *name, const int *fds)
{
	int err = 0;

	for (unsigned buffer = 0; !err && buffer < kernel_buffers(k); buffer++)
		err = k->loaded.bpf.bpf_map_update_elem(map_of(k, name), &buffer, &fds[buffer],
							BPF_ANY);
	return err;
}

static int add_group(const struct kernel *k, uint32_t index, const char *path)
{
	int group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	if (group < 0)
		return -errno;
	err = k->loaded.bpf.bpf_map_update_elem(map_of(k, "cgroups"), &index, &group, BPF_ANY);
	close(group);
	return err;
}

static int fill_groups(const struct kernel *k)
{
	int err = 0;

	for (unsigned i = 0; !err && i < k->config.ncgroups; i++)
		err = add_group(k, i, k->config.cgroups[i]);
	return err;
}

/* -- loading ---------------------------------------------------------------- */

static void set_size(const struct kernel *k, const char *name, unsigned entries)
{
	k->loaded.bpf.bpf_map__set_max_entries(loaded_map(&k->loaded, name), entries);
}

static struct setup_results results_of(const struct wanted_results *r)
{
	return (struct setup_results){r->fails,	  r->succeeds, r->ret_min,
				      r->ret_max, r->ns_min,   r->ns_max};
}

/*
 * Opens the programs and sets the sizes of their maps. On failure, prints one message and returns
 * false.
 */
static bool open_programs(struct kernel *k, const struct tables *t)
{
	const struct setup setup = {.cpus = k->cpus,
				    .groups = k->config.ncgroups,
				    .stack_size = k->config.stack_size,
				    .fds = k->config.wants->fds,
				    .by_id = k->by_id,
				    .counts = k->config.wants->counts != 0,
				    .drops = k->config.wants->drops,
				    .sched = (uint8_t)k->sched,
				    .wakers = k->wakers,
				    .faults = k->config.wants->faults,
				    .compares = t->conditions.n > 1,
				    .results = results_of(&k->config.wants->results),
				    .count_by = counts_by(k->config.wants->counts)};

	k->loaded.lists_threads = k->config.wants->running;
	if (!loaded_open(&k->loaded, &setup, k->config.wants->requests))
		return false;
	if (k->by_id)
		set_size(k, "threads_by_id", THREADS_BY_ID);
	set_size(k, "calls", CALLS);
	set_size(k, "counts", CALLS);
	set_size(k, "variants", t->variants.n + 1);
	set_size(k, "ops", t->ops.n);
	set_size(k, "conditions", t->conditions.n);
	set_size(k, "scratches", SCRATCHES * k->cpus);
	set_size(k, "rings", kernel_buffers(k));
	set_size(k, "events", kernel_buffers(k));
	set_size(k, "kept", kernel_buffers(k));
	set_size(k, "cgroups", k->config.ncgroups + 1);
	return true;
}

/*
 * Returns true if err is not negative. Otherwise prints a message about the error and returns
 * false.
 */
static bool succeeded(int err, const char *what)
{
	if (err < 0)
		privilege_explain(-err, what);
	return err >= 0;
}

/*
 * Fills the maps that we share with the programs. On failure, prints one message and returns false.
 */
static bool fill_maps(struct kernel *k, const struct tables *t, const int *calls, const int *events)
{
	k->threads = map_of(k, k->by_id ? "threads_by_id" : "threads");
	k->scratch = share_map(k, "scratches", SCRATCHES * k->cpus * SCRATCH_STRIDE, PROT_READ);
	return succeeded(k->scratch ? 0 : -errno, "map") &&
	       succeeded(fill_map(k, "calls", sizeof(t->calls), t->calls), "map of calls") &&
	       succeeded(fill_map(k, "ops", t->ops.n * sizeof(*t->ops.v), t->ops.v),
			 "map of reads") &&
	       succeeded(fill_variants(k, t), "map of variants") &&
	       (!k->loaded.setup.compares ||
		succeeded(fill_map(k, "conditions", t->conditions.n * sizeof(*t->conditions.v),
				   t->conditions.v),
			  "map of conditions")) &&
	       (!k->config.wants->requests ||
		succeeded(fill_map(k, "uring_opcodes", sizeof(t->requests), t->requests),
			  "map of requests")) &&
	       succeeded(fill_rings(k, "rings", calls), "map of buffers") &&
	       succeeded(fill_rings(k, "events", events), "map of buffers") &&
	       succeeded(fill_groups(k), "map of control groups");
}

/*
 * Disables the recording of context switches and wake-ups, and prints why. Returns false if tracing
 * is useless without these events.
 */
static bool forgo_sched(struct kernel *k)
{
	msg("--engine=bpf: this kernel does not report context switches and wake-ups to tracer "
	    "(%s)%s",
	    strerror(k->loaded.refusal),
	    k->config.wants->needs_sched ? ""
	    : k->wakers			 ? ": tracer does not know who woke whom"
					 : ": tracer infers from the calls who woke whom");
	k->sched = WANTED_SCHED_NONE;
	k->wakers = false;
	return !k->config.wants->needs_sched;
}

static bool load_with(struct kernel *k, const struct tables *t, const int *calls, const int *events)
{
	enum load_result result;

	if (!open_programs(k, t))
		return false;
	k->loaded.bpf.bpf_map__set_inner_map_fd(loaded_map(&k->loaded, "rings"), calls[0]);
	k->loaded.bpf.bpf_map__set_inner_map_fd(loaded_map(&k->loaded, "events"), events[0]);
	result = loaded_load(&k->loaded);
	if (result == LOAD_DONE)
		return fill_maps(k, t, calls, events);
	if (result == LOAD_FAILED || (result == LOAD_NO_SCHED && !forgo_sched(k)))
		return false;
	k->by_id |= result == LOAD_NO_STORAGE;
	loaded_deinit(&k->loaded);
	return load_with(k, t, calls, events);
}

static void close_all(int *fds, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(fds);
}

/* Allocates n descriptors, initialized to -1. */
static int *new_fds(unsigned n)
{
	int *fds = mem_alloc(n * sizeof(*fds));

	memset(fds, 0xff, n * sizeof(*fds));
	return fds;
}

/*
 * Creates the rings, loads the programs and fills their maps. On failure, prints one message and
 * returns false.
 */
static bool load(struct kernel *k)
{
	const unsigned n = kernel_buffers(k);
	int *calls = new_fds(n), *events = new_fds(n);
	struct tables *t = tables_create(k->config.wants);
	const bool loaded = loaded_init(&k->loaded) &&
			    succeeded(open_rings(k, 0, k->buffer_size, k->store_size, calls),
				      "buffer of this size") &&
			    succeeded(open_rings(k, 1, k->sched ? BUFFER_SCHED : BUFFER_EVENTS,
						 k->store_size ? STORE_EVENTS : 0, events),
				      "buffer") &&
			    load_with(k, t, calls, events);

	/*
	 * The descriptors are no longer needed, because the maps of rings and our mappings keep the
	 * rings alive.
	 */
	close_all(calls, n);
	close_all(events, n);
	tables_free(t);
	return loaded;
}

int kernel_attach(struct kernel *k)
{
	return loaded_attach(&k->loaded);
}

void kernel_detach(struct kernel *k)
{
	loaded_detach(&k->loaded);
}

void kernel_finish(struct kernel *k)
{
	loaded_finish(&k->loaded);
}

/* -- the interface ------------------------------------------------------------ */

static struct kernel *kernel_new(const struct kernel_config *config)
{
	struct kernel *k = mem_zalloc(sizeof(*k));

	k->config = *config;
	k->sched = config->wants->sched;
	k->wakers = config->wants->wakers;
	k->cpus = sysconf(_SC_NPROCESSORS_CONF);
	choose_sizes(k);
	k->rings = mem_zalloc(2 * kernel_buffers(k) * sizeof(*k->rings));
	return k;
}

struct kernel *kernel_open(const struct kernel_config *config)
{
	struct kernel *k;

	if (!privilege_check())
		return NULL;
	heap_grow();
	k = kernel_new(config);
	if (load(k)) {
		counts_init(&k->counts, &k->loaded, config->wants->counts & WANTED_REPEATED);
		k->order = order_create(k->rings, 2 * kernel_buffers(k));
		return k;
	}
	kernel_close(k);
	return NULL;
}

void kernel_close(struct kernel *k)
{
	if (!k)
		return;
	counts_deinit(&k->counts);
	loaded_deinit(&k->loaded);
	order_destroy(k->order);
	for (unsigned i = 0; i < 2 * kernel_buffers(k); i++)
		ring_close(&k->rings[i]);
	if (k->scratch)
		munmap((void *)k->scratch, SCRATCHES * k->cpus * SCRATCH_STRIDE);
	free(k->rings);
	free(k);
}

int kernel_add(struct kernel *k, pid_t tid, pid_t tgid, unsigned group, unsigned flags)
{
	const struct thread_state state = {.flags = flags,
					   .tid = tid,
					   .tgid = tgid,
					   .group = group,
					   .entered = ENTERED_BEFORE};
	int fd = loaded_pidfd(tid, tgid), key, err;

	if (fd < 0)
		return fd;
	key = k->by_id ? tid : fd;
	/*
	 * If the thread is a child of a traced thread, the fork program may already have added the
	 * thread. In this case, keep the existing state.
	 */
	err = k->loaded.bpf.bpf_map_update_elem(k->threads, &key, &state, BPF_NOEXIST);
	close(fd);
	return err == -EEXIST ? 0 : err;
}

void kernel_remove(struct kernel *k, pid_t tid, pid_t tgid)
{
	int fd = loaded_pidfd(tid, tgid), key = k->by_id ? tid : fd;

	if (fd < 0)
		return;
	k->loaded.bpf.bpf_map_delete_elem(k->threads, &key);
	close(fd);
}

bool kernel_is_silent(const struct kernel *k, pid_t tid, pid_t tgid)
{
	int fd = loaded_pidfd(tid, tgid), key = k->by_id ? tid : fd;
	struct thread_state state;
	bool found;

	if (fd < 0)
		return false;
	found = !k->loaded.bpf.bpf_map_lookup_elem(k->threads, &key, &state);
	close(fd);
	return found && state.entered == ENTERED_BEFORE;
}

struct order *kernel_order(struct kernel *k)
{
	return k->order;
}

unsigned kernel_cpus(const struct kernel *k)
{
	return k->cpus;
}

static const struct scratch *scratch_of(const struct kernel *k, unsigned cpu, enum scratch_of whose)
{
	return (const struct scratch *)(k->scratch + (whose * k->cpus + cpu) * SCRATCH_STRIDE);
}

unsigned kernel_buffers(const struct kernel *k)
{
	return k->cpus * (k->config.ncgroups ? k->config.ncgroups : 1);
}

unsigned kernel_buffer_cpu(const struct kernel *k, unsigned buffer)
{
	return buffer % k->cpus;
}

unsigned kernel_buffer_group(const struct kernel *k, unsigned buffer)
{
	return buffer / k->cpus;
}

static const struct losses *losses_of(const struct kernel *k, unsigned buffer,
				      enum scratch_of whose)
{
	return &scratch_of(k, kernel_buffer_cpu(k, buffer), whose)
			->losses[kernel_buffer_group(k, buffer)];
}

const struct losses *kernel_losses(const struct kernel *k, unsigned buffer)
{
	return losses_of(k, buffer, SCRATCH_CALLS);
}

uint64_t kernel_lost_others(const struct kernel *k, unsigned buffer)
{
	return losses_of(k, buffer, SCRATCH_THREADS)->others;
}

uint64_t kernel_lost_ignored(const struct kernel *k, unsigned buffer)
{
	return losses_of(k, buffer, SCRATCH_IGNORED)->others;
}

bool kernel_reports_sched(const struct kernel *k)
{
	return k->sched != WANTED_SCHED_NONE;
}

int kernel_count_running(const struct kernel *k)
{
	return loaded_count_running(&k->loaded);
}

bool kernel_next_count(struct kernel *k, struct capture_counts *sum)
{
	return counts_next(&k->counts, sum);
}

void kernel_thread_began(struct kernel *k, pid_t tid)
{
	thread_counts_begin(&k->counts.threads, tid);
}

void kernel_thread_ended(struct kernel *k, pid_t tid, pid_t heir)
{
	thread_counts_end(&k->counts.threads, tid, heir);
}

int kernel_list_threads(const struct kernel *k, struct strbuf *b)
{
	return loaded_list_threads(&k->loaded, b);
}

/*
 * Returns the time of the record that is pending on a CPU, SINCE_UNKNOWN if the CPU does not set
 * this time soon, or 0 if no record is pending.
 */
static uint64_t writing_since(const struct kernel *k, unsigned cpu)
{
	const uint64_t *at = &scratch_of(k, cpu, SCRATCH_CALLS)->since;
	uint64_t time;

	for (int i = 0; i < SINCE_TRIES; i++) {
		time = __atomic_load_n(at, __ATOMIC_ACQUIRE);
		if (time != SINCE_UNKNOWN)
			break;
	}
	return time;
}

uint64_t kernel_settled(const struct kernel *k, uint64_t now)
{
	uint64_t settled = now - SETTLE_NS;

	for (unsigned cpu = 0; cpu < k->cpus; cpu++) {
		uint64_t time = writing_since(k, cpu);

		if (time == SINCE_UNKNOWN)
			return 0;
		if (time && time < settled && now - time < WAIT_MAX_NS)
			settled = time;
	}
	return settled;
}

uint64_t kernel_misses(const struct kernel *k)
{
	return loaded_misses(&k->loaded);
}

unsigned kernel_fill(const struct kernel *k)
{
	size_t fill = 0;

	for (unsigned i = 0; i < 2 * kernel_buffers(k); i++)
		fill = size_max(fill, ring_used(&k->rings[i]) * 256 / k->rings[i].size);
	return fill;
}
