/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/execs/execs.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/execs/commands.h"
#include "sinks/json/json_text.h"
#include "util/base_name.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/names.h"
#include "util/shell.h"
#include "util/strbuf.h"

/* Maximum depth of the tree that the text shows by indentation. */
#define INDENT_MAX 40

const char execs_calls[] = "%file,%desc,%process,chdir,fchdir";

struct execs {
	struct sink base;
	struct execs_config config;
	struct commands commands;
};

static struct execs *execs_of(struct sink *s)
{
	return container_of(s, struct execs, base);
}

static const char *text(const struct execs *x, uint32_t number)
{
	return texts_get(&x->commands.texts, number);
}

static const struct command *parent_of(const struct execs *x, const struct command *c)
{
	return c->parent ? &x->commands.v.v[c->parent - 1] : NULL;
}

/* ---- changes of the environment ---- */

/* A variable of an environment: NAME=VALUE. */
struct variable {
	const char *text;
	size_t name_len;
	bool cut;
};

struct variables {
	VEC(struct variable) v;
};

static int by_name(const struct variable *a, const struct variable *b)
{
	const size_t n = a->name_len < b->name_len ? a->name_len : b->name_len;
	const int order = memcmp(a->text, b->text, n);

	return order ? order : (a->name_len > b->name_len) - (a->name_len < b->name_len);
}

static int compare_variables(const void *x, const void *y)
{
	return by_name(x, y);
}

/*
 * Sorts the variables of an environment by name. Leaves out strings that are not NAME=VALUE, and
 * the variable _, which shells set for each command.
 */
static void sort_variables(const struct execs *x, const struct words *w, struct variables *out)
{
	size_t n = 0;

	vec_for_each (&w->v, word) {
		const char *s = text(x, word->text), *equals = strchr(s, '=');

		if (word->text && equals && equals != s && strncmp(s, "_=", 2) != 0)
			*vec_push(&out->v) = (struct variable){s, (size_t)(equals - s), word->cut};
	}
	if (out->v.n)
		qsort(out->v.v, out->v.n, sizeof(*out->v.v), compare_variables);
	/* Of several variables with the same name, keep one. */
	for (size_t i = 0; i < out->v.n; i++)
		if (!n || by_name(&out->v.v[n - 1], &out->v.v[i]) != 0)
			out->v.v[n++] = out->v.v[i];
	out->v.n = n;
}

/* The changes from one environment to another. */
struct changes {
	VEC(struct variable) set, unset;
	bool incomplete; /* true if more changes may exist */
};

static void find_changes(const struct execs *x, const struct command *c, struct changes *out)
{
	const struct command *base = parent_of(x, c);
	struct variables old = {0}, new = {0};
	size_t i = 0, k = 0;

	while (x->config.since_first && base && base->parent)
		base = parent_of(x, base);
	if (!base)
		return;
	out->incomplete = base->environment.incomplete || c->environment.incomplete;
	sort_variables(x, &base->environment, &old);
	sort_variables(x, &c->environment, &new);
	while (i < old.v.n || k < new.v.n) {
		const struct variable *o = i < old.v.n ? &old.v.v[i] : NULL;
		const struct variable *n = k < new.v.n ? &new.v.v[k] : NULL;
		const int order = !o ? 1 : !n ? -1 : by_name(o, n);

		if (order < 0 && !c->environment.incomplete)
			*vec_push(&out->unset) = *o;
		else if (order > 0 && !base->environment.incomplete)
			*vec_push(&out->set) = *n;
		else if (!order && strcmp(o->text, n->text) != 0)
			*vec_push(&out->set) = *n;
		i += order <= 0;
		k += order >= 0;
	}
	vec_for_each (&out->set, v)
		out->incomplete |= v->cut;
	vec_deinit(&old.v);
	vec_deinit(&new.v);
}

static void changes_deinit(struct changes *changes)
{
	vec_deinit(&changes->set);
	vec_deinit(&changes->unset);
}

/* ---- commands in shell syntax ---- */

static void put_word(struct strbuf *b, const char *s)
{
	strbuf_putc(b, ' ');
	shell_put_word(b, s, strlen(s));
}

/* Returns the reason why a shell cannot run the command as it was executed, or NULL. */
static const char *obstacle(const struct execs *x, const struct command *c)
{
	static const char *const own[] = {"/proc", "/dev/fd"};
	const char *path = text(x, c->path);

	if (!c->path)
		return "the program is unknown";
	if (c->path_gone)
		return "the program was a deleted file";
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strncmp(path, own[i], strlen(own[i])) && path[strlen(own[i])] == '/')
			return "the path of the program is only valid in its process";
	if (!c->directory && path[0] != '/')
		return "the working directory is unknown";
	if (c->argv.incomplete)
		return "not all arguments are known";
	vec_for_each (&c->argv.v, word)
		if (word->cut || !word->text)
			return "not all arguments are known";
	return NULL;
}

static void put_shell(const struct execs *x, struct strbuf *b, const struct command *c,
		      const struct changes *changes)
{
	const char *path = text(x, c->path), *zero = path;
	const bool changed = changes->set.n || changes->unset.n;
	bool renamed;

	if (c->argv.v.n)
		zero = text(x, c->argv.v.v[0].text);
	renamed = strcmp(base_name(zero), base_name(path)) != 0;
	if (c->directory) {
		strbuf_puts(b, "(cd");
		put_word(b, text(x, c->directory));
		strbuf_puts(b, " &&");
	}
	if (changed)
		strbuf_puts(b, " env");
	vec_for_each (&changes->unset, v) {
		strbuf_puts(b, " -u ");
		shell_put_word(b, v->text, v->name_len);
	}
	vec_for_each (&changes->set, v)
		put_word(b, v->text);
	/*
	 * Use bash to set an argv[0] that differs from the file name. Also use it for a path that
	 * contains '=', because env(1) would treat the path as a variable.
	 */
	if (renamed || (changed && strchr(path, '='))) {
		strbuf_puts(b, " bash -c 'exec -a \"$0\" \"$@\"'");
		put_word(b, zero);
	}
	strbuf_puts(b, strchr(path, '/') ? " " : " ./");
	shell_put_word(b, path, strlen(path));
	for (size_t i = 1; i < c->argv.v.n; i++) {
		const struct word *w = &c->argv.v.v[i];

		if (w->text)
			put_word(b, text(x, w->text));
		else
			strbuf_putc(b, ' ');
		if (w->cut || !w->text)
			strbuf_puts(b, "...");
	}
	if (c->argv.incomplete)
		strbuf_puts(b, " ...");
	if (c->directory)
		strbuf_putc(b, ')');
}

/* ---- the report ---- */

static void put_seconds(struct strbuf *b, const struct command *c)
{
	const struct timespec t = timespec_of(c->end > c->begin ? c->end - c->begin : 0);

	json_time(b, &t, 6);
}

static void put_end(struct strbuf *b, const struct command *c)
{
	if (c->how == COMMAND_RUNS) {
		strbuf_puts(b, "still running at the end");
		return;
	}
	put_seconds(b, c);
	strbuf_puts(b, " s, ");
	if (c->how == COMMAND_EXITED) {
		strbuf_printf(b, "exited with %d", c->code);
	} else if (c->how == COMMAND_KILLED) {
		const char *name = signal_name(c->code);

		strbuf_puts(b, "killed by ");
		if (name)
			strbuf_puts(b, name);
		else
			strbuf_printf(b, "signal %d", c->code);
	} else {
		strbuf_puts(b, "executed another program");
	}
}

static int compare_fds(const void *x, const void *y)
{
	const struct kept_fd *a = x, *b = y;

	return (a->fd > b->fd) - (a->fd < b->fd);
}

static void put_text(const struct execs *x, struct strbuf *b, const struct command *c,
		     unsigned depth)
{
	const char *reason = obstacle(x, c), *separator = "; descriptors ";
	const unsigned indent = 2 * (depth < INDENT_MAX ? depth : INDENT_MAX);
	struct changes changes = {0};

	find_changes(x, c, &changes);
	strbuf_pad(b, ' ', indent);
	strbuf_printf(b, "# %d: ", (int)c->pid);
	put_end(b, c);
	vec_for_each (&c->fds, fd) {
		strbuf_printf(b, "%s%d", separator, fd->fd);
		if (fd->text) {
			const char *name = text(x, fd->text);

			strbuf_putc(b, '<');
			escape_name(b, name, strlen(name));
			strbuf_putc(b, '>');
		}
		separator = " ";
	}
	if (!c->directory)
		strbuf_puts(b, "; working directory unknown");
	if (changes.incomplete)
		strbuf_puts(b, "; not all changes of the environment are known");
	strbuf_putc(b, '\n');
	strbuf_pad(b, ' ', indent);
	if (reason)
		strbuf_printf(b, "# (%s): ", reason);
	put_shell(x, b, c, &changes);
	strbuf_putc(b, '\n');
	changes_deinit(&changes);
}

static void put_string(struct strbuf *b, const char *key, const char *s)
{
	strbuf_putc(b, ',');
	json_text_member(b, key, s, strlen(s));
}

static void put_json_word(const struct execs *x, struct strbuf *b, const struct word *w)
{
	const char *s = text(x, w->text);

	if (w->cut || !w->text)
		json_truncated(b, s, strlen(s));
	else
		json_cstring(b, s);
}

static void put_json_environment(struct strbuf *b, const struct changes *changes)
{
	const char *separator = "";

	strbuf_puts(b, ",\"environment_set\":[");
	vec_for_each (&changes->set, v) {
		strbuf_puts(b, separator);
		if (v->cut)
			json_truncated(b, v->text, strlen(v->text));
		else
			json_cstring(b, v->text);
		separator = ",";
	}
	strbuf_puts(b, "],\"environment_unset\":[");
	separator = "";
	vec_for_each (&changes->unset, v) {
		strbuf_puts(b, separator);
		json_bytes(b, v->text, v->name_len);
		separator = ",";
	}
	strbuf_printf(b, "],\"environment_complete\":%s", changes->incomplete ? "false" : "true");
}

static void put_json_end(struct strbuf *b, const struct command *c)
{
	static const char *const ends[] = {"running", "exited", "killed", "replaced"};

	strbuf_printf(b, ",\"end\":\"%s\"", ends[c->how]);
	if (c->how != COMMAND_RUNS) {
		strbuf_puts(b, ",\"duration\":");
		put_seconds(b, c);
	}
	if (c->how == COMMAND_EXITED)
		strbuf_printf(b, ",\"exit_status\":%d", c->code);
	if (c->how != COMMAND_KILLED)
		return;
	strbuf_puts(b, ",\"signal\":");
	json_name(b, signal_name(c->code), c->code);
}

static void put_json(const struct execs *x, struct strbuf *b, const struct command *c)
{
	const char *reason = obstacle(x, c), *separator = "";
	struct changes changes = {0};
	struct strbuf shell = {0};

	find_changes(x, c, &changes);
	strbuf_printf(b, "{\"type\":\"command\",\"number\":%zu", (size_t)(c - x->commands.v.v) + 1);
	if (c->parent)
		strbuf_printf(b, ",\"parent\":%u", c->parent);
	strbuf_printf(b, ",\"pid\":%d", (int)c->pid);
	put_json_end(b, c);
	if (c->path)
		put_string(b, "path", text(x, c->path));
	if (c->directory)
		put_string(b, "directory", text(x, c->directory));
	strbuf_puts(b, ",\"argv\":[");
	vec_for_each (&c->argv.v, word) {
		strbuf_puts(b, separator);
		put_json_word(x, b, word);
		separator = ",";
	}
	strbuf_puts(b, "]");
	put_json_environment(b, &changes);
	strbuf_puts(b, ",\"descriptors\":[");
	separator = "";
	vec_for_each (&c->fds, fd) {
		strbuf_printf(b, "%s{\"fd\":%d", separator, fd->fd);
		if (fd->text)
			put_string(b, "path", text(x, fd->text));
		strbuf_putc(b, '}');
		separator = ",";
	}
	strbuf_putc(b, ']');
	if (!reason) {
		put_shell(x, &shell, c, &changes);
		put_string(b, "shell", strbuf_str(&shell));
	}
	strbuf_puts(b, "}\n");
	strbuf_deinit(&shell);
	changes_deinit(&changes);
}

/* Appends a tree of commands, each command before its children. */
static void put_tree(const struct execs *x, struct strbuf *b, const struct command *root)
{
	const struct command *c = root;
	unsigned depth = 0;

	for (;;) {
		if (x->config.json)
			put_json(x, b, c);
		else
			put_text(x, b, c, depth);
		if (c->first_child) {
			c = &x->commands.v.v[c->first_child - 1];
			depth++;
			continue;
		}
		while (c != root && !c->next) {
			c = parent_of(x, c);
			depth--;
		}
		if (c == root)
			return;
		c = &x->commands.v.v[c->next - 1];
	}
}

static void put_notes(const struct execs *x, struct strbuf *b)
{
	const struct commands *c = &x->commands;

	if (x->config.json)
		return;
	if (!c->v.n)
		strbuf_puts(b, "# no program was executed\n");
	if (c->unlisted)
		strbuf_printf(b, "# %llu further commands are not listed\n",
			      (unsigned long long)c->unlisted);
	if (c->lost)
		strbuf_printf(b, "# %llu event%s lost: the list may be incomplete\n",
			      (unsigned long long)c->lost, c->lost == 1 ? " was" : "s were");
}

static void on_event(struct sink *s, const struct event *e)
{
	commands_add(&execs_of(s)->commands, e);
}

static void on_thread_end(struct sink *s, const struct event *e)
{
	commands_thread_end(&execs_of(s)->commands, e);
}

static void on_thread_moved(struct sink *s, const struct event *e attr_unused, pid_t from)
{
	commands_thread_moved(&execs_of(s)->commands, from);
}

static int on_end(struct sink *s)
{
	struct execs *x = execs_of(s);
	struct strbuf b = {0};
	int err;

	vec_for_each (&x->commands.v, c)
		if (c->fds.n)
			qsort(c->fds.v, c->fds.n, sizeof(*c->fds.v), compare_fds);
	vec_for_each (&x->commands.v, c)
		if (!c->parent)
			put_tree(x, &b, c);
	put_notes(x, &b);
	err = x->config.write(x->config.ctx, b.data, b.len);
	strbuf_deinit(&b);
	commands_deinit(&x->commands);
	free(x);
	return err;
}

static const struct sink_ops execs_ops = {
	.event = on_event,
	.thread_end = on_thread_end,
	.thread_moved = on_thread_moved,
	.end = on_end,
};

struct sink *execs_create(const struct execs_config *config)
{
	struct execs *x = mem_zalloc(sizeof(*x));

	x->base.ops = &execs_ops;
	x->base.unwatched = true;
	x->config = *config;
	return &x->base;
}
