/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/record/recorder_raw.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/files/map_table.h"
#include "unwind.h"
#include "util/mem.h"

/*
 * The number of bytes to record below the stack pointer. The innermost function may have saved
 * registers in this area (the red zone of x86-64). There are at most six of them, directly below
 * the return address.
 */
#define SAVED_BELOW 48
/*
 * The number of bytes to record above raw_stop.bottom, because the arguments of the thread's first
 * function may be there.
 */
#define BOTTOM_MARGIN 128
/*
 * A word is treated as a stack address if it is less than STACK_SPAN bytes above the start of the
 * copied memory, or less than STACK_SPAN bytes below the end of the stack. STACK_SPAN is larger
 * than any stack.
 */
#define STACK_SPAN ((uint64_t)128 << 20)
/*
 * Replaces stack words that are not addresses. This value is not an address either, and unlike 0 it
 * does not end a walk.
 */
#define NO_ADDRESS 1
/* Maximum number of bytes of a perf map to record at one stop. */
#define PERF_MAP_PART (64u << 10)
#define PERF_MAPS_MAX 64
/*
 * Length of the longest call instruction in bytes, and maximum number of CODE records in a block.
 */
#define CALL_BYTES 16
#define CODE_MAX   256

void raw_writer_deinit(struct raw_writer *b)
{
	for (unsigned i = 0; i < RAW_SLOTS; i++)
		raw_image_deinit(&b->slots[i].image);
	raw_image_deinit(&b->now);
	strbuf_deinit(&b->scratch);
	vec_for_each (&b->perf_maps, p)
		if (p->fd >= 0)
			close(p->fd);
	vec_deinit(&b->perf_maps);
	table_deinit(&b->code);
}

void raw_writer_forget(struct raw_writer *b)
{
	b->table = 0;
	b->waiting.number = 0;
	vec_for_each (&b->perf_maps, p)
		p->read = 0;
}

/* -- data in addition to the stack ---------------------------------------------------- */

/*
 * Returns true if m contains code that is not in a file but never changes, which is the case only
 * for the vdso.
 */
static bool has_image(const struct mapping *m)
{
	return !m->inode && m->name && !strcmp(m->name, "[vdso]") &&
	       m->end - m->start <= TRACE_IMAGE_MAX;
}

static void put_image(struct strbuf *out, const struct raw_stop *stop,
		      const struct raw_waiting_image *w)
{
	struct strbuf bytes = {0};

	strbuf_reserve(&bytes, w->size);
	if (!memory_read(stop->memory, w->start, bytes.data, w->size)) {
		bytes.len = w->size;
		stack_index_put_record(out, RECORD_IMAGE, w->number, &bytes);
	}
	strbuf_deinit(&bytes);
}

/*
 * Finds the part of the vdso that contains code. Excludes the vdso's tables, because many stacks
 * contain addresses of these tables.
 */
static void find_code(struct raw_waiting_image *w, const struct raw_stop *stop)
{
	uint8_t *bytes = mem_alloc(w->size);
	struct elf_file *f = NULL;

	w->code = 0;
	w->after = w->size;
	if (memory_read(stop->memory, w->start, bytes, w->size))
		free(bytes);
	else
		f = elf_file_from_image(bytes, w->size);
	if (!f)
		return;
	elf_file_read_sections(f);
	for (size_t i = f->nsections; i-- > 0;)
		if (f->sections[i].flags & SHF_EXECINSTR) {
			w->code = f->sections[i].addr;
			w->after = w->code + f->sections[i].size;
		}
	elf_file_close(f);
}

/*
 * Handles a mapping that contains an image (code that is not in a file). The first image is not
 * written until a stack needs it. Other images, such as those of 32-bit processes, are written
 * immediately.
 */
static void see_image(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop,
		      const struct mapping *m, bool is_new)
{
	struct raw_waiting_image *w = &b->waiting, seen = *w;

	seen.number = m->recorded;
	seen.start = m->start;
	seen.size = m->end - m->start;
	if (is_new && w->number) {
		put_image(out, stop, &seen);
	} else if (is_new) {
		*w = seen;
		find_code(w, stop);
	} else if (w->number == seen.number) {
		*w = seen;
	}
}

/*
 * The place where a thread is executing: its pc, and its return address if a register contains it.
 */
struct place {
	uint64_t pc, ra; /* ra is equal to pc if no register contains a return address */
	uint64_t mask;	 /* mask of the address bits in a return address */
};

static struct place place_of(const struct raw_stop *stop, const struct arch_mode *mode,
			     const uint64_t *columns)
{
	const uint64_t reported = stop->tcb->capture->address_mask;
	const uint64_t mask = reported && mode->signs_ra ? reported : mode->ra_mask;

	return (struct place){columns[mode->pc], columns[mode->ra] & mask, mask};
}

/*
 * Writes the image that has not been written yet (b->waiting) if the thread's pc, its return
 * address or a word on its stack is an address in the image's code. Most stacks contain no such
 * address.
 */
static void put_waiting_image(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop,
			      const struct place *place)
{
	const struct raw_waiting_image *w = &b->waiting;
	const uint64_t from = w->start + w->code, size = w->after - w->code;
	const struct strbuf *s = &b->now.stack;
	bool used = place->pc - from <= size || place->ra - from <= size;

	for (size_t at = 0; at + 8 <= s->len && !used; at += 8) {
		uint64_t word;

		memcpy(&word, s->data + at, sizeof(word));
		used = (word & place->mask) - from <= size;
	}
	if (used) {
		put_image(out, stop, w);
		b->waiting.number = 0;
	}
}

/* Writes the executable mappings and their modules, unless they have already been written. */
static void put_maps(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop)
{
	const struct map_table *t = stop->maps;
	struct strbuf *s = &b->scratch;
	size_t n = size_min(t->n, TRACE_MAPS_MAX);
	uint64_t end = 0;
	bool is_new = false;

	if (t->id && t->id == b->table)
		return;
	b->waiting.start = 0;
	s->len = 0;
	strbuf_putc(s, 'p');
	put_uleb(s, n);
	for (size_t i = 0; i < n; i++) {
		struct mapping *m = t->v[i];
		const char *id = unwind_build_id(stop->unwinder, stop->tcb->tid, stop->memory, m);
		uint32_t last = b->index->modules, number;

		number = stack_index_module(b->index, out, m, id);
		if (has_image(m))
			see_image(b, out, stop, m, number > last);
		put_uleb(s, m->start - end);
		put_uleb(s, m->end - m->start);
		put_uleb(s, m->offset);
		put_uleb(s, number);
		end = m->end;
	}
	b->number = stack_index_number(b->index, s, &b->index->maps, &is_new);
	if (is_new) {
		stack_index_put_record(out, RECORD_MAPS, b->number, s);
		b->index->mapped += n;
	}
	b->table = t->id;
}

static struct raw_perf_map *perf_map_of(struct raw_writer *b, pid_t tgid)
{
	struct raw_perf_map *p;

	vec_for_each (&b->perf_maps, have)
		if (have->tgid == tgid)
			return have;
	if (b->perf_maps.n >= PERF_MAPS_MAX)
		return NULL;
	p = vec_push(&b->perf_maps);
	*p = (struct raw_perf_map){.tgid = tgid, .fd = -1};
	return p;
}

static void look_for_perf_map(struct raw_writer *b, struct raw_perf_map *p)
{
	char name[64];

	snprintf(name, sizeof(name), "/tmp/perf-%d.map",
		 (int)b->files->ops->inner_pid(b->files, p->tgid));
	p->fd = file_source_open(b->files, p->tgid, name, true);
}

/*
 * Returns true if m contains code that is not in a file. A JIT compiler may have generated the
 * code.
 */
static bool is_nameless(const struct mapping *m)
{
	return !m->inode && !has_image(m);
}

/*
 * Returns the smallest range that contains all code that is not in a file, or {0} if there is no
 * such code.
 */
static struct map_range nameless_code(const struct map_table *t)
{
	struct map_range all = {0};

	for (size_t i = 0; i < t->n; i++) {
		if (!is_nameless(t->v[i]))
			continue;
		if (!all.hi)
			all.lo = t->v[i]->start;
		all.hi = t->v[i]->end;
	}
	return all;
}

/* Writes the text that a JIT compiler has added to the process's perf map since the last stop. */
static void put_perf_map(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop)
{
	struct raw_perf_map *p;
	struct strbuf *s = &b->scratch;
	struct stat st;
	ssize_t n;

	p = perf_map_of(b, tcb_tgid(stop->tcb));
	if (!p)
		return;
	if (p->fd < 0)
		look_for_perf_map(b, p);
	if (p->fd < 0 || fstat(p->fd, &st) || (uint64_t)st.st_size <= p->read)
		return;
	s->len = 0;
	put_uleb(s, p->read);
	strbuf_reserve(s, PERF_MAP_PART);
	n = pread(p->fd, s->data + s->len, PERF_MAP_PART, (off_t)p->read);
	if (n <= 0)
		return;
	s->len += (size_t)n;
	p->read += (uint64_t)n;
	stack_index_put_record(out, RECORD_PERF_MAP, (uint32_t)p->tgid, s);
}

/* Writes the code at an address, unless it has already been written in this block. */
static void put_code(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop,
		     uint64_t addr)
{
	const uint64_t key[2] = {(uint64_t)tcb_tgid(stop->tcb), addr};
	const uint64_t hash = table_hash(key, sizeof(key));
	char bytes[TRACE_CODE_BYTES];

	/*
	 * Hash collisions are unlikely. If two ranges have the same hash, only the first one is
	 * written.
	 */
	if (table_find(&b->code, hash, NULL) || b->code.used >= CODE_MAX ||
	    memory_read(stop->memory, addr, bytes, sizeof(bytes)))
		return;
	table_add(&b->code, hash, 1);
	b->scratch.len = 0;
	put_uleb(&b->scratch, addr);
	strbuf_add(&b->scratch, bytes, sizeof(bytes));
	stack_index_put_record(out, RECORD_CODE, (uint32_t)tcb_tgid(stop->tcb), &b->scratch);
}

/*
 * If the code at pc is not in a file, writes n ranges of code around pc and returns true. The
 * ranges include instructions after pc, because a walk without unwind information analyzes the
 * instructions after a return address.
 */
static bool put_code_at(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop,
			struct map_range all, uint64_t pc, unsigned n)
{
	const struct mapping *m =
		pc > all.lo && pc < all.hi ? map_table_find(stop->maps, pc) : NULL;
	uint64_t addr = (pc - CALL_BYTES) & ~(uint64_t)(TRACE_CODE_BYTES - 1);

	if (!m || !is_nameless(m))
		return false;
	for (unsigned i = 0; i < n; i++, addr += TRACE_CODE_BYTES)
		put_code(b, out, stop, addr);
	return true;
}

/*
 * Writes the code at the thread's pc and at possible return addresses on its stack, if this code is
 * not in a file. Returns true if any code was written.
 */
static bool put_all_code(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop,
			 struct map_range all, const struct place *place)
{
	const struct strbuf *s = &b->now.stack;
	bool found;

	if (b->block != stop->block + 1) {
		table_deinit(&b->code);
		b->code = (struct table){0};
		b->block = stop->block + 1;
	}
	found = put_code_at(b, out, stop, all, place->pc, 4);
	if (place->ra != place->pc)
		found |= put_code_at(b, out, stop, all, place->ra, 2);
	for (size_t at = 0; at + 8 <= s->len; at += 8) {
		uint64_t word;

		memcpy(&word, s->data + at, sizeof(word));
		found |= put_code_at(b, out, stop, all, word & place->mask, 2);
	}
	return found;
}

void raw_writer_process_ended(struct raw_writer *b, pid_t tgid)
{
	for (size_t i = 0; i < b->perf_maps.n; i++) {
		struct raw_perf_map *p = &b->perf_maps.v[i];

		if (p->tgid != tgid)
			continue;
		if (p->fd >= 0)
			close(p->fd);
		*p = b->perf_maps.v[--b->perf_maps.n];
		return;
	}
}

/* -- the stack ------------------------------------------------------------------------- */

/* Returns the number of bytes to copy, starting at addr, if the stack pointer is sp. */
static size_t bytes_to_take(const struct raw_writer *b, const struct raw_stop *stop, uint64_t addr,
			    uint64_t sp)
{
	uint64_t left = (stop->bottom + BOTTOM_MARGIN - addr) & ~(uint64_t)7;

	return sp <= stop->bottom && left < b->limit ? (size_t)left : b->limit;
}

/* Copies stack memory, starting a little below the stack pointer. */
static void take_stack(struct raw_writer *b, const struct raw_stop *stop, uint64_t sp)
{
	struct strbuf *s = &b->now.stack;
	ssize_t n;

	b->now.addr = (sp > SAVED_BELOW ? sp - SAVED_BELOW : 0) & ~(uint64_t)7;
	s->len = 0;
	strbuf_reserve(s, b->limit);
	n = memory_read_some(stop->memory, b->now.addr, s->data,
			     bytes_to_take(b, stop, b->now.addr, sp));
	/* The memory below the stack pointer may not be mapped. */
	if (n < (ssize_t)SAVED_BELOW) {
		b->now.addr = sp & ~(uint64_t)7;
		n = memory_read_some(stop->memory, b->now.addr, s->data,
				     bytes_to_take(b, stop, b->now.addr, sp));
	}
	s->len = n > 0 ? (size_t)n & ~(size_t)7 : 0;
}

static uint64_t word_at(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static uint32_t half_at(const char *p)
{
	uint32_t half;

	memcpy(&half, p, sizeof(half));
	return half;
}

/*
 * Returns true if addr is in executable code, or directly after it. A return address can be
 * directly after the code, because the last instruction can be a call.
 */
static bool is_code(const struct map_table *t, uint64_t addr)
{
	const struct mapping *m = map_table_find(t, addr - 1);

	return m || map_table_find(t, addr);
}

/*
 * Returns true if a walk may need this stack word, because the word is 0, an address on the stack,
 * or a return address.
 */
static bool matters(const struct raw_stop *stop, struct map_range code, uint64_t from,
		    uint64_t word)
{
	return !word || word - from < STACK_SPAN ||
	       (stop->bottom && stop->bottom - word < STACK_SPAN) ||
	       (word - code.lo <= code.hi - code.lo && is_code(stop->maps, word));
}

/*
 * Replaces the stack words that walks do not need with NO_ADDRESS. These words are data of the
 * program, which may be secret. They also differ from stack to stack, so they would take half of
 * the space in the trace.
 */
static void drop_data(struct raw_writer *b, const struct raw_stop *stop,
		      const struct arch_mode *mode, uint64_t mask)
{
	const struct map_table *t = stop->maps;
	const struct map_range code = {t->n ? t->v[0]->start : 0, t->n ? t->v[t->n - 1]->end : 0};
	const bool wide = mode->word == 8;
	const uint32_t half = NO_ADDRESS;
	char *p = b->now.stack.data, *end = p + b->now.stack.len;

	for (; p < end; p += wide ? 8 : 4) {
		const uint64_t word = wide ? word_at(p) : half_at(p);

		if (matters(stop, code, b->now.addr, word) ||
		    (word & ~mask && matters(stop, code, b->now.addr, word & mask)))
			continue;
		memset(p, 0, wide ? 8 : 4);
		memcpy(p, &half, sizeof(half));
	}
}

void raw_writer_take(struct raw_writer *b, struct strbuf *out, const struct raw_stop *stop)
{
	uint64_t columns[ARCH_COLUMNS_MAX];
	struct map_range all;
	struct arch_regs regs;
	struct place place;

	b->taken = true;
	b->tid = stop->tcb->tid;
	b->error = tcb_get_regs(stop->tcb, &regs);
	if (b->error)
		return;
	memset(b->now.words, 0, sizeof(b->now.words));
	b->now.regs_size = regs.mode->regs_size;
	memcpy(b->now.regs, regs.bytes, regs.mode->regs_size);
	arch_columns(&regs, columns);
	place = place_of(stop, regs.mode, columns);
	take_stack(b, stop, columns[regs.mode->sp]);
	put_maps(b, out, stop);
	if (b->waiting.number && b->waiting.start)
		put_waiting_image(b, out, stop, &place);
	drop_data(b, stop, regs.mode, place.mask);
	all = nameless_code(stop->maps);
	if (unlikely(all.hi) && put_all_code(b, out, stop, all, &place))
		put_perf_map(b, out, stop);
}

size_t raw_writer_size(const struct raw_writer *b)
{
	return b->taken ? 2 * b->now.stack.len + 1024 : 0;
}

void raw_writer_put(struct raw_writer *b, struct strbuf *out, uint64_t block,
		    const struct stop *stop)
{
	static const struct raw_image nothing;
	struct raw_slot *slot = &b->slots[(uint32_t)b->tid % RAW_SLOTS];
	bool known = slot->tid == b->tid && slot->block == block + 1;
	struct raw_stop_values in_stop = {0};
	struct raw_image swap;

	if (stop->kind == STOP_SYSCALL_ENTER && !stop->unknown)
		in_stop = raw_stop_values_of(&stop->tcb->regs);
	if (!b->taken)
		return;
	b->taken = false;
	b->scratch.len = 0;
	put_uleb(&b->scratch, (uint64_t)-b->error);
	if (!b->error) {
		put_uleb(&b->scratch, known);
		put_uleb(&b->scratch, b->number);
		raw_put(&b->scratch, known ? &slot->image : &nothing, &b->now, &in_stop);
		swap = slot->image;
		*slot = (struct raw_slot){b->tid, block + 1, b->now};
		b->now = swap;
	}
	strbuf_putc(out, RECORD_RAW);
	put_bytes(out, b->scratch.data, b->scratch.len);
}
