/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/plan_types.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decode/core/decode.h"
#include "util/mem.h"
#include "util/table.h"

/*
 * Maximum number of elements that a plan reads of an array in a struct, if the elements contain
 * pointers that the plan follows.
 */
#define ELEMENTS_LOOKED_INTO 16
#define NESTING_MAX	     8

/* The struct whose fields are being planned. Lengths in it can refer to other fields by name. */
struct plan_scope {
	const struct plan_scope *up;
	const struct struct_desc *desc;
	int op;
	unsigned offset;
};

struct deriving {
	struct plan *plan;
	const struct table *custom;	 /* the member `custom` of struct plans */
	const struct syscall_desc *desc; /* the call's row in syscall_descs, or a variant */
	const struct abi *abi;
	bool exiting;
	const struct plan_scope *scope;
	/*
	 * The condition of the reads that are being planned, if they belong to a case of SWITCH().
	 * See struct plan_op.
	 */
	struct plan_number condition;
	uint64_t mask, value;
	unsigned nesting;
	bool listed; /* true if the planned reads come from a struct custom_reads */
	/*
	 * The last struct type_ops for which no struct custom_reads was found. Consecutive fields
	 * often have the same type_ops, so this avoids repeated searches.
	 */
	const struct type_ops *unlisted;
};

/* The location of an object that must be read. The members are as in struct plan_op. */
struct position {
	enum plan_place place;
	unsigned arg;
	int parent;
	unsigned offset;
};

static void plan_pointed(struct deriving *d, const struct type *t, struct position at);
static void plan_inside(struct deriving *d, const struct type *t, int op, unsigned offset);

static struct plan_op op_at(const struct deriving *d, struct position at)
{
	return (struct plan_op){.place = at.place,
				.arg = at.arg,
				.parent = at.parent,
				.offset = at.offset,
				.pointer = d->abi->long_size,
				.unit = 1,
				.condition = d->condition,
				.mask = d->mask,
				.value = d->value};
}

static struct plan_number constant(uint64_t n)
{
	return (struct plan_number){.source = PLAN_CONSTANT, .n = n};
}

static bool field_number(const struct deriving *d, const char *name, struct plan_number *out)
{
	for (const struct plan_scope *s = d->scope; s; s = s->up)
		for (unsigned i = 0; i < s->desc->nfields; i++) {
			const struct type *t = &s->desc->fields[i].type;

			if (strcmp(s->desc->fields[i].name, name))
				continue;
			*out = (struct plan_number){.source = PLAN_FIELD,
						    .op = s->op,
						    .offset = s->offset +
							      struct_offset(d->abi, s->desc, i),
						    .width = decode_width(d->abi, t->width)};
			return true;
		}
	return false;
}

/*
 * Plans a read of the int to which an argument points. Sets *out to refer to that int. Returns
 * false if the plan is full.
 */
static bool pointed_number(const struct deriving *d, unsigned arg, struct plan_number *out)
{
	struct plan_op op =
		op_at(d, (struct position){.place = PLAN_ARGUMENT, .arg = arg, .parent = -1});
	int i;

	op.count = constant(sizeof(int32_t));
	i = plan_add(d->plan, op);
	*out = (struct plan_number){.source = PLAN_FIELD, .op = i, .width = sizeof(int32_t)};
	return i >= 0;
}

/*
 * Converts a length to a number in the plan. Returns false if there is no length, if the length is
 * unknown in this phase, or if the plan is full.
 */
static bool length_number(const struct deriving *d, const struct length *l, struct plan_number *out)
{
	switch ((enum length_from)l->from) {
	case LEN_CONST:
		*out = constant(l->n);
		return true;
	case LEN_ARG:
		*out = (struct plan_number){.source = PLAN_ARG, .n = l->n};
		return true;
	case LEN_ARG32:
		*out = (struct plan_number){.source = PLAN_ARG_INT, .n = l->n};
		return true;
	case LEN_ARG_U32:
		*out = (struct plan_number){.source = PLAN_ARG, .width = 4, .n = l->n};
		return true;
	case LEN_RET:
		*out = (struct plan_number){.source = PLAN_RESULT};
		return d->exiting;
	case LEN_FIELD:
		return field_number(d, l->field, out);
	case LEN_DEREF:
		return pointed_number(d, l->n, out);
	case LEN_NONE:
		break;
	}
	return false;
}

/* ---- custom decoders ---- */

/*
 * Returns the lookup key of a list entry: a hash of the address of its function, type_ops or
 * condition.
 */
static uint64_t custom_key(const struct custom_reads *h)
{
	uintptr_t key = h->fn ? (uintptr_t)h->fn : h->ops ? (uintptr_t)h->ops : (uintptr_t)h->cond;

	return table_hash_number(key);
}

static void custom_index(struct table *custom)
{
	size_t n = 0;

	for (unsigned i = 0; custom_families[i]; i++)
		for (const struct custom_reads *h = custom_families[i]; h->type || h->n; h++)
			n++;
	table_reserve(custom, n);
	for (unsigned i = 0; custom_families[i]; i++)
		for (const struct custom_reads *h = custom_families[i]; h->type || h->n; h++)
			table_add(custom, custom_key(h), (uintptr_t)h);
}

/*
 * Copies the plan operations of a list entry (h->reads) to the plan. Plan operations refer to each
 * other by index, so the indexes are adjusted.
 */
static void plan_ops(struct deriving *d, const struct custom_reads *h, struct position at)
{
	int moved[PLAN_OPS_MAX];

	for (unsigned i = 0; i < h->n; i++) {
		struct plan_op op = h->reads[i];

		moved[i] = -1;
		if (op.place != PLAN_ARGUMENT) {
			op.parent = moved[op.parent];
			if (op.parent < 0)
				continue;
		} else if (op.arg == PLAN_OWN_ARG) {
			op.place = at.place;
			op.arg = at.arg;
			op.parent = at.parent;
			op.offset = at.offset;
		}
		if (!op.pointer)
			op.pointer = d->abi->long_size;
		if (op.count.source == PLAN_FIELD)
			op.count.op = moved[op.count.op];
		if (op.count.source == PLAN_FIELD ? op.count.op < 0
						  : op.count.source == PLAN_RESULT && !d->exiting)
			continue;
		if (!op.mask) {
			op.condition = d->condition;
			op.mask = d->mask;
			op.value = d->value;
		} else if (op.condition.source == PLAN_FIELD) {
			op.condition.op = moved[op.condition.op];
		}
		moved[i] = plan_add(d->plan, op);
	}
}

/*
 * Like plan_pointed(), for memory that a custom decoder reads. The length of buffers is limited by
 * PLAN_LISTED instead of PLAN_DATA.
 */
static void plan_for_custom(struct deriving *d, const struct type *t, struct position at)
{
	bool listed = d->listed;

	d->listed = true;
	plan_pointed(d, t, at);
	d->listed = listed;
}

static void plan_listed(struct deriving *d, const struct custom_reads *h, const struct type *t,
			struct position at)
{
	struct type own;

	if (h->arg)
		at = (struct position){.place = PLAN_ARGUMENT, .arg = h->arg - 1, .parent = -1};
	if (!h->type) {
		plan_ops(d, h, at);
		return;
	}
	own = h->type->ops ? *h->type : d->desc->args[h->arg - 1].type;
	if (t && own.len.from == LEN_NONE)
		own.len = t->len;
	if (t && own.ops == &type_struct && !own.desc)
		own.desc = t->shape;
	plan_for_custom(d, &own, at);
}

/*
 * Plans all reads that are listed for a key: the address of a function, of a struct type_ops or of
 * a condition. t is the custom decoder's type in its row, or NULL. Returns false if no reads are
 * listed.
 */
static bool plan_all_listed(struct deriving *d, uintptr_t key, const struct type *t,
			    struct position at)
{
	uint64_t hash = table_hash_number(key);
	const struct table_slot *slot = NULL;
	bool any = false;

	while ((slot = table_find(d->custom, hash, slot))) {
		plan_listed(d, (const struct custom_reads *)(uintptr_t)slot->value, t, at);
		any = true;
	}
	return any;
}

static void plan_custom(struct deriving *d, const struct type *t, struct position at)
{
	const struct type_ops *ops = t->ops;
	bool listed;

	if (ops == d->unlisted)
		return;
	if (ops == &type_fn) {
		listed = plan_all_listed(d, (uintptr_t)t->fn, t, at);
	} else {
		listed = ops->fetch && plan_all_listed(d, (uintptr_t)ops->fetch, t, at);
		if (ops->number && (uintptr_t)ops->number != (uintptr_t)ops->fetch)
			listed |= plan_all_listed(d, (uintptr_t)ops->number, t, at);
		listed |= plan_all_listed(d, (uintptr_t)ops, t, at);
	}
	if (listed)
		return;
	/*
	 * If a custom decoder has a length but no listed reads, assume that it reads a buffer of
	 * that length.
	 */
	if (ops != &type_fn && !ops->fetch)
		d->unlisted = ops;
	else if (t->len.from != LEN_NONE)
		plan_for_custom(d, &(const struct type){.ops = &type_bytes, .len = t->len}, at);
}

/* ---- types ---- */

/*
 * If t stands for several types, calls plan() for the type that applies in this ABI and phase, or
 * for each case of a SWITCH(). Returns false if t is an ordinary type.
 */
static bool plan_chosen(struct deriving *d, const struct type *t, struct position at,
			void (*plan)(struct deriving *d, const struct type *t, struct position at))
{
	struct deriving outer = *d;
	struct plan_number n;

	if (t->ops == &type_by_abi) {
		plan(d, decode_type_in(d->abi, t), at);
		return true;
	}
	if (t->ops == &type_by_phase) {
		plan(d, d->exiting ? t->other : t->elem, at);
		return true;
	}
	if (t->ops != &type_switch)
		return false;
	if (t->other)
		plan(d, t->other, at);
	if (!length_number(d, &t->len, &n))
		return true;
	for (const struct type_case *c = t->cases; c->type; c++) {
		/*
		 * An operation can have only one condition, so the condition of a nested SWITCH()
		 * replaces that of the outer one. The plan may therefore read too much, but never
		 * too little.
		 */
		d->condition = n;
		d->mask = UINT64_MAX;
		d->value = c->value;
		plan(d, c->type, at);
	}
	d->condition = outer.condition;
	d->mask = outer.mask;
	d->value = outer.value;
	return true;
}

static void plan_fields(struct deriving *d, const struct struct_desc *s, int op, unsigned offset)
{
	struct plan_scope scope = {.up = d->scope, .desc = s, .op = op, .offset = offset};

	d->scope = &scope;
	for (unsigned i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (f->flags & (d->exiting ? FIELD_F_IN : FIELD_F_OUT))
			continue;
		plan_inside(d, &f->type, op, offset + struct_offset(d->abi, s, i));
	}
	d->scope = scope.up;
}

/*
 * Returns the number of bytes to read for a struct. For an extensible struct, the tracee passes the
 * size as a length or in the struct's first field. In this case, sets *bound to the maximum size.
 */
static struct plan_number struct_length(struct deriving *d, const struct type *t,
					struct position at, uint32_t *bound)
{
	struct plan_number n = constant(decode_size(d->abi, t));

	if (!(t->flags & TYPE_F_SIZED))
		return n;
	*bound = 4096; /* the kernel rejects longer structs; see copy_struct_from_user(9) */
	if (t->flags & TYPE_F_SELF) {
		struct plan_op op = op_at(d, at);

		op.count = constant(sizeof(uint32_t));
		return (struct plan_number){.source = PLAN_FIELD,
					    .op = plan_add(d->plan, op),
					    .width = sizeof(uint32_t)};
	}
	length_number(d, &t->len, &n);
	return n;
}

/*
 * Plans the read of an object of type t at the location `at`, and of the memory that it points to.
 */
static void plan_pointed(struct deriving *d, const struct type *t, struct position at)
{
	struct plan_op op = op_at(d, at);
	int i;

	if (d->nesting >= NESTING_MAX || plan_chosen(d, t, at, plan_pointed))
		return;
	d->nesting++;
	if (t->ops == &type_string) {
		op.kind = PLAN_STRING;
		op.limit = t->flags & TYPE_F_PATH ? PLAN_PATH : PLAN_TEXT;
		op.bound = t->flags & TYPE_F_PATH ? PATH_MAX : 0;
		plan_add(d->plan, op);
	} else if (t->ops == &type_bytes || t->ops == &type_sigset ||
		   (t->ops == &type_trailing && !t->elem)) {
		op.limit = t->ops == &type_sigset ? PLAN_WHOLE
			   : d->listed		  ? PLAN_LISTED
						  : PLAN_DATA;
		if (length_number(d, &t->len, &op.count))
			plan_add(d->plan, op);
	} else if (t->ops == &type_array || t->ops == &type_trailing) {
		op.limit = t->flags & (TYPE_F_ALL | TYPE_F_WHOLE) ? PLAN_WHOLE : PLAN_ELEMENTS;
		op.unit = decode_size(d->abi, t->elem);
		i = op.unit && length_number(d, &t->len, &op.count) ? plan_add(d->plan, op) : -1;
		if (i >= 0)
			plan_inside(d, t->elem, i, 0);
	} else if (t->ops == &type_struct) {
		op.count = struct_length(d, t, at, &op.bound);
		i = op.count.source == PLAN_FIELD && op.count.op < 0 ? -1 : plan_add(d->plan, op);
		if (i >= 0)
			plan_fields(d, t->desc, i, 0);
	} else if (t->ops->memory || t->ops->fetch) {
		op.count = constant(decode_size(d->abi, t));
		if (op.count.n)
			plan_add(d->plan, op);
		plan_custom(d, t, at);
	} else {
		op.count = constant(t->ops == &type_ptr ? d->abi->long_size
							: decode_width(d->abi, t->width));
		i = plan_add(d->plan, op);
		if (i >= 0)
			plan_inside(d, t, i, 0);
	}
	d->nesting--;
}

static void plan_inside_at(struct deriving *d, const struct type *t, struct position at)
{
	plan_inside(d, t, at.parent, at.offset);
}

/*
 * Plans reads for an object inside the memory that operation `op` reads. Adds no read for the
 * object itself, because `op` already reads it. Adds reads for memory that the object points to,
 * for a trailing array, and for memory that a custom decoder reads.
 */
static void plan_inside(struct deriving *d, const struct type *t, int op, unsigned offset)
{
	struct position at = {.place = PLAN_POINTER, .parent = op, .offset = offset};
	size_t size;

	if (d->nesting >= NESTING_MAX || offset > UINT16_MAX ||
	    plan_chosen(d, t, at, plan_inside_at))
		return;
	d->nesting++;
	if (t->ops == &type_ptr) {
		plan_pointed(d, t->elem, at);
	} else if (t->ops == &type_struct) {
		plan_fields(d, t->desc, op, offset);
	} else if (t->ops == &type_trailing) {
		at.place = PLAN_RELATIVE;
		plan_pointed(d, t, at);
	} else if (t->ops == &type_array) {
		size = decode_size(d->abi, t->elem);
		for (unsigned k = 0; size && k < decode_size(d->abi, t) / size; k++) {
			if (k == ELEMENTS_LOOKED_INTO)
				break;
			plan_inside(d, t->elem, op, offset + k * size);
		}
	} else {
		/*
		 * If the type is a number, the number is a pointer to the memory that the custom
		 * decoder reads. Otherwise, the custom decoder reads the memory at `offset` itself.
		 */
		if (t->ops->memory || !t->width)
			at.place = PLAN_RELATIVE;
		plan_custom(d, t, at);
	}
	d->nesting--;
}

static void plan_argument(struct deriving *d, const struct type *t, struct position at)
{
	if (plan_chosen(d, t, at, plan_argument))
		return;
	if (t->ops == &type_ptr)
		plan_pointed(d, t->elem, at);
	else if (t->ops == &type_fn)
		plan_custom(d, t, at);
	else if (t->ops->memory || t->ops->fetch)
		plan_pointed(d, t, at);
}

/* Returns true if an argument is decoded in this phase. */
static bool is_decoded(const struct arg_desc *a, bool exiting)
{
	switch ((enum phase)a->phase) {
	case PHASE_IN:
	case PHASE_HOOK_ENTER:
		return !exiting;
	case PHASE_OUT:
	case PHASE_HOOK_EXIT:
		return exiting;
	default:
		return true;
	}
}

/* Sets *p to the plan of desc for one phase. *p need not be initialized. A plan owns no memory. */
static void plan_of_row(struct plan *p, const struct table *custom, const struct syscall_desc *desc,
			const struct abi *abi, bool exiting)
{
	struct deriving d = {
		.plan = p, .custom = custom, .desc = desc, .abi = abi, .exiting = exiting};
	unsigned reg = 0;

	p->n = 0;
	p->whole = true;
	for (unsigned i = 0; i < desc->nargs; i++) {
		const struct arg_desc *a = &desc->args[i];
		struct position at = {.place = PLAN_ARGUMENT, .parent = -1};
		bool hook = a->phase >= PHASE_HOOK_ENTER;

		if (!hook) {
			at.arg = a->reg ? a->reg - 1u : reg;
			if (a->type.flags & TYPE_F_SPLIT && abi->pairs64)
				at.arg += at.arg % 2;
			reg = at.arg + 1;
			if (a->type.flags & TYPE_F_SPLIT && abi->splits64)
				reg++;
		}
		/*
		 * Conditions of arguments may also read memory. They are evaluated in both phases.
		 */
		if (a->cond)
			plan_all_listed(&d, (uintptr_t)a->cond, NULL, at);
		if (at.arg < SYSCALL_ARGS_MAX && is_decoded(a, exiting))
			plan_argument(&d, &a->type, at);
	}
	if (exiting)
		plan_argument(&d, &desc->ret,
			      (struct position){.place = PLAN_ARGUMENT, .parent = -1});
}

/* ---- the plans of all calls ---- */

struct plans {
	struct table table;  /* all plans (struct plan), indexed by plan_key() */
	struct table custom; /* all struct custom_reads, indexed by custom_key() */
	struct arena arena;  /* memory of the plans; each plan has space for exactly its own ops */
};

struct plans *plans_create(void)
{
	return mem_zalloc(sizeof(struct plans));
}

void plans_destroy(struct plans *s)
{
	if (!s)
		return;
	table_deinit(&s->table);
	table_deinit(&s->custom);
	arena_reset(&s->arena);
	free(s);
}

/*
 * Returns a key for a plan: the address of desc plus an offset that depends on ABI and phase. The
 * key is unique because the offset is less than the size of a row.
 */
static uint64_t plan_key(const struct syscall_desc *desc, const struct abi *abi, bool exiting)
{
	_Static_assert(ABI_COUNT * 2 <= sizeof(*desc), "a key for each ABI and phase of a row");
	return table_hash_number((uintptr_t)desc + abi->index * 2 + exiting);
}

const struct plan *plans_get(struct plans *s, const struct syscall_desc *desc,
			     const struct abi *abi, bool exiting)
{
	uint64_t key = plan_key(desc, abi, exiting);
	const struct table_slot *slot = table_find(&s->table, key, NULL);
	struct plan plan, *kept;
	size_t size;

	if (likely(slot != NULL))
		return (const struct plan *)(uintptr_t)slot->value;
	if (!s->custom.used)
		custom_index(&s->custom);
	plan_of_row(&plan, &s->custom, desc, abi, exiting);
	size = offsetof(struct plan, ops) + plan.n * sizeof(plan.ops[0]);
	kept = memcpy(arena_alloc(&s->arena, size), &plan, size);
	table_add(&s->table, key, (uintptr_t)kept);
	return kept;
}
