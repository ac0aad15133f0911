/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/text/text_part.h"

static bool is_open(const struct value *v)
{
	return v->flags & VALUE_F_OPEN;
}

void text_open(struct strbuf *b, const struct text_style *s, const struct value *in,
	       struct text_part *part)
{
	const struct value *v = in;

	*part = (struct text_part){0};
	while (v && part->depth < TEXT_PART_DEPTH) {
		const struct value *parent = v;
		unsigned *shown = &part->shown[part->depth++];

		if (v->kind == VALUE_CHANGE) {
			text_render(b, s, v->child);
			part->pending = v->child->next;
			if (part->pending)
				text_punct(b, s, " => ");
			*shown = 1;
			return;
		}
		text_punct(b, s, v->kind == VALUE_ARRAY ? "[" : "{");
		v = NULL;
		value_for_each(parent, child)
		{
			text_child_begin(b, s, child, child == parent->child);
			part->pending = child->kind == VALUE_PENDING;
			if (part->pending)
				return;
			if (is_open(child) && !child->next) {
				v = child;
				break;
			}
			text_render(b, s, child);
			++*shown;
		}
	}
}

/* Returns true if `out` begins with the shown part of `in`. `level` is the depth of `in`. */
static bool is_continuation(const struct value *in, const struct value *out,
			    const struct text_part *part, unsigned level)
{
	bool innermost = level + 1 == part->depth;
	const struct value *o;

	if (in == out)
		return true;
	if (in->kind == VALUE_CHANGE)
		return value_equal(in->child, out->kind == VALUE_CHANGE ? out->child : out);
	if (out->kind == VALUE_CHANGE)
		return out->child && is_continuation(in, out->child, part, level);
	if (out->kind != in->kind)
		return false;
	o = out->child;
	in = in->child;
	for (unsigned i = 0; i < part->shown[level]; i++, in = in->next, o = o->next) {
		if (!in || !o)
			return false;
		/*
		 * The last shown child has changed. `o` is a change from the shown value to the new
		 * one.
		 */
		if (innermost && i + 1 == part->shown[level] && !part->pending &&
		    o->kind == VALUE_CHANGE && value_equal(in, o->child))
			return true;
		if (!value_equal(in, o))
			return false;
	}
	if (innermost)
		return !part->pending || o || out->flags & VALUE_F_MORE;
	return in && o && is_continuation(in, o, part, level + 1);
}

static void put_rest(struct strbuf *b, const struct text_style *s, const struct value *in,
		     const struct value *out, const struct text_part *part, unsigned level);

/* Writes the children of `out` after the shown children of `in`, and then the closing bracket. */
static void put_children_rest(struct strbuf *b, const struct text_style *s, const struct value *in,
			      const struct value *out, const struct text_part *part, unsigned level)
{
	bool innermost = level + 1 == part->depth, begun = innermost && part->pending;
	const struct value *i = in->child, *o = out->child;
	bool first = true;

	for (unsigned n = 0; n < part->shown[level] && o; n++) {
		if (n + 1 == part->shown[level] && innermost && o->kind == VALUE_CHANGE &&
		    i->kind != VALUE_CHANGE)
			text_change_rest(b, s, o);
		i = i ? i->next : NULL;
		o = o->next;
		first = false;
	}
	if (!innermost && o) {
		put_rest(b, s, i, o, part, level + 1);
		o = o->next;
		first = false;
	}
	for (; o; o = o->next, begun = false, first = false) {
		if (!begun)
			text_child_begin(b, s, o, first);
		else if (i && i->text & TEXT_UNNAMED)
			text_child_begin(b, s, o, true);
		text_render(b, s, o);
	}
	if (out->flags & VALUE_F_MORE) {
		if (!first && !begun)
			text_punct(b, s, ", ");
		text_punct(b, s, "...");
	}
	text_punct(b, s, out->kind == VALUE_ARRAY ? "]" : "}");
}

static void put_rest(struct strbuf *b, const struct text_style *s, const struct value *in,
		     const struct value *out, const struct text_part *part, unsigned level)
{
	if (in->kind == VALUE_CHANGE) {
		if (part->pending && out->kind == VALUE_CHANGE && out->child->next)
			text_render(b, s, out->child->next);
		else if (out->kind == VALUE_CHANGE && in != out)
			text_change_rest(b, s, out);
	} else if (out->kind == VALUE_CHANGE) {
		put_rest(b, s, in, out->child, part, level);
		text_change_rest(b, s, out);
	} else {
		put_children_rest(b, s, in, out, part, level);
	}
}

void text_go_on(struct strbuf *b, const struct text_style *s, const struct value *in,
		const struct value *out, const struct text_part *part)
{
	if (is_continuation(in, out, part, 0)) {
		put_rest(b, s, in, out, part, 0);
		return;
	}
	text_punct(b, s, " => ");
	text_render(b, s, out);
}
