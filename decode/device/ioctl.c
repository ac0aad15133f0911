/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/device/ioctl.h"

#include <string.h>

#include "decode/core/fd.h"

/*
 * Shows a request as _IOC() (asm-generic/ioctl.h): bits 0–7 are the number, bits 8–15 the type,
 * bits 16–29 the size, and bits 30–31 the direction.
 */
static struct value *request_parts(struct decoder *d, uint32_t n)
{
	static const char *const directions[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ"};
	struct value *v = value_call(d->arena, "_IOC"), *both;

	v->num = n;
	v->width = 4;
	if (n >> 30 == 3) {
		both = value_add(v, value_or(d->arena, 3));
		value_add(both, value_word(d->arena, "_IOC_READ", 2));
		value_add(both, value_word(d->arena, "_IOC_WRITE", 1));
	} else {
		value_add(v, value_word(d->arena, directions[n >> 30], n >> 30));
	}
	value_add(v, value_hex(d->arena, n >> 8 & 0xff));
	value_add(v, value_hex(d->arena, n & 0xff));
	value_add(v, value_hex(d->arena, n >> 16 & 0x3fff));
	return v;
}

/*
 * Requests whose number includes a parameter, such as the length of a buffer or the index of a
 * control. They are from linux/input.h, hidraw.h, hiddev.h, uinput.h, joystick.h, soundcard.h and
 * spi/spidev.h.
 */
static const struct family {
	uint8_t direction, type, first, last;
	const char *function;
	enum { LENGTH, INDEX, NAMED, NAMED_AND_LENGTH } parameters;
	const struct xlat *names; /* for NAMED and NAMED_AND_LENGTH: the names of the indexes */
} families[] = {
	{2, 'E', 0x06, 0x06, "EVIOCGNAME", LENGTH, NULL},
	{2, 'E', 0x07, 0x07, "EVIOCGPHYS", LENGTH, NULL},
	{2, 'E', 0x08, 0x08, "EVIOCGUNIQ", LENGTH, NULL},
	{2, 'E', 0x09, 0x09, "EVIOCGPROP", LENGTH, NULL},
	{2, 'E', 0x0a, 0x0a, "EVIOCGMTSLOTS", LENGTH, NULL},
	{2, 'E', 0x18, 0x18, "EVIOCGKEY", LENGTH, NULL},
	{2, 'E', 0x19, 0x19, "EVIOCGLED", LENGTH, NULL},
	{2, 'E', 0x1a, 0x1a, "EVIOCGSND", LENGTH, NULL},
	{2, 'E', 0x1b, 0x1b, "EVIOCGSW", LENGTH, NULL},
	{2, 'E', 0x20, 0x3f, "EVIOCGBIT", NAMED_AND_LENGTH, &xlat_ev_types},
	{2, 'E', 0x40, 0x7f, "EVIOCGABS", NAMED, &xlat_ev_abs},
	{1, 'E', 0xc0, 0xff, "EVIOCSABS", NAMED, &xlat_ev_abs},
	{2, 'H', 0x04, 0x04, "HIDIOCGRAWNAME", LENGTH, NULL},
	{2, 'H', 0x05, 0x05, "HIDIOCGRAWPHYS", LENGTH, NULL},
	{2, 'H', 0x06, 0x06, "HIDIOCSFEATURE", LENGTH, NULL},
	{2, 'H', 0x08, 0x08, "HIDIOCGRAWUNIQ", LENGTH, NULL},
	{2, 'H', 0x12, 0x12, "HIDIOCGPHYS", LENGTH, NULL},
	{3, 'H', 0x06, 0x06, "HIDIOCSFEATURE", LENGTH, NULL},
	{3, 'H', 0x07, 0x07, "HIDIOCGFEATURE", LENGTH, NULL},
	{1, 'M', 0x00, 0xff, "MIXER_WRITE", INDEX, NULL},
	{2, 'M', 0x00, 0xff, "MIXER_READ", INDEX, NULL},
	{2, 'U', 0x2c, 0x2c, "UI_GET_SYSNAME", LENGTH, NULL},
	{2, 'j', 0x13, 0x13, "JSIOCGNAME", LENGTH, NULL},
	{1, 'k', 0x00, 0x00, "SPI_IOC_MESSAGE", LENGTH, NULL},
};

static const struct family *family_of(uint32_t n)
{
	uint8_t type = n >> 8, nr = n;

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		const struct family *f = &families[i];

		if (f->direction == n >> 30 && f->type == type && nr >= f->first && nr <= f->last)
			return f;
	}
	return NULL;
}

/*
 * Returns the name of a request with its parameters, such as EVIOCGBIT(EV_KEY, 8). The value is a
 * VALUE_OP_ALTERNATIVE, to which other names can be added. Returns NULL if the request does not
 * belong to a family.
 */
static struct value *family_request(struct decoder *d, uint32_t n)
{
	const struct family *f = family_of(n);
	unsigned index, size = n >> 16 & 0x3fff;
	struct value *v, *alternatives;

	if (!f)
		return NULL;
	v = value_call(d->arena, f->function);
	v->num = n;
	v->width = 4;
	alternatives = value_expr(d->arena, VALUE_OP_ALTERNATIVE, n);
	alternatives->extra = value_hex(d->arena, n);
	value_add(alternatives, v);
	index = (n & 0xff) - f->first;
	/* Index 0 requests the list of types and is not a type itself, so show it as a number. */
	if (!f->names || (f->names == &xlat_ev_types && !index))
		value_add(v, value_uint(d->arena, f->parameters == LENGTH ? size : index));
	else
		value_add(v, value_enum(d->arena, f->names, index));
	if (f->parameters == NAMED_AND_LENGTH)
		value_add(v, value_uint(d->arena, size));
	return alternatives;
}

/* Returns true if a table before `at` also contains the name. */
static bool is_hidden(const struct abi *abi, const struct xlat *const *at, const char *name)
{
	for (const struct xlat *const *x = abi->ioctls; x < at; x++)
		if (xlat_find(*x, name))
			return true;
	return false;
}

/*
 * Iterates over the names of request n in alphabetical order. Returns the first name if `after` is
 * NULL, otherwise the name that follows `after`. Returns NULL if there are no more names.
 */
static const char *next_name(const struct abi *abi, uint64_t n, const char *after)
{
	const char *next = NULL;

	for (const struct xlat *const *x = abi->ioctls; *x; x++) {
		for (const struct xlat_entry *e = NULL; (e = xlat_next_of(*x, n, e));) {
			if ((!after || strcmp(e->name, after) > 0) &&
			    (!next || strcmp(e->name, next) < 0) && !is_hidden(abi, x, e->name))
				next = e->name;
		}
	}
	return next;
}

/*
 * Returns the first name of request n, or NULL if it has no name. A request may have several names,
 * because different drivers use the same number, for example "SNDCTL_TMR_START or TCSETS". In that
 * case, skips the SNDCTL_TMR_* name if the descriptor is a terminal.
 */
static const char *first_name(struct decoder *d, uint64_t n)
{
	const char *first = next_name(d->abi, n, NULL), *second;

	if (!first || strncmp(first, "SNDCTL_TMR_", 11))
		return first;
	second = next_name(d->abi, n, first);
	return second && !strncmp(second, "TC", 2) && fd_is_terminal(d, (int)decode_arg_raw(d, 0))
		       ? second
		       : first;
}

static struct value *request_name(struct decoder *d, const char *name, uint64_t n)
{
	struct value *v = value_word(d->arena, name, n);

	v->width = 4;
	v->text |= TEXT_PLAIN;
	return v;
}

struct value *ioctl_request(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = family_request(d, n), *all;

	for (const char *name = first_name(d, n); name; name = next_name(d->abi, n, name)) {
		if (v && v->kind != VALUE_EXPR) {
			all = value_expr(d->arena, VALUE_OP_ALTERNATIVE, n);
			all->extra = value_hex(d->arena, n);
			value_add(all, v);
			v = all;
		}
		if (v)
			value_add(v, request_name(d, name, n));
		else
			v = request_name(d, name, n);
	}
	return v ? v : request_parts(d, n);
}
const struct type_ops type_ioctl_request = {.name = "ioctl_request", .number = ioctl_request};

/*
 * Returns true if the data of unknown requests of this type must not be shown, because the sizes in
 * the request numbers are unreliable or the data contains pointers.
 */
static bool is_opaque(uint8_t type)
{
	return type && strchr("\x03\x12\x15!\"$=>EIKLMORTVWXfiopu"
			      "\x89\x8a\x94\xa4\xaa\xab\xae\xb4\xb7\xfd\xff",
			      type);
}

/*
 * Bits of a request's _IOC_DIR() (asm-generic/ioctl.h). If neither is set, the direction of the
 * data is unknown.
 */
#define DIRECTION_WRITE 1
#define DIRECTION_READ	2

/*
 * Returns true if an unknown request is PIDFD_GET_INFO (linux/pidfd.h). It is unknown only if its
 * size is less than the size of the first version of the struct.
 */
static bool is_short_pidfd_info(uint32_t op)
{
	return (op & 0xffff) == 0xff0b;
}

/* Shows the data of a request as a string. The request number includes the data's size. */
static struct value *request_data(struct decoder *d, uint64_t n)
{
	uint32_t size = (uint32_t)decode_arg_raw(d, 1) >> 16 & 0x3fff;
	struct value *v = decode_buffer(d, n, size);

	if (v->kind != VALUE_STRING)
		return value_hex(d->arena, n);
	v->text |= TEXT_HEX_STRING;
	return v;
}

/* Returns true if an unknown request has data that can be shown, according to its number. */
static bool has_data(const struct decoder *d, uint64_t n)
{
	uint32_t op = decode_arg_raw(d, 1), size = op >> 16 & 0x3fff;

	return !is_short_pidfd_info(op) && size && !is_opaque(op >> 8) && n && decode_full(d);
}

struct value *ioctl_unknown_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	unsigned direction = (uint32_t)decode_arg_raw(d, 1) >> 30;
	struct value *v;

	if (is_short_pidfd_info(decode_arg_raw(d, 1)))
		return value_addr(d->arena, n);
	if (!has_data(d, n))
		return value_hex(d->arena, n);
	if (direction == DIRECTION_READ)
		return NULL; /* the kernel has not stored the data yet */
	v = request_data(d, n);
	return v->kind == VALUE_STRING && direction != DIRECTION_WRITE ? value_changing(d->arena, v)
								       : v;
}

struct value *ioctl_unknown_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!has_data(d, n))
		return NULL;
	v = request_data(d, n);
	return v->kind == VALUE_STRING && d->before
		       ? value_change(d->arena, (struct value *)d->before, v)
		       : v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads ioctl_reads[] = {
	CUSTOM_OPS(ioctl_unknown_entry, REQUEST_SIZE(PLAN_OWN_ARG, PLAN_DATA)),
	CUSTOM_OPS(ioctl_unknown_exit, REQUEST_SIZE(PLAN_OWN_ARG, PLAN_DATA)),
	{0}};
