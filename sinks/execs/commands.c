/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/execs/commands.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "event/find.h"
#include "event/paths.h"
#include "linux/syscall_rows.h"
#include "util/clock.h"
#include "util/mem.h"

/*
 * Maximum number of commands, and maximum total number of their arguments, variables and
 * descriptors.
 */
#define COMMANDS_MAX (1u << 18)
#define WORDS_MAX    (1u << 25)

/* A process, and the command that it executes. */
struct runner {
	uint32_t command; /* index + 1 of the command; 0 if unknown */
	struct fd_table fds;
	uint32_t directory; /* the working directory of the process; 0 if unknown */
	bool moved;	    /* true if the directory has changed since the command began */
	/*
	 * true if another thread has called execve(2) and replaced the first thread; the process
	 * continues, so the end of the first thread must not remove this entry
	 */
	bool leader_replaced;
};

static struct runner *runner_of(struct commands *c, pid_t pid)
{
	struct runner *r = threads_find(&c->processes, pid);

	if (r)
		return r;
	r = mem_zalloc(sizeof(*r));
	threads_add(&c->processes, pid, r);
	return r;
}

static void runner_free(struct runner *r)
{
	fd_table_deinit(&r->fds);
	free(r);
}

static struct command *command_at(struct commands *c, uint32_t number)
{
	return number ? &c->v.v[number - 1] : NULL;
}

static uint32_t text_of(struct commands *c, const char *text, size_t n)
{
	return texts_add(&c->texts, text, n);
}

/* ---- working directories ---- */

/* Returns the directory that AT_FDCWD refers to if `v` shows it, otherwise 0. */
static uint32_t directory_in(struct commands *c, const struct value *v)
{
	struct descriptor_facts facts = {0};

	if (v->kind == VALUE_STRING && v->extra)
		v = v->extra;
	if (v->kind != VALUE_FD || !(v->flags & VALUE_F_ATFD) || (int)v->num != AT_FDCWD || v->err)
		return 0;
	value_descriptor_facts(v, &facts);
	return facts.path && facts.path_len && facts.path[0] == '/'
		       ? text_of(c, facts.path, facts.path_len)
		       : 0;
}

/* If the working directory of a process is unknown, looks for it in the arguments of a call. */
static void learn_directory(struct commands *c, struct runner *r, const struct event *e)
{
	struct command *command = command_at(c, r->command);

	for (unsigned i = 0; i < e->nargs && !r->directory; i++)
		if (e->args[i].in)
			r->directory = directory_in(c, e->args[i].in);
	if (command && !command->directory && !r->moved)
		command->directory = r->directory;
}

struct path_found {
	struct commands *commands;
	uint32_t text;
};

static bool keep_absolute(void *ctx, const char *path, size_t n)
{
	struct path_found *found = ctx;

	if (n && path[0] == '/')
		found->text = text_of(found->commands, path, n);
	return true;
}

/* Returns the first path of a call, made absolute, as a number in c->texts; 0 if unknown. */
static uint32_t absolute_path(struct commands *c, const struct syscall_event *e)
{
	struct path_found found = {c, 0};

	event_paths(e, true, keep_absolute, &found);
	return found.text;
}

/* ---- descriptors ---- */

static void keep_fd(struct commands *c, struct command *command, int fd, uint32_t text)
{
	if (c->words >= WORDS_MAX)
		return;
	c->words++;
	*vec_push(&command->fds) = (struct kept_fd){fd, text};
}

static bool has_fd(const struct command *command, int fd)
{
	vec_for_each (&command->fds, known)
		if (known->fd == fd)
			return true;
	return false;
}

/*
 * Adds descriptors that the process uses although no traced call has opened them. They must have
 * been inherited, so they are added to all ancestor commands as well.
 */
static void learn_fds(struct commands *c, struct runner *r, const struct event *e)
{
	for (unsigned i = 0; i < e->nargs; i++) {
		const struct value *v = e->args[i].in;
		struct fd_slot *slot;
		uint32_t text;

		/*
		 * Skip a descriptor whose file is unknown. It may be a number at which the call
		 * opens a descriptor, as in dup2(2).
		 */
		if (!v || v->kind != VALUE_FD || v->err || !v->str)
			continue;
		slot = fd_slot_of(&r->fds, (int)v->num);
		if (!slot || slot->seen)
			continue;
		*slot = (struct fd_slot){.seen = true, .open = true, .inherited = true};
		slot->path = mem_strndup(v->str, v->len);
		text = text_of(c, v->str, v->len);
		for (struct command *at = command_at(c, r->command); at && !has_fd(at, (int)v->num);
		     at = command_at(c, at->parent))
			keep_fd(c, at, (int)v->num, text);
	}
}

static void keep_fds(struct commands *c, struct command *command, const struct fd_table *fds)
{
	for (size_t fd = 0; fd < fds->slots.n; fd++) {
		const struct fd_slot *slot = &fds->slots.v[fd];

		if (slot->open)
			keep_fd(c, command, (int)fd,
				slot->path ? text_of(c, slot->path, strlen(slot->path)) : 0);
	}
}

/* ---- commands ---- */

static void add_words(struct commands *c, struct words *w, const struct event *e, const char *name)
{
	const struct value *v;

	if (event_argument(e, name, true, &v) != FOUND || v->kind != VALUE_ARRAY) {
		/*
		 * A null pointer has the same meaning as an empty array, so the list is then
		 * complete.
		 */
		w->incomplete = event_argument(e, name, true, &v) != FOUND || v->num;
		return;
	}
	w->incomplete = v->flags & VALUE_F_MORE;
	value_for_each(v, child)
	{
		if (c->words >= WORDS_MAX) {
			w->incomplete = true;
			return;
		}
		c->words++;
		if (child->kind != VALUE_STRING) {
			w->incomplete = true;
			*vec_push(&w->v) = (struct word){0, true};
			continue;
		}
		*vec_push(&w->v) = (struct word){text_of(c, child->str, child->len),
						 child->flags & VALUE_F_MORE};
	}
}

static void find_path(struct commands *c, struct command *command, const struct syscall_event *e)
{
	const struct value *path, *fd = e->row == ROW_execveat ? e->base.args[0].in : NULL;

	if (event_argument(&e->base, "pathname", true, &path) != FOUND ||
	    path->kind != VALUE_STRING || path->flags & VALUE_F_MORE)
		return;
	if (e->row == ROW_execve) {
		command->path = text_of(c, path->str, path->len);
		return;
	}
	command->path = absolute_path(c, e);
	command->path_gone = !path->len && fd && fd->flags & VALUE_F_DELETED;
}

static void end_command(struct command *command, int64_t now, enum command_end how, int code)
{
	if (!command || command->how != COMMAND_RUNS)
		return;
	command->how = how;
	command->code = code;
	command->end = now;
}

static void on_exec(struct commands *c, struct runner *r, const struct syscall_event *e)
{
	const int64_t now = (int64_t)(timespec_ns(e->base.mono) + timespec_ns(e->base.duration));
	struct command *command, *parent = command_at(c, r->command);

	learn_directory(c, r, &e->base);
	fd_table_exec(&r->fds);
	/*
	 * End the parent command only if it ran in the same process. A parent in a different
	 * process continues after this execve.
	 */
	if (parent && parent->pid == e->base.tgid)
		end_command(parent, now, COMMAND_REPLACED, 0);
	if (c->v.n >= COMMANDS_MAX) {
		c->unlisted++;
		return;
	}
	command = vec_push(&c->v);
	*command = (struct command){
		.parent = r->command, .pid = e->base.tgid, .begin = now, .directory = r->directory};
	add_words(c, &command->argv, &e->base, "argv");
	add_words(c, &command->environment, &e->base, "envp");
	find_path(c, command, e);
	keep_fds(c, command, &r->fds);
	r->command = (uint32_t)c->v.n;
	r->moved = false;
	parent = command_at(c, command->parent);
	if (!parent)
		return;
	if (parent->last_child)
		c->v.v[parent->last_child - 1].next = r->command;
	else
		parent->first_child = r->command;
	parent->last_child = r->command;
}

static void on_call(struct commands *c, const struct syscall_event *e)
{
	struct runner *r = runner_of(c, e->base.tgid);
	struct fd_slot *slot;

	if (e->base.ret_kind != RET_VALUE)
		return;
	if (e->row == ROW_execve || e->row == ROW_execveat) {
		on_exec(c, r, e);
		return;
	}
	learn_directory(c, r, &e->base);
	learn_fds(c, r, &e->base);
	if (e->row == ROW_chdir || e->row == ROW_fchdir) {
		r->directory = absolute_path(c, e);
		r->moved = true;
	} else if (e->row == ROW_chroot || e->row == ROW_pivot_root) {
		r->directory = 0;
		r->moved = true;
	} else if (e->row == ROW_close) {
		slot = fd_slot_of(&r->fds, (int)e->raw_args[0]);
		fd_slot_close(slot, (struct place){0});
	} else {
		fd_table_call(&r->fds, e, (struct place){0});
	}
}

static void on_fork(struct commands *c, const struct process_event *e)
{
	const struct runner *parent = threads_find(&c->processes, e->base.tgid);
	struct runner *child;

	if (!parent || threads_find(&c->processes, e->code))
		return;
	child = runner_of(c, e->code);
	child->command = parent->command;
	child->directory = parent->directory;
	child->moved = parent->moved;
	fd_table_copy(&child->fds, &parent->fds);
}

static void on_process(struct commands *c, const struct process_event *e)
{
	struct runner *r = threads_find(&c->processes, e->base.tgid);
	struct command *command = r ? command_at(c, r->command) : NULL;
	const bool killed = e->kind == PROCESS_KILLED;

	if (e->kind == PROCESS_FORKED)
		on_fork(c, e);
	else if (e->kind == PROCESS_SUPERSEDED && r && e->base.tid == e->base.tgid)
		r->leader_replaced = true;
	else if ((killed || e->kind == PROCESS_EXITED) && e->base.tid == e->base.tgid && command &&
		 command->pid == e->base.tgid)
		end_command(command, (int64_t)timespec_ns(e->base.mono),
			    killed ? COMMAND_KILLED : COMMAND_EXITED, e->code);
}

void commands_add(struct commands *c, const struct event *e)
{
	if (e->kind == EVENT_SYSCALL ||
	    (e->kind == EVENT_OTHER && e->request && !e->request->direct))
		on_call(c, event_syscall(e));
	else if (e->kind == EVENT_PROCESS)
		on_process(c, event_process(e));
	else if (e->kind == EVENT_LOST)
		c->lost += event_lost(e)->count;
}

void commands_thread_end(struct commands *c, const struct event *e)
{
	/*
	 * on_fork() adds an entry for each new thread, so remove the entry even if the thread is
	 * not the first one of its process.
	 */
	struct runner *r = threads_find(&c->processes, e->tid);

	if (r && r->leader_replaced) {
		r->leader_replaced = false;
		return;
	}
	threads_remove(&c->processes, e->tid);
	if (r)
		runner_free(r);
}

void commands_thread_moved(struct commands *c, pid_t from)
{
	struct runner *r = threads_remove(&c->processes, from);

	if (r)
		runner_free(r);
}

void commands_deinit(struct commands *c)
{
	struct runner *r;

	while ((r = threads_take(&c->processes)))
		runner_free(r);
	threads_deinit(&c->processes);
	vec_for_each (&c->v, command) {
		vec_deinit(&command->argv.v);
		vec_deinit(&command->environment.v);
		vec_deinit(&command->fds);
	}
	vec_deinit(&c->v);
	texts_deinit(&c->texts);
}
