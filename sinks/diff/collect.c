/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/diff/collect.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "event/find.h"
#include "sinks/diff/critical.h"
#include "sinks/diff/run.h"
#include "sinks/json/json_result.h"
#include "sinks/json/json_text.h"
#include "sinks/text/text_result.h"
#include "sinks/text/text_value.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/names.h"

/* Maximum length of a command line in bytes, and maximum number of paths. */
#define COMMAND_MAX 400
#define PATHS_MAX   (1u << 20)

struct collector {
	struct sink base;
	struct run *run;
	struct text_style style;
	struct arena arena; /* memory for the values of the current call */
	struct strbuf scratch;
	struct history history; /* the calls and waits from which the critical path is found */
	/* for each thread of the history: the index of its track, or RUN_NONE */
	VEC(uint32_t) tracks;
};

static struct collector *collector_of(struct sink *s)
{
	return container_of(s, struct collector, base);
}

static uint32_t text(struct collector *c)
{
	return texts_add(c->run->texts, c->scratch.data, c->scratch.len);
}

/* -- threads ------------------------------------------------------------------------ */

static struct run_track *track_new(struct run *r, pid_t tid, uint32_t parent)
{
	struct run_track *t = mem_zalloc(sizeof(*t));

	t->index = (uint32_t)r->tracks.n;
	t->parent = parent;
	t->tid = tid;
	*vec_push(&r->tracks) = t;
	threads_remove(&r->by_tid, tid);
	threads_add(&r->by_tid, tid, t);
	return t;
}

/*
 * Determines whether the track is a thread of its parent's process. Does nothing while
 * the process or the parent of the track is unknown.
 */
static void find_kind(const struct run *r, struct run_track *t)
{
	if (t->known && t->parent != RUN_NONE)
		t->thread = r->tracks.v[t->parent]->tgid == t->tgid;
}

/*
 * Records that `parent` has created thread `tid`. Events of this thread may have arrived earlier.
 */
static void adopt(struct run *r, pid_t tid, uint32_t parent)
{
	struct run_track *child = threads_find(&r->by_tid, tid);

	if (!child) {
		track_new(r, tid, parent);
	} else if (child->parent == RUN_NONE && child->index > parent) {
		child->parent = parent;
		find_kind(r, child);
	}
}

static struct run_track *track_of(struct collector *c, const struct event *e)
{
	struct run *r = c->run;
	struct run_track *t = threads_find(&r->by_tid, e->tid);
	uint64_t mono = timespec_ns(e->mono);

	if (!t)
		t = track_new(r, e->tid, RUN_NONE);
	if (e->tgid && !t->known) {
		t->known = true;
		t->tgid = e->tgid;
		find_kind(r, t);
	}
	if (e->comm[0])
		memcpy(t->comm, e->comm, sizeof(e->comm));
	if (mono && (!r->first || mono < r->first))
		r->first = mono;
	if (mono > r->last)
		r->last = mono;
	return t;
}

static void on_thread_begin(struct sink *s, const struct event *e)
{
	track_of(collector_of(s), e);
}

static void on_thread_end(struct sink *s, const struct event *e)
{
	threads_remove(&collector_of(s)->run->by_tid, e->tid);
}

static void on_thread_moved(struct sink *s, const struct event *e, pid_t from)
{
	struct collector *c = collector_of(s);
	struct run *r = c->run;
	struct run_track *t = threads_remove(&r->by_tid, from);

	history_move(&c->history, e, from);
	if (!t)
		return;
	threads_remove(&r->by_tid, e->tid);
	threads_add(&r->by_tid, e->tid, t);
}

static void on_process(struct sink *s, const struct process_event *e)
{
	struct collector *c = collector_of(s);
	struct run_track *t = track_of(c, &e->base);

	switch (e->kind) {
	case PROCESS_FORKED:
		adopt(c->run, e->code, t->index);
		break;
	case PROCESS_EXITED:
	case PROCESS_KILLED:
		t->outcome = e->kind == PROCESS_EXITED ? RUN_EXITED : RUN_KILLED;
		t->code = e->code;
		break;
	case PROCESS_SUPERSEDED:
		t->outcome = RUN_SUPERSEDED;
		break;
	default:
		break;
	}
}

static void on_lost(struct sink *s, const struct lost_event *e)
{
	collector_of(s)->run->lost += e->count;
}

/* -- calls -------------------------------------------------------------------------- */

static void put_string(struct strbuf *b, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		strbuf_add(b, v->str, v->len);
}

/* Returns true if a shell would require quotes around a word. */
static bool needs_quotes(const struct value *v)
{
	if (v->kind != VALUE_STRING || !v->len)
		return true;
	for (size_t i = 0; i < v->len; i++)
		if (strchr(" \t\n\"'\\$&|;<>()*?[]#~`{}!", v->str[i]))
			return true;
	return false;
}

static void note_command(struct collector *c, struct run_track *t, const struct syscall_event *e)
{
	const struct value *argv = call_arg(e, "argv");

	c->scratch.len = 0;
	if (call_path(&c->scratch, e))
		t->program = text(c);
	c->scratch.len = 0;
	if (!argv || argv->kind != VALUE_ARRAY)
		return;
	value_for_each(argv, word)
	{
		size_t begin = c->scratch.len + (c->scratch.len > 0);
		bool quoted = needs_quotes(word);

		if (c->scratch.len > COMMAND_MAX) {
			strbuf_puts(&c->scratch, " ...");
			break;
		}
		if (c->scratch.len)
			strbuf_putc(&c->scratch, ' ');
		if (quoted)
			strbuf_putc(&c->scratch, '\'');
		put_string(&c->scratch, word);
		for (size_t i = begin; i < c->scratch.len; i++)
			if ((unsigned char)c->scratch.data[i] < ' ')
				c->scratch.data[i] = ' ';
		if (quoted)
			strbuf_putc(&c->scratch, '\'');
	}
	t->command = text(c);
}

static void note_environment(struct collector *c, const struct syscall_event *e)
{
	const struct value *envp = call_arg(e, "envp");

	if (c->run->has_environment || !envp || envp->kind != VALUE_ARRAY)
		return;
	c->run->has_environment = true;
	value_for_each(envp, v)
	{
		c->scratch.len = 0;
		put_string(&c->scratch, v);
		*vec_push(&c->run->environment) = text(c);
	}
}

static void note_directory(struct collector *c, const struct syscall_event *e)
{
	for (unsigned i = 0; i < e->base.nargs && !c->run->directory; i++) {
		const struct value *v = e->base.args[i].in;

		if (v && v->kind == VALUE_FD && v->flags & VALUE_F_ATFD &&
		    (int)v->num == AT_FDCWD && v->str)
			c->run->directory = texts_add(c->run->texts, v->str, v->len);
	}
}

/* Stores the data that the program writes to standard error. */
static void collect_stderr(struct run_track *t, const struct syscall_event *e)
{
	const struct value *fd = call_arg(e, "fd");

	if (!fd || fd->kind != VALUE_FD || fd->num != 2 || e->base.ret_kind != RET_VALUE ||
	    (strcmp(e->base.name, "write") && strcmp(e->base.name, "writev")))
		return;
	for (unsigned i = 1; i < e->base.nargs; i++) {
		const struct value *v = e->base.args[i].in;

		if (!v || (v->kind != VALUE_STRING && v->kind != VALUE_ARRAY))
			continue;
		if (t->stderr_text.len >= RUN_STDERR_MAX)
			return;
		if (v->kind == VALUE_STRING) {
			put_string(&t->stderr_text, v);
			if (v->flags & VALUE_F_MORE)
				strbuf_puts(&t->stderr_text, "...\n");
			continue;
		}
		value_for_each(v, part)
		{
			const struct value *base = value_member(part, "iov_base");

			if (base)
				put_string(&t->stderr_text, base);
		}
	}
}

static uint32_t note_path(struct collector *c, const struct syscall_event *e, uint32_t name)
{
	struct run *r = c->run;
	const struct run_path *known;
	struct run_path *p;
	uint32_t number;

	c->scratch.len = 0;
	if (!call_path(&c->scratch, e))
		return 0;
	number = text(c);
	/*
	 * Ignore EINVAL, because readlink(2) fails with this error if the file exists but is not a
	 * symbolic link.
	 */
	if (e->base.ret_kind == RET_ERROR && e->base.ret == EINVAL)
		return number;
	known = run_path_find(r, number);
	if (!known && r->paths.n >= PATHS_MAX)
		return number;
	if (!known) {
		*vec_push(&r->paths) = (struct run_path){
			.text = number,
			.name = name,
			.loose = loose_hash(&r->fresh, c->scratch.data, c->scratch.len)};
		table_add(&r->by_path, table_hash_number(number), r->paths.n);
	}
	p = known ? &r->paths.v[known - r->paths.v] : &r->paths.v[r->paths.n - 1];
	if (e->base.ret_kind == RET_ERROR) {
		if (!p->failed++) {
			p->error = (int)e->base.ret;
			p->failed_name = name;
		}
	} else {
		p->worked++;
	}
	return number;
}

/* Hashes the functions on the call's stack, without their addresses. */
static uint64_t hash_stack(struct collector *c, const struct syscall_event *e, uint64_t h)
{
	const struct frame *f;
	size_t n;

	if (!e->base.stack || !c->base.unwinder)
		return h;
	f = stack_frames(c->base.unwinder, e->base.stack, &n);
	c->run->stacks |= n > 0;
	for (size_t i = 0; i < n; i++) {
		const char *name = f[i].symbol ? f[i].symbol : f[i].module;

		h = key_mix(h, name ? loose_hash(NULL, name, strlen(name)) : 0);
	}
	return h;
}

static uint32_t render(struct collector *c, const struct syscall_event *e)
{
	struct syscall_event shown;
	struct strbuf *b = &c->scratch;

	call_shown(&shown, e, &c->arena, c->run->string_limit);
	b->len = 0;
	if (c->run->json) {
		json_args(b, &shown.base);
		return text(c);
	}
	strbuf_puts(b, e->base.name);
	strbuf_putc(b, '(');
	for (unsigned i = 0; i < e->base.nargs; i++) {
		if (i)
			strbuf_puts(b, ", ");
		if (shown.base.args[i].in)
			text_render(b, &c->style, shown.base.args[i].in);
	}
	strbuf_putc(b, ')');
	return text(c);
}

static uint32_t render_result(struct collector *c, const struct syscall_event *e)
{
	struct strbuf *b = &c->scratch;

	b->len = 0;
	if (c->run->json)
		json_call_result(b, e);
	else
		text_call_result(b, &c->style, e);
	return text(c);
}

static struct run_call *call_new(struct collector *c, struct run_track *t)
{
	if (c->run->stored >= RUN_CALLS_MAX) {
		c->run->dropped++;
		return NULL;
	}
	c->run->stored++;
	return vec_push(&t->calls);
}

static struct run_track *count_call(struct collector *c, const struct event *e)
{
	struct run_track *t = track_of(c, e);

	t->ncalls++;
	c->run->ncalls++;
	return t;
}

static void on_return(struct sink *s, const struct syscall_event *e)
{
	struct collector *c = collector_of(s);
	struct run_track *t = count_call(c, &e->base);
	struct call_keys keys;
	struct run_call *call;

	stack_tree_add(c->run->times, c->base.unwinder, &e->base);
	if (call_is_timing(e->base.name)) {
		c->run->skipped++;
		return;
	}
	note_directory(c, e);
	collect_stderr(t, e);
	if (event_is_execve(e)) {
		note_environment(c, e);
		if (e->base.ret_kind != RET_ERROR)
			note_command(c, t, e);
	}
	call = call_new(c, t);
	if (!call)
		return;
	fresh_names_note(&c->run->fresh, e);
	call_keys(&keys, &c->run->fresh, e);
	*call = (struct run_call){
		.key = keys.key,
		.loose = keys.loose,
		.data = keys.data,
		.strong = hash_stack(c, e, keys.key),
		.mono = timespec_ns(e->base.mono),
		.name = texts_add(c->run->texts, e->base.name, strlen(e->base.name)),
		.error = e->base.ret_kind == RET_ERROR ? (int32_t)e->base.ret : 0,
		.counts = e->base.ret_kind == RET_VALUE && call_result_counts(e),
		.quiet = call_is_quiet(e->base.name),
		.returned = e->base.ret_kind != RET_NONE};
	call->path = note_path(c, e, call->name);
	call->result = render_result(c, e);
	call->text = render(c, e);
	arena_reset(&c->arena);
}

/*
 * Stores a signal in the same way as a call. Ignores SIGCHLD, because scheduling affects how many
 * of these signals arrive, and when.
 */
static void on_signal(struct sink *s, const struct signal_event *e)
{
	struct collector *c = collector_of(s);
	struct run_track *t = track_of(c, &e->base);
	const char *name = signal_name(e->sig);
	struct run_call *call = e->sig == SIGCHLD ? NULL : call_new(c, t);
	uint64_t key = key_mix(3, (uint64_t)e->sig);

	if (!call)
		return;
	*call = (struct run_call){
		.key = key, .loose = key, .strong = key, .mono = timespec_ns(e->base.mono)};
	c->scratch.len = 0;
	strbuf_puts(&c->scratch, name ? name : "SIG_???");
	call->name = text(c);
	c->scratch.len = 0;
	if (c->run->json) {
		strbuf_puts(&c->scratch, "{}");
	} else {
		strbuf_printf(&c->scratch, "--- %s ", name ? name : "SIG_???");
		if (e->base.args[0].in)
			text_render(&c->scratch, &c->style, e->base.args[0].in);
		strbuf_puts(&c->scratch, " ---");
	}
	call->text = text(c);
}

/*
 * Adds an event to the history, and records which struct run_track belongs to the thread of the
 * event.
 */
static void note_history(struct collector *c, const struct event *e)
{
	const struct run_track *t;
	uint32_t thread;

	history_add(&c->history, e);
	t = threads_find(&c->run->by_tid, e->tid);
	thread = history_thread(&c->history, e->tid);
	if (!t || !thread)
		return;
	while (c->tracks.n < thread)
		*vec_push(&c->tracks) = RUN_NONE;
	if (c->tracks.v[thread - 1] == RUN_NONE)
		c->tracks.v[thread - 1] = t->index;
}

static void on_event(struct sink *s, const struct event *e)
{
	struct collector *c = collector_of(s);

	if (c->run->wants_critical)
		note_history(c, e);
	switch (e->kind) {
	case EVENT_SYSCALL:
		on_return(s, event_syscall(e));
		break;
	case EVENT_UNFINISHED:
		/* How far a call got when tracing ended is not compared. */
		count_call(c, e);
		c->run->skipped++;
		break;
	case EVENT_SIGNAL:
		on_signal(s, event_signal(e));
		break;
	case EVENT_PROCESS:
		on_process(s, event_process(e));
		break;
	case EVENT_LOST:
		on_lost(s, event_lost(e));
		break;
	default:
		break;
	}
}

static int on_end(struct sink *s)
{
	struct collector *c = collector_of(s);

	if (c->run->wants_critical)
		critical_collect(c->run, &c->history, c->tracks.v, c->tracks.n);
	history_deinit(&c->history);
	vec_deinit(&c->tracks);
	threads_deinit(&c->run->by_tid);
	c->run->by_tid = (struct threads){0};
	arena_reset(&c->arena);
	strbuf_deinit(&c->scratch);
	free(c);
	return 0;
}

static const struct sink_ops ops = {
	.event = on_event,
	.thread_begin = on_thread_begin,
	.thread_end = on_thread_end,
	.thread_moved = on_thread_moved,
	.end = on_end,
};

static struct sink *collect_create(const struct sink_config *config)
{
	struct collector *c = mem_zalloc(sizeof(*c));

	c->base.ops = &ops;
	c->run = config->run;
	c->style.config = config->text;
	c->run->times = stack_tree_create();
	return &c->base;
}

const struct sink_format collect_format = {.name = "diff",
					   .option = "--diff",
					   .wants = WANTS_TIMES | WANTS_COMM | WANTS_TGID,
					   .create = collect_create};

/* -- lookups ------------------------------------------------------------------------ */

const struct run_path *run_path_find(const struct run *r, uint32_t text)
{
	const struct table_slot *slot = table_find(&r->by_path, table_hash_number(text), NULL);

	return slot ? &r->paths.v[slot->value - 1] : NULL;
}

const char *run_track_name(const struct run *r, const struct run_track *t)
{
	if (t->command)
		return texts_get(r->texts, t->command);
	return t->comm[0] ? t->comm : "?";
}

const char *command_without_folder(const char *command)
{
	const char *end = command + strcspn(command, " "), *at = end;

	while (at > command && at[-1] != '/')
		at--;
	return at < end ? at : command;
}

void run_deinit(struct run *r)
{
	vec_for_each (&r->tracks, t) {
		vec_deinit(&(*t)->calls);
		strbuf_deinit(&(*t)->stderr_text);
		free(*t);
	}
	vec_deinit(&r->tracks);
	threads_deinit(&r->by_tid);
	fresh_names_deinit(&r->fresh);
	vec_deinit(&r->paths);
	table_deinit(&r->by_path);
	vec_deinit(&r->environment);
	vec_deinit(&r->critical.times);
	if (r->times)
		stack_tree_destroy(r->times);
}
