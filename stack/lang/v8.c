/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of V8, in Node.js and other programs. All code that V8 generates has a frame pointer. If
 * the words below the address in the frame pointer contain a context and a function, the frame
 * belongs to a JavaScript function. For interpreted code, these words also contain the bytecode
 * array and the current offset in the array. Functions are cached by their address and contents,
 * because the garbage collector moves objects.
 */
#include <stdlib.h>

#include "stack/lang/reader.h"
#include "stack/lang/text.h"
#include "stack/lang/v8_code.h"
#include "stack/walk/walk_state.h"
#include "util/mem.h"

#define SHARED_DATA  8	/* offset of the member function_data in a SharedFunctionInfo */
#define SHARED_CHECK 56 /* number of bytes of a SharedFunctionInfo that are compared */
/* Maximum length, in characters, of a script in which lines are counted. */
#define SOURCE_MAX   (8u << 20)
#define STRING_DEPTH 12 /* maximum depth of strings that consist of other strings */
#define FUNCTIONS    20 /* number of function types; the first is JS_FUNCTION_TYPE */
#define SCOPE_WORDS  8	/* number of words at the start of a ScopeInfo that are read */
/* Newest major version of V8 whose source position tables have a known format. */
#define LAST_MAJOR  13
#define FRAME_TYPES 64			  /* all numbers of frame types are smaller */
#define NO_OFFSET   ((uint64_t)INT64_MIN) /* the location in the function is unknown */

/* A string that contains all of its characters and does not refer to other strings. */
struct flat {
	uint64_t chars;
	uint32_t length;
	unsigned width;
};

static bool flat_string(const struct v8_context *g, uint64_t s, struct flat *out)
{
	const int32_t *v = g->v;

	for (int depth = 0; s && depth < STRING_DEPTH; depth++) {
		const int type = v8_type_of(g, s);
		int representation;

		if (type < 0 || type >= v[V8_NO_STRING])
			return false;
		representation = type & v[V8_REPRESENTATION];
		if (representation == v[V8_THIN]) {
			s = v8_member(g, s, v[V8_THIN_ACTUAL]);
			continue;
		}
		/* When V8 flattens a cons string, it stores the whole string in the first part. */
		if (representation == v[V8_CONS]) {
			s = v8_member(g, s, v[V8_CONS_FIRST]);
			continue;
		}
		if (!lang_read_once(g->r->mem, s + v[V8_STRING_LENGTH], &out->length, 4))
			return false;
		out->width = (type & v[V8_ENCODING]) == v[V8_ONE_BYTE] ? 1 : 2;
		if (representation == v[V8_SEQ]) {
			out->chars = s + v[out->width == 1 ? V8_SEQ_ONE : V8_SEQ_TWO];
			return true;
		}
		/*
		 * The cached pointer to the characters is directly after the pointer to the
		 * external resource.
		 */
		return representation == v[V8_EXTERNAL] &&
		       lang_read_once(g->r->mem, s + v[V8_STRING_LENGTH] + 12, &out->chars, 8);
	}
	return false;
}

static bool put_string(const struct v8_context *g, uint64_t s, size_t max, unsigned depth,
		       struct strbuf *b)
{
	const int type = v8_type_of(g, s);
	struct flat flat;

	if (type < 0 || type >= g->v[V8_NO_STRING] || depth > STRING_DEPTH)
		return false;
	if ((type & g->v[V8_REPRESENTATION]) == g->v[V8_CONS])
		return put_string(g, v8_member(g, s, g->v[V8_CONS_FIRST]), max, depth + 1, b) &&
		       (b->len >= max ||
			put_string(g, v8_member(g, s, g->v[V8_CONS_SECOND]), max, depth + 1, b) ||
			true);
	return flat_string(g, s, &flat) &&
	       lang_text_wide(g->r->mem, flat.chars, flat.length, flat.width, max, b);
}

/*
 * Appends the function name that a ScopeInfo contains. The name is the first string after the
 * variable names: the function's own name, or a name that V8 has inferred.
 */
static void put_scope_name(const struct v8_context *g, uint64_t scope, struct strbuf *b)
{
	uint64_t words[SCOPE_WORDS], at;
	int64_t locals;

	for (size_t i = 0; i < SCOPE_WORDS; i++)
		if (!lang_read_once(g->r->mem, scope + 8 + i * 8, &words[i], 8))
			return;
	locals = v8_small_of(words[g->v[V8_SCOPE_LOCALS] % SCOPE_WORDS]);
	if (locals < 0 || locals > INT16_MAX)
		return;
	/* If there are very many variables, their names are in a separate table. */
	at = g->v[V8_SCOPE_VARS] + (locals < 75 ? 2 * locals : 1 + locals);
	for (size_t i = 0; i < 6; i++) {
		uint64_t v;

		if (!lang_read_once(g->r->mem, scope + 8 + (at + i) * 8, &v, 8))
			return;
		if (v8_object_of(v) && put_string(g, v8_object_of(v), LANG_FUNCTION_MAX, 0, b) &&
		    b->len)
			return;
	}
}

static void put_name(const struct v8_context *g, uint64_t shared, struct strbuf *b)
{
	const uint64_t name = v8_member(g, shared, g->v[V8_SHARED_NAME]);

	if (name && v8_type_of(g, name) == g->v[V8_TYPE_SCOPE])
		put_scope_name(g, name, b);
	else if (name)
		put_string(g, name, LANG_FUNCTION_MAX, 0, b);
	if (!b->len)
		strbuf_puts(b, "(anonymous)");
}

/* Returns the script that contains a function, or 0. Built-in functions have no script. */
static uint64_t script_of(const struct v8_context *g, uint64_t shared)
{
	const uint64_t script = v8_member(g, shared, g->v[V8_SHARED_SCRIPT]);

	/*
	 * The cache is indexed by address, so the script must have a different address than
	 * `shared`.
	 */
	return script && script != shared && v8_type_of(g, script) == g->v[V8_TYPE_SCRIPT] ? script
											   : 0;
}

/*
 * Returns the positions of the newlines in a script, as an allocated array of uint32_t. Stores the
 * array's size, in bytes, in *size. Returns NULL if there are none, if the script is too long, or
 * if it cannot be read. If only the start of the script can be read, returns the positions in it.
 */
static uint8_t *read_line_ends(const struct v8_context *g, uint64_t source, size_t *size)
{
	VEC(uint32_t) ends = {0};
	uint8_t chunk[4096];
	struct flat flat;
	uint32_t at = 0;

	*size = 0;
	if (!source || !flat_string(g, source, &flat) || flat.length > SOURCE_MAX)
		return NULL;
	while (at < flat.length) {
		const size_t n = size_min(sizeof(chunk) / flat.width, flat.length - at);

		if (!lang_read_once(g->r->mem, flat.chars + (uint64_t)at * flat.width, chunk,
				    n * flat.width))
			break;
		for (size_t i = 0; i < n; i++)
			if (chunk[i * flat.width] == '\n' &&
			    (flat.width == 1 || !chunk[i * flat.width + 1]))
				*vec_push(&ends) = at + i;
		at += n;
	}
	*size = ends.n * sizeof(*ends.v);
	return (uint8_t *)ends.v;
}

/*
 * Returns the cached data of a script: its name (as the object's file) and the positions of its
 * line ends. Returns NULL if the script cannot be read.
 */
static struct lang_object *script_get(const struct v8_context *g, uint64_t script)
{
	const int32_t *v = g->v;
	struct strbuf file = {0}, nothing = {0};
	struct lang_object *o;
	uint64_t check[2];
	uint8_t *lines;
	size_t n;

	if (!lang_read_u64(g->r->mem, script + v[V8_SCRIPT_NAME], &check[0]) ||
	    !lang_read_u64(g->r->mem, script + v[V8_SCRIPT_SOURCE], &check[1]))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, script, check, sizeof(check));
	if (o)
		return o;
	if (v8_object_of(check[0]))
		put_string(g, v8_object_of(check[0]), LANG_FILE_LENGTH, 0, &file);
	lines = read_line_ends(g, v8_object_of(check[1]), &n);
	o = lang_object_add(g->r->names, language_javascript.name, g->r->tgid, script, check,
			    sizeof(check), &nothing, &file, lines, n);
	strbuf_deinit(&file);
	return o;
}

static struct lang_object *function_get(const struct v8_context *g, uint64_t shared)
{
	struct strbuf function = {0}, file = {0};
	uint8_t check[SHARED_CHECK];
	struct lang_object *o, *script;
	uint64_t at;

	if (!lang_read(g->r->mem, shared, check, sizeof(check)))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, shared, check, sizeof(check));
	if (likely(o != NULL))
		return o;
	put_name(g, shared, &function);
	at = script_of(g, shared);
	script = at ? script_get(g, at) : NULL;
	if (script && script->file)
		strbuf_puts(&file, script->file);
	o = lang_object_add(g->r->names, language_javascript.name, g->r->tgid, shared, check,
			    sizeof(check), &function, &file, NULL, 0);
	o->kept[0] = at;
	strbuf_deinit(&function);
	strbuf_deinit(&file);
	return o;
}

static int64_t signed_number(const uint8_t **p, const uint8_t *end)
{
	const uint64_t v = v8_number(p, end);

	/* The lowest bit is the sign. */
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

/* Returns the script position of a bytecode offset, or -1 if unknown. */
static int64_t position_at(const uint8_t *table, size_t n, int64_t offset)
{
	const uint8_t *p = table, *end = table + n;
	/*
	 * The first entry of the table belongs to the function itself and has the code offset -1.
	 */
	uint64_t code = -1, position = 0;
	int64_t best = -1;

	while (p < end) {
		int64_t delta = signed_number(&p, end);

		/* A negative delta belongs to an expression, any other delta to a statement. */
		code += delta < 0 ? -(delta + 1) : delta;
		position += (uint64_t)signed_number(&p, end);
		if ((int64_t)code > offset)
			break;
		best = (int64_t)(position >> 1 & 0x3fffffff) - 1;
	}
	return best;
}

/*
 * Reads the source position table of a bytecode array. Returns allocated memory, or NULL if there
 * is no such table.
 */
static uint8_t *read_positions(const struct v8_context *g, uint64_t bytecode, size_t *n)
{
	static const int32_t slots[] = {24, 32, 16};

	for (size_t i = g->file->major < 12; i < ARRAY_SIZE(slots); i++) {
		uint8_t *table = v8_bytes(g, v8_member(g, bytecode, slots[i]), n);

		if (table)
			return table;
	}
	return NULL;
}

/* Converts a position in a script to a line and a column, both 1-based. */
static void place_of(const struct lang_object *script, int64_t position, unsigned *line,
		     unsigned *column)
{
	const uint32_t *ends = (const uint32_t *)script->lines;
	size_t lo = 0, hi = script->nlines / sizeof(*ends);

	while (lo < hi) {
		const size_t mid = (lo + hi) / 2;

		if (ends[mid] < position)
			lo = mid + 1;
		else
			hi = mid;
	}
	*line = lo + 1;
	*column = lo ? position - ends[lo - 1] : position + 1;
}

static struct lang_frame *name_place(const struct v8_context *g, struct lang_object *o,
				     uint64_t bytecode, uint64_t offset)
{
	struct lang_frame *f = lang_frame_find(g->r->names, o, offset);
	unsigned line = 0, column = 0;
	struct lang_object *script;
	int64_t position;
	uint8_t *table;
	size_t n;

	if (likely(f != NULL))
		return f;
	if (offset != NO_OFFSET && o->kept[0] && g->file->major <= LAST_MAJOR) {
		if (!bytecode)
			bytecode = v8_code_bytecode(g, v8_member(g, o->addr, SHARED_DATA));
		table = bytecode ? read_positions(g, bytecode, &n) : NULL;
		position = table ? position_at(table, n, (int64_t)offset) : -1;
		free(table);
		script = position >= 0 ? script_get(g, o->kept[0]) : NULL;
		if (script && script->lines)
			place_of(script, position, &line, &column);
	}
	return lang_frame_add(g->r->names, o, offset, line, column);
}

/*
 * Returns true if the function of native frame i has already set the frame pointer. At the start of
 * a function, the frame pointer still points to the caller's frame.
 */
static bool has_own_frame(const struct lang_run *r, size_t i)
{
	const struct lang_native *f = &r->native[i];

	return f->fp && !(f->fp & 7) && f->fp >= f->sp && i + 1 < r->n &&
	       f->fp < r->native[i + 1].sp;
}

/* Returns true if the pc of a native frame is a return address in V8's interpreter. */
static bool is_interpreted(const struct v8_context *g, const struct lang_native *n)
{
	const uint64_t at = n->pc - g->r->bias;

	return n->own && !n->exact && at > g->file->interpreter && at <= g->file->interpreter_end;
}

/*
 * Returns true if the code of a native frame is always executed for a JavaScript function. If such
 * a frame contains a context, it also contains a function, so there is no need to read the type of
 * that object.
 */
static bool has_function(const struct v8_context *g, const struct lang_native *n)
{
	return is_interpreted(g, n) || (n->unnamed && !n->exact && v8_code_contains(g, n->pc));
}

/*
 * Returns the object in the place of the function in the frame at fp. Returns 0 if the frame does
 * not belong to a JavaScript function because it contains no context.
 */
static uint64_t function_in(const struct v8_context *g, uint64_t fp)
{
	uint64_t context;

	/* In other kinds of frames, this word is a small integer instead of a context. */
	return lang_read_u64(g->r->mem, fp - 8, &context) && v8_object_of(context)
		       ? v8_member(g, fp, g->v[V8_FP_FUNCTION])
		       : 0;
}

/*
 * Returns the function whose frame is at fp, or 0 if the frame does not belong to a JavaScript
 * function.
 */
static uint64_t function_at(const struct v8_context *g, uint64_t fp)
{
	const uint64_t function = function_in(g, fp);
	const int type = function ? v8_type_of(g, function) : -1;

	return type >= g->v[V8_TYPE_FUNCTION] && type < g->v[V8_TYPE_FUNCTION] + FUNCTIONS
		       ? function
		       : 0;
}

/*
 * Returns the address of the bytecode array that the frame n contains, or 0. Frames of optimised
 * code do not have one.
 */
static uint64_t bytecode_at(const struct v8_context *g, const struct lang_native *n)
{
	const uint64_t bytecode = v8_member(g, n->fp, g->v[V8_FP_BYTECODE]);

	if (!bytecode || is_interpreted(g, n))
		return bytecode;
	return v8_type_of(g, bytecode) == g->v[V8_TYPE_BYTECODE] ? bytecode : 0;
}

/* Returns the bytecode offset of the frame at fp, or NO_OFFSET for compiled code. */
static uint64_t offset_at(const struct v8_context *g, uint64_t fp)
{
	uint64_t offset;
	int64_t at;

	if (!lang_read_u64(g->r->mem, fp + g->v[V8_FP_OFFSET], &offset) || !v8_is_small(offset))
		return NO_OFFSET;
	/* The stored offset is relative to the tagged pointer. */
	at = v8_small_of(offset) - (g->v[V8_BYTECODE_DATA] - 1);
	return at < 0 || at > INT32_MAX ? NO_OFFSET : (uint64_t)at;
}

/*
 * Adds the language frame of a function. Returns false if the function cannot be read, or if the
 * frame limit is reached.
 */
static bool put(const struct v8_context *g, size_t native, uint64_t shared, uint64_t bytecode,
		uint64_t offset)
{
	struct lang_object *o = function_get(g, shared);

	return o && lang_put(g->r, native, name_place(g, o, bytecode, offset));
}

/*
 * Adds the language frames of the function `shared` and of the functions that are inlined into it.
 * Returns false if *p does not describe this function.
 */
static bool put_places(const struct v8_context *g, size_t native, uint64_t shared,
		       const struct v8_places *p)
{
	if (!p->n || p->v[0].shared != shared)
		return false;
	for (size_t i = p->n; i; i--) {
		const struct v8_place *at = &p->v[i - 1];

		if (!put(g, native, at->shared, 0,
			 at->builtin ? NO_OFFSET : (uint64_t)at->bytecode))
			break;
	}
	return true;
}

/*
 * Adds a frame that shows why the locations in compiled code are unknown, but only once per stack.
 * Returns false if the frame limit is reached.
 */
static bool put_unsupported(const struct v8_context *g, size_t native)
{
	struct lang_frame *reason = lang_frame_reason(
		g->r->names, "this build of V8 does not describe its compiled code");

	vec_for_each (&g->r->puts, p)
		if (p->frame == reason)
			return true;
	return lang_put(g->r, native, reason);
}

/*
 * Adds the frames of the function whose native frame has the index i. Returns false if the function
 * cannot be read, or if the frame limit is reached.
 */
static bool put_function(const struct v8_context *g, size_t i, uint64_t shared)
{
	const struct lang_native *f = &g->r->native[i];
	struct v8_places places = {.kind = V8_UNKNOWN};
	uint64_t bytecode;

	if (f->unnamed && !f->exact)
		v8_code_places(g, f->pc, &places);
	if (places.kind == V8_OPTIMISED && put_places(g, i, shared, &places))
		return true;
	if (places.kind == V8_BASELINE && places.n)
		return put(g, i, shared, 0, (uint64_t)places.v[0].bytecode);
	bytecode = places.kind == V8_UNKNOWN ? bytecode_at(g, f) : 0;
	return put(g, i, shared, bytecode, bytecode ? offset_at(g, f->fp) : NO_OFFSET) &&
	       (!places.unsupported || put_unsupported(g, i));
}

static void frames(struct lang_run *r)
{
	const struct v8_file *file = r->file;
	const struct v8_context g = {.r = r, .file = file, .v = file->value};

	for (size_t i = 0; i < r->n; i++) {
		uint64_t function, shared;

		if ((!r->native[i].unnamed && !r->native[i].own) || !has_own_frame(r, i))
			continue;
		if (!file->known) {
			if (!r->native[i].unnamed)
				continue;
			lang_stop(r, i, "this build of V8 does not describe its structures");
			return;
		}
		function = has_function(&g, &r->native[i]) ? function_in(&g, r->native[i].fp)
							   : function_at(&g, r->native[i].fp);
		if (!function)
			continue;
		shared = v8_member(&g, function, g.v[V8_FUNCTION_SHARED]);
		if (!shared || !put_function(&g, i, shared)) {
			if (r->room)
				lang_stop(r, i, "unexpected data in V8's memory");
			return;
		}
	}
}

/*
 * Returns true if the frame at fp contains a frame type of V8. All frames of V8's generated code
 * that do not belong to a JavaScript function contain one. The word below fp is twice the type
 * (src/execution/frames.h).
 */
static bool has_type(const struct v8_context *g, uint64_t fp)
{
	uint64_t word;

	return lang_read_u64(g->r->mem, fp - 8, &word) && word && !(word & 1) &&
	       word < 2 * FRAME_TYPES;
}

/*
 * Returns true if frame->fp points to this frame. V8's file contains code that V8 has generated,
 * such as the interpreter, but also other code without unwind information. For code in this file,
 * checks that the frame has the contents of a frame of V8.
 */
static bool has_frame_pointer(const struct v8_context *g, const struct step_frame *frame)
{
	if (frame->exact || frame->fp < frame->sp || frame->fp & 7)
		return false;
	if (!frame->m)
		return v8_code_contains(g, frame->pc);
	return g->file->known && (has_type(g, frame->fp) || function_at(g, frame->fp));
}

/*
 * Steps over a frame of code that V8 has generated. Returns STEP_UNKNOWN if frame->fp does not
 * point to this frame.
 */
static enum step_answer step(struct lang_run *r, struct walk *w, const struct step_frame *frame,
			     struct step_frame *caller)
{
	const struct arch_chain chain = w->mode->chain;
	const struct v8_file *file = r->file;
	const struct v8_context g = {.r = r, .file = file, .v = file->value};
	uint64_t words[2]; /* the caller's fp, and the return address */

	if (w->mode->word != 8 || chain.bp || chain.ra != 1 || !has_frame_pointer(&g, frame) ||
	    !lang_read(r->mem, frame->fp, words, sizeof(words)))
		return STEP_UNKNOWN;
	*caller = (struct step_frame){.pc = words[1], .sp = frame->fp + 16, .fp = words[0]};
	return STEP_CALLER;
}

static void *recognise(struct elf_file *f)
{
	return v8_file_read(f);
}

const struct language language_javascript = {.name = "javascript",
					     .recognise = recognise,
					     .forget = free,
					     .frames = frames,
					     .step = step};
