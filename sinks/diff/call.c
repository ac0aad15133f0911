/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/call.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>

#include "event/find.h"

/* Maximum number of generated names, and maximum number of a value's children to show. */
#define FRESH_MAX    65536
#define CHILDREN_MAX 32

static bool one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

#define ONE_OF(name, ...)                                                                          \
	one_of(name, (const char *const[]){__VA_ARGS__},                                           \
	       ARRAY_SIZE(((const char *const[]){__VA_ARGS__})))

bool call_is_timing(const char *name)
{
	return ONE_OF(name, "futex", "futex_wait", "futex_wake", "futex_waitv", "sched_yield",
		      "restart_syscall", "membarrier");
}

bool call_is_quiet(const char *name)
{
	return ONE_OF(name, "brk", "mmap", "mmap2", "munmap", "mprotect", "madvise", "mremap",
		      "wait4", "waitid", "waitpid", "rt_sigreturn", "sigreturn", "getrandom");
}

bool call_result_counts(const struct syscall_event *e)
{
	if (e->base.ret_value && e->base.ret_value->kind != VALUE_INT &&
	    e->base.ret_value->kind != VALUE_UINT)
		return false;
	return !ONE_OF(e->base.name, "time", "times", "poll", "ppoll", "select", "_newselect",
		       "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "io_uring_enter",
		       "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "setsid",
		       "set_tid_address", "clone", "clone3", "fork", "vfork", "wait4", "getrandom",
		       "sched_getaffinity", "rt_sigtimedwait", "alarm");
}

const struct value *call_arg(const struct syscall_event *e, const char *name)
{
	const struct value *v;

	return event_argument(&e->base, name, true, &v) == FOUND ? v : NULL;
}

/* -- names ------------------------------------------------------------------------ */

void fresh_names_deinit(struct fresh_names *f)
{
	table_deinit(&f->by_hash);
}

static const char *base_name(const char *s, size_t n, size_t *len)
{
	const char *slash = n ? memrchr(s, '/', n) : NULL;
	const char *base = slash ? slash + 1 : s;

	*len = (size_t)(s + n - base);
	return base;
}

static const struct value *path_of(const struct syscall_event *e)
{
	for (unsigned i = 0; i < e->base.nargs; i++) {
		const struct value *v = e->base.args[i].in;

		if (v && v->kind == VALUE_STRING && v->flags & VALUE_F_PATH)
			return v;
	}
	return NULL;
}

void fresh_names_note(struct fresh_names *f, const struct syscall_event *e)
{
	const struct value *path, *flags = call_arg(e, "flags");
	const char *base;
	uint64_t hash;
	size_t n;

	if (e->base.ret_kind != RET_VALUE || f->n >= FRESH_MAX)
		return;
	if (strcmp(e->base.name, "mkdir") && strcmp(e->base.name, "mkdirat") &&
	    !(flags && flags->num & O_CREAT && flags->num & O_EXCL &&
	      (!strcmp(e->base.name, "open") || !strcmp(e->base.name, "openat"))))
		return;
	path = path_of(e);
	if (!path)
		return;
	base = base_name(path->str, path->len, &n);
	hash = table_hash(base, n);
	if (n >= 4 && !table_find(&f->by_hash, hash, NULL))
		table_add(&f->by_hash, hash, ++f->n);
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == '+' ||
	       c == '~' || c == '%' || c == '#';
}

/* Adds a word to the hash h, without the numbers in the word. Returns the new hash. */
static uint64_t loose_word(uint64_t h, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isdigit((unsigned char)s[i]))
			h = key_mix(h, (unsigned char)s[i]);
		else if (!i || !isdigit((unsigned char)s[i - 1]))
			h = key_mix(h, '0');
	}
	return h;
}

uint64_t loose_hash(const struct fresh_names *fresh, const char *s, size_t n)
{
	uint64_t h = 1;

	for (size_t i = 0; i < n;) {
		const struct table_slot *slot = NULL;
		size_t end = i;

		while (end < n && in_name(s[end]))
			end++;
		if (end == i) {
			h = key_mix(h, (unsigned char)s[i++]);
			continue;
		}
		if (fresh && fresh->n && end - i >= 4)
			slot = table_find(&fresh->by_hash, table_hash(s + i, end - i), NULL);
		h = slot ? key_mix(h, 0x10000 + slot->value) : loose_word(h, s + i, end - i);
		i = end;
	}
	return h;
}

/* -- keys ------------------------------------------------------------------------- */

struct key_walk {
	struct call_keys *keys;
	const struct fresh_names *fresh;
	bool moves; /* true if strings other than paths are transferred data, as in write(2) */
	bool in;    /* true if the program passes the argument to the kernel */
	bool whole; /* true in function calls and expressions, whose numbers are significant */
};

static void mix(struct key_walk *w, uint64_t n)
{
	if (!w->in)
		return;
	w->keys->key = key_mix(w->keys->key, n);
	w->keys->loose = key_mix(w->keys->loose, n);
}

static void mix_string(struct key_walk *w, const char *s, size_t n)
{
	if (!w->in)
		return;
	w->keys->key = key_mix(w->keys->key, table_hash(s, n));
	w->keys->loose = key_mix(w->keys->loose, loose_hash(w->fresh, s, n));
}

static bool is_under(const struct value *v, const char *folder)
{
	size_t n = strlen(folder);

	return v->str && v->len > n + 1 && !memcmp(v->str, folder, n) && v->str[n] == '/';
}

/*
 * Returns true if a path contains numbers that the kernel assigned. This applies to unnamed
 * objects, such as pipe:[123], and to processes.
 */
static bool is_numbered(const struct value *v)
{
	return v->len && (v->str[v->len - 1] == ']' ||
			  (is_under(v, "/proc") && isdigit((unsigned char)v->str[6])));
}

static void walk_string(struct key_walk *w, const struct value *v)
{
	bool path = v->flags & VALUE_F_PATH;

	if (w->in && !w->moves && is_numbered(v))
		mix(w, loose_hash(w->fresh, v->str, v->len));
	else if (w->in && (path || !w->moves))
		mix_string(w, v->str, v->len);
	else
		w->keys->data = key_mix(w->keys->data | 1, loose_hash(w->fresh, v->str, v->len));
}

static void walk_fd(struct key_walk *w, const struct value *v)
{
	if (v->flags & VALUE_F_ATFD && (int)v->num == AT_FDCWD)
		mix(w, 'C');
	else if (v->num <= 2) /* a standard stream, which can refer to any file */
		mix(w, v->num);
	else if (v->str && is_numbered(v))
		mix(w, loose_hash(w->fresh, v->str, v->len));
	else if (v->str)
		mix_string(w, v->str, v->len);
}

static void walk(struct key_walk *w, const struct value *v);

static void walk_children(struct key_walk *w, const struct value *v)
{
	value_for_each(v, child) walk(w, child);
}

static void walk(struct key_walk *w, const struct value *v)
{
	bool whole = w->whole;

	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
	case VALUE_UINT:
		if (w->whole)
			mix(w, v->num);
		break;
	case VALUE_OCT:
	case VALUE_ENUM:
	case VALUE_FLAGS:
		mix(w, v->num);
		break;
	case VALUE_NAME:
	case VALUE_ADDRESS:
		mix_string(w, v->str, v->len);
		break;
	case VALUE_STRING:
		walk_string(w, v);
		break;
	case VALUE_FD:
		walk_fd(w, v);
		break;
	case VALUE_CALL:
	case VALUE_OR:
	case VALUE_EXPR:
		w->whole = true;
		walk_children(w, v);
		w->whole = whole;
		break;
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_BITSET:
	case VALUE_CHANGE:
	case VALUE_SEQ:
	case VALUE_INDEXED:
		walk_children(w, v);
		break;
	default: /* all others are ignored, such as pointers, hexadecimal numbers and pids */
		break;
	}
}

static bool reads_noise(const struct value *v)
{
	return is_under(v, "/proc") || is_under(v, "/dev");
}

void call_keys(struct call_keys *k, const struct fresh_names *fresh, const struct syscall_event *e)
{
	struct key_walk w = {.keys = k, .fresh = fresh};
	bool noise = !strcmp(e->base.name, "getrandom") || call_is_quiet(e->base.name);

	k->key = k->loose = table_hash(e->base.name, strlen(e->base.name));
	k->data = 0;
	for (unsigned i = 0; i < e->base.nargs; i++) {
		const struct value *v = e->base.args[i].in;

		w.moves |= v && v->kind == VALUE_FD && !(v->flags & VALUE_F_ATFD);
		noise |= v && v->kind == VALUE_FD && reads_noise(v);
	}
	for (unsigned i = 0; i < e->base.nargs; i++) {
		const struct arg *a = &e->base.args[i];

		if (a->name && !strcmp(a->name, "envp"))
			continue;
		w.in = a->in;
		if (a->in || (a->out && e->base.ret_kind == RET_VALUE))
			walk(&w, a->in ? a->in : a->out);
	}
	if (noise)
		k->data = 0;
}

/* -- display ------------------------------------------------------------------------ */

static struct value *shown(struct arena *a, const struct value *v, size_t limit)
{
	struct value *copy;
	unsigned n = 0;

	if (v->kind == VALUE_ADDR && v->num)
		return value_new(a, VALUE_MORE, 0);
	copy = value_new(a, v->kind, v->num);
	*copy = *v;
	copy->next = NULL;
	switch ((enum value_kind)v->kind) {
	case VALUE_FD:
		if (v->flags & VALUE_F_ATFD && (int)v->num == AT_FDCWD)
			copy->str = NULL;
		break;
	case VALUE_STRING:
		if (!(v->flags & VALUE_F_PATH) && v->len > limit) {
			copy->len = limit;
			copy->flags |= VALUE_F_MORE;
		}
		break;
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_OR:
	case VALUE_CALL:
	case VALUE_EXPR:
	case VALUE_BITSET:
	case VALUE_CHANGE:
	case VALUE_SEQ:
	case VALUE_INDEXED:
		copy->child = copy->last = NULL;
		value_for_each(v, child)
		{
			const char *name = child->name;
			struct value *c = shown(a, child, limit);

			value_add(copy, c);
			c->name = name;
			if (++n == CHILDREN_MAX && child->next) {
				copy->flags |= VALUE_F_MORE;
				break;
			}
		}
		break;
	default:
		break;
	}
	return copy;
}

void call_shown(struct syscall_event *copy, const struct syscall_event *e, struct arena *a,
		size_t limit)
{
	*copy = *e;
	for (unsigned i = 0; i < e->base.nargs; i++) {
		struct arg *arg = &copy->base.args[i];
		const struct value *v = arg->out ? arg->out : arg->in;

		arg->in = arg->out = NULL;
		if (v && arg->name && !strcmp(arg->name, "envp"))
			arg->in = value_new(a, VALUE_MORE, 0);
		else if (v)
			arg->in = shown(a, v, limit);
	}
}

bool call_path(struct strbuf *b, const struct syscall_event *e)
{
	const struct value *v = path_of(e), *dir = NULL;

	if (!v || !v->len)
		return false;
	for (unsigned i = 0; i < e->base.nargs && !dir; i++)
		if (e->base.args[i].in && e->base.args[i].in->kind == VALUE_FD)
			dir = e->base.args[i].in;
	if (*v->str != '/' && dir && dir->str && dir->len && *dir->str == '/') {
		strbuf_add(b, dir->str, dir->len);
		if (dir->len > 1)
			strbuf_putc(b, '/');
	}
	strbuf_add(b, v->str, v->len);
	return true;
}
