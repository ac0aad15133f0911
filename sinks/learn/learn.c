/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/learn/learn.h"

#include <stdlib.h>
#include <string.h>

#include "event/find.h"
#include "linux/arch/abi.h"
#include "linux/syscall_desc.h"
#include "linux/syscall_rows.h"
#include "sinks/files/record.h"
#include "sinks/json/json_text.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/strbuf.h"

/* Something that the policy must allow: a syscall of an ABI, or an address family. */
struct rule {
	char *name;
	unsigned abi;
	struct place first; /* the first call that needs the rule */
};

struct rules {
	VEC(struct rule) v;
};

struct learn {
	struct sink base;
	struct learn_config config;
	struct places *places;
	struct rules calls, families;
	struct files files; /* the files that the run uses; only for LEARN_SYSTEMD */
	bool unnamed;	    /* true if a syscall without a name was made */
	uint64_t lost;	    /* number of events that the sink has missed */
};

static struct learn *learn_of(struct sink *s)
{
	return container_of(s, struct learn, base);
}

static struct rule *find_rule(struct rules *rules, unsigned abi, const char *name)
{
	vec_for_each (&rules->v, rule)
		if (rule->abi == abi && !strcmp(rule->name, name))
			return rule;
	return NULL;
}

static bool find_name(const struct rules *rules, const char *name)
{
	vec_for_each (&rules->v, rule)
		if (!strcmp(rule->name, name))
			return true;
	return false;
}

static void add_rule(struct learn *l, struct rules *rules, const char *name,
		     const struct syscall_event *e)
{
	const unsigned abi = e->abi ? e->abi->index : e->base.abi;

	if (!find_rule(rules, abi, name))
		*vec_push(&rules->v) = (struct rule){mem_strdup(name), abi,
						     places_add(l->places, l->base.unwinder, e)};
}

static void add_family(struct learn *l, const struct syscall_event *e)
{
	const struct value *domain;

	if (e->row == ROW_socket && event_argument(&e->base, "domain", true, &domain) == FOUND &&
	    domain->kind == VALUE_ENUM && value_enum_name(domain))
		add_rule(l, &l->families, value_enum_name(domain), e);
}

static void add_call(struct learn *l, const struct syscall_event *e)
{
	if (e->row < 0) {
		l->unnamed = true;
		return;
	}
	add_rule(l, &l->calls, syscall_descs[e->row].name, e);
	if (l->config.format != LEARN_SYSTEMD)
		return;
	add_family(l, e);
	files_add(&l->files, l->base.unwinder, e);
}

static void on_event(struct sink *s, const struct event *e)
{
	struct learn *l = learn_of(s);

	/* An EVENT_SYSCALL without a result is a call that never returns, such as exit_group. */
	if (e->kind == EVENT_SYSCALL || e->kind == EVENT_UNFINISHED)
		add_call(l, event_syscall(e));
	else if (e->kind == EVENT_LOST)
		l->lost += event_lost(e)->count;
}

/* ---- the policy ---- */

static int compare_rules(const void *x, const void *y)
{
	const struct rule *a = x, *b = y;

	return a->abi != b->abi ? (a->abi < b->abi ? -1 : 1) : strcmp(a->name, b->name);
}

/*
 * Calls that are always allowed, because other runs may need them: calls for signals, calls that
 * end a process, and calls that the vDSO makes only on some machines (vdso(7)).
 */
static const char *const always[] = {
	"restart_syscall", "rt_sigreturn", "exit",   "exit_group",
	"clock_gettime",   "gettimeofday", "getcpu", "time",
};

/*
 * Appends a frame without the folder of its file and without offsets: "libc.so.6(read)" for
 * "/lib/libc.so.6(read+0x7) [0xf7]". A frame without a function keeps its address.
 */
static void put_frame(struct strbuf *b, const char *frame, size_t n)
{
	const char *end = memchr(frame, '(', n), *address = memmem(frame, n, " [", 2);
	const char *file = end ? memrchr(frame, '/', (size_t)(end - frame)) : NULL, *offset;

	file = file ? file + 1 : frame;
	n -= (size_t)(file - frame);
	if (!end || !address || address < end + 3) {
		strbuf_add(b, file, n);
		return;
	}
	offset = memrchr(end, '+', (size_t)(address - end));
	strbuf_add(b, file, (size_t)((offset ? offset : address - 1) - file));
	strbuf_putc(b, ')');
}

/* Appends "cat: libc.so.6(read) < cat(main)": the program and the functions. */
static void put_first(const struct learn *l, struct strbuf *b, const struct place *at)
{
	const char *stack = place_stack(l->places, at), *separator = ": ", *frame;
	size_t n;

	escape_name(b, at->comm, strnlen(at->comm, sizeof(at->comm)));
	while (place_next_frame(&stack, &frame, &n)) {
		strbuf_puts(b, separator);
		put_frame(b, frame, n);
		separator = " < ";
	}
}

/* The names of ABIs for libseccomp and for systemd. */
static const struct {
	const char *seccomp, *systemd;
} architectures[ABI_COUNT] = {
	[ABI_X86_64] = {"SCMP_ARCH_X86_64", "x86-64"},
	[ABI_I386] = {"SCMP_ARCH_X86", "x86"},
	[ABI_X32] = {"SCMP_ARCH_X32", "x32"},
	[ABI_AARCH64] = {"SCMP_ARCH_AARCH64", "arm64"},
	[ABI_RISCV64] = {"SCMP_ARCH_RISCV64", "riscv64"},
	[ABI_ARM] = {"SCMP_ARCH_ARM", "arm"},
};

/* Returns true if the run has made calls of this ABI. */
static bool is_used(const struct learn *l, unsigned abi)
{
	vec_for_each (&l->calls.v, rule)
		if (rule->abi == abi)
			return true;
	return false;
}

/* Appends the calls in `always` that the run has not made. Each name is enclosed in `quote`. */
static void put_always(const struct learn *l, struct strbuf *b, const char *quote,
		       const char *between)
{
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(always); i++) {
		if (find_name(&l->calls, always[i]))
			continue;
		strbuf_printf(b, "%s%s%s%s", first ? "" : between, quote, always[i], quote);
		first = false;
	}
}

static void put_architectures(const struct learn *l, struct strbuf *b)
{
	const char *separator = "";

	for (unsigned i = 0; i < ABI_COUNT; i++) {
		if (!is_used(l, i))
			continue;
		strbuf_printf(b, "%s\"%s\"", separator, architectures[i].seccomp);
		separator = ", ";
	}
}

static void put_seccomp_rule(struct strbuf *b, const char *name, const char *comment, size_t n)
{
	strbuf_puts(b, ",\n    {\"names\": [");
	json_cstring(b, name);
	strbuf_puts(b, "], \"action\": \"SCMP_ACT_ALLOW\", \"comment\": ");
	json_string(b, comment, n);
	strbuf_putc(b, '}');
}

static void put_seccomp(const struct learn *l, struct strbuf *b)
{
	attr_cleanup(strbuf_deinit) struct strbuf first = {0};

	strbuf_puts(b, "{\n  \"defaultAction\": \"SCMP_ACT_ERRNO\",\n  \"architectures\": [");
	put_architectures(l, b);
	strbuf_puts(b, "],\n  \"syscalls\": [\n    {\"names\": [");
	put_always(l, b, "\"", ", ");
	strbuf_puts(b, "], \"action\": \"SCMP_ACT_ALLOW\", \"comment\": \"always allowed: signals, "
		       "exits, and calls that the vDSO makes on some machines\"}");
	vec_for_each (&l->calls.v, rule) {
		first.len = 0;
		put_first(l, &first, &rule->first);
		put_seccomp_rule(b, rule->name, first.data, first.len);
	}
	strbuf_puts(b, "\n  ]\n}\n");
}

/* Appends a comment line about the first call that needs a rule. */
static void put_comment(const struct learn *l, struct strbuf *b, const struct place *at)
{
	strbuf_puts(b, "# ");
	put_first(l, b, at);
	strbuf_putc(b, '\n');
}

static void put_families(const struct learn *l, struct strbuf *b)
{
	strbuf_puts(b, "\n# Address families of sockets\n");
	if (!l->families.v.n)
		strbuf_puts(b, "RestrictAddressFamilies=none\n");
	vec_for_each (&l->families.v, rule) {
		put_comment(l, b, &rule->first);
		strbuf_printf(b, "RestrictAddressFamilies=%s\n", rule->name);
	}
}

/*
 * Returns the length of the prefix of the path that must be writable. If the file was only written,
 * the prefix is the whole path. If the run has created, renamed or deleted the file, the prefix is
 * the folder of the file or, if the run has done so with the folder, too, the parent of the folder,
 * and so on. Returns 0 if nothing must be writable or the path is relative.
 */
static size_t writable_part(const struct files *f, const struct file *file)
{
	const unsigned changes = FILE_CREATED | FILE_RENAMED | FILE_DELETED;
	size_t len = strlen(file->path);

	if (file->path[0] != '/' || !(file->uses & (changes | FILE_WRITTEN)))
		return 0;
	while (file && file->uses & changes) {
		while (len > 1 && file->path[len - 1] != '/')
			len--;
		if (len > 1)
			len--;
		file = files_find(f, 0, file->path, len);
	}
	return len;
}

/* Appends a path as a quoted word, as systemd.syntax(7) and systemd.unit(5) describe. */
static void put_unit_path(struct strbuf *b, const char *path)
{
	strbuf_putc(b, '"');
	for (; *path; path++) {
		if (*path == '"' || *path == '\\')
			strbuf_putc(b, '\\');
		if (*path == '%')
			strbuf_putc(b, '%');
		strbuf_putc(b, *path);
	}
	strbuf_puts(b, "\"\n");
}

/* A path that must be writable. */
struct writable {
	char *path;
	const struct file *file;
};

static int compare_writable(const void *x, const void *y)
{
	return strcmp(((const struct writable *)x)->path, ((const struct writable *)y)->path);
}

static bool is_beneath(const char *path, const char *folder)
{
	const size_t len = strlen(folder);

	return !strncmp(path, folder, len) &&
	       (!path[len] || path[len] == '/' || (len && folder[len - 1] == '/'));
}

static void put_paths(const struct learn *l, struct strbuf *b)
{
	VEC(struct writable) paths = {0};
	const char *last = NULL;

	vec_for_each (&l->files.v, file) {
		const size_t len = writable_part(&l->files, file);

		if (len)
			*vec_push(&paths) = (struct writable){mem_strndup(file->path, len), file};
	}
	if (paths.n)
		qsort(paths.v, paths.n, sizeof(*paths.v), compare_writable);
	strbuf_puts(b, "\n# Files that are written, and directories in which files are created or "
		       "deleted\n"
		       "ProtectSystem=strict\n");
	vec_for_each (&paths, w) {
		/* Omit devices, because they are writable even with ProtectSystem=strict. */
		if (file_is_device(w->path) || (last && is_beneath(w->path, last)))
			continue;
		last = w->path;
		if (w->path[strcspn(w->path, "\n\r")]) {
			strbuf_puts(b, "# A path with a newline cannot be listed.\n");
			continue;
		}
		put_comment(l, b, &w->file->first);
		strbuf_puts(b, "ReadWritePaths=");
		put_unit_path(b, w->path);
	}
	vec_for_each (&paths, w)
		free(w->path);
	vec_deinit(&paths);
}

static void put_systemd(const struct learn *l, struct strbuf *b)
{
	strbuf_puts(
		b, "[Service]\n# Calls of other ABIs are refused.\nSystemCallArchitectures=native");
	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (i != abi_native()->index && is_used(l, i))
			strbuf_printf(b, " %s", architectures[i].systemd);
	strbuf_puts(b, "\nSystemCallErrorNumber=EPERM\n"
		       "# Signals, exits, and calls that the vDSO makes on some machines\n"
		       "SystemCallFilter=");
	put_always(l, b, "", " ");
	strbuf_putc(b, '\n');
	vec_for_each (&l->calls.v, rule) {
		put_comment(l, b, &rule->first);
		strbuf_printf(b, "SystemCallFilter=%s\n", rule->name);
	}
	put_families(l, b);
	put_paths(l, b);
}

static void sort(struct rules *rules)
{
	if (rules->v.n)
		qsort(rules->v.v, rules->v.n, sizeof(*rules->v.v), compare_rules);
}

static void free_rules(struct rules *rules)
{
	vec_for_each (&rules->v, rule)
		free(rule->name);
	vec_deinit(&rules->v);
}

static int on_end(struct sink *s)
{
	struct learn *l = learn_of(s);
	struct strbuf b = {0};
	int err;

	sort(&l->calls);
	sort(&l->families);
	if (l->config.format == LEARN_SECCOMP)
		put_seccomp(l, &b);
	else
		put_systemd(l, &b);
	err = l->config.write(l->config.ctx, b.data, b.len);
	if (l->lost)
		msg("--learn: %llu event%s lost, so the policy may refuse calls of this run",
		    (unsigned long long)l->lost, l->lost == 1 ? " was" : "s were");
	if (l->unnamed)
		msg("--learn: calls with unknown numbers were made; the policy refuses them");
	strbuf_deinit(&b);
	free_rules(&l->calls);
	free_rules(&l->families);
	files_deinit(&l->files);
	places_destroy(l->places);
	free(l);
	return err;
}

static const struct sink_ops learn_ops = {.event = on_event, .end = on_end};

struct sink *learn_create(const struct learn_config *config)
{
	struct learn *l = mem_zalloc(sizeof(*l));

	l->base.ops = &learn_ops;
	l->base.unwatched = true;
	l->config = *config;
	l->places = l->files.places = places_create();
	return &l->base;
}
