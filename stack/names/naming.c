/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/names/naming.h"

#include <stdlib.h>

#include "stack/files/budget.h"
#include "stack/files/elf_file.h"
#include "stack/names/lines.h"
#include "stack/names/source_lines.h"
#include "stack/names/symbols.h"
#include "stack/walk/cfi.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/strbuf.h"

#define TOO_MUCH "over the limit for reading files"
/*
 * Maximum size of a line in bytes. A line contains the names from one reply of the namer twice: as
 * strings, and in the output text.
 */
#define LINE_MAX (4 * NAMER_REPLY_MAX)

static void hex(struct strbuf *b, uint64_t v)
{
	if (v) {
		strbuf_hex(b, v);
	} else {
		strbuf_puts(b, "0x0");
	}
}

void naming_text(struct strbuf *b, const char *symbol, uint64_t offset, uint64_t addr,
		 const char *file, unsigned line, const char *missing)
{
	strbuf_putc(b, '(');
	if (symbol) {
		escape_name(b, symbol, strlen(symbol));
		strbuf_putc(b, '+');
		hex(b, offset);
	}
	strbuf_puts(b, ") [");
	hex(b, addr);
	strbuf_putc(b, ']');
	if (file) {
		strbuf_putc(b, ' ');
		escape_name(b, file, strlen(file));
		strbuf_putc(b, ':');
		strbuf_udec(b, line);
	}
	if (missing) {
		strbuf_puts(b, " (");
		strbuf_puts(b, missing);
		strbuf_putc(b, ')');
	}
	strbuf_putc(b, '\n');
}

void naming_inlined(struct strbuf *b, const struct inlined *in, uint64_t addr)
{
	strbuf_putc(b, '(');
	if (in->symbol)
		escape_name(b, in->symbol, strlen(in->symbol));
	strbuf_puts(b, ") [");
	hex(b, addr);
	strbuf_putc(b, ']');
	if (in->file) {
		strbuf_putc(b, ' ');
		escape_name(b, in->file, strlen(in->file));
		strbuf_putc(b, ':');
		strbuf_udec(b, in->line);
	}
	strbuf_putc(b, '\n');
}

static void lines_destroy(void *t)
{
	line_table_deinit(t);
	free(t);
}

/*
 * Stores the reason why a part of the line is missing. Sets l->again if a later look-up may find
 * this part.
 */
static void record_missing(struct line *l, enum namer_status s)
{
	const char *why = namer_status_text(s);

	if (why)
		l->missing = why;
	l->again |= s == NAMER_OFF;
}

static void find_symbol(struct elf_file *f, uint64_t addr, bool exact, struct line *l,
			struct arena *strings)
{
	uint64_t lookup = exact ? addr : addr - 1, start;
	struct strbuf b = {0};
	int err = symbols_find(f, lookup, &b, &start);

	/*
	 * A return address can be the first instruction of a function if it was pushed without a
	 * call, as by makecontext(3). In this case, look up the address itself.
	 */
	if (err == -ENOENT && !exact) {
		err = symbols_find(f, addr, &b, &start);
		if (!err && start != addr)
			err = -ENOENT;
	}
	if (!err) {
		if (budget_begin(f->budget)) {
			record_missing(l, namer_demangle(f->namer, &f->naming, strbuf_str(&b), &b));
			budget_end(f->budget);
		}
		l->symbol = arena_strndup(strings, b.data, b.len);
		l->offset = addr - start;
	} else if (err == -EAGAIN) {
		l->missing = TOO_MUCH;
		l->again = true;
	} else {
		uint64_t end;

		if (symbols_are_missing(f))
			f->unnamed++;
		if (cfi_function(f, lookup, &start, &end))
			l->offset = addr - start;
	}
	strbuf_deinit(&b);
}

/*
 * Estimates the memory for a line in bytes. Half of a table may be empty, and the text repeats the
 * strings.
 */
static uint64_t cost(const struct line *l, size_t text)
{
	uint64_t n = 3 * sizeof(*l) + text + l->ninlined * sizeof(*l->inlined);

	n += (l->symbol ? strlen(l->symbol) : 0) + (l->file ? strlen(l->file) : 0);
	for (unsigned i = 0; i < l->ninlined; i++)
		n += (l->inlined[i].symbol ? strlen(l->inlined[i].symbol) : 0) +
		     (l->inlined[i].file ? strlen(l->inlined[i].file) : 0);
	return n;
}

/* Returns a line without names, which is not cached. Used if the memory budget is used up. */
static const struct line *spare_line(struct line_table *t, uint64_t key, uint64_t addr)
{
	struct line *l = &t->spare;

	*l = (struct line){.key = key, .missing = TOO_MUCH, .again = true};
	t->spare_text.len = 0;
	naming_text(&t->spare_text, NULL, 0, addr, NULL, 0, l->missing);
	l->text = t->spare_text.data;
	l->len = t->spare_text.len;
	return l;
}

/* Returns true if a new look-up may now find the missing parts of a line. */
static bool may_retry(const struct elf_file *f)
{
	return namer_may_start(f->namer) && (!f->budget || f->budget->ns > 0);
}

const struct line *naming_line(struct elf_file *f, uint64_t addr, bool exact, bool source_lines)
{
	uint64_t key = line_key(addr, exact);
	struct line_table *t = elf_file_make_part(f, ELF_LINES, sizeof(*t), lines_destroy);
	const struct line *known = line_find(t, key);
	struct line l = {.key = key};
	struct strbuf b = {0};

	if (known && (likely(!known->again) || !may_retry(f)))
		return known;
	if (!elf_file_charge(f, LINE_MAX))
		return spare_line(t, key, addr);
	find_symbol(f, addr, exact, &l, &t->strings);
	if (source_lines && budget_begin(f->budget)) {
		record_missing(&l, source_lines_find(f, exact ? addr : addr - 1, &l, &t->strings));
		budget_end(f->budget);
	}
	naming_text(&b, l.symbol, l.offset, addr, l.file, l.line, l.missing);
	l.len = b.len;
	l.text = arena_strndup(&t->strings, b.data, b.len);
	strbuf_deinit(&b);
	elf_file_return(f, LINE_MAX - size_min(cost(&l, l.len), LINE_MAX));
	return line_add(t, l);
}
