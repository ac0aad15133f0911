/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/player_stacks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/proc/files.h"
#include "trace/format/records.h"
#include "stack/files/elf_file.h"
#include "util/mem.h"

/* A frame in a compact form, because a trace may contain millions of frames. */
struct played_frame {
	uint64_t addr;
	struct played_module *module;
	/* Index in the stack's `nameless`, plus 1. 0 if the frame's name comes from a file. */
	uint32_t nameless;
	bool exact;
	uint8_t by; /* a value of enum frame_by */
};

/* The name of a frame whose code is not in a file. */
struct nameless_frame {
	char *symbol; /* NULL if unknown */
	uint64_t offset;
};

struct played_stack {
	enum stack_status status;
	uint64_t end;
	VEC(struct nameless_frame) nameless;
	size_t n;
	struct played_frame frames[];
};

/* Reads a string, which may contain any bytes except NUL. Returns NULL if it is empty. */
static char *take_text(struct cursor *in)
{
	size_t n;
	const uint8_t *bytes = take_bytes(in, &n);

	return n ? mem_strndup((const char *)bytes, size_min(n, TRACE_TEXT_MAX)) : NULL;
}

/* -- files ----------------------------------------------------------------------- */

/*
 * Returns true if fd refers to the file that was mapped when the stack was recorded. Always closes
 * fd.
 */
static bool same_file(int fd, const struct played_module *m)
{
	struct elf_file *f;
	const char *id;
	struct stat st;
	bool same;

	if (!m->build_id) {
		same = fd >= 0 && !fstat(fd, &st) && st.st_ino == m->mapping.inode;
		if (fd >= 0)
			close(fd);
		return same;
	}
	f = elf_file_open_fd(fd);
	id = f ? elf_file_build_id(f) : NULL;
	same = id && !strcmp(id, m->build_id);
	elf_file_close(f);
	return same;
}

/* Opens a recorded path, relative to the sysroot if there is one. */
static int open_there(struct file_source *s, const char *path)
{
	return file_source_open(container_of(s, struct played_stacks, files)->local, 0, path,
				false);
}

static int open_mapped(struct file_source *s, pid_t tid attr_unused, const struct mapping *m)
{
	errno = ENOENT;
	if (!m->name || *m->name != '/' ||
	    !same_file(open_there(s, m->name), (const struct played_module *)m))
		return -1;
	return open_there(s, m->name);
}

/*
 * If pid is 0, opens a path on this machine. Otherwise pid is the id of a recorded process. Its
 * root directory does not exist on this machine, so only the perf map of the process can be opened.
 */
static int open_path(struct file_source *s, pid_t pid, const char *path, bool owned attr_unused)
{
	const struct played_stacks *p = container_of(s, struct played_stacks, files);

	errno = ENOENT;
	if (pid)
		return p->open_perf_map ? p->open_perf_map(p->perf_maps, pid, path) : -1;
	return open_there(s, path);
}

static ssize_t path_of(struct file_source *s, int fd, char *buf, size_t size)
{
	struct file_source *local = container_of(s, struct played_stacks, files)->local;

	return local->ops->path_of(local, fd, buf, size);
}

static pid_t inner_pid(struct file_source *s attr_unused, pid_t pid)
{
	return pid;
}

static const struct file_source_ops ops = {.open_mapped = open_mapped,
					   .open_path = open_path,
					   .path_of = path_of,
					   .inner_pid = inner_pid};

void played_stacks_init(struct played_stacks *p, const char *sysroot)
{
	*p = (struct played_stacks){.files.ops = &ops, .local = proc_files_create(NULL, sysroot)};
}

/* -- records ----------------------------------------------------------------------- */

static void stack_free(struct played_stack *s)
{
	for (size_t i = 0; i < s->n; i++)
		mapping_put(&s->frames[i].module->mapping);
	vec_for_each (&s->nameless, f)
		free(f->symbol);
	vec_deinit(&s->nameless);
	free(s);
}

static void module_release(struct mapping *m)
{
	free(((struct played_module *)m)->build_id);
}

void played_stacks_clear(struct played_stacks *p)
{
	struct table_slot *slot;

	while ((slot = table_any(&p->stacks))) {
		stack_free((struct played_stack *)(uintptr_t)slot->value);
		table_remove(&p->stacks, slot);
	}
	while ((slot = table_any(&p->modules))) {
		mapping_put((struct mapping *)(uintptr_t)slot->value);
		table_remove(&p->modules, slot);
	}
	p->count = 0;
	p->bytes = 0;
	p->at = NULL;
	p->shown.n = 0;
}

void played_stacks_deinit(struct played_stacks *p)
{
	played_stacks_clear(p);
	table_deinit(&p->stacks);
	table_deinit(&p->modules);
	vec_deinit(&p->shown);
	played_names_deinit(&p->names);
	proc_files_destroy(p->local);
}

void played_stacks_module(struct played_stacks *p, struct cursor *in)
{
	uint64_t number = cursor_uleb(in);
	struct played_module *m;

	cursor_uint(in, 1);
	if (in->bad || p->count >= 2 * TRACE_STACKS_MAX || table_get(&p->modules, number))
		return;
	m = mem_zalloc(sizeof(*m));
	m->mapping = (struct mapping){
		.end = UINT64_MAX, .executable = true, .refs = 1, .release = module_release};
	m->mapping.name = take_text(in);
	m->build_id = take_text(in);
	m->mapping.inode = cursor_uleb(in);
	m->named = played_names_module(&p->names, m->mapping.name, m->build_id, m->mapping.inode);
	table_add(&p->modules, table_hash_number(number), (uintptr_t)m);
	p->count++;
	p->bytes += sizeof(*m) + 64 + (m->mapping.name ? strlen(m->mapping.name) : 0) +
		    (m->build_id ? strlen(m->build_id) : 0);
}

struct played_module *played_stacks_mapping(const struct played_stacks *p, uint64_t number)
{
	const struct played_module *of = table_get(&p->modules, number);
	struct played_module *m;

	if (!of)
		return NULL;
	m = mem_zalloc(sizeof(*m));
	m->mapping =
		(struct mapping){.executable = true,
				 .refs = 1,
				 .inode = of->mapping.inode,
				 .name = of->mapping.name ? mem_strdup(of->mapping.name) : NULL,
				 .release = module_release};
	m->build_id = of->build_id ? mem_strdup(of->build_id) : NULL;
	m->named = of->named;
	return m;
}

/* Adds the name that the trace contains for a frame, if there is one. */
static void add_name(const struct played_name *name, struct recorded_frame *f)
{
	if (!name)
		return;
	f->named = true;
	f->symbol = name->symbol;
	f->offset = name->offset;
	f->file = name->file;
	f->line = name->line;
	f->ninlined = name->ninlined;
	f->inlined = name->inlined;
}

/* Reads a frame. Returns false if it is invalid. */
static bool take_frame(struct played_stacks *p, struct cursor *in, struct played_stack *s)
{
	struct played_frame *f = &s->frames[s->n];
	uint64_t bits = cursor_uleb(in);
	struct played_module *m = table_get(&p->modules, cursor_uleb(in));

	*f = (struct played_frame){.addr = cursor_uleb(in),
				   .module = m,
				   .exact = bits & FRAME_IS_EXACT,
				   .by = (uint8_t)(bits >> FRAME_BY_SHIFT)};
	if (bits & FRAME_HAS_NAME) {
		struct nameless_frame *name = vec_push(&s->nameless);

		name->symbol = take_text(in);
		name->offset = cursor_uleb(in);
		f->nameless = (uint32_t)s->nameless.n;
		p->bytes += sizeof(*name) + 32 + (name->symbol ? strlen(name->symbol) : 0);
	}
	if (in->bad || !m || bits >> FRAME_BY_SHIFT >= FRAME_BYS)
		return false;
	mapping_get(&m->mapping);
	return true;
}

void played_stacks_stack(struct played_stacks *p, struct cursor *in)
{
	uint64_t number = cursor_uleb(in), status, end, n;
	struct played_stack *s;

	cursor_uint(in, 1);
	status = cursor_uleb(in);
	end = cursor_uleb(in);
	n = cursor_uleb(in);
	/* Each frame takes at least three bytes. */
	if (in->bad || status >= STACK_STATUSES || n > TRACE_FRAMES_MAX ||
	    n > cursor_left(in) / 3 || p->count >= 2 * TRACE_STACKS_MAX ||
	    table_get(&p->stacks, number))
		return;
	s = mem_zalloc(sizeof(*s) + (size_t)n * sizeof(s->frames[0]));
	s->status = (enum stack_status)status;
	s->end = end;
	for (; s->n < n; s->n++) {
		if (take_frame(p, in, s))
			continue;
		stack_free(s);
		return;
	}
	table_add(&p->stacks, table_hash_number(number), (uintptr_t)s);
	p->count++;
	p->bytes += sizeof(*s) + s->n * sizeof(s->frames[0]) + 64;
}

void played_stacks_at(struct played_stacks *p, struct cursor *in)
{
	p->at = table_get(&p->stacks, cursor_uleb(in));
}

/* Converts a frame to the form in which stacks are reported. */
static struct recorded_frame show_frame(const struct played_stacks *p, const struct played_stack *s,
					const struct played_frame *f)
{
	struct recorded_frame shown = {.addr = f->addr,
				       .mapping = &f->module->mapping,
				       .build_id = f->module->build_id,
				       .exact = f->exact,
				       .named = f->nameless,
				       .by = (enum frame_by)f->by};

	if (f->nameless) {
		shown.symbol = s->nameless.v[f->nameless - 1].symbol;
		shown.offset = s->nameless.v[f->nameless - 1].offset;
	}
	if (!shown.symbol && p->names.names.n)
		add_name(played_names_find(&p->names, f->module->named, f->addr, f->exact), &shown);
	return shown;
}

const struct recorded_stack *played_stacks_get(struct played_stacks *p)
{
	const struct played_stack *s = p->at;

	if (!s)
		return NULL;
	p->shown.n = 0;
	for (size_t i = 0; i < s->n; i++)
		*vec_push(&p->shown) = show_frame(p, s, &s->frames[i]);
	p->shown_stack = (struct recorded_stack){
		.status = s->status, .end = s->end, .n = s->n, .frames = p->shown.v};
	return &p->shown_stack;
}
