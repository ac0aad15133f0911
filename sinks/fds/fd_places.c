/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/fds/fd_places.h"

#include <stdlib.h>

#include "unwind.h"
#include "util/escape.h"
#include "util/mem.h"
#include "util/table.h"
#include "util/vec.h"

/* Maximum size of `text` in bytes. When it is reached, new places have no stack. */
#define TEXT_MAX (64u << 20)

struct places {
	/*
	 * For each site, which is a call with its stack: the name of the call and the stack, each
	 * NUL-terminated.
	 */
	struct strbuf text;
	VEC(size_t) sites;    /* offset in `text` of each site */
	struct table by_text; /* each value is the number of a site: its index in `sites` plus
				 one */
	struct strbuf scratch;
};

struct places *places_create(void)
{
	return mem_zalloc(sizeof(struct places));
}

void places_destroy(struct places *p)
{
	strbuf_deinit(&p->text);
	strbuf_deinit(&p->scratch);
	vec_deinit(&p->sites);
	table_deinit(&p->by_text);
	free(p);
}

/* Returns the number of the site whose text is in `scratch`. Adds the site if it is new. */
static uint32_t site_of(struct places *p)
{
	const uint64_t hash = table_hash(p->scratch.data, p->scratch.len);
	const struct table_slot *slot = NULL;

	while ((slot = table_find(&p->by_text, hash, slot))) {
		size_t at = p->sites.v[slot->value - 1];

		if (p->text.len - at >= p->scratch.len &&
		    !memcmp(p->text.data + at, p->scratch.data, p->scratch.len))
			return (uint32_t)slot->value;
	}
	*vec_push(&p->sites) = p->text.len;
	strbuf_add(&p->text, p->scratch.data, p->scratch.len);
	table_add(&p->by_text, hash, p->sites.n);
	return (uint32_t)p->sites.n;
}

struct place places_add(struct places *p, struct unwinder *u, const struct syscall_event *e)
{
	struct place at = {.tid = e->base.tid};

	memcpy(at.comm, e->base.comm, sizeof(at.comm));
	p->scratch.len = 0;
	strbuf_puts(&p->scratch, e->base.name);
	strbuf_putc(&p->scratch, 0);
	if (u && e->base.stack && p->text.len < TEXT_MAX)
		stack_text(u, e->base.stack, &p->scratch);
	strbuf_putc(&p->scratch, 0);
	at.site = site_of(p);
	return at;
}

void place_put(const struct places *p, struct strbuf *b, const char *before, const struct place *at)
{
	if (!at->site)
		return;
	strbuf_puts(b, before);
	strbuf_puts(b, p->text.data + p->sites.v[at->site - 1]);
	strbuf_printf(b, " in thread %d", (int)at->tid);
	if (!at->comm[0])
		return;
	strbuf_puts(b, " (");
	escape_name(b, at->comm, strnlen(at->comm, sizeof(at->comm)));
	strbuf_putc(b, ')');
}

const char *place_stack(const struct places *p, const struct place *at)
{
	const char *name = at->site ? p->text.data + p->sites.v[at->site - 1] : NULL;

	return name ? name + strlen(name) + 1 : "";
}

bool place_next_frame(const char **stack, const char **frame, size_t *len)
{
	const size_t n = strcspn(*stack, "\n"), indent = strspn(*stack, " >");

	if (!**stack)
		return false;
	*frame = *stack + indent;
	*len = n - indent;
	*stack += n + ((*stack)[n] == '\n');
	return true;
}

void place_put_stack(const struct places *p, struct strbuf *b, const struct place *at)
{
	strbuf_puts(b, place_stack(p, at));
}
