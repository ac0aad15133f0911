/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/check.h"

#include <string.h>

#include "query/fields.h"
#include "query/names.h"
#include "query/types.h"
#include "util/clock.h"
#include "util/glob.h"

/* The field on the left side of a comparison: an entry of the field table, or an argument. */
struct subject {
	const struct field_desc *desc; /* NULL if the field is an argument */
	struct types types;
};

static int length(struct place place)
{
	return (int)place.len;
}

static const char *text_at(const struct query *q, struct place place)
{
	return q->text + place.start;
}

/* ---- fields ---- */

static bool unknown_field(struct query *q, const struct field_ref *f)
{
	struct place place = {f->place.start, strlen(f->argument)};
	struct suggestion s = {.word = f->argument};

	for (const struct field_desc *d = query_fields; d->name; d++)
		if (!strchr(d->name, '.'))
			suggestion_consider(&s, d->name);
	types_suggest_argument(&s);
	return query_fail_meant(q, place, s.name, "unknown field '%s'", f->argument);
}

static bool unknown_part(struct query *q, const struct field_ref *f, const struct field_desc *d)
{
	const struct step *step = &f->steps[0];
	struct suggestion s = {.word = step->name ? step->name : ""};
	const size_t n = strlen(d->name);

	for (const struct field_desc *part = query_fields; part->name && step->name; part++)
		if (!strncmp(part->name, d->name, n) && part->name[n] == '.')
			suggestion_consider(&s, part->name + n + 1);
	if (!step->name)
		return query_fail(q, step->place, "'%s' has no elements", d->name);
	return query_fail_meant(
		q, step->place, s.name,
		"'%s' has no member '%s'; for an argument named '%s', write args.%s", d->name,
		step->name, d->name, d->name);
}

static bool enter_step(struct query *q, struct types *t, const struct step *step)
{
	struct types before = *t;
	struct suggestion s = {.word = step->name ? step->name : ""};
	bool found;

	/*
	 * Copy the list first, because suggestions need the old list and the functions below change
	 * it.
	 */
	before.list.v = NULL;
	before.list.n = before.list.cap = 0;
	vec_for_each (&t->list, type)
		*vec_push(&before.list) = *type;
	found = step->name ? types_enter_member(t, step->name) : types_enter_elements(t);
	if (!found && step->name) {
		types_suggest_member(&before, &s);
		if (before.forms & (FORM_STRUCT | FORM_ANY))
			query_fail_meant(q, step->place, s.name, "no member is named '%s'",
					 step->name);
		else
			query_fail(q, step->place,
				   before.forms & FORM_ARRAY
					   ? "select an element of the list, such as [0]"
					   : "the value before '.' has no members");
	} else if (!found) {
		query_fail(q, step->place, "the value before '[' has no elements");
	}
	vec_deinit(&before.list);
	return found;
}

static bool find_argument(struct query *q, struct field_ref *f, struct types *t)
{
	uint8_t *rows = arena_zalloc(&q->arena, (ROW_COUNT + 7) / 8);

	f->kind = FIELD_ARGUMENT;
	f->rows = rows;
	if (!types_of_argument(t, f->argument, rows)) {
		/* The name may be a member of siginfo_t, which events for signals contain. */
		if (strncmp(f->argument, "si_", 3) || !names_is_member(f->argument))
			return unknown_field(q, f);
		t->forms = FORM_ANY;
	}
	for (size_t i = 0; i < f->nsteps; i++)
		if (!enter_step(q, t, &f->steps[i]))
			return false;
	if (t->verbose)
		q->needs |= QUERY_NEEDS_VERBOSE;
	if (t->forms & FORM_FD && !(t->forms & ~(FORM_FD | FORM_NUMBER)))
		t->forms = FORM_NUMBER | FORM_FD;
	return true;
}

/*
 * Removes "args." from the beginning of `f`. Returns false if `f` does not begin with "args.". If
 * no name follows, calls query_fail() and returns true. The name args.NAME always means an
 * argument, even if a field has the same name.
 */
static bool skip_args(struct query *q, struct field_ref *f)
{
	if (strcmp(f->argument, "args"))
		return false;
	if (!f->nsteps || !f->steps[0].name) {
		query_fail(q, f->place, "expected the name of an argument: args.NAME");
		return true;
	}
	f->argument = f->steps[0].name;
	f->place.len -= f->steps[0].place.start - f->place.start;
	f->place.start = f->steps[0].place.start;
	f->steps++;
	f->nsteps--;
	return true;
}

static bool find_field(struct query *q, struct field_ref *f, struct subject *s)
{
	const bool argument = skip_args(q, f);
	size_t used = 0;

	if (q->error->message)
		return false;
	s->desc = argument ? NULL : field_find(f, &used);
	if (!s->desc)
		return find_argument(q, f, &s->types);
	if (used < f->nsteps)
		return unknown_part(q, f, s->desc);
	f->kind = s->desc->kind;
	q->needs |= s->desc->needs;
	return true;
}

/* ---- literals ---- */

/*
 * Compiles the text of a literal, which is a path pattern (`glob`) or an extended regular
 * expression. On a mistake, calls query_fail() and returns false.
 */
static bool compile(struct query *q, struct literal *l, bool glob)
{
	char why[QUERY_WHY];

	return query_compile(q, l, glob, why) ||
	       query_fail(q, l->place,
			  glob ? "invalid pattern: %s" : "invalid regular expression: %s", why);
}

static bool unknown_constant(struct query *q, const struct literal *l, size_t i,
			     const struct types *t)
{
	struct suggestion s = {.word = l->names[i]};
	struct constant other;

	names_suggest_constant(&s, t->tables.v, t->tables.n);
	if (t->tables.n && names_constant(&q->arena, l->names[i], NULL, 0, &other))
		return query_fail_meant(q, l->place, s.name, "'%s' is not a value of this field",
					l->names[i]);
	return query_fail_meant(q, l->place, s.name, "unknown constant '%s'", l->names[i]);
}

/*
 * Looks up the names of a literal as constants. On a mistake, calls query_fail() and returns false.
 */
static bool take_constants(struct query *q, struct literal *l, const struct types *t)
{
	const bool any = t->forms & FORM_ANY;

	l->constants = arena_alloc(&q->arena, l->nnames * sizeof(*l->constants));
	l->number = 0;
	for (size_t i = 0; i < l->nnames; i++) {
		struct constant *c = &l->constants[i];

		/*
		 * Search in the argument's own tables first. If a function decodes the argument,
		 * search all tables.
		 */
		if (!names_constant(&q->arena, l->names[i], t->tables.v, t->tables.n, c) &&
		    (!any || !names_constant(&q->arena, l->names[i], NULL, 0, c)))
			return unknown_constant(q, l, i, t);
		if (!t->tables.n && !any && names_constant_differs(c))
			return query_fail(q, l->place,
					  "'%s' has several meanings: write the number",
					  l->names[i]);
		l->number |= c->num;
	}
	return true;
}

static bool take_word(struct query *q, struct literal *l, const char *what, bool known,
		      const struct suggestion *s)
{
	if (l->kind == LITERAL_NAMES && l->nnames > 1)
		return query_fail(q, l->place, "expected one name; write several names as {A, B}");
	if (known)
		return true;
	return query_fail_meant(q, l->place, s->name, "unknown %s '%s'", what, l->text);
}

/*
 * Checks a literal that is compared with a field whose values are predefined words. On a mistake,
 * calls query_fail() and returns false.
 */
static bool take_known_word(struct query *q, struct literal *l, enum field_type type)
{
	struct suggestion s = {.word = l->text};

	switch (type) {
	case FIELD_IS_SYSCALL:
		names_suggest_syscall(&s);
		return take_word(q, l, "syscall",
				 names_is_syscall(l->text) || xlat_find(&xlat_signals, l->text) ||
					 !strncmp(l->text, "syscall_0x", 10),
				 &s);
	case FIELD_IS_CLASS:
		names_suggest_class(&s);
		l->number = names_class(l->text);
		return take_word(q, l, "class", l->number, &s);
	case FIELD_IS_ABI:
		names_suggest_abi(&s);
		return take_word(q, l, "ABI", names_is_abi(l->text), &s);
	default:
		return take_word(q, l, "kind of event", field_is_event_kind(l->text), &s);
	}
}

static bool is_words(const struct field_desc *d)
{
	return d->type == FIELD_IS_SYSCALL || d->type == FIELD_IS_CLASS ||
	       d->type == FIELD_IS_ABI || d->type == FIELD_IS_KIND;
}

/* Returns the possible forms of the field's values: bits of enum value_form. */
static unsigned forms_of(const struct subject *s)
{
	if (!s->desc)
		return s->types.forms;
	switch (s->desc->type) {
	case FIELD_IS_NUMBER:
	case FIELD_IS_ERRNO:
	case FIELD_IS_SIGNAL:
	case FIELD_IS_DURATION:
	case FIELD_IS_SIZE:
		return FORM_NUMBER;
	case FIELD_IS_PATH:
		return FORM_TEXT | FORM_PATH;
	default:
		return FORM_TEXT;
	}
}

static const char *literal_name(enum literal_kind kind)
{
	static const char *const names[] = {
		[LITERAL_NUMBER] = "a number",	[LITERAL_DURATION] = "a duration",
		[LITERAL_SIZE] = "a size",	[LITERAL_STRING] = "a string",
		[LITERAL_NAMES] = "a constant",
	};

	return names[kind];
}

static bool mismatch(struct query *q, const struct node *n, const struct literal *l,
		     const char *what)
{
	return query_fail(q, l->place, "'%.*s' is %s and cannot be compared with %s",
			  length(n->field.place), text_at(q, n->field.place), what,
			  literal_name(l->kind));
}

static bool check_time(struct query *q, const struct node *n, struct literal *l)
{
	if (l->kind == LITERAL_DURATION)
		return true;
	if (l->kind != LITERAL_NUMBER)
		return mismatch(q, n, l, "a time");
	/* Without a unit, the number is in seconds, as in --duration. */
	l->kind = LITERAL_DURATION;
	l->number *= NSEC_PER_SEC;
	return true;
}

static bool check_text(struct query *q, const struct node *n, struct literal *l, unsigned forms)
{
	if (l->kind == LITERAL_NAMES)
		return query_fail_meant(q, l->place,
					l->nnames == 1 ? arena_printf(&q->arena, "\"%s\"", l->text)
						       : NULL,
					"'%.*s' is text: compare it with a string in quotes",
					length(n->field.place), text_at(q, n->field.place));
	if (l->kind != LITERAL_STRING)
		return mismatch(q, n, l, "text");
	return !(forms & FORM_PATH) || !glob_is_pattern(l->text) || compile(q, l, true);
}

/*
 * Checks a literal on the right side of ==, != or `in`. On a mistake, calls query_fail() and
 * returns false.
 */
static bool check_equal(struct query *q, const struct node *n, const struct subject *s,
			struct literal *l)
{
	const unsigned forms = forms_of(s);
	struct types tables = s->types;
	static const struct xlat *const errnos = &xlat_errnos, *const signals = &xlat_signals;

	if (s->desc && is_words(s->desc)) {
		if (l->kind != LITERAL_STRING && l->kind != LITERAL_NAMES)
			return mismatch(q, n, l, "a word");
		return take_known_word(q, l, s->desc->type);
	}
	if (s->desc && s->desc->type == FIELD_IS_DURATION)
		return check_time(q, n, l);
	if (l->kind == LITERAL_DURATION)
		return mismatch(q, n, l, forms & FORM_TEXT ? "text" : "a number");
	if (l->kind == LITERAL_NAMES && forms & (FORM_NUMBER | FORM_ANY | FORM_FLAGS)) {
		if (s->desc && s->desc->type == FIELD_IS_ERRNO)
			tables = (struct types){.tables = {(const struct xlat **)&errnos, 1, 1}};
		else if (s->desc && s->desc->type == FIELD_IS_SIGNAL)
			tables = (struct types){.tables = {(const struct xlat **)&signals, 1, 1}};
		return take_constants(q, l, &tables);
	}
	if (l->kind == LITERAL_STRING && forms & (FORM_TEXT | FORM_ANY))
		return check_text(q, n, l, forms);
	if (forms & (FORM_NUMBER | FORM_ANY))
		return l->kind != LITERAL_STRING || mismatch(q, n, l, "a number");
	if (forms & FORM_FLAGS)
		return mismatch(q, n, l, "a set");
	return check_text(q, n, l, forms);
}

static bool check_order(struct query *q, const struct node *n, const struct subject *s,
			struct literal *l)
{
	const unsigned forms = forms_of(s);

	if (!(forms & (FORM_NUMBER | FORM_ANY)))
		return query_fail(q, n->place,
				  "'%.*s' is text: it can be compared by ==, != and =~",
				  length(n->field.place), text_at(q, n->field.place));
	if (l->kind == LITERAL_STRING)
		return mismatch(q, n, l, "a number");
	return check_equal(q, n, s, l);
}

static bool check_match(struct query *q, const struct node *n, const struct subject *s,
			struct literal *l)
{
	if (!(forms_of(s) & (FORM_TEXT | FORM_ANY)))
		return query_fail(q, n->place,
				  "'%.*s' is a number: a regular expression matches only text",
				  length(n->field.place), text_at(q, n->field.place));
	if (l->kind != LITERAL_STRING)
		return query_fail(q, l->place,
				  "expected a regular expression in quotes or /slashes/");
	return compile(q, l, false);
}

static bool check_has(struct query *q, const struct node *n, const struct subject *s,
		      struct literal *l)
{
	if (s->desc || !(forms_of(s) & (FORM_FLAGS | FORM_ANY)))
		return query_fail_meant(q, n->place, "==", "'%.*s' has no flags",
					length(n->field.place), text_at(q, n->field.place));
	if (l->kind == LITERAL_NUMBER)
		return true;
	if (l->kind != LITERAL_NAMES)
		return query_fail(q, l->place, "expected the names of flags");
	return take_constants(q, l, &s->types);
}

/*
 * Checks that the field has a single value, not a struct or a list. If not, calls query_fail() and
 * returns false.
 */
static bool check_single(struct query *q, const struct field_ref *f, const struct subject *s)
{
	const unsigned forms = forms_of(s);

	if (s->desc || !forms || forms & ~(FORM_STRUCT | FORM_ARRAY))
		return true;
	return query_fail(q, f->place,
			  forms & FORM_STRUCT
				  ? "'%.*s' is a structure: name one of its members"
				  : "'%.*s' is a list: name one of its elements, such as [0]",
			  length(f->place), text_at(q, f->place));
}

static bool check_comparison(struct query *q, struct node *n, const struct subject *s)
{
	bool good = true;

	if (n->kind == NODE_IS)
		return !s->desc || s->desc->type != FIELD_IS_STACK ||
		       query_fail(q, n->field.place, "a stack can only be compared by =~ and !~");
	if (!check_single(q, &n->field, s))
		return false;
	if (s->desc && s->desc->type == FIELD_IS_STACK && n->kind != NODE_MATCHES &&
	    n->kind != NODE_MISSES)
		return query_fail(q, n->place, "a stack can only be compared by =~ and !~");
	for (size_t i = 0; i < n->nliterals && good; i++) {
		struct literal *l = &n->literals[i];

		switch (n->kind) {
		case NODE_EQUAL:
		case NODE_DIFFERS:
			good = check_equal(q, n, s, l);
			break;
		case NODE_MATCHES:
		case NODE_MISSES:
			good = check_match(q, n, s, l);
			break;
		case NODE_HAS:
			good = check_has(q, n, s, l);
			break;
		default:
			good = check_order(q, n, s, l);
			break;
		}
	}
	return good;
}

bool query_check(struct query *q, struct node *n)
{
	struct subject s = {0};
	bool good;

	switch (n->kind) {
	case NODE_OR:
	case NODE_AND:
		return query_check(q, n->a) && query_check(q, n->b);
	case NODE_NOT:
		return query_check(q, n->a);
	default:
		good = find_field(q, &n->field, &s) && check_comparison(q, n, &s);
		types_deinit(&s.types);
		return good;
	}
}

bool query_check_field(struct query *q, struct field_ref *f, struct field_traits *traits)
{
	struct subject s = {0};
	bool good = find_field(q, f, &s) && check_single(q, f, &s);
	const bool named =
		s.types.tables.n ||
		(s.desc && (s.desc->type == FIELD_IS_ERRNO || s.desc->type == FIELD_IS_SIGNAL));

	traits->is_number =
		good && !named && forms_of(&s) && !(forms_of(&s) & ~(FORM_NUMBER | FORM_FD));
	types_deinit(&s.types);
	return good;
}
