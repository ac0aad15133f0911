/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "select/filter.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/paths.h"
#include "linux/syscall_desc.h"
#include "syscall.h"
#include "capture/facts.h"
#include "capture/memory.h"
#include "query/bounds.h"
#include "query/frames.h"
#include "query/query.h"
#include "util/clock.h"
#include "util/glob.h"
#include "util/msg.h"
#include "util/strbuf.h"

struct path_pattern {
	regex_t regex;
};

struct stack_pattern {
	regex_t regex;
	bool inverted;
};

void filter_init(struct filter *f)
{
	*f = (struct filter){.statuses = (1 << STATUS_COUNT) - 1,
			     .signals.inverted = true,
			     .max_ns = UINT64_MAX};
	syscall_set_fill(&f->trace, true);
}

void filter_deinit(struct filter *f)
{
	number_set_deinit(&f->signals);
	number_set_deinit(&f->fds);
	vec_for_each (&f->paths, path)
		free(*path);
	vec_deinit(&f->paths);
	vec_for_each (&f->sources, source)
		free(*source);
	vec_deinit(&f->sources);
	vec_for_each (&f->path_patterns, p) {
		regfree(&(*p)->regex);
		free(*p);
	}
	vec_deinit(&f->path_patterns);
	if (f->stack)
		regfree(&f->stack->regex);
	free(f->stack);
	f->stack = NULL;
	query_free(f->where);
	f->where = NULL;
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
		return NULL; /* the file may be created during tracing */
	if (!strcmp(resolved, path)) {
		free(resolved);
		return NULL;
	}
	*vec_push(&f->paths) = resolved;
	return resolved;
}

void filter_add_path_pattern(struct filter *f, const char *pattern)
{
	struct path_pattern *p = mem_alloc(sizeof(*p));
	char why[256];
	int rc = glob_compile(&p->regex, pattern);

	if (rc) {
		regerror(rc, &p->regex, why, sizeof(why));
		die("invalid path '%s': %s", pattern, why);
	}
	*vec_push(&f->path_patterns) = p;
}

static bool pattern_wanted(const struct filter *f, const char *path, size_t len)
{
	char text[PATH_MAX + 1];

	if (!f->path_patterns.n || len >= sizeof(text) || memchr(path, 0, len))
		return false;
	memcpy(text, path, len);
	text[len] = 0;
	vec_for_each (&f->path_patterns, p) {
		if (!regexec(&(*p)->regex, text, 0, NULL, 0))
			return true;
	}
	return false;
}

static bool path_wanted(const struct filter *f, const char *path, size_t len)
{
	vec_for_each (&f->paths, wanted) {
		if (strlen(*wanted) == len && !memcmp(*wanted, path, len))
			return true;
	}
	return pattern_wanted(f, path, len);
}

/* A syscall entry for the second check. */
struct entry {
	const struct filter *f;
	struct memory *memory; /* memory of the calling thread */
	struct facts *facts;
	const struct syscall_event *e;
	bool *memory_seen;
};

/*
 * Returns true if a pattern matches the absolute form of a path. A relative path is relative to
 * dirfd.
 */
static bool absolute_wanted(const struct entry *in, int dirfd, const char *path, size_t len)
{
	attr_cleanup(strbuf_deinit) struct strbuf whole = {0};
	struct fact_answer base = {0};

	if (!in->f->path_patterns.n || !len)
		return false;
	if (path[0] != '/' &&
	    (fact_fd_path(in->facts, in->e->base.tid, dirfd, &base) <= 0 || base.bytes[0] != '/'))
		return false;
	path_put_absolute(&whole, base.bytes, (size_t)base.numbers[0], path, len);
	return pattern_wanted(in->f, whole.data, whole.len);
}

static bool path_at_wanted(const struct entry *in, uint64_t addr, int dirfd)
{
	char path[PATH_MAX + 1];
	ssize_t n = filter_by_path(in->f) && addr
			    ? memory_read_string(in->memory, addr, path, sizeof(path))
			    : -1;

	return n >= 0 && (path_wanted(in->f, path, n) || absolute_wanted(in, dirfd, path, n));
}

/* Returns true if the filter selects a descriptor of the thread, by its number or by its path. */
static bool fd_wanted(const struct entry *in, int fd)
{
	struct fact_answer path;

	if (fd < 0)
		return false;
	if (in->f->by_fd && number_set_has(&in->f->fds, fd))
		return true;
	if (!filter_by_path(in->f))
		return false;
	return fact_fd_path(in->facts, in->e->base.tid, fd, &path) > 0 &&
	       path_wanted(in->f, path.bytes, (size_t)path.numbers[0]);
}

/* Maximum number of descriptors that are checked per call. */
#define FDS_MAX (1 << 20)

static bool pollfds_wanted(const struct entry *in, uint64_t addr, uint32_t count)
{
	struct pollfd fds[64];

	if (count > FDS_MAX)
		count = FDS_MAX;
	for (size_t n; count; count -= n, addr += n * sizeof(fds[0])) {
		size_t size = size_min(count, ARRAY_SIZE(fds)) * sizeof(fds[0]);
		ssize_t got = memory_read_some(in->memory, addr, fds, size);

		if (got < (ssize_t)sizeof(fds[0]))
			return false;
		n = got / sizeof(fds[0]);
		for (size_t i = 0; i < n; i++) {
			if (fd_wanted(in, fds[i].fd))
				return true;
		}
	}
	return false;
}

static bool fd_set_wanted(const struct entry *in, uint64_t addr)
{
	int count = (int)in->e->raw_args[0];
	attr_cleanup(mem_free_ptr) uint8_t *bits = NULL;
	size_t size;

	if (count <= 0 || !addr)
		return false;
	if (count > FDS_MAX)
		count = FDS_MAX;
	size = (count + 8 * in->e->abi->long_size - 1) / (8 * in->e->abi->long_size) *
	       in->e->abi->long_size;
	bits = mem_alloc(size);
	if (memory_read(in->memory, addr, bits, size))
		return false;
	for (int fd = 0; fd < count; fd++) {
		if (bits[fd / 8] >> fd % 8 & 1 && fd_wanted(in, fd))
			return true;
	}
	return false;
}

/*
 * Returns true if the filter selects an argument with the value `n`. `next` is the index of the
 * register after the argument's register. Relative paths start at dirfd.
 */
static bool arg_wanted(const struct entry *in, enum watch watch, uint64_t n, unsigned next,
		       int dirfd)
{
	switch (watch) {
	case WATCH_FD:
		return fd_wanted(in, (int)n);
	case WATCH_PATH:
		return path_at_wanted(in, n, dirfd);
	case WATCH_POLLFDS:
		return pollfds_wanted(in, n, (uint32_t)in->e->raw_args[next]);
	case WATCH_FD_SET:
		return fd_set_wanted(in, n);
	default:
		return false;
	}
}

static bool row_wanted(const struct entry *in, const struct syscall_desc *desc, bool is_variant)
{
	int dirfd = AT_FDCWD;
	unsigned reg = 0;

	for (unsigned i = 0; i < desc->nargs; i++) {
		const struct arg_desc *a = &desc->args[i];
		uint64_t n = a->phase < PHASE_HOOK_ENTER ? syscall_arg(in->e, a, &reg) : 0;

		enum watch watch = syscall_arg_watch(a, is_variant);

		*in->memory_seen |= watch == WATCH_POLLFDS || watch == WATCH_FD_SET ||
				    (watch == WATCH_PATH && filter_by_path(in->f));
		if (arg_wanted(in, watch, n, reg, dirfd))
			return true;
		dirfd = a->type.flags & TYPE_F_AT ? (int)n : AT_FDCWD;
	}
	return false;
}

bool filter_enter_args(const struct filter *f, struct memory *memory, struct facts *facts,
		       const struct syscall_event *e, bool *memory_seen)
{
	const struct entry in = {f, memory, facts, e, memory_seen};
	const struct syscall_desc *desc;

	if (!e->desc)
		return false;
	desc = &syscall_descs[e->row];
	return row_wanted(&in, desc, false) || (e->desc != desc && row_wanted(&in, e->desc, true));
}

bool filter_holds(const struct filter *f)
{
	return f->statuses != (1 << STATUS_COUNT) - 1 || f->stack || filter_needs_duration(f);
}

static enum status status_of(const struct syscall_event *e)
{
	switch (e->base.ret_kind) {
	case RET_VALUE:
		return STATUS_SUCCESSFUL;
	case RET_ERROR:
	case RET_RESTART:
		return STATUS_FAILED;
	default:
		return STATUS_UNFINISHED;
	}
}

bool filter_where(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e,
		  bool ended, bool *open)
{
	enum truth truth = query_eval_call(f->where, e, ended, unwinder);

	*open = truth == TRUTH_OPEN;
	return truth != TRUTH_NO;
}

bool filter_event(const struct filter *f, struct unwinder *unwinder, const struct event *e)
{
	const struct query_subject subject = query_subject_of(e, unwinder);

	return !f->where || query_eval(f->where, &subject) == TRUTH_YES;
}

bool filter_exit(const struct filter *f, struct unwinder *unwinder, const struct syscall_event *e)
{
	/* As in strace 7.2, the status filter does not apply to unknown syscalls. */
	if (!e->unknown && !(f->statuses >> status_of(e) & 1))
		return false;
	if (filter_needs_duration(f)) {
		uint64_t ns = timespec_ns(e->base.duration);

		if (ns < f->min_ns || ns > f->max_ns)
			return false;
	}
	return !f->stack ||
	       frames_match(&f->stack->regex, unwinder, e->base.stack) != f->stack->inverted;
}

void filter_bounds(const struct filter *f, struct query_bounds *b)
{
	*b = f->where ? query_bounds(f->where) : QUERY_BOUNDS_NONE;
	b->fails &= f->statuses >> STATUS_FAILED & 1;
	b->succeeds &= f->statuses >> STATUS_SUCCESSFUL & 1;
	if (f->min_ns > b->ns_min)
		b->ns_min = f->min_ns;
	if (f->max_ns < b->ns_max)
		b->ns_max = f->max_ns;
}

bool filter_source(const struct filter *f, const char *source)
{
	for (size_t i = 0; i < f->sources.n; i++)
		if (!strcmp(f->sources.v[i], "all") || !strcmp(f->sources.v[i], source))
			return true;
	return false;
}

bool filter_signal(const struct filter *f, int sig)
{
	return number_set_has(&f->signals, sig);
}
