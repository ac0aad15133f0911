/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/trace/player_stacks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/proc/files.h"
#include "capture/trace/records.h"
#include "stack/files/elf_file.h"
#include "util/mem.h"

struct played_stack {
	struct recorded_stack stack; /* its frames are those below */
	struct recorded_frame frames[];
};

/* Names that a file gives may have any bytes, but no NUL. */
static char *take_text(struct cursor *in)
{
	size_t n;
	const uint8_t *bytes = take_bytes(in, &n);

	return n ? mem_strndup((const char *)bytes, n) : NULL;
}

static void *find(const struct table *t, uint64_t number)
{
	const struct table_slot *slot = table_find(t, table_hash_number(number), NULL);

	return slot ? (void *)(uintptr_t)slot->value : NULL;
}

/* -- files ----------------------------------------------------------------------- */

/* Whether the file at that path is the one that was mapped when the stack was recorded. */
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

/* Opens a path of the recording: beneath the sysroot, if there is one. */
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

/* Only what belongs to this machine: there are no processes whose roots could be looked into. */
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
	for (size_t i = 0; i < s->stack.n; i++) {
		mapping_put(s->frames[i].mapping);
		free((char *)s->frames[i].symbol);
	}
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
	p->at = NULL;
}

void played_stacks_deinit(struct played_stacks *p)
{
	played_stacks_clear(p);
	table_deinit(&p->stacks);
	table_deinit(&p->modules);
	played_names_deinit(&p->names);
	proc_files_destroy(p->local);
}

void played_stacks_module(struct played_stacks *p, struct cursor *in)
{
	uint64_t number = cursor_uleb(in);
	struct played_module *m;

	cursor_uint(in, 1);
	if (in->bad || p->count >= 2 * TRACE_STACKS_MAX || find(&p->modules, number))
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
}

struct played_module *played_stacks_mapping(const struct played_stacks *p, uint64_t number)
{
	const struct played_module *of = find(&p->modules, number);
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

/* What the trace says of a frame's name, if anything. */
static void add_name(const struct played_name *name, struct recorded_frame *f)
{
	if (!name)
		return;
	f->named = true;
	f->symbol = name->symbol ? mem_strdup(name->symbol) : NULL;
	f->offset = name->offset;
	f->file = name->file;
	f->line = name->line;
	f->ninlined = name->ninlined;
	f->inlined = name->inlined;
}

/* Returns false if the frame cannot be right. */
static bool take_frame(struct played_stacks *p, struct cursor *in, struct recorded_frame *f)
{
	uint64_t bits = cursor_uleb(in);
	struct played_module *m = find(&p->modules, cursor_uleb(in));

	*f = (struct recorded_frame){.addr = cursor_uleb(in),
				     .exact = bits & FRAME_IS_EXACT,
				     .named = bits & FRAME_HAS_NAME,
				     .by = (enum frame_by)(bits >> FRAME_BY_SHIFT)};
	if (f->named) {
		f->symbol = take_text(in);
		f->offset = cursor_uleb(in);
	}
	if (in->bad || !m || f->by >= FRAME_BYS) {
		free((char *)f->symbol);
		return false;
	}
	f->mapping = mapping_get(&m->mapping);
	f->build_id = m->build_id;
	if (!f->symbol)
		add_name(played_names_find(&p->names, m->named, f->addr, f->exact), f);
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
	/* A frame has three bytes at least. */
	if (in->bad || status >= STACK_STATUSES || n > TRACE_FRAMES_MAX ||
	    n > cursor_left(in) / 3 || p->count >= 2 * TRACE_STACKS_MAX || find(&p->stacks, number))
		return;
	s = mem_zalloc(sizeof(*s) + (size_t)n * sizeof(s->frames[0]));
	s->stack = (struct recorded_stack){
		.status = (enum stack_status)status, .end = end, .frames = s->frames};
	for (; s->stack.n < n; s->stack.n++) {
		if (take_frame(p, in, &s->frames[s->stack.n]))
			continue;
		stack_free(s);
		return;
	}
	table_add(&p->stacks, table_hash_number(number), (uintptr_t)s);
	p->count++;
}

void played_stacks_at(struct played_stacks *p, struct cursor *in)
{
	p->at = find(&p->stacks, cursor_uleb(in));
}

const struct recorded_stack *played_stacks_get(const struct played_stacks *p)
{
	return p->at ? &p->at->stack : NULL;
}
