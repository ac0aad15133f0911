/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of Ruby 2.7 to 3.4. A thread's execution context has a stack of control frames, one for
 * each active method, block, and C function. A call of rb_vm_exec() executes several control
 * frames: from the innermost one to the nearest one with the flag FINISH.
 */
#include <stdlib.h>

#include "stack/files/elf_file.h"
#include "stack/lang/loops.h"
#include "stack/lang/ruby_vm.h"
#include "stack/lang/text.h"
#include "stack/walk/cfi.h"
#include "util/mem.h"

#define FRAMES_MAX (1u << 16)
/* Flags of a control frame (VM_FRAME_… of Ruby). */
#define KIND   0x7fff0001u
#define CFUNC  0x55550001u
#define FINISH 0x20u
/* Types of internal objects. */
#define SVAR   2
#define METHOD 6
#define ISEQ   7
/* Types of code (rb_iseq_type). */
#define TYPE_RESCUE 4
#define TYPE_ENSURE 5
#define TYPE_EVAL   6
#define PARENTS_MAX 64
/* Offsets of members in Ruby's structs, in bytes. */
#define EC_STACK	0
#define EC_STACK_SIZE	8
#define EC_FRAME	16
#define FRAME_PC	0
#define FRAME_ISEQ	16
#define FRAME_EP	32
#define ISEQ_BODY	16
#define BODY_CODE	8
#define BODY_PATH	64
#define BODY_LABEL	80
#define BODY_PARENT	48 /* offset of parent_iseq, relative to insns_info */
#define METHOD_DEF	16
#define DEF_ID		32
#define STRING_LENGTH	16
#define STRING_TEXT	24
#define STRING_EXTERNAL (1u << 13) /* the flag RSTRING_NOEMBED */
/*
 * Minimum size in bytes of the evaluation loop's function. The other functions of Ruby that can be
 * among its callers are smaller.
 */
#define LOOP_LEAST 8192u
/*
 * The encoding of symbols as numbers: operators have numbers below OPERATORS; the numbers of other
 * symbols are shifted left by SCOPE_SHIFT.
 */
#define OPERATORS    256
#define SCOPE_SHIFT  4
#define IDS_PER_PART 512

struct read_context {
	struct lang_run *r;
	struct ruby_file *f;
	const struct ruby_layout *l;
};

struct text {
	uint64_t addr, n;
};

static unsigned imemo_type(uint64_t flags)
{
	return (flags & RUBY_TYPE) == RUBY_IMEMO ? flags >> 12 & 15 : ~0u;
}

static bool find_text(struct read_context *g, uint64_t string, struct text *t)
{
	uint64_t words[4];

	if (!string || string & 7 || !lang_read(g->r->mem, string, words, sizeof(words)) ||
	    (words[0] & RUBY_TYPE) != RUBY_STRING)
		return false;
	t->n = words[STRING_LENGTH / 8];
	t->addr = words[STRING_TEXT / 8];
	if (words[0] & STRING_EXTERNAL)
		return true;
	t->addr = string + (g->l->length_first ? STRING_TEXT : STRING_LENGTH);
	if (!g->l->length_first)
		t->n = words[0] >> 14 & 31;
	return true;
}

/*
 * Sets *t to the path in the object `path`, which is a string or an array whose first element is
 * the path string. Returns false if it is neither.
 */
static bool find_path(struct read_context *g, uint64_t path, struct text *t)
{
	uint64_t n, first;

	if (find_text(g, path, t))
		return true;
	first = ruby_array(g->r, path, &n);
	return first && n && find_text(g, ruby_word(g->r, first), t);
}

#define CHECK_TEXT 72
/* The data that identifies code: the addresses, lengths and last bytes of its names. */
struct check {
	uint64_t body;
	struct text label, path;
	char texts[2][CHECK_TEXT];
};

static bool read_end(struct read_context *g, const struct text *t, char *end)
{
	const size_t n = size_min(t->n, CHECK_TEXT);

	return lang_read(g->r->mem, t->addr + t->n - n, end, n);
}

static struct lang_object *add(struct read_context *g, uint64_t addr, const struct check *c)
{
	struct strbuf function = {0}, file = {0};
	struct lang_object *o = NULL;

	if (lang_text(g->r->mem, c->label.addr, c->label.n, LANG_FUNCTION_MAX, &function) &&
	    lang_text(g->r->mem, c->path.addr, c->path.n, LANG_FILE_LENGTH, &file))
		o = lang_object_add(g->r->names, language_ruby.name, g->r->tgid, addr, c,
				    sizeof(*c), &function, &file, NULL, 0);
	strbuf_deinit(&function);
	strbuf_deinit(&file);
	return o;
}

/*
 * Returns the body of the code whose label is shown. Since Ruby 3.4, code from eval is shown with
 * the label of the surrounding code.
 */
static uint64_t labelled(struct read_context *g, uint64_t body)
{
	uint64_t parent;
	uint32_t type;

	for (int i = 0; g->l->parents_named && i < PARENTS_MAX; i++) {
		if (!lang_read(g->r->mem, body, &type, sizeof(type)) || type != TYPE_EVAL)
			break;
		parent = ruby_word(g->r, body + g->l->lines + BODY_PARENT);
		if (!parent || imemo_type(ruby_word(g->r, parent)) != ISEQ)
			break;
		body = ruby_word(g->r, parent + ISEQ_BODY);
	}
	return body;
}

static struct lang_object *code_get(struct read_context *g, uint64_t iseq, uint64_t body)
{
	struct check c = {.body = body};
	struct lang_object *o;
	const uint64_t label = labelled(g, body) + BODY_LABEL;

	if (!find_path(g, ruby_word(g->r, body + BODY_PATH), &c.path) ||
	    !find_text(g, ruby_word(g->r, label), &c.label) || !read_end(g, &c.path, c.texts[0]) ||
	    !read_end(g, &c.label, c.texts[1]))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, iseq, &c, sizeof(c));
	return likely(o != NULL) ? o : add(g, iseq, &c);
}

/*
 * Ruby stores the positions at which line table entries begin as a bit set. To find the number of
 * an entry quickly, it also stores how many bits are set before each block and each word. For each
 * of the first 54 positions, Ruby stores only the number of entries up to this position, in 7 bits.
 */
#define DIRECT	     54
#define DIRECT_WORDS 6
#define DIRECT_EACH  9
#define BLOCK_BITS   512
/* A block contains the count before the block, a word of 9-bit counts, and 8 words of bits. */
#define BLOCK_WORDS 10

/*
 * Stores the number of entries that begin at or before a position in *count. Returns false if the
 * data cannot be read.
 */
static bool count_entries(struct read_context *g, uint64_t table, uint64_t position,
			  uint64_t *count)
{
	uint64_t block[BLOCK_WORDS], word, bit, bits;

	if (position < DIRECT) {
		if (!lang_read_u64(g->r->mem, table + position / DIRECT_EACH * 8, &word))
			return false;
		*count = word >> position % DIRECT_EACH * 7 & 127;
		return true;
	}
	position -= DIRECT;
	if (!lang_read(g->r->mem, table + 8 * (DIRECT_WORDS + position / BLOCK_BITS * BLOCK_WORDS),
		       block, sizeof(block)))
		return false;
	bit = position % BLOCK_BITS;
	word = bit / 64;
	bits = block[2 + word] << (63 - bit % 64);
	*count = (uint32_t)block[0] + (word ? block[1] >> (word - 1) * 9 & 511 : 0) +
		 (unsigned)__builtin_popcountll(bits);
	return true;
}

/*
 * Stores the line of the code at pc in *line, or 0 if it has no line. Returns false if the data is
 * invalid.
 */
static bool line_of(struct read_context *g, uint64_t body, uint64_t pc, uint32_t *line)
{
	uint64_t code, info[4], position, entry = 1;
	uint32_t size;

	*line = 0;
	if (!lang_read_u64(g->r->mem, body + BODY_CODE, &code) || pc < code || (pc - code) >> 32 ||
	    !lang_read(g->r->mem, body + g->l->lines, info, sizeof(info)))
		return false;
	size = (uint32_t)info[2];
	/* pc is the next instruction to execute. */
	position = (pc - code) / 8;
	position -= position > 0;
	if (!size)
		return true;
	if (size > 1 && (!count_entries(g, info[3], position, &entry) || !entry || entry > size))
		return false;
	return lang_read(g->r->mem, info[0] + (entry - 1) * g->l->line, line, sizeof(*line));
}

static struct lang_frame *frame_of(struct read_context *g, struct lang_object *o, uint32_t line)
{
	struct lang_frame *f = lang_frame_find(g->r->names, o, line);

	return f ? f : lang_frame_add(g->r->names, o, line, line, 0);
}

static bool is_handler(struct read_context *g, uint64_t body)
{
	uint32_t type;

	return g->l->parents_named && lang_read(g->r->mem, body, &type, sizeof(type)) &&
	       (type == TYPE_RESCUE || type == TYPE_ENSURE);
}

/*
 * Names the code of a control frame. Sets *named to the language frame. On entry, *line is 0 unless
 * the last call has set it. Since Ruby 3.4, the code of `rescue` and `ensure` is not shown as a
 * frame of its own. For such code, sets *named to NULL and *line to the line in that code. The next
 * call, for the method around the code, shows this line. Returns false if the data is invalid.
 */
static bool name_code(struct read_context *g, uint64_t iseq, uint64_t pc, uint32_t *line,
		      struct lang_frame **named)
{
	const uint64_t flags = ruby_word(g->r, iseq), body = ruby_word(g->r, iseq + ISEQ_BODY);
	struct lang_object *o;

	*named = NULL;
	if (imemo_type(flags) != ISEQ || !body || (!*line && !line_of(g, body, pc, line)))
		return false;
	if (is_handler(g, body))
		return true;
	o = code_get(g, iseq, body);
	if (!o)
		return false;
	*named = frame_of(g, o, *line);
	*line = 0;
	return true;
}

/* Returns the address of the string with the name of a symbol, or 0 if the name is not found. */
static uint64_t name_of(struct read_context *g, uint64_t id)
{
	const uint64_t number = id < OPERATORS ? id : id >> SCOPE_SHIFT;
	uint64_t parts, part, n, table = ruby_symbols(g->r, g->f);

	if (!table)
		return 0;
	parts = ruby_array(g->r, ruby_word(g->r, table + 16), &n);
	if (!parts || number / IDS_PER_PART >= n)
		return 0;
	part = ruby_array(g->r, ruby_word(g->r, parts + number / IDS_PER_PART * 8), &n);
	/* Each name takes two elements of the array: a string and a symbol. */
	return part && number % IDS_PER_PART * 2 < n
		       ? ruby_word(g->r, part + number % IDS_PER_PART * 16)
		       : 0;
}

/*
 * Sets c->label and c->texts[1] for the name of a symbol. A process never changes the name of a
 * symbol, so the data is cached. Returns false if the name is invalid.
 */
static bool symbol_check(struct read_context *g, uint64_t id, struct check *c)
{
	/* The lowest two bits of the key differ from those of all other keys. */
	const uint64_t key = id << 2 | 2, maps = g->r->maps;
	uint64_t string;
	struct strbuf none = {0};
	struct lang_object *o;

	o = maps ? lang_object_find(g->r->names, g->r->tgid, key, &maps, sizeof(maps)) : NULL;
	if (likely(o != NULL)) {
		memcpy(c, o->lines, sizeof(*c));
		return true;
	}
	g->r->mem->unmarked = true;
	string = name_of(g, id);
	if (string && (!find_text(g, string, &c->label) || !read_end(g, &c->label, c->texts[1])))
		return false;
	if (string && maps) {
		uint8_t *kept = mem_alloc(sizeof(*c));

		memcpy(kept, c, sizeof(*c));
		lang_object_add(g->r->names, language_ruby.name, g->r->tgid, key, &maps,
				sizeof(maps), &none, NULL, kept, sizeof(*c));
	}
	return true;
}

/*
 * Names a C function. ep is the address of the control frame's environment. The second word below
 * ep is a pointer to the method, or to an object that contains the method. Returns NULL if the data
 * is invalid.
 */
static struct lang_frame *name_c(struct read_context *g, uint64_t ep)
{
	uint64_t method = ruby_word(g->r, ep - 16), def;
	struct check c = {0};
	struct lang_object *o;

	if (imemo_type(ruby_word(g->r, method)) == SVAR)
		method = ruby_word(g->r, method + 8);
	if (imemo_type(ruby_word(g->r, method)) != METHOD)
		return NULL;
	def = ruby_word(g->r, method + METHOD_DEF);
	c.body = def ? ruby_word(g->r, def + DEF_ID) : 0;
	if (!symbol_check(g, c.body, &c))
		return NULL;
	/* The key is odd, so it differs from the addresses of code objects. */
	o = lang_object_find(g->r->names, g->r->tgid, c.body << 1 | 1, &c, sizeof(c));
	if (!o)
		o = add(g, c.body << 1 | 1, &c);
	return o ? frame_of(g, o, 0) : NULL;
}

struct frame {
	uint64_t pc, iseq, ep;
	uint32_t flags;
};

/* The control frames of a thread: the innermost one, and the end of the stack. */
struct stack {
	uint64_t at, end;
};

static bool stack_of(struct read_context *g, uint64_t context, struct stack *s)
{
	uint64_t words[3];

	if (!lang_read(g->r->mem, context, words, sizeof(words)))
		return false;
	s->at = words[EC_FRAME / 8];
	s->end = words[EC_STACK / 8] + words[EC_STACK_SIZE / 8] * 8;
	/* The last control frame does not belong to the program. */
	s->end -= g->l->frame;
	return words[EC_STACK_SIZE / 8] < 1 << 28 && s->at <= s->end &&
	       s->at >= words[EC_STACK / 8];
}

static bool read_frame(struct read_context *g, struct stack *s, struct frame *f)
{
	uint64_t words[FRAME_EP / 8 + 1], flags;

	if (!lang_read(g->r->mem, s->at, words, sizeof(words)) ||
	    !lang_read_u64(g->r->mem, words[FRAME_EP / 8], &flags))
		return false;
	*f = (struct frame){words[FRAME_PC / 8], words[FRAME_ISEQ / 8], words[FRAME_EP / 8],
			    (uint32_t)flags};
	s->at += g->l->frame;
	return true;
}

/* Returns the number of evaluation loops that execute the control frames. */
static size_t count_loops(struct read_context *g, struct stack s)
{
	struct frame frame;
	size_t n = 0;

	for (unsigned i = 0; s.at < s.end && i < FRAMES_MAX && read_frame(g, &s, &frame); i++)
		n += (frame.flags & FINISH) != 0;
	return n;
}

/*
 * Finds the function that contains the evaluation loop, if it has no symbol. Takes the outermost
 * function of Ruby on the stack that has at least LOOP_LEAST bytes, but only if it has as many
 * native frames as there are loops.
 */
static void find_loop(struct read_context *g, const struct stack *s)
{
	uint64_t lo = 0, hi = 0;
	size_t n = 0;

	for (size_t i = g->r->n; i-- > 0;) {
		const uint64_t at = g->r->native[i].pc - g->r->bias - 1;

		if (!g->r->native[i].own)
			continue;
		if (!n && (!cfi_function(g->f->elf, at, &lo, &hi) || hi - lo < LOOP_LEAST))
			continue;
		n += at >= lo && at < hi;
	}
	if (n && n == count_loops(g, *s)) {
		g->f->loop = lo;
		g->f->loop_end = hi;
	}
}

static void stop(struct read_context *g, const struct lang_loops *loops, const char *reason)
{
	size_t i = lang_loop_find(loops);

	for (size_t k = 0; i == SIZE_MAX && !loops->any && k < g->r->n; k++)
		if (g->r->native[k].own)
			i = k;
	if (i != SIZE_MAX)
		lang_stop(g->r, i, reason);
}

/*
 * Names a control frame. Sets *named to NULL for frames that are not shown. Returns false if the
 * data is invalid. For *line, see name_code().
 */
static bool name_frame(struct read_context *g, const struct frame *f, uint32_t *line,
		       struct lang_frame **named)
{
	*named = NULL;
	if ((f->flags & KIND) == CFUNC) {
		*named = name_c(g, f->ep);
		return *named;
	}
	return !f->iseq || !f->pc || name_code(g, f->iseq, f->pc, line, named);
}

static void put_frames(struct read_context *g, struct lang_loops *loops, struct stack s)
{
	bool begins = true;
	uint32_t line = 0;

	for (unsigned i = 0; s.at < s.end && i < FRAMES_MAX; i++) {
		struct lang_frame *named;
		struct frame frame;

		if (!read_frame(g, &s, &frame) || !name_frame(g, &frame, &line, &named)) {
			stop(g, loops, "unexpected data in Ruby's memory");
			return;
		}
		if (begins && named && !lang_loop_next(loops))
			return;
		begins &= !named;
		if (named && !lang_put(g->r, loops->last, named))
			return;
		begins |= (frame.flags & FINISH) != 0;
	}
}

static void frames(struct lang_run *r)
{
	struct ruby_file *f = r->file;
	struct read_context g = {r, f, f->layout};
	struct lang_loops loops = {.r = r, .code = {{f->loop, f->loop_end}}};
	uint64_t context;
	struct stack s;

	if (!f->layout) {
		stop(&g, &loops, "unsupported version of Ruby");
		return;
	}
	context = ruby_context(r, f);
	if (!context || !stack_of(&g, context, &s))
		return;
	if (!f->loop) {
		/* Another thread may find the loop, so this result may change. */
		r->mem->unmarked = true;
		find_loop(&g, &s);
	}
	loops.code[0].start = f->loop;
	loops.code[0].end = f->loop_end;
	/* The native walk may end in code that YJIT has generated. */
	loops.generated = lang_loop_find(&loops) == SIZE_MAX;
	put_frames(&g, &loops, s);
}

static void *recognise(struct elf_file *f)
{
	return ruby_file_read(f);
}

const struct language language_ruby = {
	.name = "ruby", .recognise = recognise, .forget = free, .frames = frames};
