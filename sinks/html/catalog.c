/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/html/catalog.h"

#include <stdlib.h>

#include "sinks/json/json_text.h"
#include "util/table.h"
#include "util/vec.h"

/*
 * All tables are dropped when they have more than ENTRIES_MAX entries in total, or more than
 * TEXT_MAX bytes of strings. ENTRIES_MAX entries use about 50 MB.
 */
#define ENTRIES_MAX (512u << 10)
#define TEXT_MAX    (16u << 20)

/* A known string: its offset in `text`, its length, and its index. */
struct known_string {
	uint32_t at, n;
	uint32_t number;
};

/* A frame. `symbol`, `module`, `file` and `language` are indexes of strings plus one, or 0 if
 * unknown. */
struct known_frame {
	uint64_t addr, offset;
	uint32_t symbol, module, file, line;
	uint32_t inlined, language;
	uint32_t unused; /* 0, so that keys have no padding */
	uint32_t number;
};

struct catalog {
	struct chunk *chunk;
	/* Number of elements in each list of the page. */
	uint32_t strings, names, who, frames, nodes;
	struct strbuf text;
	VEC(struct known_string) known_strings;
	VEC(struct known_frame) known_frames;
	/*
	 * by_text and by_frame contain indexes in the vectors above, plus one. The other tables
	 * contain list indexes, plus one.
	 */
	struct table by_text, by_frame, by_name, by_who, by_node;
};

struct catalog *catalog_create(struct chunk *c)
{
	struct catalog *t = mem_zalloc(sizeof(*t));

	t->chunk = c;
	t->nodes = 1;
	return t;
}

static void forget(struct catalog *t)
{
	struct table *tables[] = {&t->by_text, &t->by_frame, &t->by_name, &t->by_who, &t->by_node};

	for (unsigned i = 0; i < ARRAY_SIZE(tables); i++) {
		table_deinit(tables[i]);
		*tables[i] = (struct table){0};
	}
	vec_deinit(&t->known_strings);
	vec_deinit(&t->known_frames);
	strbuf_deinit(&t->text);
	t->text = (struct strbuf){0};
}

void catalog_destroy(struct catalog *t)
{
	forget(t);
	free(t);
}

void catalog_trim(struct catalog *t)
{
	if (t->text.len > TEXT_MAX || t->by_text.used + t->by_frame.used + t->by_name.used +
						      t->by_who.used + t->by_node.used >
					      ENTRIES_MAX)
		forget(t);
}

uint32_t catalog_string(struct catalog *t, const char *s, size_t n)
{
	uint64_t hash = table_hash(s, n);
	const struct table_slot *slot = NULL;

	while ((slot = table_find(&t->by_text, hash, slot))) {
		const struct known_string *known = &t->known_strings.v[slot->value - 1];

		if (known->n == n && !(n && memcmp(t->text.data + known->at, s, n)))
			return known->number;
	}
	*vec_push(&t->known_strings) =
		(struct known_string){.at = t->text.len, .n = n, .number = t->strings};
	table_add(&t->by_text, hash, t->known_strings.n);
	strbuf_add(&t->text, s, n);
	json_string(chunk_next(t->chunk, LIST_STRINGS), s, n);
	return t->strings++;
}

/*
 * Looks up the pair (`a`, `b`) and stores its index in *number. Returns false if the pair was not
 * known. A new pair gets the index *count, and *count is incremented.
 */
static bool find_pair(struct table *t, uint32_t a, uint32_t b, uint32_t *count, uint32_t *number)
{
	/*
	 * table_hash_number() returns different hashes for different numbers, so the pairs need not
	 * be compared.
	 */
	uint64_t hash = table_hash_number((uint64_t)a << 32 | b);
	const struct table_slot *slot = table_find(t, hash, NULL);

	if (slot) {
		*number = slot->value - 1;
		return true;
	}
	*number = (*count)++;
	table_add(t, hash, *number + 1ull);
	return false;
}

/* Appends comma-separated numbers to a list. */
static void put_numbers(struct catalog *t, enum chunk_list list, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		json_uint(chunk_next(t->chunk, list), v[i]);
}

#define PUT(t, list, ...)                                                                          \
	put_numbers(t, list, (const uint64_t[]){__VA_ARGS__},                                      \
		    ARRAY_SIZE(((const uint64_t[]){__VA_ARGS__})))

uint32_t catalog_name(struct catalog *t, const char *name, uint32_t classes)
{
	uint32_t string = catalog_string(t, name, strlen(name)), number;

	if (!find_pair(&t->by_name, string, 0, &t->names, &number))
		PUT(t, LIST_NAMES, string, classes);
	return number;
}

uint32_t catalog_who(struct catalog *t, uint32_t thread, const char *comm, size_t n)
{
	uint32_t string = catalog_string(t, comm, n), number;

	if (!find_pair(&t->by_who, thread, string, &t->who, &number))
		PUT(t, LIST_WHO, thread, string);
	return number;
}

static uint32_t optional(struct catalog *t, const char *s)
{
	return s ? catalog_string(t, s, strlen(s)) + 1 : 0;
}

static uint32_t frame_number(struct catalog *t, const struct frame *f)
{
	struct known_frame key = {.addr = f->addr,
				  .offset = f->offset,
				  .symbol = optional(t, f->symbol),
				  .module = optional(t, f->module),
				  .file = optional(t, f->file),
				  .line = f->line,
				  .inlined = f->inlined,
				  .language = optional(t, f->language),
				  .number = 0};
	uint64_t hash = table_hash(&key, sizeof(key));
	const struct table_slot *slot = NULL;

	while ((slot = table_find(&t->by_frame, hash, slot))) {
		const struct known_frame *known = &t->known_frames.v[slot->value - 1];

		key.number = known->number;
		if (!memcmp(known, &key, sizeof(key)))
			return known->number;
	}
	key.number = t->frames;
	*vec_push(&t->known_frames) = key;
	table_add(&t->by_frame, hash, t->known_frames.n);
	PUT(t, LIST_FRAMES, key.symbol, key.module, key.file, key.addr, key.offset, key.line,
	    key.inlined, key.language);
	return t->frames++;
}

uint32_t catalog_stack(struct catalog *t, const struct frame *frames, size_t n)
{
	uint32_t at = 0;

	while (n--) {
		uint32_t frame = frame_number(t, &frames[n]), parent = at;

		if (!find_pair(&t->by_node, parent, frame, &t->nodes, &at))
			PUT(t, LIST_NODES, parent, frame);
	}
	return at;
}
