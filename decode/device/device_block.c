/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/device/device_block.h"

#include "decode/io/iovec.h"

/* ---- scsi/sg.h, linux/bsg.h ---- */

/* Values of dxfer_direction in struct sg_io_hdr, as unsigned numbers. */
#define DXFER_TO_DEV	  0xfffffffe
#define DXFER_FROM_DEV	  0xfffffffd
#define DXFER_TO_FROM_DEV 0xfffffffc

struct value *sg_bytes(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v;
	uint64_t len;

	if (!decode_length(d, &t->len, &len))
		return value_addr(d->arena, n);
	v = decode_buffer(d, n, len);
	if (v->kind == VALUE_STRING)
		v->text |= TEXT_HEX_STRING;
	return v;
}

/*
 * Returns the number of bytes that were transferred: len minus residue. An invalid residue, which
 * is greater than len, is ignored.
 */
static uint32_t without(uint32_t len, uint32_t residue)
{
	return residue <= len ? len - residue : len;
}

static struct value *transferred(struct decoder *d, uint64_t addr, uint32_t iovecs, uint32_t len)
{
	struct type bytes = FN_LEN(sg_bytes, N(0)), filled = ARRAY(STRUCT(iovec_filled), N(0));
	struct value *v;

	bytes.len.n = len;
	if (!iovecs)
		return sg_bytes(d, &bytes, addr);
	filled.len.n = iovecs;
	d->left = len;
	v = decode_at(d, &filled, addr);
	d->left = 0;
	return v;
}

struct value *sg_data_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return transferred(d, n, decode_field(d, "iovec_count"), decode_field(d, "dxfer_len"));
}

struct value *sg_data_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t len = without(decode_field(d, "dxfer_len"), decode_field(d, "resid"));

	/*
	 * The data that was sent has already been shown at entry. Add received data at exit, if
	 * there is any.
	 */
	if (!len && decode_field(d, "dxfer_direction") == DXFER_TO_FROM_DEV)
		return NULL;
	return transferred(d, n, decode_field(d, "iovec_count"), len);
}

struct value *sg_data_in(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return transferred(d, n, decode_field(d, "din_iovec_count"),
			   without(decode_field(d, "din_xfer_len"), decode_field(d, "din_resid")));
}

struct value *sg_data_out(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return transferred(d, n, decode_field(d, "dout_iovec_count"),
			   decode_field(d, "dout_xfer_len"));
}

#define SG_V3 'S'
#define SG_V4 'Q'

static const char *const v3_in[] = {"interface_id", "dxfer_direction", "cmd_len",
				    "cmdp",	    "mx_sb_len",       "iovec_count",
				    "dxfer_len",    "timeout",	       "flags"};
static const char *const v3_out[] = {"status",	 "masked_status", "msg_status",	   "sb_len_wr",
				     "sbp",	 "host_status",	  "driver_status", "resid",
				     "duration", "info"};
static const char *const v4_in[] = {
	"guard",	   "protocol",	       "subprotocol",	   "request_len",
	"request",	   "request_tag",      "request_attr",	   "request_priority",
	"request_extra",   "max_response_len", "dout_iovec_count", "dout_xfer_len",
	"din_iovec_count", "din_xfer_len",     "dout_xferp",	   "timeout",
	"flags",	   "usr_ptr"};
static const char *const v4_out[] = {
	"response_len",	 "response",	"din_xferp",	"driver_status", "transport_status",
	"device_status", "retry_delay", "info",		"duration",	 "response_len",
	"din_resid",	 "dout_resid",	"generated_tag"};

/* The struct of an SG_IO request, copied from the tracee's memory. */
struct sg_memory {
	const struct struct_desc *desc;
	uint64_t addr;
	uint8_t *bytes;
	size_t size;
};

static void add_members(struct decoder *d, struct value *v, const struct sg_memory *m,
			const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		decode_member(d, v, m->desc, m->bytes, m->size, m->addr, names[i]);
}

static struct value *sg_enter(struct decoder *d, const struct sg_memory *m)
{
	bool v3 = m->desc == &struct_sg_io_hdr;
	struct value *v = value_struct(d->arena);
	const struct value *direction;

	if (v3)
		add_members(d, v, m, v3_in, ARRAY_SIZE(v3_in));
	else
		add_members(d, v, m, v4_in, ARRAY_SIZE(v4_in));
	direction = value_member(v, "dxfer_direction");
	if (direction && (direction->num == DXFER_TO_DEV || direction->num == DXFER_TO_FROM_DEV))
		add_members(d, v, m, (const char *const[]){"dxferp"}, 1);
	v->flags |= VALUE_F_OPEN;
	return v;
}

static struct value *sg_exit(struct decoder *d, const struct sg_memory *m)
{
	const struct value *before = d->before, *direction;
	bool v3 = m->desc == &struct_sg_io_hdr;
	struct value *v = value_extended(d->arena, before, NULL);

	if (!v3) {
		add_members(d, v, m, v4_out, ARRAY_SIZE(v4_out));
		return v;
	}
	direction = value_member(before, "dxfer_direction");
	if (direction && direction->num == DXFER_FROM_DEV)
		add_members(d, v, m, (const char *const[]){"dxferp"}, 1);
	if (direction && direction->num == DXFER_TO_FROM_DEV) {
		struct value *out = value_struct(d->arena), *in = v->last;

		add_members(d, out, m, (const char *const[]){"dxferp"}, 1);
		if (out->child) {
			/*
			 * The last member was already shown at entry. Show it a second time, as a
			 * change from its old to its new value.
			 */
			struct value *copy = arena_alloc(d->arena, sizeof(*copy));

			*copy = *in;
			*in = *value_change(d->arena, copy, out->child);
			in->name = copy->name;
			in->text |= TEXT_TWICE;
		}
	}
	add_members(d, v, m, v3_out, ARRAY_SIZE(v3_out));
	return v;
}

/*
 * Reads the struct at address n into *m and returns NULL. If the struct cannot be read completely,
 * returns the value to show instead.
 */
static struct value *sg_read(struct decoder *d, uint64_t n, struct sg_memory *m)
{
	struct value *v;
	uint32_t id;
	int err;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = decode_read(d, n, &id, sizeof(id));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	if (id != SG_V3 && id != SG_V4) {
		v = value_array(d->arena);
		value_add(v, value_uint(d->arena, id));
		return v;
	}
	m->addr = n;
	m->desc = id == SG_V3 ? &struct_sg_io_hdr : &struct_sg_io_v4;
	m->size = struct_size(d->abi, m->desc);
	m->bytes = decode_read_new(d, n, m->size, NULL);
	if (!m->bytes) {
		v = value_struct(d->arena);
		decode_member(d, v, m->desc, (uint8_t *)&id, sizeof(id), n,
			      id == SG_V3 ? "interface_id" : "guard");
		value_add(v, value_addr(d->arena, n + sizeof(id)));
		return v;
	}
	return NULL;
}

struct value *sg_io_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct sg_memory m = {0};
	struct value *v = sg_read(d, n, &m);

	return v ? v : sg_enter(d, &m);
}

struct value *sg_io_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct sg_memory m = {0};
	struct value *v = sg_read(d, n, &m);

	return v ? v : sg_exit(d, &m);
}

#define NO_ESCALATE 0x100 /* SG_SCSI_RESET_NO_ESCALATE */

struct value *sg_reset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type number = PTR(ENUM(sg_resets));
	struct value *v = decode_number(d, &number, n), *parts;

	if (v->kind != VALUE_ARRAY || !v->child || !(v->child->num & NO_ESCALATE))
		return v;
	parts = value_or(d->arena, v->child->num);
	parts->text |= TEXT_EACH;
	value_add(parts, value_word(d->arena, "SG_SCSI_RESET_NO_ESCALATE", NO_ESCALATE));
	value_add(parts, value_enum(d->arena, &xlat_sg_resets, v->child->num & ~NO_ESCALATE));
	v = value_array(d->arena);
	value_add(v, parts);
	return v;
}

/* ---- linux/loop.h, linux/hdreg.h ---- */

#define SECTOR_SIZE 512

struct value *hd_drive_data(struct decoder *d, const struct type *t attr_unused,
			    uint64_t n attr_unused)
{
	struct type bytes = FN_LEN(sg_bytes, N(0));

	bytes.len.n = decode_field(d, "sector_count") * SECTOR_SIZE;
	if (!bytes.len.n)
		return NULL;
	return sg_bytes(d, &bytes, d->scope->addr + sizeof(uint32_t));
}

/* ---- mtd/ubi-user.h ---- */

static struct value *ubi_entries_memory(struct decoder *d, const struct type *t attr_unused,
					uint64_t addr, const uint8_t *bytes, size_t size)
{
	struct type entries = ARRAY(STRUCT(ubi_rnvol_ent), N(0));
	int64_t count = decode_field(d, "count");

	entries.len.n = count < 0 ? 0 : count;
	return decode_bytes(d, &entries, addr, bytes, size);
}

const struct type_ops type_ubi_entries = {.name = "ubi_entries", .memory = ubi_entries_memory};

/* ---- linux/fs.h ---- */

#define INFOS_SHOWN 2 /* without -v */

struct value *dedupe_infos(struct decoder *d, const struct type *t attr_unused,
			   uint64_t n attr_unused)
{
	struct type infos = ARRAY(STRUCT(file_dedupe_range_info), N(0));
	uint64_t end = d->scope->addr + struct_size(d->abi, d->scope->desc);
	size_t size = struct_size(d->abi, &struct_file_dedupe_range_info);
	uint32_t count = decode_field(d, "dest_count");
	struct value *v;
	int err;

	infos.len.n = decode_full(d) ? count : size_min(count, INFOS_SHOWN);
	v = decode_at(d, &infos, end);
	if (v->kind != VALUE_ARRAY || infos.len.n == count ||
	    (v->last && v->last->kind == VALUE_MORE))
		return v;
	/*
	 * Read one element more than will be shown: "..." may be added only if that element is
	 * readable.
	 */
	end += infos.len.n * size;
	if (decode_read_new(d, end, size, &err)) {
		v->flags |= VALUE_F_MORE;
		return v;
	}
	value_add(v, value_more_at(d->arena, end, err));
	return v;
}

struct value *dedupe_range_exit(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type range = STRUCT(file_dedupe_range);

	if (d->failed)
		return NULL;
	return value_change(d->arena, (struct value *)d->before, decode_at(d, &range, n));
}

struct value *dedupe_range_entry(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type range = STRUCT(file_dedupe_range);
	struct value *v = decode_at(d, &range, n);
	const struct value *infos;

	infos = v->kind == VALUE_STRUCT ? value_member(v, "info") : NULL;
	/*
	 * At exit, one result per element is shown, provided that all elements could be read at
	 * entry.
	 */
	if (infos && infos->kind == VALUE_ARRAY &&
	    (infos->child ? infos->last->kind != VALUE_MORE : infos->flags & VALUE_F_MORE))
		return value_changing(d->arena, v);
	return v;
}

/* ---- the memory that the decoders above read ---- */

const struct custom_reads block_reads[] = {
	CUSTOM(sg_io_entry, STRUCT(sg_io_hdr)),
	CUSTOM(sg_io_entry, STRUCT(sg_io_v4)),
	CUSTOM(sg_io_exit, STRUCT(sg_io_hdr)),
	CUSTOM(sg_io_exit, STRUCT(sg_io_v4)),
	CUSTOM(sg_data_entry, BYTES(FIELD(dxfer_len))),
	CUSTOM(sg_data_entry, ARRAY(STRUCT(iovec_data), FIELD(iovec_count))),
	CUSTOM(sg_data_exit, BYTES(FIELD(dxfer_len))),
	CUSTOM(sg_data_exit, ARRAY(STRUCT(iovec_data), FIELD(iovec_count))),
	CUSTOM(sg_data_out, BYTES(FIELD(dout_xfer_len))),
	CUSTOM(sg_data_out, ARRAY(STRUCT(iovec_data), FIELD(dout_iovec_count))),
	CUSTOM(sg_data_in, BYTES(FIELD(din_xfer_len))),
	CUSTOM(sg_data_in, ARRAY(STRUCT(iovec_data), FIELD(din_iovec_count))),
	CUSTOM(sg_reset, UINT),
	CUSTOM(dedupe_range_entry, STRUCT(file_dedupe_range)),
	CUSTOM(dedupe_range_exit, STRUCT(file_dedupe_range)),
	/*
	 * The request and the data that follows it. Recordings contain at most this many bytes of
	 * the request and its data.
	 */
	CUSTOM(dm_ioctl_entry, BYTES(N(16384))),
	CUSTOM(dm_ioctl_exit, BYTES(N(16384))),
	CUSTOM(dedupe_infos, ARRAY(STRUCT(file_dedupe_range_info), FIELD(dest_count))),
	CUSTOM(hd_drive_data, BYTES(N(512))),
	{0}};
