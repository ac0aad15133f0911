/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/hotspot_code.h"

#include <string.h>

#include "stack/files/elf_file.h"

#define FREE_SEGMENT	0xff
#define SEGMENT_LOG_MAX 20
#define NAME_BYTES	26
/*
 * Maximum number of steps from a segment of the code cache back to the start of its blob, the unit
 * in which code is allocated.
 */
#define HOPS_MAX	4096
#define FRAME_WORDS_MAX (1u << 20) /* maximum size of a frame in words */
/*
 * Size in bytes of a PcDesc, which consists of two offsets and of members that are not used here.
 */
#define PC_SIZE 16
#define PCS_MAX (1u << 22)

static bool read_heap(const struct lang_run *r, const struct vm_file *f, uint64_t heap,
		      struct vm_heap *h)
{
	const int32_t log = vm_int(r, heap, f->at[VM_HEAP_SEGMENT_LOG]);

	h->low = vm_pointer(r, heap, f->at[VM_HEAP_MEMORY] + f->at[VM_SPACE_LOW]);
	h->high = vm_pointer(r, heap, f->at[VM_HEAP_MEMORY] + f->at[VM_SPACE_HIGH]);
	h->segments = vm_pointer(r, heap, f->at[VM_HEAP_SEGMENTS] + f->at[VM_SPACE_LOW]);
	h->segment_log = (unsigned)log;
	return h->low && h->high > h->low && h->segments && log > 0 && log <= SEGMENT_LOG_MAX;
}

static void find_heaps(const struct lang_run *r, struct vm_file *f)
{
	static const enum vm_field needed[] = {
		VM_HEAP_MEMORY, VM_HEAP_SEGMENTS, VM_HEAP_SEGMENT_LOG, VM_SPACE_LOW, VM_SPACE_HIGH,
		VM_BLOCK_USED,	VM_BLOB_SIZE,	  VM_BLOB_FRAME_SIZE,  VM_BLOB_NAME};
	const enum vm_field length =
		f->has[VM_ARRAY_LENGTH] ? VM_ARRAY_LENGTH : VM_GENERIC_ARRAY_LENGTH;
	uint64_t list, data;
	int32_t n;

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (!f->has[needed[i]])
			return;
	if (f->has[VM_ONE_HEAP]) {
		f->code.nheaps = read_heap(r, f, vm_static(r, f, VM_ONE_HEAP), f->code.heaps);
		return;
	}
	if (!f->has[VM_HEAPS] || !f->has[length] || !f->has[VM_ARRAY_DATA])
		return;
	list = vm_static(r, f, VM_HEAPS);
	n = vm_int(r, list, f->at[length]);
	data = vm_pointer(r, list, f->at[VM_ARRAY_DATA]);
	for (int i = 0; i < n && i < VM_HEAPS_MAX; i++)
		f->code.nheaps += read_heap(r, f, vm_pointer(r, data, (uint64_t)i * 8),
					    &f->code.heaps[f->code.nheaps]);
}

bool vm_code_find(const struct lang_run *r, struct vm_file *f)
{
	uint64_t queue;
	int32_t size;

	if (f->code.stack == r->stack)
		return f->code.to;
	memset(&f->code, 0, sizeof(f->code));
	f->code.stack = r->stack;
	queue = vm_static(r, f, VM_INTERPRETER);
	size = vm_int(r, queue, f->at[VM_QUEUE_LIMIT]);
	f->code.from = vm_pointer(r, queue, f->at[VM_QUEUE_BUFFER]);
	if (!f->code.from || size <= 0)
		return false;
	f->code.to = f->code.from + (uint64_t)size;
	if (f->has[VM_CALL_STUB])
		f->code.call_stub = vm_static(r, f, VM_CALL_STUB);
	find_heaps(r, f);
	return true;
}

static const struct vm_heap *heap_of(const struct vm_file *f, uint64_t addr)
{
	for (unsigned i = 0; i < f->code.nheaps; i++)
		if (addr >= f->code.heaps[i].low && addr < f->code.heaps[i].high)
			return &f->code.heaps[i];
	return NULL;
}

bool vm_in_code_cache(const struct vm_file *f, uint64_t addr)
{
	return heap_of(f, addr);
}

bool vm_blob_find(const struct lang_run *r, const struct vm_file *f, uint64_t pc, struct vm_blob *b)
{
	const struct vm_heap *h = heap_of(f, pc);
	uint64_t segment, block;
	uint8_t back = 0, used;
	int32_t size, frame;

	if (!h)
		return false;
	segment = (pc - h->low) >> h->segment_log;
	for (int i = 0; i < HOPS_MAX; i++) {
		if (!lang_read(r->mem, h->segments + segment, &back, 1) || back == FREE_SEGMENT ||
		    back > segment)
			return false;
		if (!back)
			break;
		segment -= back;
	}
	block = h->low + (segment << h->segment_log);
	if (back || !lang_read(r->mem, block + f->at[VM_BLOCK_USED], &used, 1) || !used)
		return false;
	b->addr = block + f->block_size;
	size = vm_int(r, b->addr, f->at[VM_BLOB_SIZE]);
	frame = vm_int(r, b->addr, f->at[VM_BLOB_FRAME_SIZE]);
	if (size <= 0 || pc < b->addr || pc - b->addr >= (uint64_t)size)
		return false;
	b->size = (uint32_t)size;
	b->frame_size = frame >= 2 && (uint32_t)frame <= FRAME_WORDS_MAX ? (uint32_t)frame : 0;
	return true;
}

enum vm_blob_kind vm_blob_kind(const struct lang_run *r, const struct vm_file *f,
			       const struct vm_blob *b)
{
	/*
	 * The text of the last entry is only a prefix of the blob's name, whose end depends on the
	 * version.
	 */
	static const struct {
		const char *text;
		size_t n;
		enum vm_blob_kind kind;
	} names[] = {{"nmethod", 8, VM_COMPILED},
		     {"native nmethod", 15, VM_NATIVE},
		     {"StubRoutines (continuation", NAME_BYTES, VM_CONTINUATION}};
	const uint64_t name = vm_pointer(r, b->addr, f->at[VM_BLOB_NAME]);
	char text[NAME_BYTES];

	/* Most names are constants in the JVM's file. */
	if (!name || (!elf_file_load(f->elf, name - r->bias, text, sizeof(text)) &&
		      !lang_read(r->mem, name, text, sizeof(text))))
		return VM_STUB;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!memcmp(text, names[i].text, names[i].n))
			return names[i].kind;
	return VM_STUB;
}

/*
 * Returns true if pc is the address of the deoptimization handler. If compiled code was invalidated
 * while a frame was active, the JVM has replaced the frame's return address with this address.
 */
static bool is_deoptimised(const struct lang_run *r, const struct vm_file *f,
			   const struct vm_blob *b, uint64_t pc)
{
	static const enum vm_field addresses[] = {VM_COMPILED_DEOPT, VM_COMPILED_DEOPT_MH},
				   offsets[] = {VM_NMETHOD_DEOPT, VM_NMETHOD_DEOPT_MH, VM_OLD_DEOPT,
						VM_OLD_DEOPT_MH};

	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		if (f->has[addresses[i]] && pc == vm_pointer(r, b->addr, f->at[addresses[i]]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++)
		if (f->has[offsets[i]] &&
		    pc == b->addr + (uint32_t)vm_int(r, b->addr, f->at[offsets[i]]))
			return true;
	return false;
}

void vm_place_read(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
		   uint64_t pc, uint64_t sp, struct vm_place *place)
{
	const enum vm_field method =
		f->has[VM_NMETHOD_METHOD] ? VM_NMETHOD_METHOD : VM_COMPILED_METHOD;

	memset(place, 0, sizeof(*place));
	place->pc = pc;
	place->blob = b->addr;
	place->method = f->has[method] ? vm_pointer(r, b->addr, f->at[method]) : 0;
	place->id = vm_int(r, b->addr, f->at[VM_NMETHOD_ID]);
	if (f->has[VM_NMETHOD_ORIGINAL_PC] && is_deoptimised(r, f, b, pc))
		place->pc = vm_pointer(r, sp,
				       (uint32_t)vm_int(r, b->addr, f->at[VM_NMETHOD_ORIGINAL_PC]));
}

/*
 * Addresses of a compiled method's code, and of the tables that the JIT compiler has stored with
 * the code.
 */
struct tables {
	uint64_t code, pcs, scopes, metadata;
	uint32_t npcs;
};

static bool find_tables(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
			struct tables *t)
{
	const bool outside = f->has[VM_NMETHOD_IMMUTABLE];
	const uint64_t base =
		outside ? vm_pointer(r, b->addr, f->at[VM_NMETHOD_IMMUTABLE]) : b->addr;
	const uint32_t from = (uint32_t)vm_int(r, b->addr, f->at[VM_NMETHOD_PCS]),
		       scopes = (uint32_t)vm_int(r, b->addr, f->at[VM_NMETHOD_SCOPES]),
		       to = outside ? scopes
				    : (uint32_t)vm_int(r, b->addr, f->at[VM_NMETHOD_PCS_END]);

	if (!f->has[VM_NMETHOD_PCS] || !base || to < from)
		return false;
	t->code = f->has[VM_BLOB_CODE]
			  ? vm_pointer(r, b->addr, f->at[VM_BLOB_CODE])
			  : b->addr + (uint32_t)vm_int(r, b->addr, f->at[VM_BLOB_CODE_OFFSET]);
	t->pcs = base + from;
	t->npcs = (to - from) / PC_SIZE;
	if (f->has[VM_COMPILED_SCOPES])
		t->scopes = vm_pointer(r, b->addr, f->at[VM_COMPILED_SCOPES]);
	else
		t->scopes = f->has[VM_NMETHOD_SCOPES] ? base + scopes : 0;
	if (f->has[VM_BLOB_MUTABLE] && f->has[VM_BLOB_RELOCATION]) {
		const uint32_t n = (uint32_t)vm_int(r, b->addr, f->at[VM_BLOB_RELOCATION]);

		t->metadata = vm_pointer(r, b->addr, f->at[VM_BLOB_MUTABLE]) + ((n + 7ull) & ~7ull);
	} else if (outside) {
		t->metadata = b->addr + (uint32_t)vm_int(r, b->addr, f->at[VM_BLOB_DATA]) +
			      vm_half(r, b->addr, f->at[VM_NMETHOD_METADATA]);
	} else {
		t->metadata = b->addr + (uint32_t)vm_int(r, b->addr, f->at[VM_NMETHOD_METADATA]);
	}
	return t->npcs && t->npcs <= PCS_MAX && t->scopes && t->metadata;
}

/*
 * Finds the scope that belongs to a return address. Returns the scope's offset in the scopes data,
 * or 0 if there is none. The JIT compiler has stored scopes only for calls at which the JVM may
 * inspect the Java stack.
 */
static uint32_t scope_at(const struct lang_run *r, const struct tables *t, uint64_t pc)
{
	uint32_t low = 0, high = t->npcs;
	int32_t pair[2]; /* offsets of the instruction and of the instruction's scope */

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (!lang_read_once(r->mem, t->pcs + (uint64_t)middle * PC_SIZE, pair,
				    sizeof(pair)))
			return 0;
		if (pair[0] < 0 || t->code + (uint32_t)pair[0] < pc)
			low = middle + 1;
		else if (t->code + (uint32_t)pair[0] > pc)
			high = middle;
		else
			return pair[1] > 0 ? (uint32_t)pair[1] : 0;
	}
	return 0;
}

size_t vm_scopes_find(const struct lang_run *r, const struct vm_file *f, const struct vm_blob *b,
		      const struct vm_place *place, struct vm_scope scopes[VM_SCOPES_MAX])
{
	struct tables t;
	uint32_t scope;
	size_t n = 0;

	scope = find_tables(r, f, b, &t) ? scope_at(r, &t, place->pc) : 0;
	if (!scope) {
		scopes[0] = (struct vm_scope){place->method, VM_NO_INDEX};
		return 1;
	}
	while (scope) {
		struct vm_stream s;
		uint32_t method;

		if (n == VM_SCOPES_MAX)
			return 0;
		vm_stream_begin(&s, r, f, t.scopes + scope);
		scope = vm_stream_number(&s);
		/*
		 * The next two numbers are the method number (0 if there is no method) and the
		 * bytecode index plus 1.
		 */
		method = vm_stream_number(&s);
		scopes[n].index = (uint64_t)vm_stream_number(&s) - 1;
		if (s.failed || !method ||
		    !lang_read_once(r->mem, t.metadata + (method - 1) * (uint64_t)8,
				    &scopes[n].method, 8))
			return 0;
		n++;
	}
	return scopes[n - 1].method == place->method ? n : 0;
}
