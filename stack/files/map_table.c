/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/map_table.h"

#include <stdlib.h>
#include <string.h>

#include "util/bisect.h"
#include "util/mem.h"
#include "util/vec.h"

struct mapping *mapping_get(struct mapping *m)
{
	m->refs++;
	return m;
}

void mapping_put(struct mapping *m)
{
	if (!m || --m->refs)
		return;
	if (m->data && m->data_release)
		m->data_release(m->data);
	if (m->release)
		m->release(m);
	free(m->name);
	free(m);
}

static bool parse_hex(const char **p, const char *end, uint64_t *v)
{
	const char *s = *p;
	uint64_t n = 0;

	for (; s < end; s++) {
		unsigned d;

		if (*s >= '0' && *s <= '9')
			d = *s - '0';
		else if (*s >= 'a' && *s <= 'f')
			d = *s - 'a' + 10;
		else
			break;
		if (n >> 60)
			return false;
		n = n << 4 | d;
	}
	if (s == *p)
		return false;
	*p = s;
	*v = n;
	return true;
}

static bool parse_char(const char **p, const char *end, char c)
{
	if (*p == end || **p != c)
		return false;
	++*p;
	return true;
}

/*
 * Returns a copy of a mapping's name. The only character that the kernel escapes in names is the
 * newline (as \012).
 */
static char *parse_name(const char *s, const char *end)
{
	char *name = mem_alloc(end - s + 1), *d = name;

	while (s < end) {
		if (end - s >= 4 && !memcmp(s, "\\012", 4)) {
			*d++ = '\n';
			s += 4;
		} else if (*s) {
			*d++ = *s++;
		} else {
			s++;
		}
	}
	*d = 0;
	return name;
}

bool mapping_parse(const char *line, size_t len, struct mapping *out)
{
	const char *p = line, *end = line + len, *perms;
	uint64_t dev_major, dev_minor;
	struct mapping m = {0};

	if (!parse_hex(&p, end, &m.start) || !parse_char(&p, end, '-') ||
	    !parse_hex(&p, end, &m.end) || !parse_char(&p, end, ' ') || m.end <= m.start)
		return false;
	perms = p;
	if (end - p < 4)
		return false;
	p += 4;
	m.executable = perms[2] == 'x';
	if (!parse_char(&p, end, ' ') || !parse_hex(&p, end, &m.offset) ||
	    !parse_char(&p, end, ' ') || !parse_hex(&p, end, &dev_major) ||
	    !parse_char(&p, end, ':') || !parse_hex(&p, end, &dev_minor) ||
	    !parse_char(&p, end, ' ') || dev_major > UINT32_MAX || dev_minor > UINT32_MAX)
		return false;
	m.dev_major = dev_major;
	m.dev_minor = dev_minor;
	if (p == end || *p < '0' || *p > '9')
		return false;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(m.inode, 10, &m.inode) ||
		    __builtin_add_overflow(m.inode, *p - '0', &m.inode))
			return false;
	if (p < end && *p != ' ')
		return false;
	/* Skip the padding before the name. */
	while (p < end && *p == ' ')
		p++;
	if (p < end)
		m.name = parse_name(p, end);
	*out = m;
	return true;
}

struct map_table *map_table_new(size_t n)
{
	struct map_table *t = mem_alloc(sizeof(*t) + n * sizeof(t->v[0]));

	t->id = 0;
	t->refs = 1;
	t->n = 0;
	return t;
}

struct map_table *map_table_get(struct map_table *t)
{
	t->refs++;
	return t;
}

void map_table_put(struct map_table *t)
{
	if (!t || --t->refs)
		return;
	for (size_t i = 0; i < t->n; i++)
		mapping_put(t->v[i]);
	free(t);
}

struct map_table *map_table_parse(const char *text, size_t len)
{
	const char *end = text + len;
	VEC(struct mapping *) found = {0};
	struct map_table *t;
	uint64_t last = 0;

	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		size_t n = nl ? (size_t)(nl - text) : (size_t)(end - text);
		struct mapping m;

		if (mapping_parse(text, n, &m)) {
			if (m.executable && m.start >= last) {
				struct mapping *copy = mem_alloc(sizeof(*copy));

				*copy = m;
				copy->refs = 1;
				*vec_push(&found) = copy;
				last = m.end;
			} else {
				free(m.name);
			}
		}
		text += n + 1;
	}
	t = map_table_new(found.n);
	t->n = found.n;
	if (found.n)
		memcpy(t->v, found.v, found.n * sizeof(t->v[0]));
	vec_deinit(&found);
	return t;
}

/* Returns the index of the first mapping that ends after addr. */
static size_t map_table_index(const struct map_table *t, uint64_t addr)
{
	return bisect(t->n, i, t->v[i]->end <= addr);
}

struct mapping *map_table_find(const struct map_table *t, uint64_t addr)
{
	size_t i = map_table_index(t, addr);

	return i < t->n && t->v[i]->start <= addr ? t->v[i] : NULL;
}

bool map_table_overlaps(const struct map_table *t, struct map_range r)
{
	size_t i = map_table_index(t, r.lo);

	return i < t->n && t->v[i]->start < r.hi;
}

struct map_table *map_table_replace(const struct map_table *t, struct map_range r,
				    struct mapping *m)
{
	struct map_table *new = map_table_new(t->n + 1);
	size_t i = 0;

	for (; i < t->n && t->v[i]->end <= r.lo; i++)
		new->v[new->n++] = mapping_get(t->v[i]);
	if (m)
		new->v[new->n++] = m;
	for (; i < t->n; i++)
		if (t->v[i]->start >= r.hi)
			new->v[new->n++] = mapping_get(t->v[i]);
	return new;
}
