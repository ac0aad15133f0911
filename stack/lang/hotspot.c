/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Java frames of the JVM HotSpot. The frame of an interpreted method has a frame pointer. The words
 * below the address in the frame pointer contain the method and the address of the current
 * bytecode. For each call in compiled code, the JIT compiler has stored the list of active methods.
 */
#include <stdlib.h>

#include "stack/lang/hotspot_code.h"
#include "stack/lang/reader.h"
#include "stack/lang/text.h"
#include "stack/walk/walk_state.h"
#include "util/mem.h"

#define FP_METHOD     (-24) /* offset in bytes from the frame pointer */
#define FP_BYTECODE   (-64)
#define FP_BYTECODE_8 (-56) /* FP_BYTECODE in JDK 8 */
/* Maximum number of words by which sp is aligned downward before a call into the runtime. */
#define ALIGNMENT_WORDS 1
/* A reason for missing frames. */
#define ON_HEAP	      "more frames of the virtual thread are on the heap"
#define VARIABLES_MAX 65536 /* maximum number of words for a method's local variables */

struct read_context {
	struct lang_run *r;
	const struct vm_file *f;
};

/*
 * Appends the text of a Symbol, which is a string of the JVM. Returns false if it cannot be read.
 */
static bool put_symbol(const struct read_context *g, uint64_t symbol, size_t max, struct strbuf *b)
{
	const struct vm_file *f = g->f;
	uint16_t n;

	symbol &= ~(uint64_t)1;
	if (!symbol)
		return false;
	n = f->has[VM_SYMBOL_LENGTH_REF] ? vm_half(g->r, symbol, f->at[VM_SYMBOL_LENGTH_REF] + 2)
					 : vm_half(g->r, symbol, f->at[VM_SYMBOL_LENGTH]);
	return n && lang_text(g->r->mem, symbol + f->at[VM_SYMBOL_BODY], n, max, b);
}

/*
 * The data that identifies a method. The method's address is not enough: classes can be unloaded
 * and their memory reused.
 */
struct check {
	uint64_t method, constant, pool, holder, class_name;
	uint16_t name, code_size;
	char text[20]; /* the first characters of the class name */
};

static bool read_check(const struct read_context *g, uint64_t method, struct check *c)
{
	const struct vm_file *f = g->f;

	memset(c, 0, sizeof(*c));
	c->method = method;
	c->constant = vm_pointer(g->r, method, f->at[VM_METHOD_CONST]);
	c->pool = vm_pointer(g->r, c->constant, f->at[VM_CONST_POOL]);
	c->holder = vm_pointer(g->r, c->pool, f->at[VM_POOL_HOLDER]);
	c->class_name = vm_pointer(g->r, c->holder, f->at[VM_CLASS_NAME]);
	c->name = vm_half(g->r, c->constant, f->at[VM_CONST_NAME]);
	c->code_size = vm_half(g->r, c->constant, f->at[VM_CONST_CODE_SIZE]);
	return c->class_name && c->name &&
	       lang_read(g->r->mem, c->class_name + f->at[VM_SYMBOL_BODY], c->text,
			 sizeof(c->text));
}

/* Appends the text of a constant pool entry. Returns false if it cannot be read. */
static bool put_constant(const struct read_context *g, uint64_t pool, unsigned index, size_t max,
			 struct strbuf *b)
{
	uint64_t symbol;

	return index &&
	       lang_read_once(g->r->mem, pool + g->f->pool_size + index * (uint64_t)8, &symbol,
			      8) &&
	       put_symbol(g, symbol, max, b);
}

/*
 * Returns the method at the address `method`, or NULL if the method's data is invalid. Sets *c to
 * the data that identifies the method.
 */
static struct lang_object *method_get(const struct read_context *g, uint64_t method,
				      struct check *c)
{
	const struct vm_file *f = g->f;
	struct strbuf name = {0}, file = {0};
	struct lang_object *o;
	unsigned source;
	bool ok;

	if (!read_check(g, method, c))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, method, c, sizeof(*c));
	if (likely(o != NULL))
		return o;
	ok = put_symbol(g, c->class_name, LANG_FUNCTION_MAX, &name);
	for (size_t i = 0; i < name.len; i++)
		if (name.data[i] == '/')
			name.data[i] = '.';
	strbuf_putc(&name, '.');
	ok = ok && put_constant(g, c->pool, c->name, LANG_FUNCTION_MAX, &name);
	source = f->has[VM_POOL_SOURCE]	   ? vm_half(g->r, c->pool, f->at[VM_POOL_SOURCE])
		 : f->has[VM_CLASS_SOURCE] ? vm_half(g->r, c->holder, f->at[VM_CLASS_SOURCE])
					   : 0;
	put_constant(g, c->pool, source, LANG_FILE_LENGTH, &file);
	if (ok) {
		o = lang_object_add(g->r->names, language_java.name, g->r->tgid, method, c,
				    sizeof(*c), &name, &file, NULL, 0);
		o->kept[0] = c->constant;
		o->kept[1] = c->code_size;
	}
	strbuf_deinit(&name);
	strbuf_deinit(&file);
	return o;
}

/* Reads a signed number from a line table. The lowest bit is the sign. */
static uint32_t signed_number(struct vm_stream *s)
{
	const uint32_t v = vm_stream_number(s);

	return v >> 1 ^ -(v & 1);
}

#define HAS_LINES 1 /* flag of a ConstMethod: the method has a line table */
/* this byte comes before a line table entry whose two differences are not packed into one byte */
#define ESCAPE	  0xff
#define PAIRS_MAX 65536 /* maximum length of a method's bytecode, in bytes */

static unsigned line_of(const struct read_context *g, const struct lang_object *o, uint64_t index)
{
	const struct vm_file *f = g->f;
	const uint64_t flags_at =
		f->at[f->has[VM_CONST_NEW_FLAGS] ? VM_CONST_NEW_FLAGS : VM_CONST_FLAGS];
	uint32_t at = 0, line = 0, best = 0;
	struct vm_stream s;

	if (!(vm_half(g->r, o->kept[0], flags_at) & HAS_LINES))
		return 0;
	vm_stream_begin(&s, g->r, f, o->kept[0] + f->const_size + o->kept[1]);
	for (int i = 0; i < PAIRS_MAX && !s.failed; i++) {
		const unsigned c = vm_stream_byte(&s);

		if (!c)
			break;
		if (c == ESCAPE) {
			at += signed_number(&s);
			line += signed_number(&s);
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

/*
 * Returns the language frame for the method o at the given bytecode index. If the index is invalid,
 * the frame has no line number.
 */
static struct lang_frame *frame_of(const struct read_context *g, struct lang_object *o,
				   uint64_t index)
{
	struct lang_frame *named;

	if (index >= o->kept[1])
		index = VM_NO_INDEX;
	named = lang_frame_find(g->r->names, o, index);
	if (named)
		return named;
	return lang_frame_add(g->r->names, o, index,
			      index == VM_NO_INDEX ? 0 : line_of(g, o, index), 0);
}

/* Adds the frame of an interpreted method. Returns false if the frame's data is invalid. */
static bool put_interpreted(const struct read_context *g, size_t i)
{
	const uint64_t fp = g->r->native[i].fp;
	const uint64_t method = vm_pointer(g->r, fp, FP_METHOD);
	const uint64_t code =
		vm_pointer(g->r, fp, g->f->has[VM_ONE_HEAP] ? FP_BYTECODE_8 : FP_BYTECODE);
	struct check c;
	struct lang_object *o = method ? method_get(g, method, &c) : NULL;

	if (!o)
		return false;
	lang_put(g->r, i, frame_of(g, o, code - (o->kept[0] + g->f->const_size)));
	return true;
}

/* A method that is active at a location in compiled code. */
struct kept_scope {
	uint64_t index; /* bytecode index */
	struct check method;
};

/*
 * Adds the language frames for a location in compiled code if they are cached. Returns false if
 * they are not. The cached methods need not be compared with the tracee's memory, because a method
 * is not unloaded while compiled code contains it.
 */
static bool put_kept(const struct read_context *g, size_t i, const struct vm_place *place)
{
	struct lang_object *code =
		lang_object_find(g->r->names, g->r->tgid, place->pc, place, sizeof(*place));
	struct lang_object *methods[VM_SCOPES_MAX];
	const struct kept_scope *kept;
	size_t n;

	if (!code)
		return false;
	kept = (const void *)code->lines;
	n = code->nlines / sizeof(*kept);
	for (size_t k = 0; k < n; k++) {
		methods[k] = lang_object_find(g->r->names, g->r->tgid, kept[k].method.method,
					      &kept[k].method, sizeof(kept[k].method));
		if (!methods[k])
			return false;
	}
	for (size_t k = 0; k < n; k++)
		lang_put(g->r, i, frame_of(g, methods[k], kept[k].index));
	return true;
}

/*
 * Adds the language frames for native frame i, which is in compiled code. Returns false if the data
 * about the code is invalid.
 */
static bool put_compiled(const struct read_context *g, size_t i, const struct vm_blob *b)
{
	const struct lang_native *native = &g->r->native[i];
	struct vm_scope scopes[VM_SCOPES_MAX];
	struct kept_scope *kept;
	struct strbuf none = {0};
	struct vm_place place;
	size_t n;

	vm_place_read(g->r, g->f, b, native->pc, native->sp, &place);
	if (likely(put_kept(g, i, &place)))
		return true;
	n = vm_scopes_find(g->r, g->f, b, &place, scopes);
	if (!n)
		return false;
	kept = mem_zalloc(n * sizeof(*kept));
	for (size_t k = 0; k < n; k++) {
		struct lang_object *o = method_get(g, scopes[k].method, &kept[k].method);

		if (!o) {
			free(kept);
			return false;
		}
		kept[k].index = scopes[k].index;
		lang_put(g->r, i, frame_of(g, o, scopes[k].index));
	}
	lang_object_add(g->r->names, language_java.name, g->r->tgid, place.pc, &place,
			sizeof(place), &none, NULL, (uint8_t *)kept, n * sizeof(*kept));
	return true;
}

/*
 * Returns true if the frame pointer of native frame i points to the frame of the interpreted method
 * itself. If a signal has interrupted the method at its start, the frame pointer still points to
 * the caller's frame.
 */
static bool has_frame(const struct lang_run *r, size_t i)
{
	const struct lang_native *n = &r->native[i];

	if (i + 1 == r->n || n->fp & 7 || n->fp < n->sp)
		return false;
	return n->exact ? n->fp + 16 == n[1].sp : n->fp < n[1].sp;
}

/*
 * Adds the Java frames (if any) that belong to a native frame. Returns false if the data of these
 * Java frames is invalid.
 */
static bool put_frame(const struct read_context *g, size_t i)
{
	const struct lang_native *n = &g->r->native[i];
	struct vm_blob b;
	enum vm_blob_kind kind;

	if (vm_is_interpreter(g->f, n->pc))
		return !has_frame(g->r, i) || put_interpreted(g, i);
	if (!vm_blob_find(g->r, g->f, n->pc - !n->exact, &b))
		return true;
	kind = vm_blob_kind(g->r, g->f, &b);
	if (kind == VM_CONTINUATION)
		lang_put(g->r, i, lang_frame_reason(g->r->names, ON_HEAP));
	return kind == VM_STUB || kind == VM_CONTINUATION || put_compiled(g, i, &b);
}

static void frames(struct lang_run *r)
{
	struct vm_file *f = r->file;
	const struct read_context g = {.r = r, .f = f};
	bool known = false;

	for (size_t i = 0; i < r->n && r->room; i++) {
		if (!r->native[i].unnamed)
			continue;
		if (!known) {
			if (!vm_tables_read(f, r)) {
				lang_stop(r, i, f->why);
				return;
			}
			if (!vm_code_find(r, f))
				return;
			known = true;
		}
		if (!put_frame(&g, i)) {
			lang_stop(r, i, "unexpected data in the JVM's memory");
			return;
		}
	}
}

/*
 * Steps over a frame that is known to have a frame pointer. Returns STEP_UNKNOWN if the frame
 * pointer is invalid.
 */
static enum step_answer step_fp(const struct lang_run *r, const struct step_frame *frame,
				struct step_frame *caller)
{
	const struct vm_file *f = r->file;
	const uint64_t fp = frame->fp;
	uint64_t words[3]; /* the caller's sp, fp and return address, as saved by the interpreter */

	if (fp < frame->sp || fp & 7 || !lang_read(r->mem, fp - 8, words, sizeof(words)))
		return STEP_UNKNOWN;
	*caller = (struct step_frame){.pc = words[2], .sp = fp + 16, .fp = words[1]};
	/*
	 * If the method has more local variables than arguments, they are between the arguments and
	 * the frame, so the caller's sp is higher.
	 */
	if (vm_is_interpreter(f, frame->pc) && !(words[0] & 7) && words[0] > caller->sp &&
	    words[0] - fp <= VARIABLES_MAX * 8)
		caller->sp = words[0];
	return STEP_CALLER;
}

/*
 * Returns true if the frame of the return address pc is stepped over with the frame pointer.
 * Otherwise, it is code that uses the register for other values.
 */
static bool needs_fp(const struct lang_run *r, uint64_t pc)
{
	const struct vm_file *f = r->file;
	struct vm_blob b;

	return vm_is_interpreter(f, pc) || pc == f->code.call_stub ||
	       !vm_blob_find(r, f, pc - 1, &b) || !b.frame_size ||
	       vm_blob_kind(r, f, &b) == VM_CONTINUATION;
}

/*
 * Steps over a frame of generated code other than the interpreter by adding the frame's size to sp.
 * The frame has its full size, because the code has made a call. The caller must be in the code
 * cache, because only generated code calls this code. sp may have been aligned before a call into
 * the runtime. Returns STEP_UNKNOWN if no caller is found.
 */
static enum step_answer step_compiled(struct lang_run *r, struct walk *w,
				      const struct step_frame *frame, struct step_frame *caller)
{
	const struct vm_file *f = r->file;
	struct vm_blob b;
	uint64_t sp, pc, fp = 0; /* the last two are the caller's */

	if (!vm_blob_find(r, f, frame->pc - 1, &b))
		return STEP_UNKNOWN;
	/*
	 * For a virtual thread, the callers' frames may be on the heap. Continue at the code that
	 * entered the thread's continuation. The JVM has stored the frame pointer of that code.
	 */
	if (vm_blob_kind(r, f, &b) == VM_CONTINUATION)
		return step_fp(r, frame, caller);
	if (!b.frame_size)
		return STEP_UNKNOWN;
	sp = frame->sp + (uint64_t)b.frame_size * 8;
	for (int i = 0; i <= ALIGNMENT_WORDS; i++, sp += 8) {
		if (!lang_read_u64(r->mem, sp - 8, &pc))
			return STEP_UNKNOWN;
		if (!vm_in_code_cache(f, pc & w->ra_mask))
			continue;
		if (needs_fp(r, pc & w->ra_mask) && !lang_read_u64(r->mem, sp - 16, &fp))
			return STEP_UNKNOWN;
		*caller = (struct step_frame){.pc = pc, .sp = sp, .fp = fp};
		return STEP_CALLER;
	}
	return STEP_UNKNOWN;
}

/*
 * Steps over generated code. Returns STEP_UNKNOWN for the innermost frame, which may be at any
 * instruction. The walk then analyses the code.
 */
static enum step_answer step(struct lang_run *r, struct walk *w, const struct step_frame *frame,
			     struct step_frame *caller)
{
	const struct arch_chain chain = w->mode->chain;
	struct vm_file *f = r->file;

	if (w->mode->word != 8 || chain.bp || chain.ra != 1 || frame->exact ||
	    !vm_tables_read(f, r) || !vm_code_find(r, f))
		return STEP_UNKNOWN;
	if (vm_is_interpreter(f, frame->pc) || frame->pc == f->code.call_stub)
		return step_fp(r, frame, caller);
	return step_compiled(r, w, frame, caller);
}

static void *recognise(struct elf_file *f)
{
	return vm_file_read(f);
}

const struct language language_java = {
	.name = "java", .recognise = recognise, .forget = free, .frames = frames, .step = step};
