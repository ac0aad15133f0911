/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/played_names.h"

#include <string.h>

#include "trace/format/records.h"
#include "trace/format/coding.h"

/* Maximum number of modules in one block. */
#define BLOCK_MODULES_MAX 65536

void played_names_deinit(struct played_names *n)
{
	vec_deinit(&n->modules);
	vec_deinit(&n->names);
	table_deinit(&n->by_module);
	table_deinit(&n->by_frame);
	arena_reset(&n->arena);
}

uint32_t played_names_module(struct played_names *n, const char *name, const char *build_id,
			     uint64_t inode)
{
	struct table_slot *slot = NULL;
	uint64_t hash;

	name = name ? name : "";
	build_id = build_id ? build_id : "";
	hash = table_hash(name, strlen(name)) ^ table_hash(build_id, strlen(build_id));
	hash = table_hash_number(hash ^ inode);
	while ((slot = table_find(&n->by_module, hash, slot))) {
		const struct named_module *m = &n->modules.v[slot->value - 1];

		if (m->inode == inode && !strcmp(m->name, name) && !strcmp(m->build_id, build_id))
			return (uint32_t)slot->value - 1;
	}
	*vec_push(&n->modules) = (struct named_module){arena_strdup(&n->arena, name),
						       arena_strdup(&n->arena, build_id), inode};
	table_add(&n->by_module, hash, n->modules.n);
	return (uint32_t)n->modules.n - 1;
}

static uint64_t frame_hash(uint32_t module, uint64_t addr, bool exact)
{
	return table_hash_number(table_hash_number(addr) ^ ((uint64_t)module << 1 | exact));
}

const struct played_name *played_names_find(const struct played_names *n, uint32_t module,
					    uint64_t addr, bool exact)
{
	struct table_slot *slot = NULL;

	while ((slot = table_find(&n->by_frame, frame_hash(module, addr, exact), slot))) {
		const struct played_name *name = n->names.v[slot->value - 1];

		if (name->module == module && name->addr == addr && name->exact == exact)
			return name;
	}
	return NULL;
}

static const char *copy(struct played_names *n, const char *text)
{
	return text ? arena_strdup(&n->arena, text) : NULL;
}

const struct played_name *played_names_add(struct played_names *n, const struct played_name *name)
{
	struct played_name *own;
	struct inlined *inlined;

	if (n->names.n >= TRACE_NAMES_MAX || n->arena.total >= TRACE_KEPT_MAX ||
	    played_names_find(n, name->module, name->addr, name->exact))
		return NULL;
	own = arena_alloc(&n->arena, sizeof(*own));
	*own = *name;
	own->symbol = copy(n, name->symbol);
	own->file = copy(n, name->file);
	inlined = arena_alloc(&n->arena, size_max(name->ninlined, 1) * sizeof(*inlined));
	for (unsigned i = 0; i < name->ninlined; i++)
		inlined[i] =
			(struct inlined){copy(n, name->inlined[i].symbol),
					 copy(n, name->inlined[i].file), name->inlined[i].line};
	own->inlined = inlined;
	*vec_push(&n->names) = own;
	table_add(&n->by_frame, frame_hash(own->module, own->addr, own->exact), n->names.n);
	return own;
}

/* -- blocks ------------------------------------------------------------------------ */

/* The state while a block is being parsed. */
struct block {
	struct played_names *names;
	struct arena arena;
	/* maps module numbers in the block to numbers from played_names_module(), plus 1 */
	struct table modules;
};

/* Reads a string into the arena. Returns NULL if the string is empty. */
static const char *take_text(struct block *b, struct cursor *in)
{
	size_t n;
	const uint8_t *bytes = take_bytes(in, &n);

	return n ? arena_strndup(&b->arena, (const char *)bytes, n) : NULL;
}

static void take_module(struct block *b, struct cursor *in)
{
	uint64_t number = cursor_uleb(in);
	const char *name, *build_id;
	uint64_t inode;

	cursor_uint(in, 1);
	name = take_text(b, in);
	build_id = take_text(b, in);
	inode = cursor_uleb(in);
	if (in->bad || b->modules.used >= BLOCK_MODULES_MAX ||
	    table_find(&b->modules, table_hash_number(number), NULL))
		return;
	table_add(&b->modules, table_hash_number(number),
		  (uint64_t)played_names_module(b->names, name, build_id, inode) + 1);
}

static void take_name(struct block *b, struct cursor *in)
{
	const struct table_slot *module =
		table_find(&b->modules, table_hash_number(cursor_uleb(in)), NULL);
	struct inlined inlined[TRACE_INLINED_MAX];
	struct played_name name = {.inlined = inlined};
	uint64_t n;

	name.exact = cursor_uleb(in) & FRAME_IS_EXACT;
	name.addr = cursor_uleb(in);
	name.symbol = take_text(b, in);
	name.offset = cursor_uleb(in);
	name.file = take_text(b, in);
	name.line = (unsigned)cursor_uleb(in);
	n = cursor_uleb(in);
	for (; name.ninlined < n && n <= TRACE_INLINED_MAX && !in->bad; name.ninlined++) {
		struct inlined *i = &inlined[name.ninlined];

		i->symbol = take_text(b, in);
		i->file = take_text(b, in);
		i->line = (unsigned)cursor_uleb(in);
	}
	if (in->bad || !module || n > TRACE_INLINED_MAX)
		return;
	name.module = (uint32_t)module->value - 1;
	played_names_add(b->names, &name);
}

void played_names_take(struct played_names *n, const uint8_t *body, size_t size)
{
	struct cursor in = {.p = body, .end = body + size};
	struct block b = {.names = n};

	while (in.p < in.end) {
		uint64_t type = cursor_uint(&in, 1);
		size_t len;
		const uint8_t *bytes = take_bytes(&in, &len);
		struct cursor rest = {.p = bytes, .end = bytes ? bytes + len : bytes};

		if (!bytes)
			break;
		if (type == RECORD_MODULE)
			take_module(&b, &rest);
		else if (type == RECORD_NAME)
			take_name(&b, &rest);
	}
	table_deinit(&b.modules);
	arena_reset(&b.arena);
}
