/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/files/files.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/files/record.h"
#include "sinks/json/json_text.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/strbuf.h"

const char files_calls[] = "%file,%desc";

struct files_report {
	struct sink base;
	struct files_config config;
	struct files files;
	uint64_t lost; /* number of events that the sink has missed */
};

static struct files_report *report_of(struct sink *s)
{
	return container_of(s, struct files_report, base);
}

static void on_event(struct sink *s, const struct event *e)
{
	struct files_report *r = report_of(s);

	if (e->kind == EVENT_SYSCALL || (e->kind == EVENT_OTHER && e->request))
		files_add(&r->files, s->unwinder, event_syscall(e));
	else if (e->kind == EVENT_LOST)
		r->lost += event_lost(e)->count;
}

/* ---- the report ---- */

/*
 * Calls fn() for each way in which the run used the file, such as "read". Omits "missing" if the
 * run also used the file in another way.
 */
static void for_each_use(struct strbuf *b, const struct file *f,
			 void (*fn)(struct strbuf *b, const char *name, bool first))
{
	static const char *const names[] = {"read",    "written", "created",
					    "renamed", "deleted", "missing"};
	const unsigned uses = f->uses == FILE_MISSING ? f->uses : f->uses & ~FILE_MISSING;
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(uses & 1u << i))
			continue;
		fn(b, names[i], first);
		first = false;
	}
}

static void put_use(struct strbuf *b, const char *name, bool first)
{
	strbuf_printf(b, "%s%s", first ? "" : ",", name);
}

static void put_json_use(struct strbuf *b, const char *name, bool first)
{
	strbuf_printf(b, "%s\"%s\"", first ? "" : ",", name);
}

static void put_path(struct strbuf *b, const char *before, const char *path)
{
	if (!path)
		return;
	strbuf_puts(b, before);
	escape_name(b, path, strlen(path));
}

static void put_text(struct files_report *r, struct strbuf *b)
{
	pid_t pid = 0;

	strbuf_puts(b, "        read      written uses                 file\n");
	vec_for_each (&r->files.v, f) {
		size_t start;

		if (!f->uses)
			continue;

		if (f->pid != pid) {
			pid = f->pid;
			strbuf_printf(b, "Process %d (", (int)pid);
			escape_name(b, f->comm, strnlen(f->comm, sizeof(f->comm)));
			strbuf_puts(b, "):\n");
		}
		strbuf_printf(b, "%12llu %12llu ", (unsigned long long)f->read,
			      (unsigned long long)f->written);
		start = b->len;
		for_each_use(b, f, put_use);
		strbuf_pad(b, ' ', b->len - start < 20 ? 20 - (b->len - start) : 0);
		put_path(b, " ", f->path);
		put_path(b, " renamed to ", f->renamed_to);
		put_path(b, " renamed from ", f->renamed_from);
		strbuf_putc(b, '\n');
		place_put_stack(r->files.places, b, &f->first);
	}
}

static void put_json_path(struct strbuf *b, const char *key, const char *path)
{
	if (!path)
		return;
	strbuf_putc(b, ',');
	json_text_member(b, key, path, strlen(path));
}

static void put_json_stack(struct files_report *r, struct strbuf *b, const struct file *f)
{
	const char *stack = place_stack(r->files.places, &f->first), *separator = "", *frame;
	size_t n;

	strbuf_puts(b, ",\"first_stack\":[");
	while (place_next_frame(&stack, &frame, &n)) {
		strbuf_puts(b, separator);
		json_string(b, frame, n);
		separator = ",";
	}
	strbuf_putc(b, ']');
}

static void put_json(struct files_report *r, struct strbuf *b)
{
	vec_for_each (&r->files.v, f) {
		if (!f->uses)
			continue;
		strbuf_puts(b, "{\"type\":\"file\",");
		if (f->pid)
			strbuf_printf(b, "\"pid\":%d,", (int)f->pid);
		strbuf_printf(b, "\"tid\":%d,", (int)f->first.tid);
		json_text_member(b, "comm", f->comm, strnlen(f->comm, sizeof(f->comm)));
		put_json_path(b, "path", f->path);
		strbuf_puts(b, ",\"uses\":[");
		for_each_use(b, f, put_json_use);
		strbuf_puts(b, "],\"read_bytes\":");
		strbuf_udec(b, f->read);
		strbuf_puts(b, ",\"written_bytes\":");
		strbuf_udec(b, f->written);
		put_json_path(b, "renamed_to", f->renamed_to);
		put_json_path(b, "renamed_from", f->renamed_from);
		put_json_stack(r, b, f);
		strbuf_puts(b, "}\n");
	}
}

/*
 * Appends a path in the format of dependency files, as GCC does, for make(1) and ninja. Returns
 * false if the format cannot represent the path.
 */
static bool put_dependency(struct strbuf *b, const char *path)
{
	if (strpbrk(path, "\n\r"))
		return false;
	for (const char *p = path; *p; p++) {
		if (*p == ' ' || *p == '\t') {
			for (const char *q = p; q > path && q[-1] == '\\'; q--)
				strbuf_putc(b, '\\');
			strbuf_putc(b, '\\');
		} else if (*p == '$') {
			strbuf_putc(b, '$');
		} else if (*p == '#' || *p == ':') {
			strbuf_putc(b, '\\');
		}
		strbuf_putc(b, *p);
	}
	return true;
}

/*
 * Appends the paths of the files that were written or created if `targets` is set, otherwise those
 * of the files that were only read. Omits devices, and files that no longer exist. Returns the
 * number of appended paths.
 */
static size_t put_dependencies(const struct files *files, struct strbuf *b, bool targets)
{
	size_t n = 0;

	vec_for_each (&files->v, f) {
		const bool is_target = f->uses & (FILE_WRITTEN | FILE_CREATED);
		const size_t start = b->len;

		if (f->gone || is_target != targets || file_is_device(f->path))
			continue;
		if (!targets && !(f->uses & FILE_READ))
			continue;
		strbuf_puts(b, !targets ? " \\\n  " : n ? " " : "");
		if (put_dependency(b, f->path))
			n++;
		else
			b->len = start;
	}
	return n;
}

static void put_depfile(const struct files *files, struct strbuf *b)
{
	if (!put_dependencies(files, b, true)) {
		strbuf_puts(b, "# no file was written\n");
		return;
	}
	strbuf_putc(b, ':');
	put_dependencies(files, b, false);
	strbuf_putc(b, '\n');
}

static void put_notes(const struct files_report *r, struct strbuf *b)
{
	const char *mark = r->config.format == FILES_DEPFILE ? "# " : "";

	if (r->config.format == FILES_JSON)
		return;
	if (r->files.unlisted)
		strbuf_printf(b, "%s%llu uses of further files are not listed\n", mark,
			      (unsigned long long)r->files.unlisted);
	if (r->lost)
		strbuf_printf(b, "%s%llu event%s lost: the list may be incomplete\n", mark,
			      (unsigned long long)r->lost, r->lost == 1 ? " was" : "s were");
}

static int compare(const void *x, const void *y)
{
	const struct file *a = x, *b = y;

	return a->pid != b->pid ? a->pid < b->pid ? -1 : 1 : strcmp(a->path, b->path);
}

static int on_end(struct sink *s)
{
	struct files_report *r = report_of(s);
	struct files *f = &r->files;
	struct strbuf b = {0};
	int err;

	if (f->v.n)
		qsort(f->v.v, f->v.n, sizeof(*f->v.v), compare);
	if (r->config.format == FILES_JSON)
		put_json(r, &b);
	else if (r->config.format == FILES_DEPFILE)
		put_depfile(f, &b);
	else
		put_text(r, &b);
	put_notes(r, &b);
	err = r->config.write(r->config.ctx, b.data, b.len);
	strbuf_deinit(&b);
	files_deinit(f);
	places_destroy(f->places);
	free(r);
	return err;
}

static const struct sink_ops files_ops = {.event = on_event, .end = on_end};

struct sink *files_create(const struct files_config *config)
{
	struct files_report *r = mem_zalloc(sizeof(*r));

	r->base.ops = &files_ops;
	r->base.unwatched = true;
	r->config = *config;
	r->files.by_process = config->by_process;
	r->files.places = places_create();
	return &r->base;
}
