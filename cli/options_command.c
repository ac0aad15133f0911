/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arguments, the environment and the user of the traced command. */
#include <ctype.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/options_seen.h"
#include "util/msg.h"

extern char **environ;

/*
 * Parses a number up to a colon or the end of the string, and stores it in *id. Returns false if
 * the number is invalid.
 */
static bool id_parse(const char *s, unsigned *id)
{
	unsigned long v;
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	errno = 0;
	v = strtoul(s, &end, 10);
	if (*s == '-' || end == s || (*end && *end != ':') || errno || v > UINT_MAX - 1)
		return false;
	*id = v;
	return true;
}

void options_user(struct options *o, const char *name)
{
	const char *colon = strchr(name, ':');
	const struct passwd *pw;

	if (getuid())
		die("You must be root to use the -u/--username option");
	o->change_user = true;
	if (colon) {
		if (!id_parse(name, &o->uid) || !id_parse(colon + 1, &o->gid))
			die("Invalid UID:GID pair '%s'", name);
		return;
	}
	pw = getpwnam(name);
	if (!pw)
		die("Cannot find user '%s'", name);
	o->user = mem_strdup(name);
	o->uid = pw->pw_uid;
	o->gid = pw->pw_gid;
}

static bool same_variable(const char *entry, const char *name, size_t len)
{
	return !strncmp(entry, name, len) && entry[len] == '=';
}

/*
 * Applies the argument of an -E option to the *n variables in o->env, and updates *n. VAR=VAL sets
 * VAR, and VAR alone removes it.
 */
static void change_variable(struct options *o, size_t *n, const char *change)
{
	size_t len = strcspn(change, "="), kept = 0;
	bool placed = !change[len];

	for (size_t i = 0; i < *n; i++) {
		if (!same_variable(o->env[i], change, len)) {
			o->env[kept++] = o->env[i];
			continue;
		}
		free(o->env[i]);
		if (!placed)
			o->env[kept++] = mem_strdup(change);
		placed = true;
	}
	if (!placed)
		o->env[kept++] = mem_strdup(change);
	*n = kept;
}

/*
 * With this many additional bytes, malloc() takes the block from mmap(2). In the output of
 * execve(), the address of the environment then has as many digits as in strace's output.
 */
#define MAPPED (1 << 18)

void options_environment(struct options *o, const struct seen *seen)
{
	size_t n = 0;

	/*
	 * Without -E, pass on the environment unchanged. The address in the output of execve() is
	 * then that of environ, as in strace's output.
	 */
	o->env = environ;
	if (!seen->env.n)
		return;
	while (environ && environ[n])
		n++;
	o->env = mem_alloc((n + seen->env.n + 1) * sizeof(*o->env) + MAPPED);
	for (size_t i = 0; i < n; i++)
		o->env[i] = mem_strdup(environ[i]);
	vec_for_each (&seen->env, change)
		change_variable(o, &n, *change);
	o->env[n] = NULL;
}

void options_command(struct options *o, const struct seen *seen, char **args)
{
	if (!*args)
		return;
	o->argv = args;
	o->program = args[0];
	if (seen->argv0)
		o->argv[0] = (char *)seen->argv0;
}

static void attr_noreturn child_dies(const char *what)
{
	msg_errno("%s", what);
	_exit(1);
}

void options_setup_child(void *ctx)
{
	const struct options *o = ctx;

	if (!o->change_user)
		return;
	if (o->user ? initgroups(o->user, o->gid) : setgroups(0, NULL))
		child_dies(o->user ? "initgroups" : "setgroups");
	if (setregid(o->gid, o->gid))
		child_dies("setregid");
	if (setreuid(o->uid, o->uid))
		child_dies("setreuid");
}
