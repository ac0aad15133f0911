/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/ruby_vm.h"

#include <stdlib.h>

#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "util/mem.h"

#define SEARCHES_MAX 8		/* maximum number of searches per file */
#define ZEROED_MAX   (1u << 20) /* maximum number of bytes of .bss to search */
#define RACTORS_MAX  256
#define THREADS_MAX  4096
#define RACTORS	     8	   /* offset of the list of ractors in rb_vm_t */
#define LIST_RANGE   0x400 /* how far find_threads() searches for the list, in bytes */
#define IDS_PER_PART 512
#define EMBEDDED     (1u << 13) /* the flag RARRAY_EMBED_FLAG */

static const struct ruby_layout layouts[] = {{2, 7, 56, 32, 56, 0, 72, 120, 8, false, false},
					     {3, 0, 56, 40, 56, 0, 80, 120, 8, false, false},
					     {3, 1, 64, 40, 48, 0, 80, 120, 12, false, false},
					     {3, 2, 64, 48, 48, 40, 8, 112, 12, false, true},
					     {3, 3, 56, 48, 48, 40, 16, 112, 12, false, true},
					     {3, 4, 56, 48, 48, 40, 16, 112, 12, true, true}};

struct ruby_file *ruby_file_read(struct elf_file *elf)
{
	struct elf_name version[] = {{.name = "ruby_version"}, {.name = "ruby_api_version"}};
	struct elf_name names[] = {{.name = "rb_vm_exec"},
				   {.name = "ruby_current_vm_ptr"},
				   {.name = "ruby_global_symbols"}};
	const struct elf_section *s;
	struct ruby_file *f;
	char text[4];

	if (elf_names_dynamic(elf, version, ARRAY_SIZE(version)) != ARRAY_SIZE(version) ||
	    !elf_file_load(elf, version[0].addr, text, sizeof(text)))
		return NULL;
	if (elf_names_dynamic(elf, names, ARRAY_SIZE(names)) != ARRAY_SIZE(names))
		elf_names_static(elf, names, ARRAY_SIZE(names));
	f = mem_zalloc(sizeof(*f));
	f->elf = elf;
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (text[0] - '0' == layouts[i].major && text[2] - '0' == layouts[i].minor &&
		    text[1] == '.' && text[3] == '.')
			f->layout = &layouts[i];
	if (names[0].found && names[0].size) {
		f->loop = names[0].addr;
		f->loop_end = f->loop + names[0].size;
	}
	f->vm = names[1].found ? names[1].addr : 0;
	f->symbols = names[2].found ? names[2].addr : 0;
	s = elf_file_section(elf, ".data");
	f->data = s ? s->addr : 0;
	f->ndata = s ? s->size : 0;
	s = elf_file_section(elf, ".bss");
	f->zeroed = s ? s->addr : 0;
	f->nzeroed = s ? s->size : 0;
	return f;
}

static bool is_pointer(uint64_t v)
{
	return v >= 4096 && !(v & 7) && !(v >> 56);
}

uint64_t ruby_array(struct lang_run *r, uint64_t array, uint64_t *n)
{
	uint64_t words[5];

	if (!is_pointer(array) || !lang_read(r->mem, array, words, sizeof(words)) ||
	    (words[0] & RUBY_TYPE) != RUBY_ARRAY)
		return 0;
	if (words[0] & EMBEDDED) {
		*n = words[0] >> 15 & 15;
		return array + 16;
	}
	*n = words[2];
	return words[4];
}

/*
 * Returns true if `thread` is the address of a Ruby thread: its execution context points back to
 * it. Other objects fail this check.
 */
static bool is_thread(struct lang_run *r, const struct ruby_layout *l, uint64_t thread)
{
	const uint64_t context = ruby_word(r, thread + l->context);

	return is_pointer(context) && ruby_word(r, context + l->thread) == thread;
}

static bool is_own_thread(struct lang_run *r, const struct ruby_layout *l, uint64_t thread,
			  uint64_t self)
{
	if (l->native)
		thread = ruby_word(r, thread + l->native);
	return thread && ruby_word(r, thread + l->id) == self;
}

/*
 * Returns true if the Ruby thread is still in a list of threads. A native thread can execute
 * several Ruby threads one after another, so an ended Ruby thread may have the same pthread_self().
 */
static bool is_linked(struct lang_run *r, uint64_t thread)
{
	const uint64_t next = ruby_word(r, thread);

	return next && ruby_word(r, next + 8) == thread;
}

/*
 * Searches the list at `head` for the Ruby thread whose pthread_self() is `self`. Returns the
 * thread's address, or 0. A thread's list links are at its start.
 */
static uint64_t thread_in(struct lang_run *r, const struct ruby_layout *l, uint64_t head,
			  uint64_t self)
{
	uint64_t at = ruby_word(r, head);

	for (int i = 0; is_pointer(at) && at != head && i < THREADS_MAX; i++) {
		if (is_own_thread(r, l, at, self))
			return at;
		at = ruby_word(r, at);
	}
	return 0;
}

static uint64_t find_thread(struct lang_run *r, const struct ruby_file *f, uint64_t vm,
			    uint64_t self)
{
	const struct ruby_layout *l = f->layout;
	const uint64_t head = vm + RACTORS;
	uint64_t at, thread = 0;

	if (l->major < 3)
		return thread_in(r, l, vm + f->threads, self);
	at = ruby_word(r, head);
	for (int i = 0; !thread && is_pointer(at) && at != head && i < RACTORS_MAX; i++) {
		thread = thread_in(r, l, at + f->threads, self);
		at = ruby_word(r, at);
	}
	return thread;
}

/* Returns true if a list of threads is at head. */
static bool is_thread_list(struct lang_run *r, const struct ruby_layout *l, uint64_t head)
{
	uint64_t links[2];

	return lang_read_once(r->mem, head, links, sizeof(links)) && is_pointer(links[0]) &&
	       is_pointer(links[1]) && links[0] != head && ruby_word(r, links[0] + 8) == head &&
	       ruby_word(r, links[1]) == head && is_thread(r, l, links[0]);
}

/*
 * Sets f->threads to the offset of the list of threads. Returns false if vm is not a virtual
 * machine.
 */
static bool find_threads(struct lang_run *r, struct ruby_file *f, uint64_t vm)
{
	const bool ractors = f->layout->major >= 3;
	uint64_t from = vm;

	if (ractors) {
		from = ruby_word(r, vm + RACTORS);
		if (!is_pointer(from) || ruby_word(r, from + 8) != vm + RACTORS)
			return false;
	}
	for (int32_t at = 16; at < LIST_RANGE; at += 8) {
		const int32_t offset = ractors ? -at : at;

		if (is_thread_list(r, f->layout, from + (int64_t)offset)) {
			f->threads = offset;
			return true;
		}
	}
	return false;
}

/*
 * Searches .bss for the pointer to the virtual machine. If it is found, sets f->vm and f->threads.
 * Skips blocks that cannot be read: the BPF engine does not read pages that are not in RAM, such as
 * those that Ruby has never written. No block crosses a page boundary. Returns false if all blocks
 * were skipped.
 */
static bool find_vm(struct lang_run *r, struct ruby_file *f)
{
	uint64_t words[128];
	bool any = false;
	size_t n;

	for (uint64_t at = 0; at < f->nzeroed && at < ZEROED_MAX; at += n) {
		const uint64_t addr = f->zeroed + r->bias + at;

		n = size_min(sizeof(words) - addr % sizeof(words), f->nzeroed - at);
		if (!lang_read_once(r->mem, addr, words, n))
			continue;
		any = true;
		for (size_t i = 0; i < n / sizeof(*words); i++) {
			uint64_t links[2];

			if (is_pointer(words[i]) &&
			    lang_read_once(r->mem, words[i] + RACTORS, links, sizeof(links)) &&
			    is_pointer(links[0]) && is_pointer(links[1]) &&
			    find_threads(r, f, words[i])) {
				f->vm = f->zeroed + at + i * 8;
				return true;
			}
		}
	}
	return any;
}

/*
 * Searches for the virtual machine and its list of threads. Searches without any readable memory do
 * not count: the next stack may have memory.
 */
static void search(struct lang_run *r, struct ruby_file *f)
{
	uint64_t vm;

	if (f->searches >= SEARCHES_MAX)
		return;
	if (!f->vm) {
		f->searches += find_vm(r, f);
	} else if (lang_read_u64(r->mem, f->vm + r->bias, &vm)) {
		f->searches++;
		find_threads(r, f, vm);
	}
}

uint64_t ruby_context(struct lang_run *r, struct ruby_file *f)
{
	const struct ruby_layout *l = f->layout;
	const uint64_t self = r->thread_pointer(r->ctx);
	uint64_t thread = r->kept[0];

	if (!self) {
		r->mem->missing = true;
		return 0;
	}
	if (!thread || !is_own_thread(r, l, thread, self) || !is_linked(r, thread)) {
		if (!f->vm || !f->threads)
			search(r, f);
		if (!f->vm || !f->threads)
			return 0;
		thread = find_thread(r, f, ruby_word(r, f->vm + r->bias), self);
		r->kept[0] = thread;
	}
	return thread && is_thread(r, l, thread) ? ruby_word(r, thread + l->context) : 0;
}

/*
 * Returns true if the table of symbol names is at addr. Checks that the number of the table's parts
 * matches the last symbol number.
 */
static bool is_symbols(struct lang_run *r, uint64_t addr)
{
	uint64_t words[3], n;

	return lang_read_once(r->mem, addr, words, sizeof(words)) && is_pointer(words[1]) &&
	       ruby_array(r, words[2], &n) && n == (uint32_t)words[0] / IDS_PER_PART + 1;
}

uint64_t ruby_symbols(struct lang_run *r, struct ruby_file *f)
{
	for (uint64_t at = 0;
	     !f->symbols && f->searches < SEARCHES_MAX && at < f->ndata && at < ZEROED_MAX; at += 8)
		if (is_symbols(r, f->data + r->bias + at))
			f->symbols = f->data + at;
	if (!f->symbols) {
		f->searches++;
		return 0;
	}
	return f->symbols + r->bias;
}
