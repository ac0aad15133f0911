/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/eval.h"

#include <string.h>

#include "event/paths.h"
#include "linux/syscall_desc.h"
#include "query/frames.h"
#include "query/types.h"
#include "select/watched.h"
#include "util/clock.h"
#include "util/glob.h"
#include "util/strbuf.h"

/* ---- fields ---- */

static void set_number(struct operand *o, value_number n)
{
	o->found = FOUND;
	o->is_number = true;
	o->number = n;
}

static void set_text(struct operand *o, const char *text, size_t len)
{
	o->found = text ? FOUND : FOUND_NOTHING;
	o->is_text = text;
	o->text = text;
	o->len = len;
}

static void set_value(struct operand *o, const struct value *v)
{
	o->found = FOUND;
	o->value = v;
	o->is_number = value_as_number(v, &o->number, &o->bits);
	o->is_text = value_as_text(v, o->buf, &o->text, &o->len);
}

static bool has_row(const struct field_ref *f, const struct syscall_event *e)
{
	return e->row >= 0 && f->rows[e->row / 8] >> e->row % 8 & 1;
}

static enum found argument(const struct field_ref *f, const struct query_subject *s,
			   const struct value **v)
{
	enum found found;

	if (s->signal) {
		*v = s->signal->base.args[0].in;
		found = *v ? value_find_member(v, f->argument, true) : FOUND_NOTHING;
	} else if (s->call ? has_row(f, s->call) : s->base->kind == EVENT_OTHER) {
		found = event_argument(s->base, f->argument, s->ended, v);
	} else {
		return FOUND_NOTHING;
	}
	for (size_t i = 0; i < f->nsteps && found == FOUND; i++) {
		const struct step *step = &f->steps[i];

		found = step->name ? value_find_member(v, step->name, s->ended)
				   : value_find_element(v, step->index, s->ended);
	}
	/* The new value of a changed argument is known only at syscall exit. */
	if (found == FOUND && (*v)->kind == VALUE_CHANGE && (*v)->flags & VALUE_F_OPEN && !s->ended)
		return FOUND_LATER;
	return found;
}

static void result(struct operand *o, const struct syscall_event *e)
{
	switch (e->base.ret_kind) {
	case RET_NONE:
		o->found = FOUND_NOTHING;
		break;
	case RET_VALUE:
		if (e->base.ret_value)
			set_value(o, e->base.ret_value);
		if (!o->is_number || e->base.ret_value->kind == VALUE_CALL)
			set_number(o, e->base.ret);
		o->is_text = false;
		break;
	default:
		set_number(o, -1);
		break;
	}
}

static const char *name_of(const struct query_subject *s)
{
	return s->signal ? xlat_name(&xlat_signals, (uint64_t)s->signal->sig) : s->base->name;
}

static void peer(struct operand *o, const struct query_subject *s, bool address_only)
{
	struct strbuf b = {0};

	o->found = event_peer(s->call, s->ended, address_only, &b);
	if (o->found == FOUND) {
		b.len = size_min(b.len, sizeof(o->buf));
		memcpy(o->buf, b.data, b.len);
		set_text(o, o->buf, b.len);
	}
	strbuf_deinit(&b);
}

/*
 * Evaluates a field that describes the call's descriptor: fd, fd.path, fd.kind, fd.addr or fd.port.
 */
static void descriptor(const struct field_ref *f, const struct query_subject *s, struct operand *o)
{
	const struct value *fd = event_descriptor(s->call, s->ended), *v;
	struct descriptor_facts facts;

	if (!fd) {
		o->found = FOUND_NOTHING;
		return;
	}
	if (f->kind == FIELD_FD) {
		set_value(o, fd);
		return;
	}
	value_descriptor_facts(fd, &facts);
	switch (f->kind) {
	case FIELD_FD_PATH:
		set_text(o, facts.path, facts.path_len);
		break;
	case FIELD_FD_KIND:
		set_text(o, facts.kind, facts.kind_len);
		break;
	default:
		v = facts.socket ? value_member(facts.socket,
						f->kind == FIELD_FD_PORT ? "port" : "address")
				 : NULL;
		if (!v && f->kind == FIELD_FD_ADDR && facts.socket)
			v = value_member(facts.socket, "path");
		o->found = FOUND_NOTHING;
		if (v)
			set_value(o, v);
		break;
	}
}

/*
 * Sets *o to the time that a call spent blocked, runnable or on a CPU, as `kind` selects. The call
 * must have ended. If these times were not measured, sets o->found to FOUND_NOTHING.
 */
static void off_cpu(enum field_kind kind, const struct syscall_event *e, struct operand *o)
{
	if (!e->knows_off_cpu)
		o->found = FOUND_NOTHING;
	else
		set_number(o, kind == FIELD_BLOCKED    ? e->blocked
			      : kind == FIELD_RUNNABLE ? e->runnable
						       : event_cpu_ns(e));
}

/* Evaluates a field that exists only for syscalls. */
static void call_field(const struct field_ref *f, const struct query_subject *s, struct operand *o)
{
	const struct syscall_event *e = s->call;
	uint64_t n;

	switch (f->kind) {
	case FIELD_NR:
		if (e->base.request)
			o->found = FOUND_NOTHING;
		else
			set_number(o, e->base.nr);
		break;
	case FIELD_BYTES:
		if (!event_bytes(&e->base, &n))
			o->found = FOUND_NOTHING;
		else if (s->ended)
			set_number(o, n);
		break;
	case FIELD_FD:
	case FIELD_FD_PATH:
	case FIELD_FD_KIND:
	case FIELD_FD_ADDR:
	case FIELD_FD_PORT:
		descriptor(f, s, o);
		break;
	case FIELD_PEER:
	case FIELD_PEER_ADDR:
		peer(o, s, f->kind == FIELD_PEER_ADDR);
		break;
	case FIELD_BLOCKED:
	case FIELD_RUNNABLE:
	case FIELD_CPU:
		if (s->ended)
			off_cpu(f->kind, e, o);
		break;
	case FIELD_PEER_PORT:
		o->found = event_peer_port(e, s->ended, &n);
		if (o->found == FOUND)
			set_number(o, n);
		break;
	default:
		if (!s->ended)
			break;
		if (f->kind == FIELD_RET)
			result(o, e);
		else if (f->kind == FIELD_DURATION)
			set_number(o, timespec_ns(e->base.duration));
		else if (e->base.ret_kind == RET_NONE)
			o->found = FOUND_NOTHING;
		else
			set_number(o, e->base.ret_kind == RET_VALUE ? 0 : e->base.ret);
		break;
	}
}

void eval_field(const struct field_ref *f, const struct query_subject *s, struct operand *o)
{
	const struct value *v = NULL;
	const char *text;

	o->found = FOUND_LATER;
	o->is_number = o->is_text = false;
	o->value = NULL;
	o->bits = 0;
	switch (f->kind) {
	case FIELD_ARGUMENT:
		o->found = argument(f, s, &v);
		if (o->found == FOUND)
			set_value(o, v);
		break;
	case FIELD_KIND:
		text = s->call && !s->base->request ? "syscall"
		       : s->signal		    ? "signal"
						    : event_type(s->base);
		set_text(o, text, strlen(text));
		break;
	case FIELD_NAME:
		text = name_of(s);
		set_text(o, text, text ? strlen(text) : 0);
		break;
	case FIELD_PID:
		set_number(o, s->base->tgid);
		break;
	case FIELD_TID:
		set_number(o, s->base->tid);
		break;
	case FIELD_COMM:
		set_text(o, s->base->comm, strnlen(s->base->comm, sizeof(s->base->comm)));
		break;
	case FIELD_EXE:
		/*
		 * The program of an execve is the program that it starts. The started program is
		 * known only at exit, so the field has no value yet.
		 */
		if (s->call && !s->ended && event_is_execve(s->call))
			break;
		text = s->base->exe;
		set_text(o, text, text ? strlen(text) : 0);
		break;
	case FIELD_CGROUP:
		text = s->base->cgroup;
		set_text(o, text, text ? strlen(text) : 0);
		break;
	case FIELD_ABI:
		text = abis[s->call && s->call->abi ? s->call->abi->index : s->base->abi].name;
		set_text(o, text, strlen(text));
		break;
	case FIELD_IP:
		set_number(o, s->base->ip);
		break;
	case FIELD_TIME:
		set_number(o, timespec_ns(s->base->time));
		break;
	case FIELD_SIGNAL:
		o->found = FOUND_NOTHING;
		if (s->signal)
			set_number(o, s->signal->sig);
		break;
	default:
		if (s->call)
			call_field(f, s, o);
		else
			o->found = FOUND_NOTHING;
		break;
	}
}

/* ---- comparisons ---- */

/* Returns the numeric value of a literal, which depends on the operand's table and width. */
static value_number literal_number(const struct literal *l, const struct operand *o)
{
	value_number n = l->number;

	if (l->constants) {
		uint64_t bits = 0;

		for (size_t i = 0; i < l->nnames; i++)
			bits |= constant_number(&l->constants[i], o->value);
		n = bits;
		/*
		 * Tables store negative constants, such as AT_FDCWD, as unsigned numbers, so
		 * convert the number if the operand is negative.
		 */
		if (!o->bits && o->number < 0)
			n = bits <= UINT32_MAX ? (int32_t)bits : (int64_t)bits;
	}
	if (n < 0 && o->bits)
		n &= o->bits >= 64 ? (value_number)UINT64_MAX : ((value_number)1 << o->bits) - 1;
	return n;
}

static bool text_equals(const char *text, size_t len, const struct literal *l)
{
	char terminated[4096];

	if (len == l->len && !memcmp(text, l->text, len))
		return true;
	if (l->glob)
		return glob_matches(l->glob, text, len);
	if (!l->regex || len >= sizeof(terminated) || memchr(text, '\0', len))
		return false;
	memcpy(terminated, text, len);
	terminated[len] = '\0';
	return !regexec(l->regex, terminated, 0, NULL, 0);
}

/*
 * Returns true if a string matches a regular expression. Removes NULs from the string first,
 * because matching would end at a NUL.
 */
static bool text_matches(const char *text, size_t len, const struct literal *l)
{
	attr_cleanup(mem_free_ptr) char *large = NULL;
	char small[4096], *copy = small;
	size_t n = 0;

	if (len >= sizeof(small))
		copy = large = mem_alloc(len + 1);
	for (size_t i = 0; i < len; i++)
		if (text[i])
			copy[n++] = text[i];
	copy[n] = '\0';
	return !regexec(l->regex, copy, 0, NULL, 0);
}

static bool equals(const struct operand *o, const struct literal *l)
{
	if (l->kind == LITERAL_STRING || (l->kind == LITERAL_NAMES && !l->constants))
		return o->is_text && text_equals(o->text, o->len, l);
	if (o->is_number)
		return o->number == literal_number(l, o);
	/* The operand has no number, so compare its text with the name. */
	return l->constants && o->is_text && text_equals(o->text, o->len, l);
}

static bool equals_any(const struct node *n, const struct operand *o)
{
	for (size_t i = 0; i < n->nliterals; i++)
		if (equals(o, &n->literals[i]))
			return true;
	return false;
}

static bool has_all(const struct literal *l, const struct operand *o)
{
	if (!l->constants)
		return o->is_number && (o->number & l->number) == l->number;
	for (size_t i = 0; i < l->nnames; i++)
		if (!o->value || !value_has(o->value, &l->constants[i]))
			return false;
	return true;
}

/* Returns true if the field has a value other than 0 and the empty string. */
static bool is_set(const struct operand *o)
{
	if (o->is_text && (!o->value || o->value->kind != VALUE_NAME))
		return o->len;
	return !o->is_number || o->number;
}

static bool compare(const struct node *n, const struct operand *o)
{
	const struct literal *l = n->literals;

	switch (n->kind) {
	case NODE_IS:
		return is_set(o);
	case NODE_EQUAL:
		return equals_any(n, o);
	case NODE_DIFFERS:
		return !equals_any(n, o);
	case NODE_LESS:
		return o->is_number && o->number < literal_number(l, o);
	case NODE_AT_MOST:
		return o->is_number && o->number <= literal_number(l, o);
	case NODE_MORE:
		return o->is_number && o->number > literal_number(l, o);
	case NODE_AT_LEAST:
		return o->is_number && o->number >= literal_number(l, o);
	case NODE_MATCHES:
		return o->is_text && text_matches(o->text, o->len, l);
	case NODE_MISSES:
		return o->is_text && !text_matches(o->text, o->len, l);
	case NODE_HAS:
		return has_all(l, o);
	default:
		return false;
	}
}

/* ---- fields with several values ---- */

/*
 * Compares the classes of a syscall with the classes named by the literals. A syscall may be in
 * several classes, so != is true if the syscall is in none of the named classes.
 */
static enum truth compare_class(const struct node *n, const struct query_subject *s,
				const struct eval_row *row)
{
	const struct syscall_event *e = s->call;
	uint32_t classes = 0;
	bool in = false;

	if (!e)
		return TRUTH_NO;
	if (row)
		classes = row->classes;
	else if (e->row >= 0)
		classes = syscall_desc_classes(&syscall_descs[e->row]);
	if (n->kind == NODE_IS)
		return classes ? TRUTH_YES : TRUTH_NO;
	for (size_t i = 0; i < n->nliterals && !in; i++)
		in = classes & (uint32_t)n->literals[i].number;
	return in == (n->kind == NODE_EQUAL) ? TRUTH_YES : TRUTH_NO;
}

static bool visit_path(void *ctx, const char *path, size_t len)
{
	const struct operand o = {.found = FOUND, .is_text = true, .text = path, .len = len};

	return compare(ctx, &o);
}

static enum truth compare_path(const struct node *n, const struct query_subject *s)
{
	if (!s->call)
		return TRUTH_NO;
	switch (event_paths(s->call, s->ended, visit_path, (void *)n)) {
	case FOUND:
		return TRUTH_YES;
	case FOUND_LATER:
		return TRUTH_OPEN;
	default:
		return TRUTH_NO;
	}
}

static enum truth compare_stack(const struct node *n, const struct query_subject *s)
{
	if (!s->ended)
		return TRUTH_OPEN;
	return frames_match(n->literals->regex, s->unwinder, s->base->stack) ==
			       (n->kind == NODE_MATCHES)
		       ? TRUTH_YES
		       : TRUTH_NO;
}

static bool visit_watched_fd(void *ctx, int fd)
{
	const struct operand o = {.found = FOUND, .is_number = true, .number = fd};

	return compare(ctx, &o);
}

static bool visit_watched_path(void *ctx, const char *path, size_t len, bool absolute)
{
	const struct node *n = ctx;

	for (size_t i = 0; i < n->nliterals; i++)
		if ((!absolute || n->literals[i].regex) && text_equals(path, len, &n->literals[i]))
			return true;
	return false;
}

static bool has_regex(const struct node *n)
{
	for (size_t i = 0; i < n->nliterals; i++)
		if (n->literals[i].regex)
			return true;
	return false;
}

static enum truth compare_watched(const struct node *n, const struct query_subject *s)
{
	if (!s->watched)
		return TRUTH_OPEN;
	return (n->field.kind == FIELD_WATCHED_FD
			? watched_fds(s->watched, visit_watched_fd, (void *)n)
			: watched_paths(s->watched, has_regex(n), visit_watched_path, (void *)n))
		       ? TRUTH_YES
		       : TRUTH_NO;
}

/* ---- trees ---- */

/*
 * Returns true if a call of this row may have the field. The value of the field is not known yet.
 */
static bool may_have(const struct field_ref *f, const struct syscall_event *e,
		     const struct eval_row *row)
{
	switch (f->kind) {
	case FIELD_ARGUMENT:
		return has_row(f, e);
	case FIELD_FD:
	case FIELD_FD_PATH:
	case FIELD_FD_KIND:
	case FIELD_FD_ADDR:
	case FIELD_FD_PORT:
	case FIELD_PEER:
	case FIELD_PEER_ADDR:
	case FIELD_PEER_PORT:
		return row->forms & (FORM_FD | FORM_ANY);
	case FIELD_PATH:
		return row->forms & (FORM_PATH | FORM_FD | FORM_ANY);
	case FIELD_BYTES:
		return event_moves_bytes(e->base.name);
	case FIELD_SIGNAL:
		return false;
	default:
		return true;
	}
}

static bool depends_on_row(const struct field_ref *f, const struct eval_row *row)
{
	if (f->kind == FIELD_NAME || f->kind == FIELD_NR)
		return !row->any;
	return f->kind == FIELD_CLASS || f->kind == FIELD_ABI || f->kind == FIELD_KIND;
}

static enum truth eval_comparison(const struct node *n, const struct query_subject *s,
				  const struct eval_row *row)
{
	struct operand o;

	if (row && !depends_on_row(&n->field, row))
		return may_have(&n->field, s->call, row) ? TRUTH_OPEN : TRUTH_NO;
	switch (n->field.kind) {
	case FIELD_CLASS:
		return compare_class(n, s, row);
	case FIELD_PATH:
		return compare_path(n, s);
	case FIELD_STACK:
		return compare_stack(n, s);
	case FIELD_WATCHED_FD:
	case FIELD_WATCHED_PATH:
		return compare_watched(n, s);
	default:
		eval_field(&n->field, s, &o);
		if (o.found == FOUND)
			return compare(n, &o) ? TRUTH_YES : TRUTH_NO;
		return o.found == FOUND_LATER ? TRUTH_OPEN : TRUTH_NO;
	}
}

enum truth eval_node(const struct node *n, const struct query_subject *s,
		     const struct eval_row *row)
{
	enum truth a, b, decides;

	switch (n->kind) {
	case NODE_OR:
	case NODE_AND:
		decides = n->kind == NODE_OR ? TRUTH_YES : TRUTH_NO;
		a = eval_node(n->a, s, row);
		if (a == decides)
			return a;
		b = eval_node(n->b, s, row);
		if (b == decides)
			return b;
		return a == TRUTH_OPEN || b == TRUTH_OPEN ? TRUTH_OPEN : b;
	case NODE_NOT:
		a = eval_node(n->a, s, row);
		return a == TRUTH_OPEN ? a : a == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
	default:
		return eval_comparison(n, s, row);
	}
}
