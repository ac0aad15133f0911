/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/lang/names.h"

#include <stdlib.h>
#include <string.h>

#include "stack/files/budget.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/strbuf.h"

/* If the cache is larger than this number of bytes, all of it is cleared. */
#define NAMES_BYTES (32u << 20)
/*
 * Memory for the table slots of one cached value, in bytes. Tables double their size when they
 * grow, so half of the slots may be empty.
 */
#define PER_VALUE (6 * sizeof(struct table_slot))

static void object_put(struct lang_object *o)
{
	if (!o || --o->refs)
		return;
	free(o->function);
	free(o->file);
	free(o->task);
	free(o->lines);
	free(o);
}

struct lang_frame *lang_frame_get(struct lang_frame *f)
{
	if (f)
		f->refs++;
	return f;
}

void lang_frame_put(struct lang_frame *f)
{
	if (!f || --f->refs)
		return;
	object_put(f->object);
	free(f->record);
	free(f);
}

static void charge(struct lang_names *n, uint64_t bytes)
{
	n->bytes += bytes;
	if (n->budget)
		n->budget->bytes += bytes;
}

void lang_names_clear(struct lang_names *n)
{
	for (size_t i = 0; n->frames.slots && i <= n->frames.mask; i++)
		lang_frame_put((struct lang_frame *)(uintptr_t)n->frames.slots[i].value);
	for (size_t i = 0; n->objects.slots && i <= n->objects.mask; i++)
		object_put((struct lang_object *)(uintptr_t)n->objects.slots[i].value);
	table_deinit(&n->frames);
	table_deinit(&n->objects);
	n->frames = n->objects = (struct table){0};
	if (n->budget)
		n->budget->bytes -= n->bytes;
	n->bytes = 0;
	n->clears++;
}

void lang_names_trim(struct lang_names *n)
{
	if (unlikely(n->bytes > NAMES_BYTES))
		lang_names_clear(n);
}

static uint64_t hash_object(pid_t tgid, uint64_t addr)
{
	return table_hash_number(addr ^ (uint64_t)tgid << 48);
}

static struct table_slot *object_slot(struct lang_names *n, pid_t tgid, uint64_t addr)
{
	uint64_t hash = hash_object(tgid, addr);
	struct table_slot *s = NULL;

	while ((s = table_find(&n->objects, hash, s))) {
		const struct lang_object *o = (const void *)(uintptr_t)s->value;

		if (o->addr == addr && o->tgid == tgid)
			break;
	}
	return s;
}

struct lang_object *lang_object_find(struct lang_names *n, pid_t tgid, uint64_t addr,
				     const void *check, size_t ncheck)
{
	struct table_slot *s = object_slot(n, tgid, addr);
	struct lang_object *o = s ? (void *)(uintptr_t)s->value : NULL;

	return o && o->ncheck == ncheck && !memcmp(o->check, check, ncheck) ? o : NULL;
}

struct lang_object *lang_object_add(struct lang_names *n, const char *language, pid_t tgid,
				    uint64_t addr, const void *check, size_t ncheck,
				    struct strbuf *function, struct strbuf *file, uint8_t *lines,
				    size_t nlines)
{
	struct table_slot *s = object_slot(n, tgid, addr);
	struct lang_object *o = mem_zalloc(sizeof(*o));

	o->refs = 1;
	o->id = ++n->last_id;
	o->language = language;
	o->tgid = tgid;
	o->addr = addr;
	o->function = mem_strdup(function->len ? strbuf_str(function) : "?");
	o->file = file && file->len ? mem_strdup(strbuf_str(file)) : NULL;
	o->lines = lines;
	o->nlines = nlines;
	o->ncheck = size_min(ncheck, LANG_CHECK_MAX);
	memcpy(o->check, check, o->ncheck);
	charge(n, sizeof(*o) + function->len + (file ? file->len : 0) + nlines + PER_VALUE);
	if (s) {
		/*
		 * Cached frames still refer to the old object. The object's memory remains charged
		 * to the budget until the cache is cleared.
		 */
		object_put((void *)(uintptr_t)s->value);
		s->value = (uintptr_t)o;
	} else {
		table_add(&n->objects, hash_object(tgid, addr), (uintptr_t)o);
	}
	return o;
}

static uint64_t hash_frame(const struct lang_object *o, uint64_t at)
{
	return table_hash_number((uintptr_t)o ^ at << 40 ^ at >> 24);
}

struct lang_frame *lang_frame_find(struct lang_names *n, const struct lang_object *o, uint64_t at)
{
	const uint64_t hash = hash_frame(o, at);
	struct table_slot *s = NULL;

	while ((s = table_find(&n->frames, hash, s))) {
		struct lang_frame *f = (void *)(uintptr_t)s->value;

		if (f->object == o && f->at == at)
			return f;
	}
	return NULL;
}

static struct lang_frame *frame_new(struct lang_names *n, uint64_t hash)
{
	struct lang_frame *f = mem_zalloc(sizeof(*f));

	f->refs = 1;
	charge(n, sizeof(*f) + PER_VALUE);
	table_add(&n->frames, hash, (uintptr_t)f);
	return f;
}

struct lang_frame *lang_frame_add(struct lang_names *n, struct lang_object *o, uint64_t at,
				  unsigned line, unsigned column)
{
	struct lang_frame *f = frame_new(n, hash_frame(o, at));

	o->refs++;
	f->object = o;
	f->at = at;
	f->line = line;
	f->column = column;
	return f;
}

struct lang_frame *lang_frame_reason(struct lang_names *n, const char *reason)
{
	const uint64_t hash = table_hash_number((uintptr_t)reason);
	struct table_slot *s = NULL;
	struct lang_frame *f;

	while ((s = table_find(&n->frames, hash, s))) {
		f = (void *)(uintptr_t)s->value;
		if (f->reason == reason)
			return f;
	}
	f = frame_new(n, hash);
	f->reason = reason;
	return f;
}

/*
 * Returns the cached object that `text` identifies. If it is not cached, creates it from
 * `function`, `file` and `task`, which are copied; `task` may be NULL. These objects have the tgid
 * 0, which no process has.
 */
static struct lang_object *object_of_text(struct lang_names *n, const char *language,
					  const struct strbuf *text, struct strbuf *function,
					  struct strbuf *file, const char *task)
{
	const uint64_t key = table_hash(text->data, text->len);
	const size_t ncheck = size_min(text->len, LANG_CHECK_MAX);
	struct lang_object *o = lang_object_find(n, 0, key, text->data, ncheck);

	if (o)
		return o;
	o = lang_object_add(n, language, 0, key, text->data, ncheck, function, file, NULL, 0);
	if (task) {
		o->task = mem_strdup(task);
		charge(n, strlen(task));
	}
	return o;
}

struct lang_frame *lang_frame_mark(struct lang_names *n, const char *language, const char *text,
				   const char *task)
{
	struct strbuf function = {0}, key = {0};
	struct lang_object *o;
	struct lang_frame *f;

	strbuf_puts(&function, text);
	strbuf_printf(&key, task ? "%s:0:0 [%s task] %s" : "%s:0:0 [%s] %s", text, language,
		      task ? task : "");
	o = object_of_text(n, language, &key, &function, NULL, task);
	f = lang_frame_find(n, o, 0);
	if (!f)
		f = lang_frame_add(n, o, 0, 0, 0);
	strbuf_deinit(&function);
	strbuf_deinit(&key);
	return f;
}

const char *lang_frame_record(struct lang_frame *f)
{
	const struct lang_object *o = f->object;

	if (!f->record && o->task)
		f->record = mem_printf("%s:0:0 [%s task] %s", o->function, o->language, o->task);
	else if (!f->record)
		f->record = mem_printf("%s:%u:%u [%s] %s", o->function, f->line, f->column,
				       o->language, o->file ? o->file : "");
	return f->record;
}

/*
 * Removes a number and the preceding colon from the end of a string. Returns false if the string
 * does not end in a number.
 */
static bool take_number(const char *text, size_t *n, uint64_t *number)
{
	uint64_t factor = 1;
	size_t i = *n;

	*number = 0;
	for (; i && text[i - 1] >= '0' && text[i - 1] <= '9' && factor < 10000000000; i--) {
		*number += factor * (uint64_t)(text[i - 1] - '0');
		factor *= 10;
	}
	if (i == *n || !i || text[i - 1] != ':' || *number > INT32_MAX)
		return false;
	*n = i - 1;
	return true;
}

/*
 * Parses a record of the form FUNCTION:LINE:COLUMN, followed by `mark` and more text. Sets *line,
 * *column, and *len, which is the length of the function's name. Returns the text after the mark,
 * or NULL if the record does not have this form.
 */
static const char *split(const char *record, const char *mark, size_t *len, uint64_t *line,
			 uint64_t *column)
{
	const char *at = strstr(record, mark);

	*len = at ? (size_t)(at - record) : 0;
	if (!at || !take_number(record, len, column) || !take_number(record, len, line))
		return NULL;
	return at + strlen(mark);
}

struct lang_frame *lang_frame_recorded(struct lang_names *n, const char *language,
				       const char *record)
{
	struct strbuf mark = {0}, text = {0}, function = {0}, file = {0};
	struct lang_frame *f = NULL;
	struct lang_object *o;
	uint64_t line, column;
	const char *rest, *task;
	size_t len;

	strbuf_printf(&mark, " [%s task] ", language);
	rest = task = split(record, strbuf_str(&mark), &len, &line, &column);
	if (!task) {
		mark.len = 0;
		strbuf_printf(&mark, " [%s] ", language);
		rest = split(record, strbuf_str(&mark), &len, &line, &column);
	}
	if (rest) {
		strbuf_puts(&text, record);
		strbuf_add(&function, record, len);
		strbuf_puts(&file, task ? "" : rest);
		o = object_of_text(n, language, &text, &function, &file, task);
		f = lang_frame_find(n, o, line << 32 | column);
		if (!f)
			f = lang_frame_add(n, o, line << 32 | column, line, column);
	}
	strbuf_deinit(&mark);
	strbuf_deinit(&text);
	strbuf_deinit(&function);
	strbuf_deinit(&file);
	return f;
}

void lang_frame_text(struct strbuf *b, const struct lang_frame *l)
{
	const struct lang_object *o = l->object;

	strbuf_add(b, " > ", 3);
	if (o->file)
		escape_name(b, o->file, strlen(o->file));
	strbuf_putc(b, '(');
	escape_name(b, o->function, strlen(o->function));
	if (o->task) {
		strbuf_putc(b, ' ');
		escape_name(b, o->task, strlen(o->task));
	}
	if (l->line) {
		strbuf_putc(b, ':');
		strbuf_udec(b, l->line);
	}
	if (l->line && l->column) {
		strbuf_putc(b, ':');
		strbuf_udec(b, l->column);
	}
	strbuf_puts(b, ") [");
	strbuf_puts(b, o->language);
	strbuf_puts(b, "]\n");
}
