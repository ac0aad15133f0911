/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Evaluates the conditions that determine whether a field or an argument exists. */
#include <stdlib.h>
#include <string.h>

#include "decode/core/decode.h"
#include "util/msg.h"

/*
 * Returns the number for a name of len bytes in the condition's table. Ends the program if the
 * table does not contain the name. If the condition has no table, the name itself is a number in C
 * notation, such as "0x10".
 */
static uint64_t value_of(const struct condition *c, const char *name, size_t len)
{
	if (!c->table)
		return strtoull(name, NULL, 0);
	for (unsigned i = 0; i < c->table->n; i++) {
		const struct xlat_entry *e = &c->table->entries[i];

		if (!strncmp(e->name, name, len) && !e->name[len])
			return e->val;
	}
	die("table %s has no %.*s", c->table->name, (int)len, name);
}

const struct condition_values *condition_values(const struct condition *c)
{
	struct condition_values *v = c->values;

	for (const char *name = c->names; !v->known && *name;) {
		size_t len = strcspn(name, ", ");

		if (v->n == ARRAY_SIZE(v->value))
			die("a condition of too many names: %s", c->names);
		v->value[v->n++] = value_of(c, name, len);
		name += len + strspn(name + len, ", ");
	}
	v->known = true;
	return v;
}

static bool number_matches(const struct decoder *d, const struct condition *c)
{
	const struct condition_values *v = condition_values(c);
	uint64_t n = 0;

	decode_length(d, &c->of, &n);
	if (c->mask)
		n &= c->mask;
	for (unsigned i = 0; i < v->n; i++)
		if (c->how == CONDITION_BIT	? n & v->value[i]
		    : c->how == CONDITION_ABOVE ? n > v->value[i]
						: n == v->value[i])
			return true;
	return false;
}

bool condition_holds(const struct decoder *d, const struct condition *c)
{
	bool holds = false;

	switch ((enum condition_how)c->how) {
	case CONDITION_IS:
	case CONDITION_BIT:
	case CONDITION_ABOVE:
		holds = number_matches(d, c);
		break;
	case CONDITION_ROW:
		holds = (uint64_t)d->ev->row == c->of.n;
		break;
	case CONDITION_EITHER:
		holds = condition_holds(d, c->first.when) || condition_holds(d, c->second.when);
		break;
	case CONDITION_BOTH:
		holds = condition_holds(d, c->first.when) && condition_holds(d, c->second.when);
		break;
	case CONDITION_FULL:
		holds = decode_full(d);
		break;
	case CONDITION_EXIT:
		holds = d->exiting;
		break;
	case CONDITION_FAILED:
		holds = d->failed;
		break;
	case CONDITION_NEVER:
		break;
	}
	return holds != c->unless;
}
