/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/event_coding.h"

#include <ctype.h>
#include <sys/socket.h>

#include "util/clock.h"

#define NAME_BYTES_MAX 64
/* Maximum nesting depth of structs and arrays. */
#define DEPTH_MAX 8
/*
 * When more than this number of bytes of an event have been written, no further value is begun. The
 * rest of the buffer is large enough to complete a value with the longest string.
 */
#define BYTES_MAX (EVENT_CODING_MAX - 2 * EVENT_STRING_MAX)
/* The flags of values that are written. */
#define FLAGS_WRITTEN                                                                              \
	(VALUE_F_MORE | VALUE_F_PATH | VALUE_F_DELETED | VALUE_F_ATFD | VALUE_F_SIGNED)

/*
 * Flags at the start of an encoded event or value. They show which optional parts the event or
 * value contains.
 */
enum { EVENT_HAS_DURATION = 1 << 0, EVENT_HAS_RET_VALUE = 1 << 1 };
enum { VALUE_HAS_NAME = 1 << 0, VALUE_HAS_TEXT = 1 << 1 };

/* The data that a value has in addition to its number. */
enum parts { NUMBER, TEXT, CHILDREN, DATE };

/*
 * The kinds of values. Files contain indexes of this table, so new kinds must be appended. The
 * first two indexes end a list of children; with END_MORE, some children are missing.
 */
enum { END, END_MORE, FIRST_KIND, HEX = FIRST_KIND };
static const struct {
	enum value_kind kind;
	enum parts parts;
} kinds[] = {
	[HEX] = {VALUE_HEX, NUMBER}, {VALUE_INT, NUMBER},
	{VALUE_UINT, NUMBER},	     {VALUE_OCT, NUMBER},
	{VALUE_ADDR, NUMBER},	     {VALUE_DEVICE, NUMBER},
	{VALUE_NAME, TEXT},	     {VALUE_STRING, TEXT},
	{VALUE_ADDRESS, TEXT},	     {VALUE_FD, TEXT},
	{VALUE_PID, TEXT},	     {VALUE_DATE, DATE},
	{VALUE_STRUCT, CHILDREN},    {VALUE_ARRAY, CHILDREN},
	{VALUE_SEQ, CHILDREN},	     {VALUE_OR, CHILDREN},
};

/* -- writing --------------------------------------------------------------------- */

static void put_name(struct strbuf *out, const char *name)
{
	put_foreign(out, foreign(name), NAME_BYTES_MAX);
}

/*
 * Returns the index of a kind in kinds[]. Values of a kind that kinds[] does not contain are
 * written as hexadecimal numbers.
 */
static unsigned kind_index(enum value_kind kind)
{
	for (unsigned i = FIRST_KIND; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == kind)
			return i;
	return HEX;
}

static void put_head(struct strbuf *out, unsigned kind, const struct value *v)
{
	put_uleb(out, kind);
	put_uleb(out, v->flags & FLAGS_WRITTEN);
	put_uleb(out, v->width);
	put_signed(out, (int64_t)v->num);
	put_uleb(out, (v->name ? VALUE_HAS_NAME : 0) |
			      (kinds[kind].parts == TEXT && v->str ? VALUE_HAS_TEXT : 0));
	if (v->name)
		put_name(out, v->name);
}

static void put_word(struct strbuf *out, const char *text, struct value v)
{
	v.kind = VALUE_NAME;
	v.str = text;
	put_head(out, kind_index(VALUE_NAME), &v);
	put_name(out, text);
}

static void put_flag(void *ctx, const struct xlat_entry *entry)
{
	put_word(ctx, entry->name, (struct value){.num = entry->val});
}

/*
 * Writes one child value for each flag that has a name, and one child value for the bits without a
 * name.
 */
static void put_flags(struct strbuf *out, const struct value *v)
{
	const uint64_t rest = value_flags_split(v->table, v->num, put_flag, out);

	if (rest || !v->num)
		put_head(out, HEX, &(struct value){.num = rest});
	put_uleb(out, END);
}

/* Writes a value. `start` is the length of *out before the event. */
static void put_value(struct strbuf *out, size_t start, unsigned depth, const struct value *v)
{
	const char *name = v->kind == VALUE_ENUM ? value_enum_name(v) : NULL;
	const unsigned kind =
		kind_index(v->kind == VALUE_FLAGS ? VALUE_OR : (enum value_kind)v->kind);
	const struct value *child = NULL;

	if (name) {
		put_word(out, name, *v);
		return;
	}
	put_head(out, kind, v);
	switch (kinds[kind].parts) {
	case TEXT:
		if (v->str)
			put_bytes(out, v->str, size_min(v->len, EVENT_STRING_MAX));
		break;
	case CHILDREN:
		if (v->kind == VALUE_FLAGS) {
			put_flags(out, v);
			break;
		}
		if (depth < DEPTH_MAX)
			for (child = v->child; child && out->len - start < BYTES_MAX;
			     child = child->next)
				put_value(out, start, depth + 1, child);
		put_uleb(out, child || (depth == DEPTH_MAX && v->child) ? END_MORE : END);
		break;
	case DATE:
		put_uleb(out, v->fraction);
		put_uleb(out, v->digits);
		break;
	case NUMBER:
		break;
	}
}

void event_put(struct strbuf *out, const struct event *e)
{
	const size_t start = out->len;

	put_name(out, e->source);
	put_name(out, e->name);
	put_uleb(out, (e->has_duration ? EVENT_HAS_DURATION : 0) |
			      (e->ret_value ? EVENT_HAS_RET_VALUE : 0));
	if (e->has_duration)
		put_uleb(out, timespec_ns(e->duration));
	put_uleb(out, e->ret_kind);
	put_signed(out, e->ret);
	if (e->ret_value)
		put_value(out, start, 0, e->ret_value);
	for (unsigned i = 0; i < e->nargs; i++) {
		const struct value *v = e->args[i].out ? e->args[i].out : e->args[i].in;

		if (!v || out->len - start >= BYTES_MAX)
			continue;
		put_name(out, e->args[i].name);
		put_value(out, start, 0, v);
	}
}

/* -- reading --------------------------------------------------------------------- */

/*
 * Reads a text and sets *n to its length. Returns a copy with a NUL at the end. If the text is
 * longer than max bytes or incomplete, sets in->bad and returns "".
 */
static const char *take_text(struct cursor *in, struct arena *arena, size_t max, size_t *n)
{
	const uint8_t *bytes = take_bytes(in, n);
	char *text;

	if (in->bad || *n > max) {
		cursor_fail(in);
		*n = 0;
		return "";
	}
	text = arena_zalloc(arena, *n + 1);
	memcpy(text, bytes, *n);
	return text;
}

static const char *take_name(struct cursor *in, struct arena *arena)
{
	size_t n;
	const char *name = take_text(in, arena, NAME_BYTES_MAX, &n);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && (!name[i] || !strchr("_.:?-", name[i])))
			cursor_fail(in);
	if (!n)
		cursor_fail(in);
	return name;
}

static void take_string(struct cursor *in, struct arena *arena, bool given, struct value *v)
{
	size_t n = 0;

	if (v->kind == VALUE_NAME) {
		v->str = given ? take_name(in, arena) : "?";
		v->len = strlen(v->str);
		return;
	}
	/* The text of a VALUE_FD or a VALUE_PID may be missing. */
	if (given || !(v->kind == VALUE_FD || v->kind == VALUE_PID))
		v->str = given ? take_text(in, arena, EVENT_STRING_MAX, &n) : "";
	v->len = n;
	arena_charge(arena, VALUE_STRING_CHARGE * n);
	if (n == EVENT_STRING_MAX)
		v->flags |= VALUE_F_MORE;
	if (v->kind == VALUE_ADDRESS && !(v->num == AF_INET && n == 4) &&
	    !(v->num == AF_INET6 && n == 16) && !(v->num == AF_PACKET && n))
		cursor_fail(in);
}

static void take_date(struct cursor *in, struct arena *arena, struct value *v)
{
	const uint64_t fraction = cursor_uleb(in), digits = cursor_uleb(in);
	const struct value *date = NULL;

	if (!in->bad && (!digits || digits == 6 || digits == 9))
		date = value_date(arena, (int64_t)v->num, fraction, (unsigned)digits);
	if (!date) {
		v->kind = VALUE_INT;
		return;
	}
	v->fraction = date->fraction;
	v->digits = date->digits;
}

static struct value *take_value(struct cursor *in, struct arena *arena, unsigned depth,
				uint64_t kind);

static void take_children(struct cursor *in, struct arena *arena, unsigned depth, struct value *v)
{
	uint64_t kind;

	for (;;) {
		kind = cursor_uleb(in);
		if (in->bad || kind < FIRST_KIND)
			break;
		value_add(v, take_value(in, arena, depth + 1, kind));
	}
	if (kind == END_MORE)
		v->flags |= VALUE_F_MORE;
}

/* Reads a value, except for its kind (an index of kinds[]), which the caller has read. */
static struct value *take_value(struct cursor *in, struct arena *arena, unsigned depth,
				uint64_t kind)
{
	struct value *v = value_new(arena, VALUE_HEX, 0);
	uint64_t width, has;

	if (kind < FIRST_KIND || kind >= ARRAY_SIZE(kinds) || depth > DEPTH_MAX) {
		cursor_fail(in);
		return v;
	}
	v->kind = (uint8_t)kinds[kind].kind;
	v->flags = cursor_uleb(in) & FLAGS_WRITTEN;
	width = cursor_uleb(in);
	if (width > 8 || width & (width - 1))
		cursor_fail(in);
	v->width = (uint8_t)width;
	v->num = (uint64_t)take_signed(in);
	has = cursor_uleb(in);
	if (has & VALUE_HAS_NAME)
		v->name = take_name(in, arena);
	if (kinds[kind].parts == TEXT)
		take_string(in, arena, has & VALUE_HAS_TEXT, v);
	else if (kinds[kind].parts == DATE)
		take_date(in, arena, v);
	else if (kinds[kind].parts == CHILDREN)
		take_children(in, arena, depth, v);
	return v;
}

bool event_take(struct cursor *in, struct arena *arena, struct event *e)
{
	uint64_t bits, kind, duration;

	*e = (struct event){.kind = EVENT_OTHER};
	if (cursor_left(in) > EVENT_CODING_MAX)
		cursor_fail(in);
	e->source = take_name(in, arena);
	e->name = take_name(in, arena);
	bits = cursor_uleb(in);
	e->has_duration = bits & EVENT_HAS_DURATION;
	duration = e->has_duration ? cursor_uleb(in) : 0;
	kind = cursor_uleb(in);
	e->ret = take_signed(in);
	if (kind > RET_RESTART || duration > INT64_MAX)
		cursor_fail(in);
	if (in->bad)
		return false;
	e->duration = timespec_of((int64_t)duration);
	e->ret_kind = (enum ret_kind)kind;
	if (bits & EVENT_HAS_RET_VALUE)
		e->ret_value = take_value(in, arena, 0, cursor_uleb(in));
	while (cursor_left(in) && e->nargs < EVENT_ARGS_MAX) {
		struct arg *arg = &e->args[e->nargs++];

		arg->name = take_name(in, arena);
		arg->in = take_value(in, arena, 0, cursor_uleb(in));
	}
	return !in->bad;
}
