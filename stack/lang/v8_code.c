/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Since V8 11, the instructions of a code object are in a separate object. That object has a header
 * directly before the first instruction. To find the object that contains an address, V8 uses
 * tables that are not exported. The functions below search the memory before the address for a
 * header instead. The header and the code object must refer to each other, so a wrong header is not
 * accepted.
 *
 * The results are cached by address. V8's garbage collector moves and frees code, so each use first
 * checks that the code object and its data are still the same.
 */
#include "stack/lang/v8_code.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

#define ALIGNMENT 32u /* alignment of the first instruction in V8 for all machines */
/* The memory before an address is searched in at most SEARCH_PAGES pieces of SEARCH_PAGE bytes. */
#define SEARCH_PAGES 256u
#define SEARCH_PAGE  4096u
#define CANDIDATES   512u /* maximum number of possible headers that are examined */
#define STREAM_CODE  8	  /* offset of the pointer to the code object */
/* Sizes of the parts of a code object that are compared. */
#define CHECK_STREAM   24u
#define CHECK_CODE     72u
#define CHECK_DEOPT    80u
#define CHECK	       (CHECK_STREAM + CHECK_CODE + CHECK_DEOPT)
#define SAFEPOINTS_MAX (1u << 20) /* maximum size of a safepoint table in bytes */

/*
 * The data about an address in generated code. Stored as the line table of a lang_object. kept[0]
 * of this object is the id of the last stack for which the code has been checked.
 */
struct site {
	uint64_t stream; /* address of the object that contains the instructions; 0 if not found */
	enum v8_kind kind;
	uint8_t check[CHECK];
	size_t n;
	struct v8_spot spots[];
};

struct code {
	uint64_t stream, object, start;
	uint32_t size;
	int kind; /* kind of the code, in V8's numbering */
};

uint8_t *v8_bytes(const struct v8_context *g, uint64_t object, size_t *n)
{
	const int type = object ? v8_type_of(g, object) : -1;
	uint64_t length;
	uint8_t *bytes;

	if (type < 0 || (type != g->v[V8_TYPE_BYTES] && type != g->v[V8_TYPE_TRUSTED_BYTES]) ||
	    !lang_read_once(g->r->mem, object + V8_ARRAY_LENGTH, &length, 8) ||
	    !v8_is_small(length) || v8_small_of(length) <= 0 ||
	    v8_small_of(length) > LANG_LINES_MAX)
		return NULL;
	*n = v8_small_of(length);
	bytes = mem_alloc(*n);
	if (lang_read_once(g->r->mem, object + V8_ARRAY_DATA, bytes, *n))
		return bytes;
	free(bytes);
	return NULL;
}

uint64_t v8_code_bytecode(const struct v8_context *g, uint64_t data)
{
	for (unsigned i = 0; data && i < 3; i++) {
		const int type = v8_type_of(g, data);

		if (type == g->v[V8_TYPE_BYTECODE])
			return data;
		/*
		 * If the data is not baseline code, it is an InterpreterData, whose first member is
		 * the bytecode array.
		 */
		data = v8_member(g, data, type == g->v[V8_TYPE_CODE] ? g->v[V8_CODE_DEOPT] : 8);
	}
	return 0;
}

/* Returns the code object of an object that contains instructions, or 0. */
static uint64_t code_of(const struct v8_context *g, uint64_t stream)
{
	return g->v[V8_TYPE_STREAM] >= 0 ? v8_member(g, stream, STREAM_CODE) : stream;
}

/*
 * Returns true if the object `stream` is code that contains the return address pc. Sets *c to the
 * description of the code.
 */
static bool read_code(const struct v8_context *g, uint64_t stream, uint64_t pc, struct code *c)
{
	const int32_t *v = g->v;
	const bool separate = v[V8_TYPE_STREAM] >= 0;
	uint32_t flags;

	c->stream = stream;
	c->object = code_of(g, stream);
	c->start = stream + v[V8_STREAM_START];
	if (!c->object || v8_type_of(g, c->object) != v[V8_TYPE_CODE])
		return false;
	if (separate) {
		uint64_t start;

		if (v8_member(g, c->object, v[V8_CODE_STREAM]) != stream ||
		    !lang_read_u64(g->r->mem, c->object + v[V8_CODE_START], &start) ||
		    start != c->start)
			return false;
	}
	if (!lang_read(g->r->mem, c->object + v[V8_CODE_SIZE], &c->size, 4) ||
	    !lang_read(g->r->mem, c->object + v[V8_CODE_FLAGS], &flags, 4))
		return false;
	c->kind = (flags & v[V8_KIND_MASK]) >> (v[V8_KIND_SHIFT] & 31);
	return pc > c->start && pc - c->start <= c->size;
}

/*
 * Returns true if the word can be the address of a map, V8's description of an object's type.
 * Instructions rarely have such a value.
 */
static bool may_be_map(uint64_t word)
{
	return (word & 7) == 1 && word > 65536 && word >> 47 == 0;
}

static bool is_stream(const struct v8_context *g, uint64_t map)
{
	const int32_t *v = g->v;
	uint16_t type;

	return lang_read_once(g->r->mem, v8_object_of(map) + v[V8_MAP_TYPE], &type, sizeof(type)) &&
	       type == v[v[V8_TYPE_STREAM] >= 0 ? V8_TYPE_STREAM : V8_TYPE_CODE];
}

/*
 * Searches for the code that contains pc, backwards from pc. The first word of a header is the
 * address of a map. Returns false if no code is found.
 */
static bool search_code(const struct v8_context *g, uint64_t pc, struct code *c)
{
	uint64_t at = (pc & ~(uint64_t)(ALIGNMENT - 1)) - g->v[V8_STREAM_START];
	unsigned candidates = 0;

	for (unsigned pages = 0; pages < SEARCH_PAGES; pages++) {
		/* The first possible header in this page. The page before may be unreadable. */
		const uint64_t first = at - (at % SEARCH_PAGE & ~(uint64_t)(ALIGNMENT - 1));
		uint8_t page[SEARCH_PAGE];

		if (!lang_read_once(g->r->mem, first, page, at - first + 8))
			return false;
		for (; at >= first && at > ALIGNMENT; at -= ALIGNMENT) {
			uint64_t map;

			memcpy(&map, page + (at - first), sizeof(map));
			if (!may_be_map(map))
				continue;
			if (is_stream(g, map))
				return read_code(g, at, pc, c);
			if (++candidates > CANDIDATES)
				return false;
		}
	}
	return false;
}

/*
 * Reads the parts of a code object that show whether it is still the same. The deoptimization data
 * of optimised code contains a number that V8 never uses again. If there is no code object, reads
 * the instructions before pc. The rest of check[] is 0. Returns false if a part cannot be read.
 */
static bool read_check(const struct v8_context *g, uint64_t stream, enum v8_kind kind, uint64_t pc,
		       uint8_t check[CHECK])
{
	const uint64_t code = code_of(g, stream);
	uint64_t deopt;

	memset(check, 0, CHECK);
	if (!stream)
		return lang_read(g->r->mem, pc - CHECK_STREAM, check, CHECK_STREAM);
	if (!code || !lang_read(g->r->mem, stream, check, CHECK_STREAM) ||
	    !lang_read(g->r->mem, code, check + CHECK_STREAM, CHECK_CODE))
		return false;
	if (kind != V8_OPTIMISED)
		return true;
	deopt = v8_member(g, code, g->v[V8_CODE_DEOPT]);
	return deopt && lang_read(g->r->mem, deopt, check + CHECK - CHECK_DEOPT, CHECK_DEOPT);
}

/* Returns the size in bytes of a bytecode with its operands and prefix, or 0 if it is unknown. */
static size_t bytecode_size(const struct v8_file *f, const uint8_t *p, size_t n)
{
	size_t prefix = 0, size;
	unsigned scale = 0;

	/* The bytecodes 0 to 3 are prefixes: Wide, ExtraWide, and the same with a breakpoint. */
	if (n && p[0] < 4) {
		prefix = 1;
		scale = 1 + (p[0] & 1);
	}
	if (n <= prefix || p[prefix] >= f->nsizes)
		return 0;
	size = f->sizes[scale][p[prefix]];
	return size ? prefix + size : 0;
}

/*
 * Returns the bytecode offset of the instructions at the offset pc in baseline code. The first
 * element of the table is the number of bytes of instructions before the first bytecode. Each
 * further element is the number of bytes of instructions for one bytecode. Returns -1 if pc is
 * before the first bytecode, or -2 if the offset is unknown.
 */
static int32_t baseline_offset(const struct v8_file *f, uint64_t pc, const uint8_t *table,
			       size_t ntable, const uint8_t *code, size_t ncode)
{
	const uint8_t *p = table, *end = table + ntable;
	size_t next = 0, offset = 0;
	uint64_t to = v8_number(&p, end);

	if (to >= pc)
		return -1;
	while (p < end) {
		const size_t size = bytecode_size(f, code + next, ncode - next);

		if (!size || size > ncode - next)
			return -2;
		offset = next;
		next += size;
		to += v8_number(&p, end);
		if (to >= pc)
			return offset;
	}
	return -2;
}

/*
 * Reads the instructions of a bytecode array. Returns allocated memory of *n bytes, or NULL if they
 * cannot be read.
 */
static uint8_t *read_bytecode(const struct v8_context *g, uint64_t bytecode, size_t *n)
{
	uint64_t length;
	uint8_t *code;

	if (!bytecode || !lang_read_once(g->r->mem, bytecode + V8_ARRAY_LENGTH, &length, 8) ||
	    !v8_is_small(length) || v8_small_of(length) <= 0 ||
	    v8_small_of(length) > LANG_LINES_MAX)
		return NULL;
	*n = v8_small_of(length);
	code = mem_alloc(*n);
	if (lang_read_once(g->r->mem, bytecode + g->v[V8_BYTECODE_DATA], code, *n))
		return code;
	free(code);
	return NULL;
}

static size_t find_baseline(const struct v8_context *g, const struct code *c, uint64_t pc,
			    struct v8_spot *spot)
{
	size_t ntable, ncode, found = 0;
	uint8_t *table, *code;

	table = v8_bytes(g, v8_member(g, c->object, g->v[V8_CODE_POSITIONS]), &ntable);
	code = table ? read_bytecode(g, v8_code_bytecode(g, c->object), &ncode) : NULL;
	if (code) {
		spot->bytecode =
			baseline_offset(g->file, pc - c->start, table, ntable, code, ncode);
		found = spot->bytecode >= -1;
	}
	free(table);
	free(code);
	return found;
}

static uint32_t little_endian(const uint8_t *p, unsigned n)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint32_t)p[i] << 8 * (i & 3);
	return v;
}

/* The sizes in a safepoint table. */
struct safepoints {
	uint64_t entries; /* address of the first entry */
	uint32_t n;
	unsigned pc, index; /* sizes in bytes of the members of an entry: an offset in the code, and
			       the index of a deoptimization entry */
	unsigned size;	    /* size of an entry in bytes */
};

/*
 * Reads the start of a safepoint table: the number of entries, their configuration, and some other
 * numbers. Returns false if the table is empty or invalid. Formats: src/codegen/safepoint-table.h
 * and maglev-safepoint-table.h.
 */
static bool read_safepoints(const struct v8_context *g, uint64_t table, bool maglev,
			    struct safepoints *t)
{
	/* Since version 13, another number comes first. Maglev's tables have further numbers. */
	const bool late = g->file->major >= 13;
	uint32_t head[2];

	if (!lang_read_once(g->r->mem, table + 4 * late, head, sizeof(head)))
		return false;
	t->entries = table + (maglev ? 16 : 8 + 4 * late);
	t->n = head[0];
	t->pc = head[1] >> 4 & 7;
	t->index = head[1] >> 7 & 7;
	t->size = 2 * t->pc + t->index + maglev + (head[1] >> 1 & 7);
	return head[1] & 1 && t->pc && t->pc <= 4 && t->index && t->index <= 4 && t->n &&
	       t->n <= SAFEPOINTS_MAX / t->size;
}

/*
 * Returns the index of the deoptimization entry that the safepoint table stores for a return
 * address, or -1 if there is none. pc is the offset of the return address in the code. If V8 has
 * decided to abandon the code, it has replaced the return address with the trampoline address of
 * the safepoint, so pc is also compared with the trampoline's offset.
 */
static int32_t search_safepoints(const struct v8_context *g, uint64_t table, bool maglev,
				 uint64_t pc)
{
	struct safepoints t;
	uint8_t *entries;
	int32_t found = -1;

	if (!read_safepoints(g, table, maglev, &t))
		return -1;
	entries = mem_alloc((size_t)t.n * t.size);
	if (lang_read_once(g->r->mem, t.entries, entries, (size_t)t.n * t.size))
		for (uint32_t i = 0; i < t.n; i++) {
			const uint8_t *e = entries + (size_t)i * t.size;
			const uint32_t trampoline = little_endian(e + t.pc + t.index, t.pc) - 1;

			if (little_endian(e, t.pc) != pc && trampoline != pc)
				continue;
			/* The table contains the index plus 1, or 0 if there is no index. */
			found = (int32_t)little_endian(e + t.pc, t.index) - 1;
			break;
		}
	free(entries);
	return found;
}

/*
 * Stores the element with the given index of an array of pointers and small integers in *v. Returns
 * false if it cannot be read.
 */
static bool element(const struct v8_context *g, uint64_t array, uint64_t index, uint64_t *v)
{
	uint64_t length;

	return array && lang_read_u64(g->r->mem, array + V8_ARRAY_LENGTH, &length) &&
	       v8_is_small(length) && v8_small_of(length) >= 0 &&
	       index < (uint64_t)v8_small_of(length) &&
	       lang_read_u64(g->r->mem, array + V8_ARRAY_DATA + 8 * index, v);
}

static size_t find_optimised(const struct v8_context *g, const struct code *c, uint64_t pc,
			     struct v8_spot spots[V8_INLINED])
{
	const struct v8_format *f = v8_format_of(g->file->major, g->file->minor);
	const uint64_t deopt = v8_member(g, c->object, g->v[V8_CODE_DEOPT]);
	const bool maglev = c->kind == g->v[V8_KIND_BASELINE] + 1;
	int32_t entry = search_safepoints(g, c->start + c->size, maglev, pc - c->start);
	uint64_t translations, at;
	uint8_t *data;
	size_t n, found;

	/* An entry has three elements. The second one is the index of the translation. */
	if (!f || entry < 0 ||
	    !element(g, deopt, g->v[V8_DEOPT_ENTRIES] + 3 * (uint64_t)entry + 1, &at) ||
	    !v8_is_small(at) || v8_small_of(at) < 0 || !element(g, deopt, 0, &translations))
		return 0;
	data = v8_bytes(g, v8_object_of(translations), &n);
	if (!data)
		return 0;
	found = v8_translation_read(f, data, n, v8_small_of(at), spots);
	free(data);
	return found;
}

static const struct site *site_add(const struct v8_context *g, uint64_t pc)
{
	struct strbuf nothing = {0};
	struct v8_spot spots[V8_INLINED] = {{0}};
	struct lang_object *o;
	struct code c = {0};
	struct site head = {0}, *s;

	if (search_code(g, pc, &c) && c.kind >= g->v[V8_KIND_BASELINE]) {
		head.stream = c.stream;
		head.kind = c.kind == g->v[V8_KIND_BASELINE] ? V8_BASELINE : V8_OPTIMISED;
	}
	if (!read_check(g, head.stream, head.kind, pc, head.check))
		head = (struct site){.kind = V8_UNKNOWN};
	if (head.kind == V8_BASELINE)
		head.n = find_baseline(g, &c, pc, spots);
	else if (head.kind == V8_OPTIMISED)
		head.n = find_optimised(g, &c, pc, spots);
	s = mem_alloc(sizeof(*s) + head.n * sizeof(*spots));
	*s = head;
	memcpy(s->spots, spots, head.n * sizeof(*spots));
	o = lang_object_add(g->r->names, language_javascript.name, g->r->tgid, pc, "", 0, &nothing,
			    NULL, (uint8_t *)s, sizeof(*s) + head.n * sizeof(*spots));
	o->kept[0] = g->r->stack;
	return (const struct site *)(const void *)o->lines;
}

/* Returns the data about an address, from the cache if the code is still the same. */
static const struct site *site_get(const struct v8_context *g, uint64_t pc)
{
	struct lang_object *o = lang_object_find(g->r->names, g->r->tgid, pc, "", 0);
	const struct site *s = o ? (const struct site *)(const void *)o->lines : NULL;
	uint8_t check[CHECK];

	if (s && o->kept[0] == g->r->stack)
		return s;
	if (!s || !read_check(g, s->stream, s->kind, pc, check) ||
	    memcmp(check, s->check, sizeof(check)))
		return site_add(g, pc);
	o->kept[0] = g->r->stack;
	return s;
}

bool v8_code_contains(const struct v8_context *g, uint64_t pc)
{
	return g->file->compiled && site_get(g, pc)->kind != V8_UNKNOWN;
}

/* Returns the address of the SharedFunctionInfo to which `spot` refers, or 0 if it is not found. */
static uint64_t shared_of(const struct v8_context *g, uint64_t literals, const struct v8_spot *spot)
{
	uint64_t literal, shared;

	if (spot->literal == V8_NO_LITERAL || !element(g, literals, spot->literal, &literal) ||
	    !(literal & 1))
		return 0;
	/* In a weak reference, the lowest two bits are set. */
	shared = literal & ~(uint64_t)3;
	if (spot->builtin)
		shared = v8_member(g, shared, g->v[V8_FUNCTION_SHARED]);
	return v8_type_of(g, shared) == g->v[V8_TYPE_SHARED] ? shared : 0;
}

void v8_code_places(const struct v8_context *g, uint64_t pc, struct v8_places *places)
{
	const struct site *s;
	uint64_t literals = 0;

	*places = (struct v8_places){.kind = V8_UNKNOWN};
	places->unsupported = !g->file->compiled;
	if (places->unsupported)
		return;
	s = site_get(g, pc);
	places->kind = s->kind;
	if (s->kind == V8_BASELINE)
		places->unsupported = !g->file->nsizes;
	else if (s->kind == V8_OPTIMISED)
		places->unsupported = !v8_format_of(g->file->major, g->file->minor);
	if (s->kind == V8_OPTIMISED && s->n &&
	    !element(g, v8_member(g, code_of(g, s->stream), g->v[V8_CODE_DEOPT]),
		     g->v[V8_DEOPT_LITERALS], &literals))
		return;
	for (size_t i = 0; i < s->n; i++) {
		struct v8_place *p = &places->v[places->n];

		p->shared = s->kind == V8_OPTIMISED
				    ? shared_of(g, v8_object_of(literals), &s->spots[i])
				    : 0;
		p->bytecode = s->spots[i].bytecode;
		p->builtin = s->spots[i].builtin;
		if (p->shared || s->kind == V8_BASELINE) {
			places->n++;
		} else if (!p->builtin) {
			places->n = 0;
			return;
		}
	}
}
