/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/types.h"

#include <string.h>

#include "decode/core/type.h"

void types_deinit(struct types *t)
{
	vec_deinit(&t->list);
	vec_deinit(&t->tables);
	vec_deinit(&t->names);
}

static void add_table(struct types *t, const struct xlat *table)
{
	vec_for_each (&t->tables, old)
		if (*old == table)
			return;
	*vec_push(&t->tables) = table;
}

/* Maximum nesting depth of types. All types in the tables are less deep. */
#define DEPTH_MAX 16

typedef void visit_type(void *ctx, const struct type *type);

/*
 * Calls `visit` for each type that `type` can stand for, such as the target of a pointer, or each
 * case of a switch. Most types stand only for themselves.
 */
static void each_type(const struct type *type, visit_type *visit, void *ctx, unsigned depth)
{
	const struct type_ops *ops = type->ops;

	if (!ops || depth > DEPTH_MAX)
		return;
	if (ops == &type_ptr) {
		each_type(type->elem, visit, ctx, depth + 1);
	} else if (ops == &type_by_abi || ops == &type_by_phase) {
		each_type(type->elem, visit, ctx, depth + 1);
		each_type(type->other, visit, ctx, depth + 1);
	} else if (ops == &type_named) {
		each_type(type->elem, visit, ctx, depth + 1);
		visit(ctx, type);
	} else if (ops == &type_switch) {
		for (const struct type_case *c = type->cases; c->type; c++)
			each_type(c->type, visit, ctx, depth + 1);
		each_type(type->other, visit, ctx, depth + 1);
	} else if (ops != &type_none) {
		visit(ctx, type);
	}
}

static void add_decoded(struct types *t)
{
	t->forms |= FORM_ANY;
	t->decoded = true;
}

static void add_parts(struct types *t, const struct parts *parts)
{
	t->forms |= FORM_NUMBER | FORM_FLAGS;
	for (unsigned i = 0; i < parts->n; i++) {
		const struct type *of[] = {parts->rows[i].type, parts->rows[i].elsewhere};

		for (size_t j = 0; j < ARRAY_SIZE(of); j++) {
			if (!of[j])
				continue;
			if (of[j]->ops == &type_enum || of[j]->ops == &type_flags)
				add_table(t, of[j]->xlat);
			else if (of[j]->ops == &type_parts)
				add_parts(t, of[j]->parts);
			else if (of[j]->ops == &type_fn)
				add_decoded(t);
		}
		if (parts->rows[i].name) {
			t->forms |= FORM_ANY;
			*vec_push(&t->names) = parts->rows[i].name;
		}
	}
}

static bool is_one_of(const struct type_ops *ops, const struct type_ops *const *list)
{
	while (*list && *list != ops)
		list++;
	return *list;
}

static void take_form(void *ctx, const struct type *type)
{
	static const struct type_ops *const numbers[] = {
		&type_int,   &type_uint,	 &type_hex,   &type_addr, &type_pid,
		&type_tgid,  &type_pgid,	 &type_sid,   &type_uid,  &type_dev,
		&type_umode, &type_pid_or_group, &type_named, NULL};
	static const struct type_ops *const texts[] = {&type_string, &type_bytes, &type_chars,
						       NULL};
	static const struct type_ops *const arrays[] = {&type_array, &type_trailing, NULL};
	const struct type_ops *ops = type->ops;
	struct types *t = ctx;

	*vec_push(&t->list) = type;
	if (is_one_of(ops, numbers)) {
		t->forms |= FORM_NUMBER;
	} else if (is_one_of(ops, texts)) {
		t->forms |= FORM_TEXT | (type->flags & TYPE_F_PATH ? FORM_PATH : 0);
	} else if (is_one_of(ops, arrays)) {
		t->forms |= FORM_ARRAY;
	} else if (ops == &type_fd) {
		t->forms |= FORM_NUMBER | FORM_FD;
	} else if (ops == &type_enum || ops == &type_ret_named) {
		t->forms |= FORM_NUMBER;
		add_table(t, type->xlat);
	} else if (ops == &type_flags) {
		t->forms |= FORM_NUMBER | FORM_FLAGS;
		add_table(t, type->xlat);
	} else if (ops == &type_parts) {
		add_parts(t, type->parts);
	} else if (ops == &type_signo) {
		t->forms |= FORM_NUMBER;
		add_table(t, &xlat_signals);
	} else if (ops == &type_errno || ops == &type_failure) {
		t->forms |= FORM_NUMBER;
		add_table(t, &xlat_errnos);
	} else if (ops == &type_struct) {
		t->forms |= FORM_STRUCT;
	} else if (ops == &type_sigset) {
		t->forms |= FORM_FLAGS;
		add_table(t, &xlat_signals);
	} else {
		/* mode bits, socket addresses, and types with a decoder function */
		add_decoded(t);
	}
}

static void add_type(struct types *t, const struct type *type)
{
	each_type(type, take_form, t, 0);
}

/*
 * Adds the types of the arguments called `name` or, if `name` is NULL, of all arguments. Returns
 * false if there are none.
 */
static bool find_argument(struct types *t, const struct arg_desc *args, unsigned n,
			  const char *name)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++) {
		if (!args[i].name || (name && strcmp(args[i].name, name)))
			continue;
		add_type(t, &args[i].type);
		found = true;
	}
	return found;
}

static bool find_in_row(struct types *t, const struct syscall_desc *desc, const char *name)
{
	const struct variants *v = desc->variants;
	bool found = find_argument(t, desc->args, desc->nargs, name);

	for (unsigned i = 0; v && i < v->n; i++) {
		if (!v->rows[i].whole)
			found |= find_argument(t, v->key->prefix, v->key->nprefix, name);
		found |= find_argument(t, v->rows[i].desc.args, v->rows[i].desc.nargs, name);
	}
	return found;
}

bool types_of_argument(struct types *t, const char *name, uint8_t *rows)
{
	bool found = false;

	for (unsigned i = 0; i < syscall_desc_count; i++) {
		if (!find_in_row(t, &syscall_descs[i], name))
			continue;
		rows[i / 8] |= 1 << i % 8;
		found = true;
	}
	return found;
}

unsigned types_of_argument_in(struct types *t, const char *name, const uint8_t *rows)
{
	unsigned n = 0;

	for (unsigned i = 0; i < syscall_desc_count; i++)
		if (rows[i / 8] >> i % 8 & 1)
			n += find_in_row(t, &syscall_descs[i], name);
	return n;
}

static bool enters(const struct arg_desc *args, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (args[i].name && !strcmp(args[i].name, name) && args[i].phase != PHASE_OUT)
			return true;
	return false;
}

bool types_enters(const struct syscall_desc *desc, const char *name)
{
	const struct variants *v = desc->variants;
	bool found = enters(desc->args, desc->nargs, name);

	for (unsigned i = 0; v && i < v->n && !found; i++)
		found = (!v->rows[i].whole && enters(v->key->prefix, v->key->nprefix, name)) ||
			enters(v->rows[i].desc.args, v->rows[i].desc.nargs, name);
	return found;
}

unsigned types_of_row(const struct syscall_desc *desc)
{
	struct types t = {0};
	unsigned forms;

	find_in_row(&t, desc, NULL);
	forms = t.forms;
	types_deinit(&t);
	return forms;
}

/*
 * Clears `t` and frees its tables and names. Returns its other contents. The caller frees the list.
 */
static struct types take_list(struct types *t)
{
	struct types old = *t;

	vec_deinit(&old.tables);
	vec_deinit(&old.names);
	*t = (struct types){0};
	return old;
}

bool types_enter_member(struct types *t, const char *name)
{
	struct types old = take_list(t);
	bool any = old.forms & FORM_ANY, found = false;

	t->verbose = true;
	vec_for_each (&old.list, type) {
		const struct struct_desc *desc =
			(*type)->ops == &type_struct ? (*type)->desc : NULL;

		for (unsigned i = 0; desc && i < desc->nfields; i++) {
			const struct field *f = &desc->fields[i];

			if (f->flags & FIELD_F_HIDDEN || strcmp(f->name, name))
				continue;
			add_type(t, &f->type);
			t->verbose &= !!(f->flags & FIELD_F_VERBOSE);
			found = true;
		}
	}
	if (any && (!found || names_is_member(name))) {
		found |= names_is_member(name);
		t->forms |= FORM_ANY;
	}
	t->verbose &= found && !any;
	vec_deinit(&old.list);
	return found;
}

bool types_enter_elements(struct types *t)
{
	struct types old = take_list(t);
	bool found = old.forms & FORM_ANY;

	if (found)
		t->forms |= FORM_ANY;
	vec_for_each (&old.list, type) {
		const struct type_ops *ops = (*type)->ops;

		if ((ops != &type_array && ops != &type_trailing) || !(*type)->elem)
			continue;
		add_type(t, (*type)->elem);
		found = true;
	}
	vec_deinit(&old.list);
	return found;
}

static void suggest_arguments(struct suggestion *s, const struct arg_desc *args, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (args[i].name)
			suggestion_consider(s, args[i].name);
}

void types_suggest_argument(struct suggestion *s)
{
	for (unsigned i = 0; i < syscall_desc_count; i++) {
		const struct syscall_desc *desc = &syscall_descs[i];
		const struct variants *v = desc->variants;

		suggest_arguments(s, desc->args, desc->nargs);
		for (unsigned j = 0; v && j < v->n; j++)
			suggest_arguments(s, v->rows[j].desc.args, v->rows[j].desc.nargs);
	}
}

void types_suggest_member(const struct types *t, struct suggestion *s)
{
	vec_for_each (&t->list, type)
		for (unsigned i = 0; (*type)->ops == &type_struct && i < (*type)->desc->nfields;
		     i++)
			suggestion_consider(s, (*type)->desc->fields[i].name);
	if (t->forms & FORM_ANY)
		names_suggest_member(s);
}
