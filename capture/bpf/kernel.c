/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/kernel.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/bpf/btf.h"
#include "capture/bpf/loaded.h"
#include "capture/bpf/order.h"
#include "capture/bpf/privilege.h"
#include "capture/bpf/sys.h"
#include "capture/bpf/tables.h"
#include "capture/bpf/types.h"
#include "capture/wants.h"
#include "linux/arch/arch.h"
#include "util/msg.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#define PIDFD_OF_THREAD 0200 /* PIDFD_THREAD of linux/pidfd.h, Linux 6.9 */

#define MAP_MMAPABLE	(1u << 10) /* BPF_F_MMAPABLE */
#define MAP_NO_PREALLOC (1u << 0)

#define BUFFERS_MAX   (256u << 20) /* of all CPUs together, unless more are asked for */
#define BUFFER_MAX    (16u << 20)  /* of one, which the kernel clears before we begin */
#define BUFFER_STACKS (32u << 20)  /* the same with stacks */
#define BUFFER_MIN    (1u << 20)
#define STORES_STACKS (1u << 30)   /* what we may keep of all rings with stacks, but no more than */
#define STORES_PART   8		   /* this part of the machine's memory */
#define BUFFER_EVENTS (512u << 10) /* of the ring for what are no calls */
#define STORE_EVENTS  (16u << 20)  /* and what of it we may keep */
#define THREADS_BY_ID 65536 /* that are traced at once, where there is room for so many only */

struct kernel {
	struct kernel_config config;
	unsigned cpus;
	size_t buffer_size;
	size_t store_size; /* of a ring, see ring_open() */
	int types;
	bool by_id; /* of struct program_config */
	struct program_maps maps;
	const uint8_t *scratch; /* of each CPU, SCRATCH_STRIDE apart; read only */
	struct ring *rings;	/* of each buffer two: calls, and everything else */
	struct order *order;
	struct loaded loaded;
};

/* What a CPU has written it can be sure that others see after so long. */
#define SETTLE_NS 10000
/* A call that stays on its CPU for longer is not waited for. */
#define WAIT_MAX_NS 20000000
/* How often it is looked whether the time of an entry is known by now. */
#define SINCE_TRIES 1000

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

/* At most `most`, and less where there are many rings, which are to have at most `all` together. */
static size_t share(unsigned rings, size_t most, size_t all)
{
	size_t size = most;

	while (size > BUFFER_MIN && size * rings > all)
		size /= 2;
	return size;
}

/*
 * Of all rings together. Stacks are large, and walking them takes longer than making them; what is
 * never needed is never taken.
 */
static size_t stores_max(const struct kernel *k)
{
	const size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);

	if (!k->config.stack_size)
		return BUFFERS_MAX;
	return size_max(size_min(STORES_STACKS, pages / STORES_PART * page), BUFFERS_MAX);
}

/* What was asked for is all that there is; otherwise what is too much is kept by us, for a while.
 */
static void choose_sizes(struct kernel *k)
{
	k->store_size = 0;
	if (k->config.buffer_size) {
		k->buffer_size = round_to_power(k->config.buffer_size);
		return;
	}
	k->buffer_size = share(kernel_buffers(k), k->config.stack_size ? BUFFER_STACKS : BUFFER_MAX,
			       BUFFERS_MAX);
	k->store_size = share(kernel_buffers(k), STORES_STACKS, stores_max(k));
}

/* -- maps ------------------------------------------------------------------- */

/* Creates a map that memory of ours can be shared with, and fills it. */
static int filled_map(const char *name, unsigned entries, size_t size, const void *values)
{
	const struct map_spec spec = {.name = name,
				      .type = BPF_MAP_TYPE_ARRAY,
				      .key_size = 4,
				      .value_size = size,
				      .entries = entries,
				      .flags = MAP_MMAPABLE};
	size_t len = align_up((size_t)entries * size, sysconf(_SC_PAGESIZE));
	int fd = sys_map(&spec);
	void *shared;

	if (fd < 0)
		return fd;
	shared = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED) {
		int err = -errno;

		close(fd);
		return err;
	}
	memcpy(shared, values, (size_t)entries * size);
	munmap(shared, len);
	return fd;
}

static int variants_map(const struct tables *t)
{
	const struct map_spec spec = {.name = "tracer_variants",
				      .type = BPF_MAP_TYPE_HASH,
				      .key_size = sizeof(struct variant_key),
				      .value_size = sizeof(struct variant_entry),
				      .entries = t->variants.n + 1};
	int fd = sys_map(&spec), err = 0;

	if (fd >= 0 && t->variants.n)
		err = sys_map_update_many(fd, t->keys.v, t->variants.v, t->variants.n);
	if (err >= 0)
		return fd;
	close(fd);
	return err;
}

/* A descriptor of a thread, or -errno. */
static int pidfd_of(pid_t tid, pid_t tgid)
{
	int fd = syscall(SYS_pidfd_open, tid, tid == tgid ? 0 : PIDFD_OF_THREAD);

	return fd < 0 ? -errno : fd;
}

/*
 * Whether the kernel can keep something with a thread. Since Linux 6.19 the memory for that is from
 * kmalloc_nolock(), which has none where the processor cannot compare and exchange 16 bytes at
 * once, as those of riscv64 without Zacas.
 */
static bool has_storage(int map)
{
	const struct thread_state none = {0};
	int fd = pidfd_of(getpid(), getpid()), err;

	if (fd < 0)
		return true;
	err = sys_map_add(map, &fd, &none);
	sys_map_delete(map, &fd);
	close(fd);
	return err != -ENOMEM;
}

static int threads_map(struct kernel *k)
{
	struct map_spec spec = {.name = "tracer_threads",
				.type = BPF_MAP_TYPE_TASK_STORAGE,
				.key_size = 4,
				.value_size = sizeof(struct thread_state),
				.flags = MAP_NO_PREALLOC,
				.types = {k->types, TYPE_INT, TYPE_THREAD}};
	int fd = sys_map(&spec);

	if (fd < 0 || has_storage(fd))
		return fd;
	close(fd);
	k->by_id = true;
	spec.type = BPF_MAP_TYPE_HASH;
	spec.flags = 0;
	spec.entries = THREADS_BY_ID;
	return sys_map(&spec);
}

static int scratch_map(struct kernel *k)
{
	const struct map_spec spec = {.name = "tracer_scratch",
				      .type = BPF_MAP_TYPE_ARRAY,
				      .key_size = 4,
				      .value_size = sizeof(struct scratch),
				      .entries = SCRATCHES * k->cpus,
				      .flags = MAP_MMAPABLE};
	int fd = sys_map(&spec);
	void *shared;

	if (fd < 0)
		return fd;
	shared = mmap(NULL, SCRATCHES * k->cpus * SCRATCH_STRIDE, PROT_READ, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED) {
		int err = -errno;

		close(fd);
		return err;
	}
	k->scratch = shared;
	return fd;
}

static int kept_map(const struct kernel *k)
{
	const struct map_spec spec = {.name = "tracer_kept",
				      .type = BPF_MAP_TYPE_ARRAY,
				      .key_size = 4,
				      .value_size = sizeof(struct stack_kept),
				      .entries = kernel_buffers(k)};

	return sys_map(&spec);
}

/* A map with a ring of each buffer, which are opened as every second of k->rings, from `first` on.
 */
static int rings_map(struct kernel *k, unsigned first, size_t size, size_t store)
{
	const struct map_spec inner = {
		.name = "tracer_ring", .type = BPF_MAP_TYPE_RINGBUF, .entries = size};
	struct map_spec spec = {.name = "tracer_rings",
				.type = BPF_MAP_TYPE_ARRAY_OF_MAPS,
				.key_size = 4,
				.value_size = 4,
				.entries = kernel_buffers(k)};
	int fd = -EINVAL;

	for (unsigned buffer = 0; buffer < kernel_buffers(k); buffer++) {
		int ring = sys_map(&inner), err;

		if (ring < 0)
			return ring;
		if (!buffer) {
			spec.inner = ring;
			fd = sys_map(&spec);
		}
		err = fd < 0 ? fd : sys_map_update(fd, &buffer, &ring);
		if (!err)
			err = ring_open(&k->rings[2 * buffer + first], ring, size, store);
		k->rings[2 * buffer + first].serial = !first;
		/* The map of maps and the mapping keep it. */
		close(ring);
		if (err) {
			if (fd >= 0)
				close(fd);
			return err;
		}
	}
	return fd;
}

static int add_group(int map, uint32_t index, const char *path)
{
	int group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	if (group < 0)
		return -errno;
	err = sys_map_update(map, &index, &group);
	close(group);
	return err;
}

/* A map with the control groups whose processes are traced. */
static int cgroup_map(const struct kernel_config *config)
{
	const struct map_spec spec = {.name = "tracer_cgroup",
				      .type = BPF_MAP_TYPE_CGROUP_ARRAY,
				      .key_size = 4,
				      .value_size = 4,
				      .entries = config->ncgroups};
	int fd = sys_map(&spec), err = fd;

	for (unsigned i = 0; err >= 0 && i < config->ncgroups; i++)
		err = add_group(fd, i, config->cgroups[i]);
	if (err >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return err;
}

/* Keeps the descriptor, or says what could not be made. */
static bool made(int *where, int fd, const char *what)
{
	*where = fd;
	if (fd >= 0)
		return true;
	*where = -1;
	privilege_explain(-fd, what);
	return false;
}

static bool make_maps(struct kernel *k)
{
	struct tables *t = tables_create(k->config.wants);
	struct program_maps *m = &k->maps;
	bool good =
		made(&k->types, types_load(), "BTF") &&
		made(&m->threads, threads_map(k), "map of threads") &&
		made(&m->calls, filled_map("tracer_calls", CALLS, sizeof(t->calls[0]), t->calls),
		     "map of calls") &&
		made(&m->ops, filled_map("tracer_ops", t->ops.n, sizeof(t->ops.v[0]), t->ops.v),
		     "map of reads") &&
		made(&m->variants, variants_map(t), "map of variants") &&
		made(&m->scratch, scratch_map(k), "map") &&
		made(&m->rings, rings_map(k, 0, k->buffer_size, k->store_size),
		     "buffer of this size") &&
		made(&m->events, rings_map(k, 1, BUFFER_EVENTS, k->store_size ? STORE_EVENTS : 0),
		     "buffer") &&
		(!k->config.stack_size || made(&m->kept, kept_map(k), "map of stacks")) &&
		(!k->config.ncgroups ||
		 made(&m->cgroup, cgroup_map(&k->config), "map of control groups"));

	tables_free(t);
	return good;
}

static bool load_programs(struct kernel *k, const struct btf *btf)
{
	struct program_config config = {.maps = &k->maps,
					.cpus = k->cpus,
					.groups = k->config.ncgroups,
					.stack_size = k->config.stack_size,
					.fds = k->config.wants->fds,
					.aligned = arch_native->aligned_programs,
					.by_id = k->by_id};

	return loaded_load(&k->loaded, btf, k->types, &config);
}

int kernel_attach(struct kernel *k)
{
	return loaded_attach(&k->loaded);
}

void kernel_detach(struct kernel *k)
{
	loaded_detach(&k->loaded);
}

/* -- all of it -------------------------------------------------------------- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static struct kernel *kernel_new(const struct kernel_config *config)
{
	struct kernel *k = mem_zalloc(sizeof(*k));

	k->config = *config;
	k->cpus = sysconf(_SC_NPROCESSORS_CONF);
	choose_sizes(k);
	k->rings = mem_zalloc(2 * kernel_buffers(k) * sizeof(*k->rings));
	k->types = -1;
	k->maps = (struct program_maps){-1, -1, -1, -1, -1, -1, -1, -1, -1};
	loaded_init(&k->loaded);
	return k;
}

struct kernel *kernel_open(const struct kernel_config *config)
{
	struct kernel *k;
	struct btf *btf;
	bool good;

	if (!privilege_check())
		return NULL;
	btf = btf_open(KERNEL_BTF);
	if (!btf) {
		msg_errno("--engine=bpf: cannot read %s", KERNEL_BTF);
		return NULL;
	}
	/* Kernels before 5.11 count maps as locked memory. */
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
	k = kernel_new(config);
	good = make_maps(k) && load_programs(k, btf);
	btf_free(btf);
	if (good) {
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
	loaded_deinit(&k->loaded);
	order_destroy(k->order);
	for (unsigned i = 0; i < 2 * kernel_buffers(k); i++)
		ring_close(&k->rings[i]);
	if (k->scratch)
		munmap((void *)k->scratch, SCRATCHES * k->cpus * SCRATCH_STRIDE);
	close_fd(&k->maps.threads);
	close_fd(&k->maps.calls);
	close_fd(&k->maps.ops);
	close_fd(&k->maps.variants);
	close_fd(&k->maps.scratch);
	close_fd(&k->maps.rings);
	close_fd(&k->maps.events);
	close_fd(&k->maps.kept);
	close_fd(&k->maps.cgroup);
	close_fd(&k->types);
	free(k->rings);
	free(k);
}

int kernel_add(struct kernel *k, pid_t tid, pid_t tgid, unsigned group, bool follow)
{
	const struct thread_state state = {.flags = follow ? THREAD_FOLLOW : 0,
					   .tid = tid,
					   .tgid = tgid,
					   .group = group,
					   .entered = ENTERED_BEFORE};
	int fd = pidfd_of(tid, tgid), key, err;

	if (fd < 0)
		return fd;
	key = k->by_id ? tid : fd;
	/* It may be a child that the programs have found already. */
	err = sys_map_add(k->maps.threads, &key, &state);
	close(fd);
	return err == -EEXIST ? 0 : err;
}

void kernel_remove(struct kernel *k, pid_t tid, pid_t tgid)
{
	int fd = pidfd_of(tid, tgid), key = k->by_id ? tid : fd;

	if (fd < 0)
		return;
	sys_map_delete(k->maps.threads, &key);
	close(fd);
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

/* The time of the record that a CPU is making, 0: it makes none. */
static uint64_t since(const struct kernel *k, unsigned cpu)
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
		uint64_t time = since(k, cpu);

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
