/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests of the device mapper (linux/dm-ioctl.h). */
#include <string.h>

#include "decode/device/device_block.h"
#include "decode/core/read.h"

#define VERSION_MAJOR 4
#define VERSION_EVENT_NR                                                                           \
	37 /* the first minor version in which lists of devices contain event numbers */

#define DATA_SIZE_AT 12 /* offset of data_size in struct dm_ioctl */
#define FLAGS_AT     28
#define DATA_AT	     305 /* offset of data, and the minimum size of a request */

#define SUSPEND_FLAG  2	      /* DM_SUSPEND_FLAG */
#define DATA_OUT_FLAG 0x10000 /* DM_DATA_OUT_FLAG */

/*
 * The members of struct dm_ioctl that are shown for a request. IN_ members are shown only at entry,
 * OUT_ members only at exit.
 */
enum {
	HAS_DEVICE = 1 << 0, /* dev, name and uuid */
	HAS_DATA = 1 << 1,   /* data_start */
	IN_TARGETS = 1 << 2, /* target_count */
	IN_EVENT = 1 << 3,   /* event_nr */
	OUT_COUNTS = 1 << 4, /* target_count, open_count and event_nr */
	IN_RESUME = 1 << 5   /* event_nr, unless the request suspends the device */
};

struct payload;
typedef void payload_fn(struct decoder *d, struct value *list, struct payload *p);

static payload_fn targets_given, targets_got, devices, dependencies, versions, message, text;

static const struct request {
	uint8_t members;
	payload_fn *in, *out; /* functions that show the data after the struct, at entry and at
				 exit; may be NULL */
	bool counted;	      /* true if the data consists of target_count records, possibly none */
} requests[] = {
	[0] = {HAS_DEVICE, NULL, NULL, false},		    /* DM_VERSION */
	[1] = {0, NULL, NULL, false},			    /* DM_REMOVE_ALL */
	[2] = {HAS_DATA, NULL, devices, false},		    /* DM_LIST_DEVICES */
	[3] = {HAS_DEVICE | OUT_COUNTS, NULL, NULL, false}, /* DM_DEV_CREATE */
	[4] = {HAS_DEVICE | IN_EVENT, NULL, NULL, false},   /* DM_DEV_REMOVE */
	[5] = {HAS_DEVICE | HAS_DATA | IN_EVENT | OUT_COUNTS, text, NULL,
	       false},							/* DM_DEV_RENAME */
	[6] = {HAS_DEVICE | IN_RESUME | OUT_COUNTS, NULL, NULL, false}, /* DM_DEV_SUSPEND */
	[7] = {HAS_DEVICE | OUT_COUNTS, NULL, NULL, false},		/* DM_DEV_STATUS */
	[8] = {HAS_DEVICE | HAS_DATA | IN_EVENT | OUT_COUNTS, NULL, targets_got,
	       true}, /* DM_DEV_WAIT */
	[9] = {HAS_DEVICE | HAS_DATA | IN_TARGETS | OUT_COUNTS, targets_given, NULL,
	       true},								/* DM_TABLE_LOAD */
	[10] = {HAS_DEVICE | OUT_COUNTS, NULL, NULL, false},			/* DM_TABLE_CLEAR */
	[11] = {HAS_DEVICE | HAS_DATA | OUT_COUNTS, NULL, dependencies, false}, /* DM_TABLE_DEPS */
	[12] = {HAS_DEVICE | HAS_DATA | OUT_COUNTS, NULL, targets_got, true}, /* DM_TABLE_STATUS */
	[13] = {HAS_DATA, NULL, versions, false},			      /* DM_LIST_VERSIONS */
	[14] = {HAS_DEVICE | HAS_DATA | OUT_COUNTS, message, NULL, false},    /* DM_TARGET_MSG */
	[15] = {HAS_DEVICE | HAS_DATA, text, NULL, false}, /* DM_DEV_SET_GEOMETRY */
	[16] = {HAS_DEVICE, NULL, NULL, false},		   /* DM_DEV_ARM_POLL */
};

/* The data that follows a struct dm_ioctl. */
struct payload {
	uint64_t addr;	      /* address of the struct dm_ioctl */
	uint32_t size, start; /* data_size (which includes the struct) and data_start */
	uint32_t count;	      /* target_count */
	uint32_t minor;
	uint32_t offset; /* offset of the current record */
	uint32_t end;	 /* end offset of the fixed part of the last record */
	bool first;
};

static uint32_t load32(const uint8_t *bytes, size_t at)
{
	uint32_t n;

	memcpy(&n, bytes + at, sizeof(n));
	return n;
}

static void misplaced(struct decoder *d, struct value *list, const char *what)
{
	struct value *v = value_add(list, value_plain(d->arena, "???"));

	v->comment = arena_printf(d->arena, "misplaced %s", what);
}

/*
 * Makes the `size` bytes at p->offset the current record, and returns true. If they overlap the
 * previous record or extend beyond the data, adds ??? with the comment "misplaced" and the kind of
 * record (`what`) to the list, and returns false.
 */
static bool enter_record(struct decoder *d, struct value *list, struct payload *p, uint64_t size,
			 const char *what)
{
	if (p->offset + size > p->size || (!p->first && p->offset <= p->end)) {
		misplaced(d, list, what);
		return false;
	}
	p->first = false;
	p->end = p->offset + size;
	return true;
}

/* Reads the current record. If it cannot be read, adds its address to the list and returns NULL. */
static uint8_t *read_record(struct decoder *d, struct value *list, const struct payload *p,
			    size_t size)
{
	uint8_t *bytes = NULL;

	if (!(d->mode & DECODE_NO_DEREF))
		bytes = decode_read_new(d, p->addr + p->offset, size, NULL);
	if (!bytes)
		value_add(list, value_addr(d->arena, p->addr + p->offset));
	return bytes;
}

/*
 * Shows a string that ends at a NUL or at the end of the data. Sets *len to its size in bytes,
 * including the NUL, or to 0 if it has no NUL or is longer than -s allows.
 */
static struct value *text_at(struct decoder *d, const struct payload *p, uint32_t offset,
			     uint32_t *len)
{
	size_t limit = size_min(d->config->string_limit, DECODE_BYTES_MAX);
	size_t max = size_min(p->size - offset, limit + 1);
	char *buf = arena_alloc(d->arena, max + 1);
	struct value *v;
	ssize_t n;

	*len = 0;
	n = max ? decode_read_string(d, p->addr + offset, buf, max) : 0;
	if (n < 0)
		return value_unreadable(d->arena, p->addr + offset, n);
	v = value_string(d->arena, buf, size_min(n, limit));
	if ((size_t)n < max)
		*len = n + 1;
	else if (max)
		v->flags |= VALUE_F_MORE;
	return v;
}

/* Shows the targets of a table. If `got` is true, the status that the kernel stored is included. */
static void targets(struct decoder *d, struct value *list, struct payload *p, bool got)
{
	const struct struct_desc *s = &struct_dm_target_spec;
	size_t size = struct_size(d->abi, s);

	for (uint32_t i = 0; i < size_min(p->count, DECODE_ELEMS_MAX); i++) {
		uint64_t addr = p->addr + p->offset;
		struct value *v;
		uint8_t *bytes;
		uint32_t len;

		if (!enter_record(d, list, p, size, "struct dm_target_spec"))
			return;
		bytes = read_record(d, list, p, size);
		if (!bytes)
			return;
		v = value_add(list, value_struct(d->arena));
		decode_member(d, v, s, bytes, size, addr, "sector_start");
		decode_member(d, v, s, bytes, size, addr, "length");
		if (got)
			decode_member(d, v, s, bytes, size, addr, "status");
		decode_member(d, v, s, bytes, size, addr, "target_type");
		value_add_named(v, "string", text_at(d, p, p->end, &len));
		/*
		 * The offset of the next target depends on the origin of the table. In a table from
		 * the caller, the offset is relative to this target. In a table from the kernel,
		 * the offset is relative to the first target.
		 */
		p->offset = (got ? p->start : p->offset) + load32(bytes, size - 20);
	}
}

static void targets_given(struct decoder *d, struct value *list, struct payload *p)
{
	targets(d, list, p, false);
}

static void targets_got(struct decoder *d, struct value *list, struct payload *p)
{
	targets(d, list, p, true);
}

#define NAME_LIST_NEXT_AT 8
#define NAME_LIST_NAME_AT 12
#define NAME_LIST_SIZE	  16 /* size of the kernel's struct in bytes, including padding */

static void devices(struct decoder *d, struct value *list, struct payload *p)
{
	const struct type dev = DEV64;

	for (uint32_t i = 0; i < DECODE_ELEMS_MAX; i++) {
		uint32_t next, len, event;
		struct value *v;
		uint8_t *bytes;
		uint64_t at;

		if (!enter_record(d, list, p, NAME_LIST_NAME_AT, "struct dm_name_list"))
			return;
		bytes = read_record(d, list, p, NAME_LIST_SIZE);
		if (!bytes)
			return;
		next = load32(bytes, NAME_LIST_NEXT_AT);
		v = value_add(list, value_struct(d->arena));
		value_add_named(
			v, "dev",
			decode_bytes(d, &dev, p->addr + p->offset, bytes, sizeof(uint64_t)));
		value_add_named(v, "name", text_at(d, p, p->end, &len));
		at = align_up(p->addr + p->end + len, 8);
		if (len && p->minor >= VERSION_EVENT_NR &&
		    at + sizeof(event) <= p->addr + p->offset + next &&
		    decode_read(d, at, &event, sizeof(event)) == 0)
			value_add_named(v, "event_nr", value_uint(d->arena, event));
		if (!next)
			return;
		p->offset += next;
	}
}

static void versions(struct decoder *d, struct value *list, struct payload *p)
{
	const struct struct_desc *s = &struct_dm_target_versions;
	size_t size = struct_size(d->abi, s);

	for (uint32_t i = 0; i < DECODE_ELEMS_MAX; i++) {
		uint32_t next, len;
		struct value *v;
		uint8_t *bytes;

		if (!enter_record(d, list, p, size, "struct dm_target_versions"))
			return;
		bytes = read_record(d, list, p, size);
		if (!bytes)
			return;
		next = load32(bytes, 0);
		v = value_add(list, value_struct(d->arena));
		value_add_named(v, "name", text_at(d, p, p->end, &len));
		decode_member(d, v, s, bytes, size, p->addr + p->offset, "version");
		if (!next)
			return;
		p->offset += next;
	}
}

#define DEPS_SIZE 8 /* offset of dev in struct dm_target_deps */

static void dependencies(struct decoder *d, struct value *list, struct payload *p)
{
	struct type array = ARRAY(DEV64, N(0));
	struct value *v;
	uint8_t *bytes;

	if (!enter_record(d, list, p, DEPS_SIZE, "struct dm_target_deps"))
		return;
	bytes = read_record(d, list, p, DEPS_SIZE);
	if (!bytes)
		return;
	array.len.n = load32(bytes, 0);
	if (array.len.n > (p->size - p->end) / sizeof(uint64_t)) {
		misplaced(d, list, "struct dm_target_deps");
		return;
	}
	v = value_add(list, value_struct(d->arena));
	value_add_named(v, "count", value_uint(d->arena, array.len.n));
	value_add_named(v, "deps", decode_at(d, &array, p->addr + p->end));
}

#define MSG_SIZE 8 /* offset of message in struct dm_target_msg */

static void message(struct decoder *d, struct value *list, struct payload *p)
{
	struct value *v;
	uint64_t sector;
	uint8_t *bytes;
	uint32_t len;

	if (!enter_record(d, list, p, MSG_SIZE, "struct dm_target_msg"))
		return;
	bytes = read_record(d, list, p, MSG_SIZE);
	if (!bytes)
		return;
	memcpy(&sector, bytes, sizeof(sector));
	v = value_add(list, value_struct(d->arena));
	value_add_named(v, "sector", value_uint(d->arena, sector));
	value_add_named(v, "message", text_at(d, p, p->end, &len));
}

static void text(struct decoder *d, struct value *list, struct payload *p)
{
	struct value *v;
	uint32_t len;

	if (!enter_record(d, list, p, 0, "string"))
		return;
	v = value_add(list, value_struct(d->arena));
	value_add_named(v, "string", text_at(d, p, p->offset, &len));
}

struct value *dm_device(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return n ? value_device(d->arena, n) : NULL;
}

static struct value *name_memory(struct decoder *d, const struct type *t, uint64_t addr,
				 const uint8_t *bytes, size_t len)
{
	struct type chars = CHARS(0);

	chars.len = t->len;
	return bytes[0] ? decode_bytes(d, &chars, addr, bytes, len) : NULL;
}

const struct type_ops type_dm_name = {.name = "dm_name", .memory = name_memory};

/*
 * The members that are shown for a request only at entry, or only at exit, and the data that is
 * shown in the same phase.
 */
struct shown {
	bool target_count, open_count, event_nr;
	payload_fn *fn; /* decodes the data that follows the struct; may be NULL */
};

static struct shown shown_at_entry(const struct request *r, uint32_t flags)
{
	bool resumes = r->members & IN_RESUME && !(flags & SUSPEND_FLAG);

	return (struct shown){.target_count = r->members & IN_TARGETS,
			      .event_nr = r->members & IN_EVENT || resumes,
			      .fn = r->in};
}

static struct shown shown_at_exit(const struct request *r, uint32_t flags)
{
	bool counts = r->members & OUT_COUNTS, answer = r->in == message && flags & DATA_OUT_FLAG;

	return (struct shown){.target_count = counts,
			      .open_count = counts,
			      .event_nr = counts,
			      .fn = answer ? text : r->out};
}

static struct value *dm_value(struct decoder *d, uint64_t n,
			      struct shown (*shown_of)(const struct request *r, uint32_t flags))
{
	const struct request *r = &requests[decode_arg_raw(d, 1) & 0xff];
	const struct struct_desc *s = &struct_dm_ioctl;
	struct value *list, *v;
	struct shown shown;
	struct payload p;
	uint8_t *bytes;
	int err;

	if (!n)
		return value_hex(d->arena, n);
	/* Unlike other structs, struct dm_ioctl is shown even with -e verbose=none. */
	bytes = decode_read_new(d, n, DATA_AT, &err);
	if (!bytes)
		return value_unreadable(d->arena, n, err);
	p = (struct payload){.addr = n, .first = true};
	p.minor = load32(bytes, 4);
	p.size = load32(bytes, DATA_SIZE_AT);
	p.start = p.offset = load32(bytes, DATA_SIZE_AT + 4);
	p.count = load32(bytes, DATA_SIZE_AT + 8);
	if (p.size < DATA_SIZE_AT)
		return value_addr(d->arena, n);

	list = value_array(d->arena);
	v = value_add(list, value_struct(d->arena));
#define MEMBER(name) decode_member(d, v, s, bytes, DATA_AT, n, name)
	MEMBER("version");
	if (load32(bytes, 0) != VERSION_MAJOR) {
		v->child->comment = "unsupported device mapper ABI version";
		return list;
	}
	MEMBER("data_size");
	if (p.size < DATA_AT) {
		v->last->comment = "data_size too small";
		return list;
	}
	if (r->members & HAS_DATA)
		MEMBER("data_start");
	if (r->members & HAS_DEVICE) {
		MEMBER("dev");
		MEMBER("name");
		MEMBER("uuid");
	}
	shown = shown_of(r, load32(bytes, FLAGS_AT));
	if (shown.target_count)
		MEMBER("target_count");
	if (shown.open_count)
		MEMBER("open_count");
	if (shown.event_nr)
		MEMBER("event_nr");
	MEMBER("flags");
#undef MEMBER
	if (!shown.fn || (r->counted && !p.count) ||
	    (shown.fn != text && !r->counted && p.size == p.start))
		return list;
	if (!decode_full(d))
		list->flags |= VALUE_F_MORE;
	else
		shown.fn(d, list, &p);
	return list;
}

struct value *dm_ioctl_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = dm_value(d, n, shown_at_entry);

	/* If only an address can be shown, show it at exit instead of at entry. */
	return v->kind == VALUE_ARRAY ? v : NULL;
}

static struct shown shown_if_failed(const struct request *r attr_unused, uint32_t flags attr_unused)
{
	return (struct shown){0};
}

/* Returns true if the version, size, data offset and flags of two requests are equal. */
static bool same_request(const struct value *a, const struct value *b)
{
	static const char *const members[] = {"version", "data_size", "data_start", "flags"};

	if (a->kind != VALUE_ARRAY || b->kind != VALUE_ARRAY)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!value_equal(value_member(a->child, members[i]),
				 value_member(b->child, members[i])))
			return false;
	return true;
}

/*
 * Shows a request at exit, but not again if it failed and is unchanged. The kernel stores its
 * version even in a request that it rejects.
 */
struct value *dm_ioctl_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = dm_value(d, n, d->failed ? shown_if_failed : shown_at_exit);

	return d->failed && d->before && same_request(d->before, v) ? NULL : v;
}
