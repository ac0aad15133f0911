/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Frames of Perl 5.28 to 5.42. The interpreter's context stack has an entry for each active sub. A
 * call of Perl_runops_standard() executes several of these subs: from the innermost one to the
 * nearest sub that C code has called. In builds with threads (usethreads), as distributions provide
 * them, the variables of an interpreter are members of a struct. In other builds, they are global
 * variables.
 */
#include <stdlib.h>

#include "stack/files/elf_file.h"
#include "stack/files/elf_names.h"
#include "stack/lang/loops.h"
#include "stack/lang/text.h"
#include "util/mem.h"

#define FIRST 28
#define LAST  43
/* Context types, and flags in the first byte of a context (cop.h of Perl). */
#define TYPE	    15
#define SUB	    9
#define FORMAT	    10
#define FAKE	    0x80 /* CXp_SUB_RE_FAKE: the context belongs to a regular expression */
#define SI_MAIN	    1
#define NAME_LENGTH 256
#define INFOS_MAX   1000
/* Offset in bytes from glibc's thread pointer to the first values of pthread_setspecific(3). */
#define SPECIFIC      0x310
#define SPECIFIC_KEYS 32

/* The addresses are ELF addresses. */
struct perl_file {
	bool threads;
	uint64_t current, key; /* only with threads: PL_curinterp, PL_thr_key */
	uint64_t cop, info;    /* only without threads: PL_curcop, PL_curstackinfo */
	uint64_t version, loops[2], ends[2];
};

/* Offsets that depend on Perl's version. */
struct layout {
	uint16_t cop, info;   /* offsets of curcop and curstackinfo in the interpreter struct */
	uint16_t type;	      /* offset of the type in a PERL_SI (struct stackinfo) */
	uint16_t context, cv; /* size of a context in bytes; offset of the CV in a context */
	bool hash_inline;     /* true if the body of a hash includes the name of the hash */
};

struct read_context {
	struct lang_run *r;
	struct layout l;
	bool threads;
};

enum { VERSION, RUN, RUN_DEBUG, CURINTERP, THR_KEY, CURCOP, CURSTACKINFO, NAMES };

static void *recognise(struct elf_file *file)
{
	struct elf_name names[NAMES] = {[VERSION] = {.name = "PL_version"},
					[RUN] = {.name = "Perl_runops_standard"},
					[RUN_DEBUG] = {.name = "Perl_runops_debug"},
					[CURINTERP] = {.name = "PL_curinterp"},
					[THR_KEY] = {.name = "PL_thr_key"},
					[CURCOP] = {.name = "PL_curcop"},
					[CURSTACKINFO] = {.name = "PL_curstackinfo"}};
	struct perl_file *f;

	if (!elf_names_dynamic(file, names, 1))
		return NULL;
	elf_names_dynamic(file, names, NAMES);
	f = mem_zalloc(sizeof(*f));
	f->threads = names[THR_KEY].addr;
	f->current = names[CURINTERP].addr;
	f->key = names[THR_KEY].addr;
	f->cop = names[CURCOP].addr;
	f->info = names[CURSTACKINFO].addr;
	f->version = names[VERSION].addr;
	for (int i = 0; i < 2; i++) {
		f->loops[i] = names[RUN + i].addr;
		f->ends[i] = f->loops[i] + names[RUN + i].size;
	}
	if (f->loops[0] && (f->threads ? f->current : f->cop && f->info))
		return f;
	free(f);
	return NULL;
}

/* Reads the pointer at the offset `at` in an object. Returns 0 if it cannot be read. */
static uint64_t member(struct read_context *g, uint64_t object, unsigned at)
{
	uint64_t v;

	return object && lang_read_u64(g->r->mem, object + at, &v) ? v : 0;
}

/*
 * Returns the address of the thread's interpreter, which Perl stores as a thread-specific value. If
 * this value is not found, returns PL_curinterp. Returns 0 if the memory cannot be read.
 */
static uint64_t interpreter(struct lang_run *r, const struct perl_file *f)
{
	const uint64_t pointer = r->thread_pointer(r->ctx);
	uint64_t current, own;
	uint32_t key;

	if (!lang_read_u64(r->mem, f->current + r->bias, &current) ||
	    !lang_read(r->mem, f->key + r->bias, &key, sizeof(key)))
		return 0;
	if (!pointer || key >= SPECIFIC_KEYS ||
	    !lang_read_u64(r->mem, pointer + SPECIFIC + key * 16 + 8, &own))
		return current;
	return own ? own : current;
}

/*
 * Appends the text of a HEK, a string of Perl that is stored with its length. Returns false if it
 * cannot be read.
 */
static bool put_hek(struct read_context *g, uint64_t hek, struct strbuf *b)
{
	int32_t n;

	return hek && lang_read_once(g->r->mem, hek + 4, &n, sizeof(n)) && n >= 0 &&
	       lang_text(g->r->mem, hek + 8, n, NAME_LENGTH, b);
}

/*
 * Appends the name of a package. The name is stored in the package's hash. If the package has
 * aliases, this is the first of its names. Returns false if the name cannot be read.
 */
static bool put_package(struct read_context *g, uint64_t stash, struct strbuf *b)
{
	const uint64_t body = member(g, stash, 0);
	uint64_t aux = body + 0x20, name;
	int32_t names;

	if (!g->l.hash_inline)
		aux = member(g, stash, 0x10) + 8 * (member(g, body, 0x18) + 1);
	name = member(g, aux, 0);
	if (!body || !lang_read_once(g->r->mem, aux + 0x1c, &names, sizeof(names)))
		return false;
	return put_hek(g, names ? member(g, name, 0) : name, b);
}

/*
 * The data that identifies a sub: the address of the body of its CV (Perl's struct for a sub), and
 * the pointers that lead to the sub's names.
 */
struct check {
	uint64_t body, gv, egv, gv_body, hek, stash, start;
};
/*
 * Offsets in bytes of the stash and the flags in the body of a CV. The flag NAMED is set if the CV
 * has a name instead of a GV.
 */
#define CV_STASH 0x20
#define CV_FLAGS 0x5c
#define NAMED	 0x8000

static struct lang_object *sub_get(struct read_context *g, uint64_t cv)
{
	struct strbuf name = {0};
	struct lang_object *o;
	struct check c = {0};
	uint32_t flags;
	uint64_t gp;

	c.body = member(g, cv, 0);
	c.gv = member(g, c.body, 0x38);
	c.start = member(g, c.body, 0x28);
	if (!c.body || !lang_read(g->r->mem, c.body + CV_FLAGS, &flags, sizeof(flags)))
		return NULL;
	if (flags & NAMED) {
		c.hek = c.gv;
		c.stash = member(g, c.body, CV_STASH);
	} else {
		gp = member(g, c.gv, 0x10);
		c.egv = member(g, gp, 0x38);
		c.gv_body = member(g, c.egv ? c.egv : c.gv, 0);
		c.hek = member(g, c.gv_body, 0x20);
		c.stash = member(g, c.gv_body, 0x28);
	}
	o = lang_object_find(g->r->names, g->r->tgid, cv, &c, sizeof(c));
	if (likely(o != NULL))
		return o;
	if (put_package(g, c.stash, &name))
		strbuf_puts(&name, "::");
	if (!put_hek(g, c.hek, &name))
		strbuf_puts(&name, "__ANON__");
	o = lang_object_add(g->r->names, language_perl.name, g->r->tgid, cv, &c, sizeof(c), &name,
			    NULL, NULL, 0);
	strbuf_deinit(&name);
	return o;
}

/*
 * Returns the address of the path in a COP. Without threads, the path is the value of the scalar
 * that belongs to a glob.
 */
static uint64_t path_of(struct read_context *g, const uint8_t *cop)
{
	const uint64_t file = word_at(cop, 0x30);

	return g->threads ? file : member(g, member(g, member(g, file, 0x10), 0), 0x10);
}

/*
 * Returns the frame for the location that a COP (Perl's struct for a statement) describes. A sub's
 * code can come from several files, so each pair of a sub and a file has its own object. The
 * object's key is computed from the pair. The key is odd, so it differs from the addresses of Perl
 * objects.
 */
static struct lang_frame *place_get(struct read_context *g, struct lang_object *sub, uint64_t cop)
{
	struct strbuf function = {0}, file = {0};
	struct {
		uint64_t sub, file;
		char start[8]; /* of the path */
	} check = {.sub = sub ? sub->id : 0};
	uint8_t bytes[0x38];
	struct lang_object *o;
	struct lang_frame *f;
	uint32_t line;

	if (!lang_read(g->r->mem, cop, bytes, sizeof(bytes)))
		return NULL;
	line = half_at(bytes, 0x24);
	check.file = path_of(g, bytes);
	/*
	 * Compare the first bytes of the path as well as its address, because COPs and their paths
	 * can be freed.
	 */
	if (!check.file || !lang_read(g->r->mem, check.file, check.start, sizeof(check.start)))
		return NULL;
	o = lang_object_find(g->r->names, g->r->tgid, check.sub << 20 ^ check.file << 1 ^ 1, &check,
			     sizeof(check));
	if (unlikely(!o)) {
		if (!lang_text_cstring(g->r->mem, check.file, LANG_FILE_LENGTH, &file)) {
			strbuf_deinit(&file);
			return NULL;
		}
		strbuf_puts(&function, sub ? sub->function : "main");
		o = lang_object_add(g->r->names, language_perl.name, g->r->tgid,
				    check.sub << 20 ^ check.file << 1 ^ 1, &check, sizeof(check),
				    &function, &file, NULL, 0);
		strbuf_deinit(&function);
		strbuf_deinit(&file);
	}
	f = lang_frame_find(g->r->names, o, line);
	return f ? f : lang_frame_add(g->r->names, o, line, line, 0);
}

/*
 * Adds the subs of one context stack. On entry, *cop is the location in the innermost sub. On
 * return, *cop is the location in the caller of the outermost sub. Returns false if a sub cannot be
 * read, or if the frame limit is reached.
 */
static bool read_contexts(struct read_context *g, struct lang_loops *loops, uint64_t info,
			  uint64_t *cop)
{
	const uint64_t stack = member(g, info, 0x08);
	uint8_t context[0x68];
	int32_t top;

	if (!stack || !lang_read(g->r->mem, info + 0x20, &top, sizeof(top)))
		return false;
	for (int32_t i = top; i >= 0 && i < 1 << 24; i--) {
		struct lang_object *sub;
		struct lang_frame *f;

		const uint64_t at = stack + (uint64_t)i * g->l.context;

		if (!lang_read(g->r->mem, at, context, 1))
			return false;
		if (((context[0] & TYPE) != SUB && (context[0] & TYPE) != FORMAT) ||
		    context[0] & FAKE)
			continue;
		if (!lang_read(g->r->mem, at, context, g->l.context))
			return false;
		sub = sub_get(g, word_at(context, g->l.cv));
		f = sub ? place_get(g, sub, *cop) : NULL;
		if (!f || !lang_put(g->r, loops->last, f))
			return false;
		*cop = word_at(context, 0x10);
		/*
		 * C code called this sub, so the outer entries belong to another evaluation loop.
		 */
		if (!word_at(context, 0x30))
			lang_loop_next(loops);
	}
	return true;
}

static bool have_layout(struct read_context *g, const struct perl_file *f)
{
	uint8_t minor;

	if (!lang_read(g->r->mem, f->version + g->r->bias, &minor, 1) || minor < FIRST ||
	    minor > LAST)
		return false;
	g->l = (struct layout){.cop = minor >= 34 ? 0xd0 : 0xe0,
			       .info = minor >= 34 ? 0xe0 : 0xf0,
			       .type = minor >= 32 ? 0x2c : 0x28,
			       .context = minor >= 32 ? 0x68 : 0x60,
			       .cv = minor >= 32 ? 0x48 : 0x40,
			       .hash_inline = minor >= 35};
	return true;
}

static void frames(struct lang_run *r)
{
	const struct perl_file *f = r->file;
	struct lang_loops loops = {.r = r,
				   .code = {{f->loops[0], f->ends[0]}, {f->loops[1], f->ends[1]}}};
	struct read_context g = {.r = r, .threads = f->threads};
	uint64_t my, cop, info;
	struct lang_frame *main;
	bool ok = true;

	if (lang_loop_find(&loops) == SIZE_MAX)
		return;
	if (!have_layout(&g, f)) {
		lang_loop_stop(&loops, "unsupported version of Perl");
		return;
	}
	if (f->threads) {
		my = interpreter(r, f);
		cop = member(&g, my, g.l.cop);
		info = member(&g, my, g.l.info);
	} else {
		cop = member(&g, f->cop + r->bias, 0);
		info = member(&g, f->info + r->bias, 0);
	}
	lang_loop_next(&loops);
	for (int i = 0; info && ok && i < INFOS_MAX; i++) {
		int32_t type;

		ok = read_contexts(&g, &loops, info, &cop) &&
		     lang_read(r->mem, info + g.l.type, &type, sizeof(type));
		if (!ok || type == SI_MAIN)
			break;
		info = member(&g, info, 0x10);
	}
	main = ok && info ? place_get(&g, NULL, cop) : NULL;
	if (main)
		lang_put(r, loops.last, main);
	else
		lang_loop_stop(&loops, "unexpected data in Perl's memory");
}

const struct language language_perl = {
	.name = "perl", .recognise = recognise, .forget = free, .frames = frames};
