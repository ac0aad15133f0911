/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/player_raw.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/format/records.h"
#include "stack/files/map_table.h"
#include "util/mem.h"

/* Limits for the perf maps in a trace. If a trace exceeds them, it is damaged. */
#define PERF_MAPS_MAX	   1024
#define PERF_MAP_BYTES_MAX (64u << 20)

static void add(struct table *t, uint64_t number, void *what)
{
	table_add(t, table_hash_number(number), (uintptr_t)what);
}

/* -- memory --------------------------------------------------------------------------- */

static ssize_t read_stack(const struct raw_image *i, uint64_t addr, void *buf, size_t n)
{
	uint64_t at = addr - i->addr;

	if (at >= i->stack.len)
		return -ENODATA;
	n = size_min(n, i->stack.len - at);
	memcpy(buf, i->stack.data + at, n);
	return (ssize_t)n;
}

static void close_code(struct played_raw *r)
{
	if (r->open && r->fd >= 0)
		close(r->fd);
	r->open = NULL;
}

static uint64_t code_key(pid_t tgid, uint64_t addr)
{
	const uint64_t key[2] = {(uint64_t)tgid, addr};

	return table_hash(key, sizeof(key));
}

static ssize_t read_nameless(const struct played_raw *r, uint64_t addr, void *buf, size_t n)
{
	size_t at = addr % TRACE_CODE_BYTES;
	const struct table_slot *slot = table_find(&r->code, code_key(r->tgid, addr - at), NULL);

	if (!slot)
		return -ENODATA;
	n = size_min(n, TRACE_CODE_BYTES - at);
	memcpy(buf, (const uint8_t *)(uintptr_t)slot->value + at, n);
	return (ssize_t)n;
}

/*
 * Reads code in the mapping m from the recorded image of the mapping, from a CODE record, or from
 * the mapped file.
 */
static ssize_t read_code(struct played_raw *r, struct mapping *m, uint64_t addr, void *buf,
			 size_t n)
{
	const struct strbuf *image = table_get(&r->images, m->recorded);
	uint64_t at = addr - m->start;
	ssize_t got;

	n = size_min(n, m->end - addr);
	if (image) {
		if (at >= image->len)
			return -ENODATA;
		n = size_min(n, image->len - at);
		memcpy(buf, image->data + at, n);
		return (ssize_t)n;
	}
	if (!m->inode)
		return read_nameless(r, addr, buf, n);
	if (r->open != m) {
		close_code(r);
		r->open = m;
		r->fd = r->stacks->files.ops->open_mapped(&r->stacks->files, 0, m);
	}
	if (r->fd < 0)
		return -ENODATA;
	got = pread(r->fd, buf, n, (off_t)(m->offset + at));
	return got > 0 ? got : -ENODATA;
}

static ssize_t read_some(struct memory *memory, uint64_t addr, void *buf, size_t n)
{
	struct played_raw *r = container_of(memory, struct played_raw, memory);
	ssize_t got = memory_read_some(r->chunks, addr, buf, n);
	struct mapping *m;

	if (got != -ENODATA || !r->has || r->error)
		return got;
	got = read_stack(r->image, addr, buf, n);
	if (got != -ENODATA)
		return got;
	m = r->table ? map_table_find(r->table, addr) : NULL;
	return m ? read_code(r, m, addr, buf, n) : -ENODATA;
}

static const struct memory_ops memory_ops = {.read_some = read_some};

/* -- mappings -------------------------------------------------------------------------- */

static int maps_find(struct map_source *s attr_unused, pid_t tid attr_unused,
		     intptr_t *keep attr_unused, uint64_t addr attr_unused, bool names attr_unused,
		     struct mapping *m attr_unused)
{
	return -ENOTTY;
}

/*
 * Returns the mappings at the reported stop. Only the stack of this stop is walked, so `tid` is
 * always the thread of the stop.
 */
static struct map_table *maps_list(struct map_source *s, pid_t tid attr_unused)
{
	const struct played_raw *r = container_of(s, struct played_raw, maps);
	const struct map_table *known = r->has && !r->error ? r->table : NULL;
	struct map_table *t = map_table_new(known ? known->n : 0);

	for (size_t i = 0; known && i < known->n; i++)
		t->v[t->n++] = mapping_get(known->v[i]);
	return t;
}

static bool maps_reads_execute(struct map_source *s attr_unused, pid_t tid attr_unused)
{
	return false;
}

static bool maps_same(struct map_source *s attr_unused, pid_t a attr_unused, pid_t b attr_unused)
{
	return false;
}

static void maps_forget(struct map_source *s attr_unused, intptr_t keep attr_unused)
{
}

static const struct map_source_ops maps_ops = {.find = maps_find,
					       .list = maps_list,
					       .reads_execute = maps_reads_execute,
					       .same = maps_same,
					       .forget = maps_forget};

/* -- perf maps -------------------------------------------------------------------------- */

static struct played_perf_map *perf_map_of(struct played_raw *r, pid_t tgid)
{
	vec_for_each (&r->perf_maps, p)
		if (p->tgid == tgid)
			return p;
	return NULL;
}

/* Opens the recorded perf map of a process. The caller closes the descriptor. */
static int open_perf_map(void *ctx, pid_t pid, const char *path)
{
	const struct played_perf_map *p = perf_map_of(ctx, pid);

	return p && !strncmp(path, "/tmp/perf-", 10) ? dup(p->fd) : -1;
}

void played_raw_perf_map(struct played_raw *r, struct cursor *in, pid_t base)
{
	uint64_t tgid = cursor_uleb(in), offset = cursor_uleb(in);
	struct played_perf_map *p;
	struct stat st;

	if (in->bad || !tgid || tgid > INT32_MAX - (uint64_t)base || offset > PERF_MAP_BYTES_MAX)
		return;
	p = perf_map_of(r, base + (pid_t)tgid);
	if (!p) {
		if (r->perf_maps.n >= PERF_MAPS_MAX)
			return;
		p = vec_push(&r->perf_maps);
		*p = (struct played_perf_map){.tgid = base + (pid_t)tgid,
					      .fd = memfd_create("perf map", MFD_CLOEXEC)};
	}
	/* On failure, code from JIT compilers is shown without names. */
	if (p->fd >= 0 && pwrite(p->fd, in->p, cursor_left(in), (off_t)offset) < 0)
		return;
	if (p->fd >= 0 && !fstat(p->fd, &st)) {
		r->perf_map_bytes += (size_t)st.st_blocks * 512 - p->bytes;
		p->bytes = (size_t)st.st_blocks * 512;
	}
}

/* -- records ----------------------------------------------------------------------------- */

void played_raw_init(struct played_raw *r, struct memory *chunks, struct played_stacks *stacks)
{
	*r = (struct played_raw){.memory.ops = &memory_ops,
				 .maps.ops = &maps_ops,
				 .chunks = chunks,
				 .stacks = stacks};
	stacks->open_perf_map = open_perf_map;
	stacks->perf_maps = r;
	stacks->files.nameless = true;
}

void played_raw_block(struct played_raw *r)
{
	struct table_slot *slot;

	while ((slot = table_any(&r->threads))) {
		struct raw_image *i = (struct raw_image *)(uintptr_t)slot->value;

		raw_image_deinit(i);
		free(i);
		table_remove(&r->threads, slot);
	}
	table_deinit(&r->code);
	r->code = (struct table){0};
	r->kept_in_block = 0;
	r->has = false;
}

void played_raw_clear(struct played_raw *r)
{
	struct table_slot *slot;

	close_code(r);
	while ((slot = table_any(&r->tables))) {
		map_table_put((struct map_table *)(uintptr_t)slot->value);
		table_remove(&r->tables, slot);
	}
	while ((slot = table_any(&r->mappings))) {
		mapping_put((struct mapping *)(uintptr_t)slot->value);
		table_remove(&r->mappings, slot);
	}
	while ((slot = table_any(&r->images))) {
		struct strbuf *b = (struct strbuf *)(uintptr_t)slot->value;

		strbuf_deinit(b);
		free(b);
		table_remove(&r->images, slot);
	}
	for (size_t i = 0; r->last.used && i <= r->last.mask; i++)
		r->last.slots[i].value &= ~(uint64_t)UINT32_MAX;
	r->count = 0;
	r->kept = 0;
	r->has = false;
}

void played_raw_deinit(struct played_raw *r)
{
	played_raw_block(r);
	played_raw_clear(r);
	table_deinit(&r->mappings);
	table_deinit(&r->tables);
	table_deinit(&r->images);
	table_deinit(&r->threads);
	table_deinit(&r->last);
	vec_for_each (&r->perf_maps, p)
		if (p->fd >= 0)
			close(p->fd);
	vec_deinit(&r->perf_maps);
}

/* The fields of a mapping in a record. */
struct mapped {
	uint64_t start, end, offset, number;
};

/*
 * Returns a new reference to the mapping with these fields. Many tables may share the mapping.
 * Returns NULL if the module does not exist.
 */
static struct mapping *mapping_of(struct played_raw *r, const struct mapped *is)
{
	uint64_t hash = table_hash(is, sizeof(*is));
	struct table_slot *slot = NULL;
	struct played_module *new;

	while ((slot = table_find(&r->mappings, hash, slot))) {
		struct mapping *m = (struct mapping *)(uintptr_t)slot->value;

		if (m->start == is->start && m->end == is->end && m->offset == is->offset &&
		    m->recorded == is->number)
			return mapping_get(m);
	}
	new = played_stacks_mapping(r->stacks, is->number);
	if (!new)
		return NULL;
	new->mapping.start = is->start;
	new->mapping.end = is->end;
	new->mapping.offset = is->offset;
	new->mapping.recorded = (uint32_t)is->number;
	table_add(&r->mappings, hash, (uintptr_t) new);
	r->kept += sizeof(*new) + 64 + (new->mapping.name ? strlen(new->mapping.name) : 0);
	return mapping_get(&new->mapping);
}

/*
 * Reads a mapping and adds it to t. *end is the end of the previous mapping. Returns false if the
 * mapping is invalid.
 */
static bool take_mapping(struct played_raw *r, struct cursor *in, struct map_table *t,
			 uint64_t *end)
{
	uint64_t start = *end + cursor_uleb(in), length = cursor_uleb(in);
	struct mapped is = {.start = start, .end = start + length};
	struct mapping *m;

	is.offset = cursor_uleb(in);
	is.number = cursor_uleb(in);
	if (in->bad || start < *end || !length || length > UINT64_MAX - start ||
	    is.number > UINT32_MAX)
		return false;
	m = mapping_of(r, &is);
	if (!m)
		return false;
	t->v[t->n++] = m;
	*end = is.end;
	r->count++;
	return true;
}

void played_raw_maps(struct played_raw *r, struct cursor *in)
{
	uint64_t number = cursor_uleb(in), n, end = 0;
	struct map_table *t;

	cursor_uint(in, 1);
	n = cursor_uleb(in);
	/* Each mapping takes at least four bytes. */
	if (in->bad || n > TRACE_MAPS_MAX || n > cursor_left(in) / 4 ||
	    r->count >= 2 * TRACE_MAPPED_MAX || table_get(&r->tables, number))
		return;
	t = map_table_new((size_t)n);
	while (t->n < n && r->kept < TRACE_KEPT_MAX && take_mapping(r, in, t, &end))
		;
	add(&r->tables, number, t);
	r->count++;
	r->kept += sizeof(*t) + (size_t)n * sizeof(t->v[0]) + 64;
}

void played_raw_image(struct played_raw *r, struct cursor *in)
{
	uint64_t number = cursor_uleb(in);
	struct strbuf *b;

	if (in->bad || cursor_left(in) > TRACE_IMAGE_MAX || r->count >= 2 * TRACE_MAPPED_MAX ||
	    table_get(&r->images, number))
		return;
	b = mem_zalloc(sizeof(*b));
	strbuf_add(b, (const char *)in->p, cursor_left(in));
	add(&r->images, number, b);
	r->count++;
	r->kept += b->cap + sizeof(*b) + 64;
}

void played_raw_code(struct played_raw *r, struct cursor *in, pid_t base)
{
	uint64_t tgid = cursor_uleb(in), addr = cursor_uleb(in), key;

	if (in->bad || cursor_left(in) < TRACE_CODE_BYTES || addr % TRACE_CODE_BYTES ||
	    tgid > INT32_MAX - (uint64_t)base)
		return;
	key = code_key(base + (pid_t)tgid, addr);
	if (!table_find(&r->code, key, NULL))
		table_add(&r->code, key, (uintptr_t)in->p);
}

void played_raw_stack(struct played_raw *r, struct cursor *in, pid_t tid, pid_t tgid)
{
	static const struct raw_image nothing;
	uint64_t error = cursor_uleb(in), known, number;
	struct raw_image *old = table_get(&r->threads, (uint64_t)tid), *new;
	struct table_slot *slot;

	r->has = false;
	if (in->bad || error > 4095)
		return;
	r->tgid = tgid;
	r->error = -(int)error;
	r->has = error;
	if (error)
		return;
	known = cursor_uleb(in);
	number = cursor_uleb(in);
	if (in->bad || number > UINT32_MAX || (known && !old))
		return;
	new = mem_zalloc(sizeof(*new));
	if (!raw_take(in, known ? old : &nothing, new, &r->implied)) {
		raw_image_deinit(new);
		free(new);
		return;
	}
	r->kept_in_block += new->stack.cap;
	if (old) {
		r->kept_in_block -= old->stack.cap;
		slot = table_find(&r->threads, table_hash_number((uint64_t)tid), NULL);
		slot->value = (uintptr_t) new;
		raw_image_deinit(old);
		free(old);
	} else {
		r->kept_in_block += sizeof(*new) + 64;
		add(&r->threads, (uint64_t)tid, new);
	}
	r->image = new;
	r->number = (uint32_t)number;
	r->table = table_get(&r->tables, number);
	r->has = true;
}

void played_raw_stop(struct played_raw *r, const struct syscall_regs *call)
{
	struct raw_stop_values in_stop = {0};

	if (!r->has || r->error)
		return;
	if (call)
		in_stop = raw_stop_values_of(call);
	r->has = raw_complete(r->image, &r->implied, &in_stop);
	r->implied.n = 0;
}

/* -- queries during walks --------------------------------------------------------------- */

/*
 * Returns the value to store in r->last for the current table. The upper 32 bits are the number of
 * mappings plus 1. The lower 32 bits are the table's number plus 1. played_raw_clear() sets them to
 * 0, because all tables become invalid.
 */
static uint64_t last_table(const struct played_raw *r)
{
	return ((uint64_t)(r->table ? r->table->n : 0) + 1) << 32 | (uint32_t)(r->number + 1);
}

/*
 * Returns the approximate number of bytes that higher layers keep for a process. `last` is the
 * result of last_table() for the process's mappings.
 */
static size_t listed(uint64_t last)
{
	return (size_t)(last >> 32) * sizeof(struct mapping *) + 256;
}

bool played_raw_map_changed(struct played_raw *r, pid_t tgid)
{
	const uint64_t last = last_table(r);
	struct table_slot *slot;

	if (!r->has || r->error)
		return false;
	slot = table_find(&r->last, table_hash_number((uint64_t)tgid), NULL);
	if (slot && (uint32_t)slot->value == r->number + 1)
		return false;
	if (slot) {
		r->listed += listed(last) - listed(slot->value);
		slot->value = last;
	} else {
		r->listed += listed(last);
		table_add(&r->last, table_hash_number((uint64_t)tgid), last);
	}
	return true;
}

void played_raw_exited(struct played_raw *r, pid_t tgid)
{
	struct table_slot *slot = table_find(&r->last, table_hash_number((uint64_t)tgid), NULL);

	if (!slot)
		return;
	r->listed -= listed(slot->value);
	table_remove(&r->last, slot);
}

int played_raw_regs(const struct played_raw *r, struct arch_regs *regs)
{
	if (!r->has)
		return -ENODATA;
	if (r->error)
		return r->error;
	regs->mode = arch_mode_of_regs(arch_native, r->image->regs_size);
	if (!regs->mode)
		return -ENODATA;
	memcpy(regs->bytes, r->image->regs, sizeof(regs->bytes));
	return 0;
}
