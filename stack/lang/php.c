/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of PHP 7.4 to 8.5 in builds without thread safety. The variable executor_globals points to
 * the innermost frame, and each frame points to its caller. One call of the C function execute_ex()
 * executes a group of consecutive frames. A flag marks the last frame of a group. Code that
 * opcache's JIT has generated runs in place of execute_ex()'s code and uses execute_ex()'s stack
 * frame. The native walk ends at such code, because it has no unwind information.
 */
#include <stdlib.h>

#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "stack/lang/loops.h"
#include "stack/lang/text.h"
#include "util/mem.h"

#define BANNER	 "X-Powered-By: PHP/"
#define CALL_TOP (1u << 17) /* ZEND_CALL_TOP of zend_compile.h */
/* Values of the member `type` of zend_function. */
#define INTERNAL 1
#define USER	 2
#define EVAL	 4
/*
 * Offsets in bytes in struct _zend_execute_data, zend_function, zend_op, zend_string and
 * zend_class_entry.
 */
#define EX_FUNC	   24
#define EX_INFO	   40
#define EX_PREV	   48
#define EX_SIZE	   56
#define FN_NAME	   8
#define FN_SCOPE   16
#define OP_LINE	   24
#define STR_HASH   8
#define STR_LENGTH 16
#define STR_TEXT   24
#define CLASS_NAME 8

struct php_file {
	uint64_t globals, loop, loop_end;
	uint16_t current;  /* offset in executor_globals of the pointer to the current frame; 0 if
			      the version is unknown */
	uint16_t filename; /* offset of the file name in zend_op_array */
};

static void set_version(struct php_file *f, unsigned major, unsigned minor)
{
	static const struct {
		unsigned major, minor;
		uint16_t current, filename;
	} versions[] = {{7, 4, 488, 136}, {8, 0, 488, 144}, {8, 1, 488, 144}, {8, 2, 488, 152},
			{8, 3, 488, 144}, {8, 4, 488, 168}, {8, 5, 512, 168}};

	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		if (versions[i].major == major && versions[i].minor == minor) {
			f->current = versions[i].current;
			f->filename = versions[i].filename;
		}
}

/*
 * Finds the PHP version in the file, in the text of the HTTP header X-Powered-By.
 */
static void find_version(struct php_file *f, struct elf_file *file)
{
	const struct elf_section *s = elf_file_section(file, ".rodata");
	const char *p;
	uint8_t *data;
	size_t n;

	data = s ? elf_file_section_data(file, s, &n) : NULL;
	p = data ? memmem(data, n, BANNER, strlen(BANNER)) : NULL;
	if (p && (uint8_t *)p + strlen(BANNER) + 3 <= data + n && p[strlen(BANNER) + 1] == '.')
		set_version(f, p[strlen(BANNER)] - '0', p[strlen(BANNER) + 2] - '0');
	free(data);
}

static void *recognise(struct elf_file *file)
{
	struct elf_name names[] = {{.name = "executor_globals"}, {.name = "execute_ex"}};
	struct php_file *f;

	if (elf_names_dynamic(file, names, 1) != 1 || elf_names_dynamic(file, names, 2) != 1)
		return NULL;
	f = mem_zalloc(sizeof(*f));
	f->globals = names[0].addr;
	f->loop = names[1].addr;
	f->loop_end = f->loop + names[1].size;
	find_version(f, file);
	return f;
}

static bool put_string(struct lang_run *r, uint64_t addr, size_t max, struct strbuf *b)
{
	uint64_t length;

	return lang_read_once(r->mem, addr + STR_LENGTH, &length, sizeof(length)) &&
	       lang_text(r->mem, addr + STR_TEXT, length, max, b);
}

/*
 * The data that identifies a function: the pointers to its name, its class and the name of its
 * file, the hashes and lengths of the two names, and the function's lines.
 */
struct check {
	uint64_t type, name, scope, name_hash[2];
	uint64_t file, lines, file_hash[2];
};

static bool read_check(struct lang_run *r, const struct php_file *f, uint64_t function,
		       struct check *c)
{
	uint8_t head[FN_SCOPE + 8];

	memset(c, 0, sizeof(*c));
	if (!lang_read(r->mem, function, head, sizeof(head)))
		return false;
	c->type = head[0];
	c->name = word_at(head, FN_NAME);
	c->scope = word_at(head, FN_SCOPE);
	if (c->name && !lang_read(r->mem, c->name + STR_HASH, c->name_hash, 16))
		return false;
	if (c->type == INTERNAL)
		return true;
	return (c->type == USER || c->type == EVAL) &&
	       lang_read(r->mem, function + f->filename, &c->file, 16) &&
	       lang_read(r->mem, c->file + STR_HASH, c->file_hash, 16);
}

static struct lang_object *function_get(struct lang_run *r, const struct php_file *f, uint64_t addr,
					bool *user)
{
	struct strbuf function = {0}, file = {0};
	struct lang_object *o = NULL;
	struct check c;
	uint64_t class;

	if (!read_check(r, f, addr, &c))
		return NULL;
	*user = c.type != INTERNAL;
	o = lang_object_find(r->names, r->tgid, addr, &c, sizeof(c));
	if (likely(o != NULL))
		return o;
	if (c.scope && lang_read_once(r->mem, c.scope + CLASS_NAME, &class, 8) &&
	    put_string(r, class, LANG_FUNCTION_MAX, &function))
		strbuf_puts(&function, "::");
	if (!c.name)
		strbuf_puts(&function, "{main}");
	if ((!c.name || put_string(r, c.name, LANG_FUNCTION_MAX, &function)) &&
	    (!c.file || put_string(r, c.file, LANG_FILE_LENGTH, &file)))
		o = lang_object_add(r->names, language_php.name, r->tgid, addr, &c, sizeof(c),
				    &function, &file, NULL, 0);
	strbuf_deinit(&function);
	strbuf_deinit(&file);
	return o;
}

/*
 * Returns the language frame for an interpreter frame, or NULL if the interpreter frame is invalid.
 */
static struct lang_frame *name_frame(struct lang_run *r, const struct php_file *f,
				     const uint8_t *frame)
{
	struct lang_object *o;
	struct lang_frame *named;
	uint32_t line = 0;
	bool user;

	o = function_get(r, f, word_at(frame, EX_FUNC), &user);
	if (!o || (user && !lang_read(r->mem, word_at(frame, 0) + OP_LINE, &line, sizeof(line))))
		return NULL;
	named = lang_frame_find(r->names, o, line);
	return named ? named : lang_frame_add(r->names, o, line, line, 0);
}

static void frames(struct lang_run *r)
{
	const struct php_file *f = r->file;
	struct lang_loops loops = {.r = r, .code = {{f->loop, f->loop_end}}, .generated = true};
	uint8_t frame[EX_SIZE];
	bool begins = true;
	uint64_t at;

	if (!f->current) {
		lang_loop_stop(&loops, "unsupported version of PHP");
		return;
	}
	if (!lang_read_u64(r->mem, f->globals + r->bias + f->current, &at))
		return;
	while (at) {
		struct lang_frame *named = NULL;

		if (!lang_read(r->mem, at, frame, sizeof(frame)) ||
		    (word_at(frame, EX_FUNC) && !(named = name_frame(r, f, frame)))) {
			lang_loop_stop(&loops, "unexpected data in PHP's memory");
			return;
		}
		if (begins && !lang_loop_next(&loops))
			return;
		begins = false;
		if (named && !lang_put(r, loops.last, named))
			return;
		if (!named && !r->room--)
			return;
		begins = named && word_at(frame, EX_INFO) & CALL_TOP;
		at = word_at(frame, EX_PREV);
	}
}

const struct language language_php = {
	.name = "php", .recognise = recognise, .forget = free, .frames = frames};
