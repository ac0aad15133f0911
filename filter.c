/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decode/fd.h"
#include "linux/syscall_desc.h"
#include "tracee.h"
#include "unwind.h"
#include "util/msg.h"
#include "util/strbuf.h"

struct stack_pattern {
	regex_t regex;
	bool inverted;
};

void filter_init(struct filter *f)
{
	*f = (struct filter){.statuses = (1 << STATUS_COUNT) - 1, .signals.inverted = true};
	syscall_set_fill(&f->trace, true);
}

void filter_deinit(struct filter *f)
{
	number_set_deinit(&f->signals);
	number_set_deinit(&f->fds);
	vec_for_each (&f->paths, path)
		free(*path);
	vec_deinit(&f->paths);
	if (f->stack)
		regfree(&f->stack->regex);
	free(f->stack);
	f->stack = NULL;
}

static int lookup_status(const char *name)
{
	static const char *const names[] = {
		[STATUS_SUCCESSFUL] = "successful", [STATUS_FAILED] = "failed",
		[STATUS_UNFINISHED] = "unfinished", [STATUS_UNAVAILABLE] = "unavailable",
		[STATUS_DETACHED] = "detached",
	};

	for (int i = 0; i < STATUS_COUNT; i++) {
		if (!strcasecmp(names[i], name))
			return i;
	}
	return -1;
}

void filter_set_status(struct filter *f, const char *text)
{
	struct number_set set = {0};

	number_set_parse(&set, text, "status", lookup_status);
	f->statuses = number_set_bits(&set, STATUS_COUNT);
	number_set_deinit(&set);
}

void filter_set_signals(struct filter *f, const char *text)
{
	number_set_parse(&f->signals, text, "signal", number_lookup_signal);
}

void filter_set_fds(struct filter *f, const char *text)
{
	number_set_parse(&f->fds, text, "descriptor", number_lookup_fd);
	f->by_fd = true;
}

void filter_set_stack(struct filter *f, const char *text)
{
	attr_cleanup(mem_free_ptr) char *pattern = NULL;
	const char *regex = text;
	bool inverted = *regex == '!';
	size_t len;
	char why[256];
	int rc;

	regex += inverted;
	len = strlen(regex);
	if (len < 3 || regex[0] != '/' || regex[len - 1] != '/')
		die("invalid stack '%s': must be /REGEX/ or !/REGEX/", text);
	pattern = mem_strndup(regex + 1, len - 2);
	if (f->stack)
		regfree(&f->stack->regex);
	else
		f->stack = mem_zalloc(sizeof(*f->stack));
	f->stack->inverted = inverted;
	rc = regcomp(&f->stack->regex, pattern, REG_EXTENDED | REG_NOSUB);
	if (rc) {
		regerror(rc, &f->stack->regex, why, sizeof(why));
		die("regcomp: %s: %s", pattern, why);
	}
}

const char *filter_add_path(struct filter *f, const char *path)
{
	char *resolved;

	*vec_push(&f->paths) = mem_strdup(path);
	resolved = realpath(path, NULL);
	if (!resolved)
		return NULL; /* it may come to be while we watch */
	if (!strcmp(resolved, path)) {
		free(resolved);
		return NULL;
	}
	*vec_push(&f->paths) = resolved;
	return resolved;
}

static bool path_wanted(const struct filter *f, const char *path, size_t len)
{
	vec_for_each (&f->paths, wanted) {
		if (strlen(*wanted) == len && !memcmp(*wanted, path, len))
			return true;
	}
	return false;
}

/* What descriptor fd of the thread names; asked of the kernel, as decoding does so only with -y. */
static bool fd_wanted(const struct filter *f, const struct tcb *tcb, int64_t fd)
{
	char path[PATH_MAX];
	ssize_t n;

	if (fd < 0 || fd > INT_MAX)
		return false;
	if (f->by_fd && number_set_has(&f->fds, fd))
		return true;
	if (!f->paths.n)
		return false;
	n = fd_path(tcb, (int)fd, path, sizeof(path));
	return n > 0 && path_wanted(f, path, fd_name_len(tcb, (int)fd, path, n));
}

/* Bounds the walk: poll() of many thousand descriptors, hostile nesting. */
#define DEPTH_MAX 4

static bool value_wanted(const struct filter *f, const struct tcb *tcb, const struct value *v,
			 unsigned depth)
{
	switch (v->kind) {
	case VALUE_FD:
		return !(v->flags & VALUE_F_NOT_OWN) && fd_wanted(f, tcb, (int32_t)v->num);
	case VALUE_STRING:
		return v->flags & VALUE_F_PATH && !(v->flags & VALUE_F_MORE) &&
		       path_wanted(f, v->str, v->len);
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_BITSET:
	case VALUE_CHANGE:
	case VALUE_SEQ:
		if (depth == DEPTH_MAX)
			return false;
		value_for_each(v, child)
		{
			if (value_wanted(f, tcb, child, depth + 1))
				return true;
		}
		return false;
	default:
		return false;
	}
}

bool filter_enter(const struct filter *f, const struct syscall_event *e)
{
	if (!f->paths.n && !f->by_fd)
		return true;
	for (unsigned i = 0; i < e->nargs; i++) {
		if (e->args[i].in && value_wanted(f, e->base.tcb, e->args[i].in, 0))
			return true;
	}
	return false;
}

bool filter_holds(const struct filter *f)
{
	return f->statuses != (1 << STATUS_COUNT) - 1 || f->stack;
}

static enum status status_of(const struct syscall_event *e)
{
	switch (e->ret_kind) {
	case RET_VALUE:
		return STATUS_SUCCESSFUL;
	case RET_ERROR:
	case RET_RESTART:
		return STATUS_FAILED;
	case RET_UNAVAILABLE:
		return e->base.tcb->flags & TCB_DETACHING ? STATUS_DETACHED : STATUS_UNAVAILABLE;
	default:
		return e->base.tcb->flags & TCB_DETACHING ? STATUS_DETACHED : STATUS_UNFINISHED;
	}
}

static bool stack_matches(const struct stack_pattern *pattern, struct unwinder *unwinder,
			  struct stack *stack)
{
	attr_cleanup(strbuf_deinit) struct strbuf text = {0};
	const struct frame *frames;
	size_t count;

	if (!stack)
		return false;
	frames = stack_frames(unwinder, stack, &count);
	for (size_t i = 0; i < count; i++) {
		text.len = 0;
		strbuf_printf(&text, "%s(%s", frames[i].module ? frames[i].module : "",
			      frames[i].symbol ? frames[i].symbol : "");
		if (!regexec(&pattern->regex, strbuf_str(&text), 0, NULL, 0))
			return true;
	}
	return false;
}

bool filter_exit(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e)
{
	if (!(f->statuses >> status_of(e) & 1))
		return false;
	return !f->stack || stack_matches(f->stack, unwinder, e->stack) != f->stack->inverted;
}

bool filter_signal(const struct filter *f, int sig)
{
	return number_set_has(&f->signals, sig);
}
