/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Video for Linux (linux/videodev2.h). */
#include <string.h>

#include "decode/device/device.h"
#include "decode/core/note.h"

static struct value *fourcc_char(struct decoder *d, unsigned c)
{
	const char *format = c == '\'' || c == '\\' ? "'\\%c'"
			     : c >= ' ' && c < 0x7f ? "'%c'"
						    : "'\\x%02x'";
	struct value *v = value_word(d->arena, arena_printf(d->arena, format, c), c);

	v->text |= TEXT_ALWAYS | TEXT_PLAIN;
	return v;
}

struct value *v4l2_fourcc(struct decoder *d, const struct type *t, uint64_t n)
{
	const struct xlat *names = t->names ? t->names : &xlat_v4l2_pixel_formats;
	struct value *v = value_call(d->arena, "v4l2_fourcc");

	v->num = n;
	for (unsigned shift = 0; shift < 32; shift += 8)
		value_add(v, fourcc_char(d, n >> shift & 0xff));
	v->comment = xlat_name(names, n);
	v->text |= TEXT_COMMENT_READS | TEXT_NOT_VERBOSE;
	return v;
}

static struct value *fract_memory(struct decoder *d, const struct type *t attr_unused,
				  uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	struct value *v = value_expr(d->arena, VALUE_OP_PER, 0);
	uint32_t parts[2];

	if (len < sizeof(parts))
		return NULL;
	memcpy(parts, bytes, sizeof(parts));
	v->text |= TEXT_ALWAYS;
	value_add(v, value_uint(d->arena, parts[0]));
	value_add(v, value_uint(d->arena, parts[1]));
	return v;
}

const struct type_ops type_v4l2_fract = {.name = "v4l2_fract", .memory = fract_memory};

/* Values of enum v4l2_buf_type. */
enum { VIDEO_CAPTURE = 1, VIDEO_OUTPUT = 2 };

/*
 * Shows a struct v4l2_streamparm, which has parameters for two buffer types. For other buffer
 * types, adds nothing at exit.
 */
static struct value *streamparm_memory(struct decoder *d, const struct type *t, uint64_t addr,
				       const uint8_t *bytes, size_t len)
{
	struct value *v = type_struct.memory(d, t, addr, bytes, len);
	uint32_t type = 0;

	memcpy(&type, bytes, size_min(len, sizeof(type)));
	d->entry_is_all = type != VIDEO_CAPTURE && type != VIDEO_OUTPUT;
	return v;
}

const struct type_ops type_v4l2_streamparm = {.name = "v4l2_streamparm",
					      .memory = streamparm_memory};

/*
 * Shows the format again at exit, unless only its type was shown at entry, or it is an overlay that
 * has no clips or whose clips could not all be read.
 */
static struct value *format_set_memory(struct decoder *d, const struct type *t, uint64_t addr,
				       const uint8_t *bytes, size_t len)
{
	struct value *v = type_struct.memory(d, t, addr, bytes, len);
	const struct value *window = value_member(v, "fmt.win"), *clips;

	clips = window ? value_member(window, "clips") : NULL;
	d->entry_is_all = !v->child || !v->child->next ||
			  (window && (!clips || clips->kind != VALUE_ARRAY || !clips->child ||
				      clips->last->kind == VALUE_MORE));
	return v;
}

const struct type_ops type_v4l2_format_set = {.name = "v4l2_format_set",
					      .memory = format_set_memory};

/*
 * Shows the id of a control. A control without a name is shown relative to its class, for example
 * V4L2_CTRL_CLASS_USER+0x111.
 */
struct value *v4l2_control(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const char *class = xlat_name(&xlat_v4l2_control_classes, n & ~(uint64_t)0xffff);
	struct value *v;

	if (!class || xlat_name(&xlat_v4l2_control_ids, n))
		return value_enum(d->arena, &xlat_v4l2_control_ids, n);
	v = value_word(d->arena, arena_printf(d->arena, "%s+%#x", class, (unsigned)(n & 0xffff)),
		       n);
	v->width = 4;
	return v;
}

struct value *v4l2_control_id(struct decoder *d, const struct type *t, uint64_t n)
{
	const uint64_t next = 0xc0000000; /* V4L2_CTRL_FLAG_NEXT_CTRL, _NEXT_COMPOUND */
	struct value *v, *id = v4l2_control(d, t, n & ~next);

	if (!(n & next))
		return id;
	v = value_or(d->arena, n);
	v->text |= TEXT_NOT_VERBOSE;
	value_add(v, value_flags(d->arena, &xlat_v4l2_control_id_flags, n & next));
	value_add(v, id);
	return v;
}

/* ---- buffers ---- */

/*
 * Shows which buffer the caller requests. The caller passes the index of a buffer, except for
 * VIDIOC_DQBUF (dequeued), where the kernel selects a buffer that is ready.
 */
static struct value *asked_buffer(struct decoder *d, const struct type *t, uint64_t addr,
				  const uint8_t *bytes, size_t len, bool dequeued)
{
	struct value *v = value_struct(d->arena);

	decode_member(d, v, t->desc, bytes, len, addr, "type");
	if (!dequeued)
		decode_member(d, v, t->desc, bytes, len, addr, "index");
	return v;
}

static struct value *filled_buffer(struct decoder *d, const struct type *t, uint64_t addr,
				   const uint8_t *bytes, size_t len, bool dequeued)
{
	static const char *const filled[] = {"index",  "memory",    "m.offset", "m.userptr",
					     "length", "bytesused", "flags",	"timestamp"};
	enum { V4L2_MEMORY_MMAP = 1, V4L2_MEMORY_USERPTR = 2 };
	struct value *v = value_struct(d->arena);
	const struct value *memory;

	d->only_out = false;
	for (size_t i = !dequeued; i < ARRAY_SIZE(filled) - !dequeued; i++) {
		memory = value_member(v, "memory");
		if (i == 2 && memory && memory->num != V4L2_MEMORY_MMAP)
			continue;
		if (i == 3 && memory && memory->num != V4L2_MEMORY_USERPTR)
			continue;
		decode_member(d, v, t->desc, bytes, len, addr, filled[i]);
	}
	v->flags |= VALUE_F_MORE;
	return v;
}

static struct value *buffer_request_memory(struct decoder *d, const struct type *t, uint64_t addr,
					   const uint8_t *bytes, size_t len)
{
	return asked_buffer(d, t, addr, bytes, len, false);
}

static struct value *buffer_filled_memory(struct decoder *d, const struct type *t, uint64_t addr,
					  const uint8_t *bytes, size_t len)
{
	return filled_buffer(d, t, addr, bytes, len, false);
}

static struct value *dequeue_request_memory(struct decoder *d, const struct type *t, uint64_t addr,
					    const uint8_t *bytes, size_t len)
{
	return asked_buffer(d, t, addr, bytes, len, true);
}

static struct value *dequeue_filled_memory(struct decoder *d, const struct type *t, uint64_t addr,
					   const uint8_t *bytes, size_t len)
{
	return filled_buffer(d, t, addr, bytes, len, true);
}

#define BUFFER(n) const struct type_ops type_v4l2_##n = {.name = #n, .memory = n##_memory}
BUFFER(buffer_request);
BUFFER(buffer_filled);
BUFFER(dequeue_request);
BUFFER(dequeue_filled);

struct value *v4l2_created(struct decoder *d, const struct type *t attr_unused,
			   uint64_t n attr_unused)
{
	static const struct type created = STRUCT(v4l2_created_buffers);
	const struct value *argp = d->ev->base.args[2].in;
	struct value *v;

	if (d->failed || !argp || argp->kind != VALUE_STRUCT)
		return NULL;
	v = decode_at(d, &created, decode_arg_raw(d, 2));
	if (v->kind == VALUE_STRUCT)
		decode_note(d, v);
	return NULL;
}

/* ---- controls ---- */

/*
 * Adds the controls. If the call failed, also adds the index of the control that failed. Returns
 * true if all controls could be read.
 */
static bool add_controls(struct decoder *d, struct value *to, uint64_t addr)
{
	const struct struct_desc *s = &struct_v4l2_ext_controls;
	size_t size = struct_size(d->abi, s);
	uint8_t *bytes = decode_read_new(d, addr, size, NULL);
	const struct value *v;

	if (!bytes)
		return false;
	if (!decode_member(d, to, s, bytes, size, addr, "controls"))
		return false;
	if (d->failed)
		decode_member(d, to, s, bytes, size, addr, "error_idx");
	v = value_member(to, "controls");
	/* If the array was only partly readable, its last element is a VALUE_MORE. */
	if (v->kind != VALUE_ARRAY)
		return false;
	value_for_each(v, e) if (e->kind == VALUE_MORE) return false;
	return true;
}

static struct value *ext_controls(struct decoder *d, uint64_t addr)
{
	static const struct type controls = STRUCT(v4l2_ext_controls);

	return decode_at(d, &controls, addr);
}

static uint64_t controls_count(const struct value *v)
{
	const struct value *count = v->kind == VALUE_STRUCT ? value_member(v, "count") : NULL;

	return count ? count->num : 0;
}

struct value *v4l2_ext_controls_get_entry(struct decoder *d, const struct type *t attr_unused,
					  uint64_t n)
{
	struct value *v = ext_controls(d, n);

	if (controls_count(v))
		v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *v4l2_ext_controls_get_exit(struct decoder *d, const struct type *t attr_unused,
					 uint64_t n)
{
	struct value *v = value_extended(d->arena, d->before, NULL);

	add_controls(d, v, n);
	return v;
}

struct value *v4l2_ext_controls_set_entry(struct decoder *d, const struct type *t attr_unused,
					  uint64_t n)
{
	struct value *v = ext_controls(d, n);

	if (controls_count(v) && add_controls(d, v, n))
		v->flags |= VALUE_F_OPEN;
	return v;
}

struct value *v4l2_ext_controls_set_exit(struct decoder *d, const struct type *t attr_unused,
					 uint64_t n)
{
	struct value *v = value_struct(d->arena);

	add_controls(d, v, n);
	return d->before ? value_change(d->arena, (struct value *)d->before, v) : v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads video_reads[] = {
	CUSTOM(v4l2_ext_controls_get_entry, STRUCT(v4l2_ext_controls)),
	CUSTOM(v4l2_ext_controls_get_exit, STRUCT(v4l2_ext_controls)),
	CUSTOM(v4l2_ext_controls_set_entry, STRUCT(v4l2_ext_controls)),
	CUSTOM(v4l2_ext_controls_set_exit, STRUCT(v4l2_ext_controls)),
	CUSTOM_ARG(v4l2_created, 2, STRUCT(v4l2_create_buffers)),
	{0}};
