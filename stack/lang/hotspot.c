/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interpreted frames of HotSpot. The interpreter keeps a frame pointer, and below it the method and
 * the address of the bytecode that runs.
 */
#include <stdlib.h>

#include "stack/lang/hotspot_vm.h"
#include "stack/lang/reader.h"
#include "stack/lang/text.h"
#include "stack/walk/walk_state.h"
#include "util/mem.h"

#define FP_METHOD     (-24) /* from the frame pointer */
#define FP_BYTECODE   (-64)
#define FP_BYTECODE_8 (-56) /* of 8 */
#define LINES_CHUNK   512
#define NO_INDEX      UINT64_MAX /* of bytecode: the method is native */
#define VARIABLES_MAX 65536	 /* as many words of variables has a method */

struct reading {
	const struct lang_run *r;
	const struct vm_file *f;
};

/* Follows a pointer at an offset; 0 if it cannot be read. */
static uint64_t member(const struct reading *g, uint64_t object, uint64_t at)
{
	uint64_t v;

	return object && lang_read_u64(g->r->mem, object + at, &v) ? v : 0;
}

static uint16_t half(const struct reading *g, uint64_t object, uint64_t at)
{
	uint16_t v;

	return object && lang_read(g->r->mem, object + at, &v, sizeof(v)) ? v : 0;
}

/* Appends the text of a Symbol. */
static bool put_symbol(const struct reading *g, uint64_t symbol, size_t max, struct strbuf *b)
{
	const struct vm_file *f = g->f;
	uint16_t n;

	symbol &= ~(uint64_t)1;
	if (!symbol)
		return false;
	n = f->has[VM_SYMBOL_LENGTH_REF] ? half(g, symbol, f->at[VM_SYMBOL_LENGTH_REF] + 2)
					 : half(g, symbol, f->at[VM_SYMBOL_LENGTH]);
	return n && lang_text(g->r->mem, symbol + f->at[VM_SYMBOL_BODY], n, max, b);
}

/* What identifies a method: classes are unloaded, and what they had is used for others. */
struct check {
	uint64_t method, constant, pool, holder, class_name;
	uint16_t name, code_size;
	char text[20]; /* the beginning of the name of the class */
};

static bool read_check(const struct reading *g, uint64_t method, struct check *c)
{
	const struct vm_file *f = g->f;

	memset(c, 0, sizeof(*c));
	c->method = method;
	c->constant = member(g, method, f->at[VM_METHOD_CONST]);
	c->pool = member(g, c->constant, f->at[VM_CONST_POOL]);
	c->holder = member(g, c->pool, f->at[VM_POOL_HOLDER]);
	c->class_name = member(g, c->holder, f->at[VM_CLASS_NAME]);
	c->name = half(g, c->constant, f->at[VM_CONST_NAME]);
	c->code_size = half(g, c->constant, f->at[VM_CONST_CODE_SIZE]);
	return c->class_name && c->name &&
	       lang_read(g->r->mem, c->class_name + f->at[VM_SYMBOL_BODY], c->text,
			 sizeof(c->text));
}

/* The text of an entry of a constant pool. */
static bool put_constant(const struct reading *g, uint64_t pool, unsigned index, size_t max,
			 struct strbuf *b)
{
	uint64_t symbol;

	return index &&
	       lang_read_once(g->r->mem, pool + g->f->pool_size + index * (uint64_t)8, &symbol,
			      8) &&
	       put_symbol(g, symbol, max, b);
}

static struct lang_object *method_get(const struct reading *g, uint64_t method)
{
	const struct vm_file *f = g->f;
	struct strbuf name = {0}, file = {0};
	struct lang_object *o;
	struct check c;
	unsigned source;
	bool ok;

	if (!read_check(g, method, &c))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, method, &c, sizeof(c));
	if (likely(o != NULL))
		return o;
	ok = put_symbol(g, c.class_name, LANG_FUNCTION_MAX, &name);
	for (size_t i = 0; i < name.len; i++)
		if (name.data[i] == '/')
			name.data[i] = '.';
	strbuf_putc(&name, '.');
	ok = ok && put_constant(g, c.pool, c.name, LANG_FUNCTION_MAX, &name);
	source = f->has[VM_POOL_SOURCE]	   ? half(g, c.pool, f->at[VM_POOL_SOURCE])
		 : f->has[VM_CLASS_SOURCE] ? half(g, c.holder, f->at[VM_CLASS_SOURCE])
					   : 0;
	put_constant(g, c.pool, source, LANG_FILE_LENGTH, &file);
	if (ok) {
		o = lang_object_add(g->r->names, language_java.name, g->r->tgid, method, &c,
				    sizeof(c), &name, &file, NULL, 0);
		o->kept[0] = c.constant;
		o->kept[1] = c.code_size;
	}
	strbuf_deinit(&name);
	strbuf_deinit(&file);
	return o;
}

/* A table of lines, which is read as it is needed. */
struct lines {
	const struct reading *g;
	uint64_t next; /* address behind what was read */
	size_t n, at;
	bool failed;
	uint8_t bytes[LINES_CHUNK];
};

static unsigned byte_of(struct lines *l)
{
	if (l->at == l->n) {
		/* It may end with the memory. */
		for (l->n = sizeof(l->bytes); l->n; l->n /= 2)
			if (lang_read_once(l->g->r->mem, l->next, l->bytes, l->n))
				break;
		l->next += l->n;
		l->at = 0;
		if (!l->n) {
			l->failed = true;
			return 0;
		}
	}
	return l->bytes[l->at++];
}

/* A number as UNSIGNED5 of HotSpot has it, with its sign in the lowest bit. */
static int32_t number_of(struct lines *l)
{
	/* From 20 on no byte of it is zero. */
	const unsigned excluded = l->g->f->has[VM_CONST_NEW_FLAGS];
	unsigned c = byte_of(l);
	uint32_t v = c - excluded;

	for (unsigned shift = 6; c >= 192 && shift <= 24; shift += 6) {
		c = byte_of(l);
		v += (c - excluded) << shift;
	}
	return (int32_t)(v >> 1 ^ -(v & 1));
}

#define HAS_LINES 1	/* a bit of the flags of a ConstMethod */
#define ESCAPE	  0xff	/* two numbers follow */
#define PAIRS_MAX 65536 /* as many bytes of code has a method */

static unsigned line_of(const struct reading *g, const struct lang_object *o, uint64_t index)
{
	const struct vm_file *f = g->f;
	const uint64_t flags_at =
		f->at[f->has[VM_CONST_NEW_FLAGS] ? VM_CONST_NEW_FLAGS : VM_CONST_FLAGS];
	struct lines l = {.g = g, .next = o->kept[0] + f->const_size + o->kept[1]};
	uint32_t at = 0, line = 0, best = 0;

	if (!(half(g, o->kept[0], flags_at) & HAS_LINES))
		return 0;
	for (int i = 0; i < PAIRS_MAX && !l.failed; i++) {
		const unsigned c = byte_of(&l);

		if (!c)
			break;
		if (c == ESCAPE) {
			at += (uint32_t)number_of(&l);
			line += (uint32_t)number_of(&l);
		} else {
			at += c >> 3;
			line += c & 7;
		}
		if (at > index)
			break;
		best = line;
	}
	return best <= INT32_MAX ? best : 0;
}

/* Finds the code of the interpreter, once for each stack. Returns false if there is none yet. */
static bool find_code(const struct lang_run *r, struct vm_file *f)
{
	const struct reading g = {.r = r, .f = f};
	uint64_t queue;
	int32_t size;

	if (f->code.stack == r->stack)
		return f->code.to;
	memset(&f->code, 0, sizeof(f->code));
	f->code.stack = r->stack;
	queue = member(&g, f->at[VM_INTERPRETER] + r->bias, 0);
	if (!queue || !lang_read(r->mem, queue + f->at[VM_QUEUE_LIMIT], &size, sizeof(size)) ||
	    size <= 0)
		return false;
	f->code.from = member(&g, queue, f->at[VM_QUEUE_BUFFER]);
	if (!f->code.from)
		return false;
	f->code.to = f->code.from + (uint64_t)size;
	if (f->has[VM_CALL_STUB])
		f->code.call_stub = member(&g, f->at[VM_CALL_STUB] + r->bias, 0);
	return true;
}

static bool is_interpreter(const struct vm_file *f, uint64_t pc)
{
	return pc >= f->code.from && pc < f->code.to;
}

/* The frame of the language for the interpreter's frame at fp, or NULL if something is wrong. */
static struct lang_frame *name_frame(const struct reading *g, uint64_t fp)
{
	const uint64_t method = member(g, fp, FP_METHOD);
	const uint64_t code = member(g, fp, g->f->has[VM_ONE_HEAP] ? FP_BYTECODE_8 : FP_BYTECODE);
	struct lang_object *o = method ? method_get(g, method) : NULL;
	struct lang_frame *named;
	uint64_t index;

	if (!o)
		return NULL;
	index = code - (o->kept[0] + g->f->const_size);
	if (index >= o->kept[1])
		index = NO_INDEX;
	named = lang_frame_find(g->r->names, o, index);
	if (named)
		return named;
	return lang_frame_add(g->r->names, o, index, index == NO_INDEX ? 0 : line_of(g, o, index),
			      0);
}

static void frames(struct lang_run *r)
{
	struct vm_file *f = r->file;
	const struct reading g = {.r = r, .f = f};
	bool known = false;

	for (size_t i = 0; i + 1 < r->n; i++) {
		const struct lang_native *n = &r->native[i];
		struct lang_frame *named;

		if (!n->unnamed)
			continue;
		if (!known) {
			if (!vm_tables_read(f, r)) {
				lang_stop(r, i, f->why);
				return;
			}
			if (!find_code(r, f))
				return;
			known = true;
		}
		if (!is_interpreter(f, n->pc) || n->fp & 7 || n->fp < n->sp ||
		    n->fp >= r->native[i + 1].sp)
			continue;
		named = name_frame(&g, n->fp);
		if (!named) {
			lang_stop(r, i, "unexpected data in the JVM's memory");
			return;
		}
		if (!lang_put(r, i, named))
			return;
	}
}

/*
 * Steps over frames that certainly keep the frame pointer: those of the interpreter, and that of
 * the code that enters Java. At other instructions than a call, the interpreter may not have set it
 * yet.
 */
static enum step_answer step(struct lang_run *r, struct walk *w, const struct step_frame *frame,
			     struct step_frame *caller)
{
	const struct arch_chain chain = w->mode->chain;
	struct vm_file *f = r->file;
	const uint64_t fp = frame->fp;
	uint64_t words[3]; /* where the interpreter keeps the caller's sp, fp, return address */

	if (w->mode->word != 8 || chain.bp || chain.ra != 1 || frame->exact ||
	    !vm_tables_read(f, r) || !find_code(r, f))
		return STEP_UNKNOWN;
	if (!is_interpreter(f, frame->pc) && frame->pc != f->code.call_stub)
		return STEP_UNKNOWN;
	if (fp < frame->sp || fp & 7 || !snapshot_read(&w->snap, fp - 8, words, sizeof(words)))
		return STEP_UNKNOWN;
	*caller = (struct step_frame){.pc = words[2], .sp = fp + 16, .fp = words[1]};
	/* The caller's sp is above, if the method has more variables than arguments. */
	if (is_interpreter(f, frame->pc) && !(words[0] & 7) && words[0] > caller->sp &&
	    words[0] - fp <= VARIABLES_MAX * 8)
		caller->sp = words[0];
	return STEP_CALLER;
}

static void *recognise(struct elf_file *f)
{
	return vm_file_read(f);
}

const struct language language_java = {
	.name = "java", .recognise = recognise, .forget = free, .frames = frames, .step = step};
